import { imageCostUsd, textCostUsd } from "@nectar/core/pricing";
import type { Tx } from "@nectar/database/database";

/** Tokens that a call of a text model used. */
export interface TextUsage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The model and quality of drawn images. */
export interface ImageUsage {
  readonly model: string;
  readonly quality: "standard" | "hd";
}

/** The row that a model was used for. */
export interface UsageReference {
  readonly type: "journal_entry" | "tone_pack" | "note_analysis" | "encouragement_drop";
  readonly id: string;
}

/** Records the tokens and the cost of a text model call for the user of the transaction. */
export async function recordTextUsage(
  tx: Tx,
  type: "tone_analysis",
  usage: TextUsage,
  reference?: UsageReference,
): Promise<void> {
  await tx
    .insertInto("token_usage")
    .values(textColumns(type, usage, reference))
    .execute();
}

/** Records the tokens and the cost of a text model call that a job made for a user, in a service transaction. */
export async function recordTextUsageFor(
  tx: Tx,
  userId: string,
  type: "assistant_drop" | "note_analysis",
  usage: TextUsage,
  reference?: UsageReference,
): Promise<void> {
  await tx
    .insertInto("token_usage")
    .values({ user_id: userId, ...textColumns(type, usage, reference) })
    .execute();
}

/**
 * Records drawn images and their cost for the user of the transaction.
 * @param count number of images of this quality
 */
export async function recordImageUsage(
  tx: Tx,
  type: "background_generation" | "tone_pack_image",
  { model, quality }: ImageUsage,
  reference?: UsageReference,
  count = 1,
): Promise<void> {
  await tx
    .insertInto("token_usage")
    .values({
      usage_type: type,
      model,
      image_count: count,
      image_quality: quality,
      cost_usd: imageCostUsd(quality, count),
      ...referenceColumns(reference),
    })
    .execute();
}

function textColumns(
  usage_type: "tone_analysis" | "assistant_drop" | "note_analysis",
  { model, inputTokens, outputTokens }: TextUsage,
  reference: UsageReference | undefined,
) {
  return {
    usage_type,
    model,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cost_usd: textCostUsd(inputTokens, outputTokens),
    ...referenceColumns(reference),
  };
}

function referenceColumns(reference: UsageReference | undefined) {
  return reference === undefined ? {} : { reference_type: reference.type, reference_id: reference.id };
}
