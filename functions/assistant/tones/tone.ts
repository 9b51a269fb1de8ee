import { recordTextUsage, replyOrRecord, type TextUsage } from "#assistant/usage";
import { TONE_QUESTION, type ToneAnalysis, toneData } from "#core/assistant/tone";
import { AppError } from "#core/errors";
import type { RunTransaction } from "#http/access/access";
import type { AiProvider } from "#providers/ai";
import type { ToneRequest } from "./schema.ts";

/** The caller waits for nothing else, so a failed call is repeated once. */
const LIMITS = { timeoutMs: 15_000, retries: 1 };

/**
 * Asks a model for the tone of a text.
 * @throws AppError `provider.failed`, also for a malformed reply, whose usage is recorded because it was paid for
 */
export async function requestTone(
  ai: AiProvider,
  transaction: RunTransaction,
  { title, content }: ToneRequest,
): Promise<{ tone: ToneAnalysis; usage: TextUsage }> {
  const data = toneData({ title: title || undefined, content });
  const reply = ai.complete({ ...TONE_QUESTION, data, ...LIMITS });
  const call = { usage_type: "tone_analysis", model: ai.textModel } as const;
  const { value: tone, ...usage } = await replyOrRecord(reply, transaction, call);
  if (tone === null) {
    await transaction((tx) => recordTextUsage(tx, "tone_analysis", usage));
    throw new AppError("provider.failed");
  }
  return { tone, usage };
}
