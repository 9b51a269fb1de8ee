import { recordTextUsage, replyOrRecord } from "@nectar/ai/usage";
import { AppError } from "@nectar/core/errors";
import { moodFromTone, TONE_QUESTION, type ToneAnalysis, toneData } from "@nectar/core/tone";
import type { Tx } from "@nectar/database/database";
import { maybeOne } from "@nectar/database/query";
import type { EndpointRequest } from "@nectar/http/endpoint";
import { describeFailure } from "@nectar/http/logging";
import type { Services } from "@nectar/http/services";
import type { Entry } from "@nectar/journal/entry";
import type { TextReply } from "@nectar/providers/ai";

type ToneReply = TextReply<ToneAnalysis>;

/**
 * The phases of an endpoint that has saved an entry and looks for a mood in it. If that fails, the failure is logged, and
 * the entry stays saved without a mood.
 */
export function findMood({ ai, logger }: Services, timeoutMs: number) {
  return {
    during: async (
      {
        requestId,
        transaction,
      }: Pick<EndpointRequest<unknown, unknown, unknown, unknown>, "requestId" | "transaction">,
      { id, title, content }: Entry,
    ) => {
      if (ai === null || content === null) return null;
      const reply = ai.complete({ ...TONE_QUESTION, data: toneData({ title, content }), timeoutMs });
      try {
        return await replyOrRecord(reply, transaction, {
          usage_type: "tone_analysis",
          model: ai.textModel,
          reference: { type: "journal_entry", id },
        });
      } catch (error) {
        logger.warn({ request_id: requestId, ...describeFailure(error) }, "tone analysis failed");
        return null;
      }
    },
    after: async ({ tx }: { readonly tx: Tx }, entry: Entry, reply: ToneReply | null) => ({
      entry: reply === null ? entry : await storeMood(tx, entry, reply),
    }),
    provisional: (entry: Entry) => ({ entry }),
    onFailure({ requestId }: { readonly requestId: string }, error: unknown) {
      // The account, or what else the author may do, has changed during the call.
      const isExpected = error instanceof AppError && error.status < 500;
      const line = { request_id: requestId, ...describeFailure(error) };
      logger[isExpected ? "info" : "error"](line, "a found mood was not stored");
    },
  };
}

/**
 * Records what an analysis used, and stores the mood that it found unless the entry was changed or deleted during the
 * call. The author has not changed the entry by that, so `updated_at` stays.
 * @param entry as it was analyzed, without a mood
 */
export async function storeMood(tx: Tx, entry: Entry, { value: tone, ...usage }: ToneReply): Promise<Entry> {
  await recordTextUsage(tx, "tone_analysis", usage, { reference: { type: "journal_entry", id: entry.id } });
  const mood = tone === null ? null : moodFromTone(tone);
  if (mood === null) return entry;
  const found = await maybeOne<Pick<Entry, "mood" | "mood_source">>(tx)`
    with unchanged as (
      select e.id from journal_entries e
      where e.id = ${entry.id} and e.updated_at = ${entry.updated_at} and e.mood is null and not e.ai_excluded
      for update
    )
    update journal_entry_contents c set found_mood = ${mood} from unchanged where c.entry_id = unchanged.id
    returning c.found_mood as mood, 'ai' as mood_source
  `;
  return { ...entry, ...found };
}
