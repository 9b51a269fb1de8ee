import { TONE_INSTRUCTIONS, ToneAnalysis, type TonedText, toneData } from "@nectar/core/tone";
import type { AiProvider } from "@nectar/providers/ai";
import type { TextUsage } from "./usage.ts";

/** A few words and numbers; longer replies are cut off. */
const MAX_OUTPUT_TOKENS = 300;

/** An analysis, or null if the reply was malformed, and the tokens that were used in either case. */
export interface ToneReply {
  readonly tone: ToneAnalysis | null;
  readonly usage: TextUsage;
}

/**
 * Asks a model for the tone of a text.
 * @param limits time limit, and retries of a failed call
 * @throws AppError `provider.failed` when the call fails
 */
export async function analyzeTone(
  ai: AiProvider,
  text: TonedText,
  limits: { timeoutMs: number; retries: number },
): Promise<ToneReply> {
  const { value, model, inputTokens, outputTokens } = await ai.complete({
    instructions: TONE_INSTRUCTIONS,
    data: toneData(text),
    schemaName: "tone_analysis",
    schema: ToneAnalysis,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    ...limits,
  });
  return { tone: value, usage: { model, inputTokens, outputTokens } };
}
