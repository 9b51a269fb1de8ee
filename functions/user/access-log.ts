import type { Tx } from "#database/database";
import { cardOf } from "#database/profiles";
import { type PageQuery, readPage } from "#http/response/paging";

/** A page of what super admins read of the caller's entries and goals that were not shared with them, newest first. */
export async function listAccesses(tx: Tx, userId: string, query: PageQuery) {
  const reads = tx
    .selectFrom("private.logged_reads")
    .select(["id", "created_at", "entry_id", "goal_id", "reader_id", cardOf("reader_id").as("reader")])
    .where("user_id", "=", userId);
  const page = await readPage(reads, query);
  return {
    reads: page.rows.map(({ created_at, reader, reader_id, entry_id, goal_id }) => ({
      at: created_at,
      by: reader ?? { id: reader_id, full_name: null, avatar_url: null, is_ai: false },
      entry_id,
      goal_id,
    })),
    next_cursor: page.next_cursor,
  };
}
