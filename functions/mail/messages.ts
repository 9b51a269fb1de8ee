import { sql } from "kysely";
import { AppError } from "#core/errors";
import type { Tx } from "#database/database";
import { type PageQuery, readPage } from "#http/response/paging";
import type { Message } from "./schema.ts";

/** Reads a page of the mails that the caller sent, newest first. */
export async function listMessages(
  tx: Tx,
  userId: string,
  query: PageQuery,
): Promise<{ messages: Message[]; next_cursor: string | null }> {
  const { rows, next_cursor } = await readPage(messagesOf(tx, userId), query);
  return { messages: rows, next_cursor };
}

/** Reads a mail that the caller sent. @throws AppError email.message_not_found */
export async function readMessage(tx: Tx, userId: string, id: string): Promise<Message> {
  return messagesOf(tx, userId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow(() => new AppError("email.message_not_found"));
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
      // A mail that the provider accepted counts as sent until its first event.
      sql<Message["delivery"]>`case
        when delivery = 'delivery_delayed' then 'delayed'
        when delivery is null and state = 'sent' then 'sent'
        else delivery::text
      end`.as("delivery"),
      "created_at",
      "updated_at",
    ]);
}
