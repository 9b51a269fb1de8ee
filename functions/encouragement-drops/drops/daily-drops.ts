import { writeAssistantMessage } from "@nectar/ai/assistant-drop";
import { type TurnEnd, takeTurns } from "@nectar/ai/turns";
import { recordTextUsageFor, type TextUsage } from "@nectar/ai/usage";
import { genericMessage } from "@nectar/core/assistant-drop";
import { utcDate } from "@nectar/core/calendar-date";
import { NoteAnalysis } from "@nectar/core/note-analysis";
import type { Tx } from "@nectar/database/database";
import { one } from "@nectar/database/query";
import { type JobContext, job } from "@nectar/http/jobs";
import { describeFailure } from "@nectar/http/logging";
import type { Services } from "@nectar/http/services";
import { deliverPushes } from "@nectar/notifications/deliver";
import { scheduleOf } from "../../schedules.ts";

/** How the job is run; a test need not wait as long as the model's vendor wants it. */
export interface DailyDropsOptions {
  /** Milliseconds between two batches. */
  readonly pauseMs: number;
  /** Milliseconds for one call of the model. */
  readonly modelTimeoutMs: number;
}

const DEFAULT_OPTIONS: DailyDropsOptions = { pauseMs: 1_000, modelTimeoutMs: 30_000 };

/** Milliseconds for telling devices at once; the scheduled retries tell the others. */
const PUSH_BUDGET_MS = 10_000;

/**
 * Gives everybody who lets the assistant read their notes and write to them one drop of today (UTC): in words of a model
 * about their latest analysis, or general ones. Whatever does not fit into the budget is left for the next run.
 */
export const giveDailyDrops = job(
  scheduleOf("daily-assistant-drops"),
  async ({ services, options, errors, transaction, outOfTime }: JobContext<DailyDropsOptions>) => {
    const { clock, logger } = services;
    const { pauseMs, modelTimeoutMs } = { ...DEFAULT_OPTIONS, ...options };
    const recipients: string[] = [];
    const turns = await takeTurns(
      {
        job: "daily_drop",
        now: () => clock.now(),
        transaction,
        outOfTime,
        pauseMs,
        report: (error) => logger.warn(describeFailure(error), "assistant drop failed"),
      },
      async (userId) => {
        const end = await giveOne(services, { transaction, modelTimeoutMs }, userId);
        if (end === "done") recipients.push(userId);
        return end;
      },
    );
    errors.push(...turns.errors);
    await deliverPushes(services, { recipients, budgetMs: PUSH_BUDGET_MS });
    const { seen, done, failed } = turns;
    return { total: seen, generated: done, skipped: seen - done - failed, failed, errors };
  },
  { key: utcDate },
);

interface Giving {
  readonly transaction: JobContext["transaction"];
  readonly modelTimeoutMs: number;
}

async function giveOne(
  { ai, clock, config }: Services,
  { transaction, modelTimeoutMs }: Giving,
  userId: string,
): Promise<TurnEnd> {
  const now = clock.now();
  const analysis = ai === null ? null : await transaction((tx) => latestAnalysis(tx, userId));
  const reply =
    ai === null || analysis === null ? null : await writeAssistantMessage(ai, analysis, { timeoutMs: modelTimeoutMs });
  const words = reply === null ? genericMessage(userId, utcDate(now)) : reply.message;
  return transaction(async (tx) => {
    // A call that was answered was paid for, also when the answer is of no use or not wanted any more.
    const id = words === null ? null : await giveDrop(tx, userId, now, words, config.assistantName);
    if (reply !== null) await recordUsage(tx, userId, reply.usage, id);
    if (words === null) return "unusable";
    return id === null ? "skipped" : "done";
  });
}

/** The latest analysis of somebody who wants the assistant to know it; one that we do not understand counts as none. */
async function latestAnalysis(tx: Tx, userId: string): Promise<NoteAnalysis | null> {
  const { analysis } = await one<{ analysis: unknown }>(tx)`
    select private.analysis_for_message(${userId}) as analysis
  `;
  return NoteAnalysis.safeParse(analysis).data ?? null;
}

/** The id of the drop, or null when the person has one of today or does not want any. */
async function giveDrop(
  tx: Tx,
  userId: string,
  now: Date,
  words: string,
  assistantName: string,
): Promise<string | null> {
  const { id } = await one<{ id: string | null }>(tx)`
    select private.send_assistant_drop(
      ${userId}, ${now.toISOString()}::timestamptz, ${words}, ${`A drop from ${assistantName}`}
    ) as id
  `;
  return id;
}

function recordUsage(tx: Tx, userId: string, usage: TextUsage, dropId: string | null): Promise<void> {
  const reference = dropId === null ? undefined : ({ type: "encouragement_drop", id: dropId } as const);
  return recordTextUsageFor(tx, userId, "assistant_drop", usage, reference);
}
