import { NOTE_ANALYSIS_INSTRUCTIONS, type Note, NoteAnalysis, notesData } from "@nectar/core/note-analysis";
import type { AiProvider } from "@nectar/providers/ai";
import type { TextUsage } from "./usage.ts";

/** About a page; longer replies are cut off. */
const MAX_OUTPUT_TOKENS = 2_000;

/** An analysis, or null if the reply was malformed, and the tokens that were used in either case. */
export interface NoteAnalysisReply {
  readonly analysis: NoteAnalysis | null;
  readonly usage: TextUsage;
}

/**
 * Asks a model for an analysis of a person's notes of the last days.
 * @param notes of one person, newest first
 * @throws AppError `provider.failed` when the call fails
 */
export async function analyzeNotes(
  ai: AiProvider,
  notes: readonly Note[],
  limits: { timeoutMs: number },
): Promise<NoteAnalysisReply> {
  const { value, model, inputTokens, outputTokens } = await ai.complete({
    instructions: NOTE_ANALYSIS_INSTRUCTIONS,
    data: notesData(notes),
    schemaName: "note_analysis",
    schema: NoteAnalysis,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    timeoutMs: limits.timeoutMs,
  });
  return { analysis: value, usage: { model, inputTokens, outputTokens } };
}
