import { AppError } from "#core/errors";
import type { Tx } from "#database/database";
import { raisedCode } from "#database/errors";
import { value } from "#database/query";
import { type BadgeRow, presentBadge } from "../badges/badges.ts";
import { type AllowanceRow, presentAllowance, secondsToMidnight } from "./allowance.ts";
import type { EncouragementDrop, NewDrop } from "./schema.ts";

/**
 * Sends a drop of the caller. One SQL function checks and counts it, under the lock of the day's allowance.
 * @param now when the drop is sent; it counts for the UTC day of this moment
 * @throws AppError 400 for the caller, the system user, or another type than the template's; 404 for an unknown template,
 *   recipient or entry; 429 when nothing is left today, with the seconds until the next day
 */
export async function sendDrop(tx: Tx, drop: NewDrop, now: Date) {
  const sent = await insertDrop(tx, drop, now);
  return { drop: sent.drop, allowance: presentAllowance(sent.allowance, now), badge: presentBadge(sent.badge, now) };
}

/** A drop that was sent, and what its sender has after it. */
interface Sent {
  readonly drop: EncouragementDrop;
  readonly allowance: AllowanceRow;
  readonly badge: BadgeRow;
}

async function insertDrop(tx: Tx, { drop_type, media_url: media, ...rest }: NewDrop, now: Date): Promise<Sent> {
  const drop = {
    ...rest,
    type: drop_type,
    media_type: media?.type,
    media_url: media?.url,
    thumbnail_url: media?.thumbnail,
  };
  try {
    return await value<Sent>(tx)`
      select private.send_encouragement_drop(${JSON.stringify(drop)}::jsonb, ${now.toISOString()}::timestamptz)
    `;
  } catch (error) {
    const code = raisedCode(error);
    if (code === "encouragement.allowance_exhausted" || code === "encouragement.custom_drops_exhausted") {
      throw new AppError(code, { cause: error, retryAfterSeconds: secondsToMidnight(now) });
    }
    throw error;
  }
}
