import { TONE_INSTRUCTIONS, ToneAnalysis, type TonedText, toneData } from "@nectar/core/tone";
import type { AiProvider } from "@nectar/providers/ai";
import type { TextUsage } from "./usage.ts";

/** The reply is a handful of words and numbers; a model that says more is cut off. */
const MAX_OUTPUT_TOKENS = 300;

/** An analysis, or null when the reply had not the asked shape, and what it used in either case. */
export interface ToneReply {
  readonly tone: ToneAnalysis | null;
  readonly usage: TextUsage;
}

/**
 * Asks a model for the tone of a text.
 * @param limits how long it may take, and how often a failed call is repeated
 * @throws AppError `provider.failed` when the model cannot be asked
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
