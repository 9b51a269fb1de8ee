import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { pageOf } from "@nectar/http/paging";
import { sql } from "kysely";
import type { Message, PageQuery } from "./schema.ts";

/** The caller's own mails, newest first. */
export async function listMessages(
  tx: Tx,
  userId: string,
  { limit, cursor }: PageQuery,
): Promise<{ messages: readonly Message[]; next_cursor: string | null }> {
  const rows = await messagesOf(tx, userId)
    .where(afterCursor(["created_at", "id"], cursor))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: messages, next_cursor } = pageOf(rows, limit, (message) => ({
    at: message.created_at,
    id: message.id,
  }));
  return { messages, next_cursor };
}

/** One of the caller's own mails. @throws AppError email.message_not_found */
export async function readMessage(tx: Tx, userId: string, id: string): Promise<Message> {
  const message = await messagesOf(tx, userId).where("id", "=", id).executeTakeFirst();
  if (message === undefined) throw new AppError("email.message_not_found");
  return message;
}

function messagesOf(tx: Tx, userId: string) {
  return tx
    .selectFrom("private.email_messages")
    .where("user_id", "=", userId)
    .select([
      "id",
      "recipient as to",
      "subject",
      "state as status",
      // Until the provider reports anything, a mail that was handed over is on its way.
      sql<Message["delivery"]>`case
        when delivery = 'delivery_delayed' then 'delayed'
        when delivery is null and state = 'sent' then 'sent'
        else delivery::text
      end`.as("delivery"),
      "created_at",
      "updated_at",
    ]);
}
