import { analyzeTone, type ToneReply } from "@nectar/ai/tone";
import { recordTextUsage, type TextUsage } from "@nectar/ai/usage";
import { AppError } from "@nectar/core/errors";
import type { ToneAnalysis } from "@nectar/core/tone";
import type { Tx } from "@nectar/database/database";
import { consumeQuota } from "@nectar/database/quota";
import { configured } from "@nectar/http/configured";
import type { Services } from "@nectar/http/services";
import type { ToneRequest } from "./schema.ts";

/** Somebody waits for just this answer, so a call that failed is repeated once. */
const LIMITS = { timeoutMs: 15_000, retries: 1 };

/** Counts a question. @throws AppError 503 without a provider, 429 when the quota is used up */
export async function consumeToneQuota(tx: Tx, { ai }: Services): Promise<void> {
  configured(ai);
  await consumeQuota(tx, "tone_analysis");
}

/**
 * Asks for the tone of a text.
 * @throws AppError `provider.failed`, also for a reply of the wrong shape, which is recorded because it was paid for
 */
export async function requestTone(
  { ai }: Services,
  asUser: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>,
  { title, content }: ToneRequest,
): Promise<{ tone: ToneAnalysis; usage: TextUsage }> {
  const { tone, usage }: ToneReply = await analyzeTone(configured(ai), { title: title || undefined, content }, LIMITS);
  if (tone === null) {
    await asUser((tx) => recordTextUsage(tx, "tone_analysis", usage));
    throw new AppError("provider.failed");
  }
  return { tone, usage };
}
