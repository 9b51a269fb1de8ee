import { runMessage } from "#functions/workers/run";
import { production } from "#http/services/production";
import { queueHandler } from "#lambda/queue-handler";
import { subscribe } from "./subscriber.ts";

/** A worker in a process of its own: does the tasks of a queue as the deployed function does, until it is killed. */
const [, , queueUrl = "", moment = ""] = process.argv;
const ahead = Date.parse(moment) - Date.now();
const services = { ...production(), clock: { now: () => new Date(Date.now() + ahead) } };

await subscribe(
  queueUrl,
  queueHandler((body) => runMessage(services, body)),
  () => false,
);
