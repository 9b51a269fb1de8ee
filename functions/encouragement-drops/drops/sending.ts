import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { raisedCode } from "@nectar/database/errors";
import { one } from "@nectar/database/query";
import { readBadge } from "../badges/badges.ts";
import { readAllowance, secondsToMidnight } from "./allowance.ts";
import type { AssistantCard } from "./drops.ts";
import type { NewDrop } from "./schema.ts";
import { readNewDrop } from "./sent.ts";

/**
 * Sends a drop of the caller. Everything is decided in one SQL function under the lock of the day's allowance.
 * @param context.now the moment that the drop is sent at; its UTC day is the one that it counts for
 * @throws AppError 400 to oneself, to the system user, or of another type than the template; 404 without such a template,
 *   recipient or entry; 429 when nothing is left today, with the seconds until the next day
 */
export async function sendDrop(
  tx: Tx,
  userId: string,
  input: NewDrop,
  { now, config }: { now: Date; config: AssistantCard },
) {
  const id = await insertDrop(tx, input, now);
  return {
    drop: await readNewDrop(tx, id, config),
    allowance: await readAllowance(tx, userId, now),
    badge: await readBadge(tx, userId, now),
  };
}

async function insertDrop(tx: Tx, input: NewDrop, now: Date): Promise<string> {
  const { recipient_id, drop_type, template_id, content, media_url, entry_id } = input;
  try {
    const sent = await one<{ id: string }>(tx)`
      select (private.send_encouragement_drop(
        ${recipient_id}, ${drop_type ?? null}, ${template_id ?? null}, ${content ?? null},
        ${media_url?.type ?? null}, ${media_url?.url ?? null}, ${media_url?.thumbnail ?? null},
        ${entry_id ?? null}, ${now.toISOString()}
      )).id
    `;
    return sent.id;
  } catch (error) {
    const code = raisedCode(error);
    if (code === "encouragement.allowance_exhausted" || code === "encouragement.custom_drops_exhausted") {
      throw new AppError(code, { cause: error, retryAfterSeconds: secondsToMidnight(now) });
    }
    throw error;
  }
}
