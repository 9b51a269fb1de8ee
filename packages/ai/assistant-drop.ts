import { ASSISTANT_DROP_INSTRUCTIONS, AssistantMessage, analysisData } from "@nectar/core/assistant-drop";
import type { NoteAnalysis } from "@nectar/core/note-analysis";
import type { AiProvider } from "@nectar/providers/ai";
import type { TextUsage } from "./usage.ts";

/** A few sentences; longer replies are cut off. */
const MAX_OUTPUT_TOKENS = 300;

/** A message, or null if the reply was malformed, and the tokens that were used in either case. */
export interface AssistantMessageReply {
  readonly message: string | null;
  readonly usage: TextUsage;
}

/**
 * Asks a model for a message of encouragement.
 * @param analysis of the recipient's notes
 * @throws AppError `provider.failed` when the call fails
 */
export async function writeAssistantMessage(
  ai: AiProvider,
  analysis: NoteAnalysis,
  limits: { timeoutMs: number },
): Promise<AssistantMessageReply> {
  const { value, model, inputTokens, outputTokens } = await ai.complete({
    instructions: ASSISTANT_DROP_INSTRUCTIONS,
    data: analysisData(analysis),
    schemaName: "assistant_drop",
    schema: AssistantMessage,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    timeoutMs: limits.timeoutMs,
  });
  return { message: value?.message ?? null, usage: { model, inputTokens, outputTokens } };
}
