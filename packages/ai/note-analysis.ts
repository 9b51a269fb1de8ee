import { NOTE_ANALYSIS_INSTRUCTIONS, type Note, NoteAnalysis, notesData } from "@nectar/core/note-analysis";
import type { AiProvider } from "@nectar/providers/ai";
import type { TextUsage } from "./usage.ts";

/** A page; a model that says more is cut off. */
const MAX_OUTPUT_TOKENS = 2_000;

/** An analysis, or null when the reply had not the asked shape, and what it used in either case. */
export interface NoteAnalysisReply {
  readonly analysis: NoteAnalysis | null;
  readonly usage: TextUsage;
}

/**
 * Asks a model what a person's notes of the last days come to.
 * @param notes of one person, newest first
 * @throws AppError `provider.failed` when the model cannot be asked
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
