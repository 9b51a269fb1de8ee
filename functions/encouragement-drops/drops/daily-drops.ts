import { queueRanges, type TurnEnd, type TurnOptions, takeTurns } from "#assistant/turns";
import { recordTextUsage, replyOrRecord } from "#assistant/usage";
import { ASSISTANT_DROP_QUESTION, analysisData, genericMessage } from "#core/assistant/assistant-drop";
import { NoteAnalysis } from "#core/assistant/note-analysis";
import { utcDate } from "#core/time/calendar-date";
import { type DayRange, EVERYONE } from "#core/work/tasks";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { type JobContext, job, type WorkerContext } from "#http/jobs/jobs";
import { wakePushes } from "#http/jobs/wake";
import type { Services } from "#http/services/services";
import { describeFailure } from "#http/telemetry/logging";
import { scheduleOf } from "../../schedules.ts";

const JOB = "daily_drop";
const MODEL_TIMEOUT_MS = 30_000;

/**
 * Sends the assistant's drop of the day (UTC) to everyone who lets the assistant read their notes and write to them: a
 * model's message about their latest analysis, or a generic one. Other workers help with many people. Whatever does not
 * fit into the budget is left for the next run.
 */
export const sendDailyDrops = job(
  scheduleOf("daily-assistant-drops"),
  async (context: JobContext<TurnOptions>) => {
    const { services, errors } = context;
    const queued = await queueRanges({ ...context, job: JOB, report: reporting(services) }, (range) => ({
      name: "assistant-drop",
      date: context.key,
      range,
    }));
    return { ...(await sendDropsTo(context, { date: context.key, range: EVERYONE })), ...queued, errors };
  },
  { key: utcDate },
);

/** Sends the drop of the day to the people in a range whose turn it is. @returns what this worker did itself */
export async function sendDropsTo(worker: WorkerContext<TurnOptions>, { date, range }: DayRange) {
  const { services, options, transaction } = worker;
  const { modelTimeoutMs = MODEL_TIMEOUT_MS } = options;
  const taking = { ...worker, job: JOB, date, range, report: reporting(services) } as const;
  const { seen, done, failed } = await takeTurns(taking, (userId, _claim, now) =>
    sendDailyDrop(services, { userId, now, transaction, modelTimeoutMs }),
  );
  await wakePushes(services);
  return { total: seen, generated: done, skipped: seen - done - failed, failed };
}

function reporting({ logger }: Services) {
  return (error: unknown) => logger.warn(describeFailure(error), "assistant drop failed");
}

async function sendDailyDrop(
  { ai, config }: Services,
  turn: {
    readonly userId: string;
    /** Time of the claim. */
    readonly now: Date;
    readonly transaction: JobContext["transaction"];
    readonly modelTimeoutMs: number;
  },
): Promise<TurnEnd> {
  const { userId, now, transaction, modelTimeoutMs } = turn;
  const latest = ai === null ? null : await transaction((tx) => readLatestAnalysis(tx, userId));
  const reply =
    ai === null || latest === null
      ? null
      : await replyOrRecord(
          ai.complete({ ...ASSISTANT_DROP_QUESTION, data: analysisData(latest.analysis), timeoutMs: modelTimeoutMs }),
          transaction,
          { usage_type: "assistant_drop", model: ai.textModel, userId },
        );
  const message = reply === null ? genericMessage(userId, utcDate(now)) : (reply.value?.message ?? null);
  return transaction(async (tx) => {
    const drop = { userId, now, message, assistantName: config.assistantName, analysisId: latest?.id ?? null };
    const dropId = await insertDrop(tx, drop);
    // A reply was paid for, even if it is unusable or no longer wanted.
    if (reply !== null) {
      const reference = { type: "encouragement_drop", id: dropId } as const;
      await recordTextUsage(tx, "assistant_drop", reply, { userId, reference });
    }
    if (message === null) return "unusable";
    return dropId === null ? "skipped" : "done";
  });
}

/** The latest analysis that the assistant may know; null if there is none, or none of the current shape. */
async function readLatestAnalysis(tx: Tx, userId: string): Promise<{ id: string; analysis: NoteAnalysis } | null> {
  const latest = (await call(tx, "analysis_for_message", { userId })).at(0);
  const analysis = NoteAnalysis.safeParse(latest?.analysis).data;
  return latest === undefined || analysis === undefined ? null : { id: latest.id, analysis };
}

interface Drop {
  readonly userId: string;
  readonly now: Date;
  /** null if the model wrote none. */
  readonly message: string | null;
  readonly assistantName: string;
  /** The analysis that the message is about; null for a generic one. */
  readonly analysisId: string | null;
}

/** @returns the id of the drop, or null if the user already has one of today or wants none, or the analysis was deleted */
async function insertDrop(tx: Tx, { userId, now, message, assistantName, analysisId }: Drop): Promise<string | null> {
  if (message === null) return null;
  return call(tx, "send_assistant_drop", { userId, moment: now, content: message, assistantName, analysisId });
}
