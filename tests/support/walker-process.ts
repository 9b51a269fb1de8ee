import { Task } from "@nectar/core/tasks";
import { queueHandler } from "@nectar/deploy/queue-handler";
import { withinBudget } from "@nectar/http/jobs";
import { production } from "@nectar/http/production";
import { analyzeRange } from "../../functions/chat/analyzing.ts";
import { subscribe } from "./subscriber.ts";

/** A walker in a process of its own: analyzes notes by the tasks of a queue until it is killed, without pauses. */
const [, , queueUrl = "", moment = ""] = process.argv;
const ahead = Date.parse(moment) - Date.now();
const services = { ...production(), clock: { now: () => new Date(Date.now() + ahead) } };

const handler = queueHandler(async (body) => {
  const task = Task.parse(JSON.parse(body));
  if (task.name !== "note-analysis") throw new Error("These walkers only analyze notes.");
  await analyzeRange(withinBudget(services, 240_000, { pauseMs: 0, modelTimeoutMs: 60_000 }), task);
});
await subscribe(queueUrl, handler, () => false);
