import { Task } from "#core/work/tasks";
import { OUT_OF_TIME, type WorkerContext, withinBudget } from "#http/jobs/jobs";
import type { Services } from "#http/services/services";
import { describeFailure } from "#http/telemetry/logging";
import { deliverPushes } from "#notifications/deliver";
import { analyzeRange } from "../assistant/analyzing.ts";
import { sendDropsTo } from "../encouragement-drops/drops/daily-drops.ts";
import { drawIfChanged } from "../game/mosaics/runs.ts";
import { fetchSoon } from "../mail/webhook/received.ts";
import { settleShares } from "../notebooks/settling.ts";
import { eraseSoon } from "../user/account/erasing.ts";
import { buildExport } from "./exports/build.ts";
import { runImport } from "./imports/run.ts";

/** How long a worker starts new work, in milliseconds; its function lives longer. */
const BUDGET_MS = 240_000;
/** The same for an export, which is built in one go, and for an import, whose archive is checked in one go. */
const LONG_BUDGET_MS = 840_000;

/** Does the task of a message. @throws Error if it could not be finished, or if the message is no task */
export async function runMessage(services: Services, body: string): Promise<void> {
  await runTask(services, readTask(services, body));
}

function readTask({ logger }: Services, body: string): Task {
  try {
    return Task.parse(JSON.parse(body));
  } catch (error) {
    logger.error(describeFailure(error), "a message was no task");
    throw error;
  }
}

/** Does a task and logs it. @throws Error if it could not be finished */
export async function runTask(services: Services, task: Task): Promise<void> {
  const { logger, metrics, meter, telemetry } = services;
  const startedAt = performance.now();
  const logged = (outcome: "succeeded" | "failed") => {
    const durationMs = Math.round(performance.now() - startedAt);
    meter?.run("task", task.name, outcome, durationMs);
    return { ...metrics?.("task"), task: task.name, outcome, duration_ms: durationMs };
  };
  const plan = { name: `task ${task.name}`, kind: "consumer", attributes: { "nectar.task": task.name } } as const;
  try {
    const run = () => work(services, task);
    const results = telemetry === null ? await run() : await telemetry.inSpan(plan, run);
    logger.info({ ...logged("succeeded"), results }, "task");
  } catch (error) {
    logger.error({ ...logged("failed"), failure: describeFailure(error) }, "task failed");
    throw error;
  }
}

/**
 * Does a part of a job's work.
 * @throws Error if the time was up before it was done, unless the process stops: then the job's next run continues
 */
async function finish(services: Services, doPart: (part: WorkerContext) => Promise<object>): Promise<object> {
  const part = withinBudget(services, BUDGET_MS);
  const results = await doPart(part);
  if (part.errors.includes(OUT_OF_TIME) && !services.stopping.aborted) throw new Error("The time was up.");
  return { ...results, errors: part.errors };
}

/** Does what is due, and nothing if it is done already. */
function work(services: Services, task: Task): Promise<object> {
  switch (task.name) {
    case "push":
      return deliverPushes(services, BUDGET_MS);
    case "note-analysis":
      return finish(services, (part) => analyzeRange(part, task));
    case "assistant-drop":
      return finish(services, (part) => sendDropsTo(part, task));
    case "received-mail":
      return fetchSoon(services);
    case "import":
      return runImport(services, task.id, LONG_BUDGET_MS);
    case "shares":
      return finish(services, settleShares);
    case "mosaic":
      return drawIfChanged(services, task.date);
    case "erasure":
      return eraseSoon(services);
    case "export":
      return buildExport(services, task.id, LONG_BUDGET_MS);
  }
}
