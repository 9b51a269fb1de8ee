import { analyzeNotes } from "@nectar/ai/note-analysis";
import { type TurnEnd, takeTurns } from "@nectar/ai/turns";
import { recordTextUsageFor } from "@nectar/ai/usage";
import type { Note, NoteAnalysis } from "@nectar/core/note-analysis";
import type { Tx } from "@nectar/database/database";
import { type JobContext, type JobResponse, runJob } from "@nectar/http/jobs";
import { describeFailure } from "@nectar/http/logging";
import type { Services } from "@nectar/http/services";
import { sql } from "kysely";

/** How the job is run; a test need not wait as long as the model's vendor wants it. */
export interface AnalyzingOptions {
  /** Seconds after which no batch begins; with the last calls it stays below what the function may take. */
  readonly budgetSeconds: number;
  /** Milliseconds between two batches. */
  readonly pauseMs: number;
  /** Milliseconds for one call of the model. */
  readonly modelTimeoutMs: number;
}

const DEFAULT_OPTIONS: AnalyzingOptions = { budgetSeconds: 240, pauseMs: 1_000, modelTimeoutMs: 40_000 };

/**
 * Analyses the recent notes of all people who let the assistant read them and have no analysis of today (UTC), or whose
 * notes have changed since. What does not fit into the budget is left for the next call.
 */
export function analyzeEverybody(services: Services, options: Partial<AnalyzingOptions> = {}): Promise<JobResponse> {
  const { ai, clock, logger } = services;
  const { budgetSeconds, pauseMs, modelTimeoutMs } = { ...DEFAULT_OPTIONS, ...options };
  const key = clock.now().toISOString().slice(0, 10);
  return runJob(services, { job: "note-analysis", key, budgetSeconds }, async ({ slice, outOfTime }) => {
    if (ai === null) return { total: 0, successful: 0, failed: 0, errors: ["No model is configured."] };
    const { done, failed, errors } = await takeTurns(
      {
        job: "note_analysis",
        now: () => clock.now(),
        slice,
        outOfTime,
        pauseMs,
        report: (error) => logger.warn(describeFailure(error), "note analysis failed"),
      },
      (userId, claim, now) => analyzeOne({ ai, slice, modelTimeoutMs }, { userId, claim, now }),
    );
    return { total: done + failed, successful: done, failed, errors };
  });
}

interface Analyzing {
  readonly ai: NonNullable<Services["ai"]>;
  readonly slice: JobContext["slice"];
  readonly modelTimeoutMs: number;
}

/** A person's turn. */
interface Turn {
  readonly userId: string;
  readonly claim: string;
  readonly now: Date;
}

async function analyzeOne({ ai, slice, modelTimeoutMs }: Analyzing, turn: Turn): Promise<TurnEnd> {
  const { userId, now } = turn;
  const notes = await slice((tx) => recentNotes(tx, userId, now));
  const [newest] = notes;
  if (newest === undefined) return "skipped";
  const { analysis, usage } = await analyzeNotes(ai, notes.map(asNote), { timeoutMs: modelTimeoutMs });
  return slice(async (tx) => {
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
  const { rows } = await sql<RecentNote>`
    select title, content, mood, written_at, state
    from private.notes_for_analysis(${userId}, ${now.toISOString()}::timestamptz)
  `.execute(tx);
  return rows;
}

/** The id of the analysis, or null when the person does not want it any more, or had it forgotten meanwhile. */
async function storeAnalysis(
  tx: Tx,
  { userId, claim, now }: Turn,
  analysis: NoteAnalysis,
  notes: { readonly count: number; readonly state: string },
): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select private.store_note_analysis(
      ${userId}, ${claim}::uuid, ${now.toISOString()}::timestamptz, ${JSON.stringify(analysis)}::jsonb,
      ${notes.count}::int, ${notes.state}::private.notes_state
    ) as id
  `.execute(tx);
  return rows[0]?.id ?? null;
}
