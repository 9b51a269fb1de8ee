import { queueRanges, type TurnEnd, type TurnOptions, takeTurns } from "#assistant/turns";
import { recordTextUsage, replyOrRecord } from "#assistant/usage";
import {
  NOTE_ANALYSIS_QUESTION,
  type Note,
  type NoteAnalysis,
  notesData,
  notesToRead,
} from "#core/assistant/note-analysis";
import { utcDate } from "#core/time/calendar-date";
import { type DayRange, EVERYONE } from "#core/work/tasks";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { type JobContext, job, type WorkerContext } from "#http/jobs/jobs";
import type { Services } from "#http/services/services";
import { describeFailure } from "#http/telemetry/logging";
import { scheduleOf } from "../schedules.ts";

const JOB = "note_analysis";
const MODEL_TIMEOUT_MS = 40_000;

/**
 * Analyzes the recent notes of all people who let the assistant read them, unless they have an analysis of today (UTC) and
 * have not changed their notes since. Other workers help with many people. Whatever does not fit into the budget is left
 * for the next run.
 */
export const analyzeRecentNotes = job(
  scheduleOf("note-analysis"),
  async (context: JobContext<TurnOptions>) => {
    const { services, errors } = context;
    if (services.ai === null) return { total: 0, successful: 0, failed: 0, errors: ["No model is configured."] };
    const queued = await queueRanges({ ...context, job: JOB, report: reporting(services) }, (range) => ({
      name: "note-analysis",
      date: context.key,
      range,
    }));
    return { ...(await analyzeRange(context, { date: context.key, range: EVERYONE })), ...queued, errors };
  },
  { key: utcDate },
);

/** Analyzes the recent notes of the people in a range whose turn it is. @returns what this worker did itself */
export async function analyzeRange(worker: WorkerContext<TurnOptions>, { date, range }: DayRange) {
  const { services, options, transaction } = worker;
  const { ai } = services;
  const { modelTimeoutMs = MODEL_TIMEOUT_MS } = options;
  if (ai === null) return { total: 0, successful: 0, failed: 0 };
  const taking = { ...worker, job: JOB, date, range, report: reporting(services) } as const;
  const { done, failed } = await takeTurns(taking, (userId, claim, now) =>
    analyzeOne({ ai, transaction, modelTimeoutMs }, { userId, claim, now }),
  );
  return { total: done + failed, successful: done, failed };
}

function reporting({ logger }: Services) {
  return (error: unknown) => logger.warn(describeFailure(error), "note analysis failed");
}

interface Analyzing {
  readonly ai: NonNullable<Services["ai"]>;
  readonly transaction: JobContext["transaction"];
  readonly modelTimeoutMs: number;
}

/** A person's turn, and the time of its claim. */
interface Turn {
  readonly userId: string;
  readonly claim: string;
  readonly now: Date;
}

async function analyzeOne({ ai, transaction, modelTimeoutMs }: Analyzing, turn: Turn): Promise<TurnEnd> {
  const { userId, now } = turn;
  const notes = notesToRead(await transaction((tx) => readRecentNotes(tx, userId, now)));
  if (notes.length === 0) return "skipped";
  const question = { ...NOTE_ANALYSIS_QUESTION, data: notesData(notes), timeoutMs: modelTimeoutMs };
  const call = { usage_type: "note_analysis", model: ai.textModel, userId } as const;
  const { value: analysis, ...usage } = await replyOrRecord(ai.complete(question), transaction, call);
  return transaction(async (tx) => {
    const id = analysis === null ? null : await storeAnalysis(tx, turn, analysis, notes);
    // A call was paid for even if its reply is malformed or no longer wanted.
    await recordTextUsage(tx, "note_analysis", usage, { userId, reference: { type: "note_analysis", id } });
    if (analysis === null) return "unusable";
    return id === null ? "skipped" : "done";
  });
}

interface RecentNote extends Note {
  readonly id: string;
  /** The state of all recent notes of the person when they were read, in the database's own text form. */
  readonly state: string;
}

async function readRecentNotes(tx: Tx, userId: string, now: Date): Promise<RecentNote[]> {
  return call(tx, "notes_for_analysis", { userId, moment: now });
}

/**
 * Returns the id of the analysis, or null if the person does not want it any more, or deleted their analyses or deleted or
 * excluded one of the notes meanwhile.
 */
async function storeAnalysis(
  tx: Tx,
  { userId, claim, now }: Turn,
  analysis: NoteAnalysis,
  notes: readonly RecentNote[],
): Promise<string | null> {
  return call(tx, "store_note_analysis", {
    userId,
    claim,
    moment: now,
    analysis,
    entryIds: notes.map(({ id }) => id),
    state: notes[0]?.state,
  });
}
