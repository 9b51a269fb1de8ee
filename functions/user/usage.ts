import type { TokenUsage } from "#core/money/token-usage";
import type { Tx } from "#database/database";
import { value } from "#database/query";
import { type PageQuery, readPage } from "#http/response/paging";

/** Reads what the caller's calls of models came to. @param month UTC calendar month, `YYYY-MM` */
export async function readUsage(tx: Tx, userId: string, month: string): Promise<TokenUsage> {
  const [year, monthOfYear] = month.split("-").map(Number);
  return value<TokenUsage>(tx)`
    select row_to_json(u) from public.get_user_token_usage_monthly(${userId}, ${year}, ${monthOfYear}) u
  `;
}

/** A page of the calls of models that were made for the caller, newest first, each with the entry that it read. */
export async function listUses(tx: Tx, userId: string, query: PageQuery) {
  const uses = tx
    .selectFrom("token_usage as u")
    .select((eb) => [
      "u.id",
      "u.created_at",
      "u.usage_type",
      "u.model",
      eb
        .selectFrom("journal_entries as e")
        .select("e.id")
        .whereRef("e.id", "=", "u.reference_id")
        .where("u.reference_type", "=", "journal_entry")
        .as("entry_id"),
    ])
    .where("u.user_id", "=", userId);
  const page = await readPage(uses, query);
  return {
    uses: page.rows.map(({ created_at, usage_type, model, entry_id }) => ({
      at: created_at,
      usage_type,
      model,
      entry_id,
    })),
    next_cursor: page.next_cursor,
  };
}
