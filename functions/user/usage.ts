import { type TokenUsage, type TokenUsageRow, tokenUsageOf } from "@nectar/core/token-usage";
import type { Tx } from "@nectar/database/database";
import { one } from "@nectar/database/query";

/** Reads what the caller's calls of external models came to. @param month UTC calendar month, `YYYY-MM` */
export async function readUsage(tx: Tx, userId: string, month: string): Promise<TokenUsage> {
  const [year, inYear] = month.split("-").map(Number);
  const row = await one<TokenUsageRow>(tx)`
    select month, total_tokens, total_cost_usd, drops_equivalent, breakdown
    from public.get_user_token_usage_monthly(${userId}, ${year}, ${inYear})
  `;
  return tokenUsageOf(row);
}
