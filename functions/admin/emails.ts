import { sql } from "kysely";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { MAX_PAGE_BYTES, pageOf } from "#http/response/paging";
import type { PageQuery } from "./schema.ts";

/** A page of the mail that the service received, newest first. */
export async function listReceivedEmails(tx: Tx, { limit, cursor }: PageQuery) {
  const size = sql`coalesce(octet_length(body_text), 0) + coalesce(octet_length(body_html), 0)`;
  const candidates = tx
    .selectFrom("private.email_received")
    .select([
      "id",
      "sender as from",
      "recipients as to",
      "subject",
      "body_text as text",
      "body_html as html",
      sql<boolean>`is_verified or content_fetched_at is not null`.as("is_verified"),
      "created_at as received_at",
      sql<number>`sum(${size}) over (order by created_at desc, id desc) - (${size})`.as("bytes_before"),
    ])
    .where(afterCursor(["created_at", "id"], cursor))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1);
  // Texts that do not fit on the page are not read, because they may be large.
  const rows = await tx
    .selectFrom(candidates.as("candidate"))
    .select(["id", "from", "to", "subject", "text", "html", "is_verified", "received_at"])
    .where("bytes_before", "<", MAX_PAGE_BYTES)
    .orderBy("received_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const page = pageOf(rows, limit, (email) => ({ at: email.received_at, id: email.id }));
  return { emails: page.rows, next_cursor: page.next_cursor };
}
