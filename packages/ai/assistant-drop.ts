import { ASSISTANT_DROP_INSTRUCTIONS, AssistantMessage, analysisData } from "@nectar/core/assistant-drop";
import type { NoteAnalysis } from "@nectar/core/note-analysis";
import type { AiProvider, TextReply } from "@nectar/providers/ai";

/** A few sentences; longer replies are cut off. */
const MAX_OUTPUT_TOKENS = 300;

/**
 * Asks a model for a message of encouragement.
 * @param analysis of the recipient's notes
 * @throws AppError `provider.failed` if the call fails
 */
export function writeAssistantMessage(
  ai: AiProvider,
  analysis: NoteAnalysis,
  limits: { readonly timeoutMs: number },
): Promise<TextReply<AssistantMessage>> {
  return ai.complete({
    instructions: ASSISTANT_DROP_INSTRUCTIONS,
    data: analysisData(analysis),
    schemaName: "assistant_drop",
    schema: AssistantMessage,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    ...limits,
  });
}
