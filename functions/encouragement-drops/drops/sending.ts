import { ASSISTANT_ID } from "#core/assistant/assistant";
import { AppError } from "#core/errors";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { raisedCode } from "#database/errors";
import type { SentDrop } from "#database/types.generated";
import { requireVisible } from "#journal/sharing";
import { presentBadge } from "../badges/badges.ts";
import { presentAllowance, secondsToMidnight } from "./allowance.ts";
import type { NewDrop } from "./schema.ts";

/**
 * Sends a drop of the caller.
 * @param now when the drop is sent; it counts for the UTC day of this moment
 * @throws AppError 400 for the caller, the assistant, or another type than the template's; 404 for an unknown template,
 *   recipient, entry or goal; 429 when nothing is left today, with the seconds until the next day
 */
export async function sendDrop(tx: Tx, senderId: string, drop: NewDrop, now: Date) {
  const { recipient_id, template_id, drop_type, entry_id, goal_id } = drop;
  if (recipient_id === senderId) throw new AppError("encouragement.self_send");
  if (recipient_id === ASSISTANT_ID) throw new AppError("encouragement.system_recipient");
  if (template_id !== null) await requireTemplate(tx, template_id, drop_type);
  if (entry_id !== null || goal_id !== null) {
    // Also required by SQL, but a missing recipient is reported before a missing entry or goal.
    await call(tx, "require_drop_recipient", { recipientId: recipient_id });
    if (entry_id !== null) await requireVisible(tx, "journal_entries", entry_id);
    if (goal_id !== null) await requireVisible(tx, "goals", goal_id);
  }
  const sent = await insertDrop(tx, drop, now);
  return { drop: sent.drop, allowance: presentAllowance(sent.allowance, now), badge: presentBadge(sent.badge, now) };
}

/** @param type of the drop; undefined for that of the template */
async function requireTemplate(tx: Tx, id: string, type: NewDrop["drop_type"]): Promise<void> {
  const template = await tx
    .selectFrom("drop_templates")
    .select("type")
    .where("id", "=", id)
    // Admins see those that are not.
    .where("is_approved", "=", true)
    .executeTakeFirstOrThrow(() => new AppError("encouragement.template_not_found"));
  if (type !== undefined && type !== template.type) throw new AppError("encouragement.type_mismatch");
}

async function insertDrop(tx: Tx, { drop_type, media_url: media, ...rest }: NewDrop, now: Date): Promise<SentDrop> {
  const drop = {
    ...rest,
    type: drop_type,
    media_type: media?.type,
    media_url: media?.url,
    thumbnail_url: media?.thumbnail,
  };
  try {
    return await call(tx, "send_encouragement_drop", { drop, moment: now });
  } catch (error) {
    const code = raisedCode(error);
    if (code === "encouragement.allowance_exhausted" || code === "encouragement.custom_drops_exhausted") {
      throw new AppError(code, { cause: error, retryAfterSeconds: secondsToMidnight(now) });
    }
    throw error;
  }
}
