import type { Enum } from "#core/enums.generated";
import type { Tx } from "#database/database";
import type { Drawing, TextReply } from "#providers/ai";

/** The tokens that a call of a text model used. */
export type TextUsage = Omit<TextReply<unknown>, "value">;

/** The purpose of a call, and what it is about. */
interface UsageDetails {
  /** The row that the model was used for. */
  readonly reference?:
    | {
        readonly type: "journal_entry" | "tone_pack" | "note_analysis" | "encouragement_drop";
        readonly id: string | null;
      }
    | undefined;
  /** The user it is recorded for; by default the user of the transaction. Jobs name one. */
  readonly userId?: string;
}

/** Records the tokens and the cost of a text model call. A reference without an id counts as none. */
export async function recordTextUsage(
  tx: Tx,
  usage_type: "tone_analysis" | "assistant_drop" | "note_analysis",
  { model, inputTokens, outputTokens, costUsd }: TextUsage,
  details?: UsageDetails,
): Promise<void> {
  await tx
    .insertInto("token_usage")
    .values({
      usage_type,
      model,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cost_usd: costUsd,
      ...columnsOf(details),
    })
    .execute();
}

/** Records a drawn image and its cost. */
export async function recordImageUsage(
  tx: Tx,
  usage_type: "background_generation" | "tone_pack_image",
  { model, quality, costUsd }: Omit<Drawing, "png">,
  details?: UsageDetails,
): Promise<void> {
  await tx
    .insertInto("token_usage")
    .values({
      usage_type,
      model,
      image_count: 1,
      image_quality: quality,
      cost_usd: costUsd,
      ...columnsOf(details),
    })
    .execute();
}

/** A call of a model. */
interface Call extends UsageDetails {
  readonly usage_type: Enum<"token_usage_type">;
  readonly model: string;
}

/**
 * Waits for the reply of a model. If the call fails, it is recorded in a transaction of its own, without a cost: the vendor
 * may have read what it contained.
 * @throws what the call throws
 */
export async function replyOrRecord<Reply>(
  reply: Promise<Reply>,
  transaction: (work: (tx: Tx) => Promise<void>) => Promise<void>,
  { usage_type, model, ...details }: Call,
): Promise<Reply> {
  try {
    return await reply;
  } catch (error) {
    await transaction(async (tx) => {
      const call = { usage_type, model, cost_usd: "0", has_reply: false, ...columnsOf(details) };
      await tx.insertInto("token_usage").values(call).execute();
    });
    throw error;
  }
}

function columnsOf({ reference, userId }: UsageDetails = {}) {
  return {
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(reference === undefined || reference.id === null
      ? {}
      : { reference_type: reference.type, reference_id: reference.id }),
  };
}
