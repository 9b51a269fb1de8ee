import { type TokenUsage, type TokenUsageRow, tokenUsageOf } from "@nectar/core/token-usage";
import type { Tx } from "@nectar/database/database";
import { sql } from "kysely";

/** Reads what the caller's calls of external models came to. @param month UTC calendar month, `YYYY-MM` */
export async function readUsage(tx: Tx, userId: string, month: string): Promise<TokenUsage> {
  const [year, inYear] = month.split("-").map(Number);
  const { rows } = await sql<TokenUsageRow>`
    select month, total_tokens, total_cost_usd, drops_equivalent, breakdown
    from public.get_user_token_usage_monthly(${userId}, ${year}, ${inYear})
  `.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error("A month of token usage is always one row.");
  return tokenUsageOf(row);
}
