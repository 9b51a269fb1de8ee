import { recordTextUsage, replyOrRecord } from "#assistant/usage";
import { moodFromTone, TONE_QUESTION, type ToneAnalysis, toneData } from "#core/assistant/tone";
import type { Tx } from "#database/database";
import type { RunTransaction } from "#http/access/access";
import type { Services } from "#http/services/services";
import { describeFailure } from "#http/telemetry/logging";
import type { Entry, VersionedEntry } from "#journal/entry";
import type { TextReply } from "#providers/ai";

type ToneReply = TextReply<ToneAnalysis>;

/** Asks a model for the tone of a saved entry. @returns null if that fails, which is logged */
export async function requestMood(
  { ai, logger }: Services,
  transaction: RunTransaction,
  { id, title, content }: Entry,
  { requestId, timeoutMs }: { readonly requestId: string; readonly timeoutMs: number },
): Promise<ToneReply | null> {
  if (ai === null || content === null) return null;
  const reply = ai.complete({ ...TONE_QUESTION, data: toneData({ title, content }), timeoutMs });
  const reference = { type: "journal_entry", id } as const;
  try {
    return await replyOrRecord(reply, transaction, { usage_type: "tone_analysis", model: ai.textModel, reference });
  } catch (error) {
    logger.warn({ request_id: requestId, ...describeFailure(error) }, "tone analysis failed");
    return null;
  }
}

/**
 * Records what an analysis used, and stores the mood that it found unless the entry was changed or deleted during the
 * call. The author has not changed the entry by that, so `updated_at` stays.
 * @param entry as it was analyzed, without a mood
 */
export async function storeMood(
  tx: Tx,
  entry: VersionedEntry,
  { value: tone, ...usage }: ToneReply,
): Promise<VersionedEntry> {
  await recordTextUsage(tx, "tone_analysis", usage, { reference: { type: "journal_entry", id: entry.id } });
  const mood = tone === null ? null : moodFromTone(tone);
  if (mood === null) return entry;
  const found = await tx
    .updateTable("journal_entries")
    .set({ mood, mood_source: "ai" })
    .where("id", "=", entry.id)
    .where("updated_at", "=", entry.updated_at)
    .returning(["mood", "mood_source", "version"])
    .executeTakeFirst();
  return { ...entry, ...found };
}
