import { NOTE_ANALYSIS_INSTRUCTIONS, type Note, NoteAnalysis, notesData } from "@nectar/core/note-analysis";
import type { AiProvider, TextReply } from "@nectar/providers/ai";

/** About a page; longer replies are cut off. */
const MAX_OUTPUT_TOKENS = 2_000;

/**
 * Asks a model for an analysis of a person's notes of the last days.
 * @param notes of one person, newest first
 * @throws AppError `provider.failed` if the call fails
 */
export function analyzeNotes(
  ai: AiProvider,
  notes: readonly Note[],
  limits: { readonly timeoutMs: number },
): Promise<TextReply<NoteAnalysis>> {
  return ai.complete({
    instructions: NOTE_ANALYSIS_INSTRUCTIONS,
    data: notesData(notes),
    schemaName: "note_analysis",
    schema: NoteAnalysis,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    ...limits,
  });
}
