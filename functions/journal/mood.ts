import { analyzeTone, type ToneReply } from "@nectar/ai/tone";
import { recordTextUsage } from "@nectar/ai/usage";
import { moodFromTone } from "@nectar/core/tone";
import type { Tx } from "@nectar/database/database";
import { maybeOne } from "@nectar/database/query";
import { describeFailure } from "@nectar/http/logging";
import type { Services } from "@nectar/http/services";
import type { Entry } from "@nectar/journal/entry";

/** Asks for the tone of an entry that is saved already: a failure is logged, and the entry stays without a mood. */
export async function findTone(
  { ai, logger }: Services,
  { title, content }: Entry,
  timeoutMs: number,
  requestId: string,
): Promise<ToneReply | null> {
  if (ai === null || content === null) return null;
  try {
    return await analyzeTone(ai, { title, content }, { timeoutMs, retries: 0 });
  } catch (error) {
    logger.warn({ request_id: requestId, ...describeFailure(error) }, "tone analysis failed");
    return null;
  }
}

/** Logs that what an analysis found could not be stored: the entry is saved already, and stays without a mood. */
export function logLostMood(error: unknown, logger: Services["logger"], requestId: string): void {
  logger.error({ request_id: requestId, ...describeFailure(error) }, "a found mood was not stored");
}

/**
 * Records what an analysis used, and stores the mood that it found unless the entry was changed or deleted while the
 * model was thinking. A found mood is no change by the author, so `updated_at` stays.
 * @param entry as it was analysed, without a mood
 */
export async function storeMood(tx: Tx, entry: Entry, reply: ToneReply | null): Promise<Entry> {
  if (reply === null) return entry;
  await recordTextUsage(tx, "tone_analysis", reply.usage, { type: "journal_entry", id: entry.id });
  const mood = reply.tone === null ? null : moodFromTone(reply.tone);
  if (mood === null) return entry;
  const found = await maybeOne<Pick<Entry, "mood" | "mood_source">>(tx)`
    with unchanged as (
      select e.id from journal_entries e
      where e.id = ${entry.id} and e.updated_at = ${entry.updated_at} and e.mood is null
      for update
    )
    update journal_entry_contents c set found_mood = ${mood} from unchanged where c.entry_id = unchanged.id
    returning c.found_mood as mood, 'ai' as mood_source
  `;
  return { ...entry, ...found };
}
