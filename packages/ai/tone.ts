import { TONE_INSTRUCTIONS, ToneAnalysis, type TonedText, toneData } from "@nectar/core/tone";
import type { AiProvider, TextReply } from "@nectar/providers/ai";

/** A few words and numbers; longer replies are cut off. */
const MAX_OUTPUT_TOKENS = 300;

/**
 * Asks a model for the tone of a text.
 * @param limits time limit, and retries of a failed call
 * @throws AppError `provider.failed` if the call fails
 */
export function analyzeTone(
  ai: AiProvider,
  text: TonedText,
  limits: { readonly timeoutMs: number; readonly retries: number },
): Promise<TextReply<ToneAnalysis>> {
  return ai.complete({
    instructions: TONE_INSTRUCTIONS,
    data: toneData(text),
    schemaName: "tone_analysis",
    schema: ToneAnalysis,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    ...limits,
  });
}
