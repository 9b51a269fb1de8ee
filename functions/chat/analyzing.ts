import { analyzeNotes } from "@nectar/ai/note-analysis";
import { type TurnEnd, takeTurns } from "@nectar/ai/turns";
import { recordTextUsageFor } from "@nectar/ai/usage";
import { utcDate } from "@nectar/core/calendar-date";
import type { Note, NoteAnalysis } from "@nectar/core/note-analysis";
import type { Tx } from "@nectar/database/database";
import { all, one } from "@nectar/database/query";
import { type JobContext, job } from "@nectar/http/jobs";
import { describeFailure } from "@nectar/http/logging";
import type { Services } from "@nectar/http/services";
import { scheduleOf } from "../schedules.ts";

/** How the job is run; a test need not wait as long as the model's vendor wants it. */
export interface AnalyzingOptions {
  /** Milliseconds between two batches. */
  readonly pauseMs: number;
  /** Milliseconds for one call of the model. */
  readonly modelTimeoutMs: number;
}

const DEFAULT_OPTIONS: AnalyzingOptions = { pauseMs: 1_000, modelTimeoutMs: 40_000 };

/**
 * Analyses the recent notes of all people who let the assistant read them and have no analysis of today (UTC), or whose
 * notes have changed since. Whatever does not fit into the budget is left for the next run.
 */
export const analyzeEverybody = job(
  scheduleOf("note-analysis"),
  async ({ services, options, errors, transaction, outOfTime }: JobContext<AnalyzingOptions>) => {
    const { ai, clock, logger } = services;
    const { pauseMs, modelTimeoutMs } = { ...DEFAULT_OPTIONS, ...options };
    if (ai === null) return { total: 0, successful: 0, failed: 0, errors: ["No model is configured."] };
    const turns = await takeTurns(
      {
        job: "note_analysis",
        now: () => clock.now(),
        transaction,
        outOfTime,
        pauseMs,
        report: (error) => logger.warn(describeFailure(error), "note analysis failed"),
      },
      (userId, claim, now) => analyzeOne({ ai, transaction, modelTimeoutMs }, { userId, claim, now }),
    );
    errors.push(...turns.errors);
    return { total: turns.done + turns.failed, successful: turns.done, failed: turns.failed, errors };
  },
  { key: utcDate },
);

interface Analyzing {
  readonly ai: NonNullable<Services["ai"]>;
  readonly transaction: JobContext["transaction"];
  readonly modelTimeoutMs: number;
}

/** A person's turn. */
interface Turn {
  readonly userId: string;
  readonly claim: string;
  readonly now: Date;
}

async function analyzeOne({ ai, transaction, modelTimeoutMs }: Analyzing, turn: Turn): Promise<TurnEnd> {
  const { userId, now } = turn;
  const notes = await transaction((tx) => recentNotes(tx, userId, now));
  const [newest] = notes;
  if (newest === undefined) return "skipped";
  const { analysis, usage } = await analyzeNotes(ai, notes.map(asNote), { timeoutMs: modelTimeoutMs });
  return transaction(async (tx) => {
    // A call that was answered was paid for, also when the answer is of no use or not wanted any more.
    const id =
      analysis === null ? null : await storeAnalysis(tx, turn, analysis, { count: notes.length, state: newest.state });
    await recordTextUsageFor(
      tx,
      userId,
      "note_analysis",
      usage,
      id === null ? undefined : { type: "note_analysis", id },
    );
    if (analysis === null) return "unusable";
    return id === null ? "skipped" : "done";
  });
}

interface RecentNote extends Note {
  /** What all of the person's recent notes were when they were read, in the database's own text form. */
  readonly state: string;
}

function asNote({ title, content, mood, written_at }: RecentNote): Note {
  return { title, content, mood, written_at };
}

async function recentNotes(tx: Tx, userId: string, now: Date): Promise<RecentNote[]> {
  return all<RecentNote>(tx)`
    select title, content, mood, written_at, state
    from private.notes_for_analysis(${userId}, ${now.toISOString()}::timestamptz)
  `;
}

/** The id of the analysis, or null when the person does not want it any more, or had it forgotten meanwhile. */
async function storeAnalysis(
  tx: Tx,
  { userId, claim, now }: Turn,
  analysis: NoteAnalysis,
  notes: { readonly count: number; readonly state: string },
): Promise<string | null> {
  const { id } = await one<{ id: string | null }>(tx)`
    select private.store_note_analysis(
      ${userId}, ${claim}::uuid, ${now.toISOString()}::timestamptz, ${JSON.stringify(analysis)}::jsonb,
      ${notes.count}::int, ${notes.state}::private.notes_state
    ) as id
  `;
  return id;
}
