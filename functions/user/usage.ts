import type { TokenUsage } from "@nectar/core/token-usage";
import type { Tx } from "@nectar/database/database";
import { value } from "@nectar/database/query";

/** Reads what the caller's calls of models came to. @param month UTC calendar month, `YYYY-MM` */
export async function readUsage(tx: Tx, userId: string, month: string): Promise<TokenUsage> {
  const [year, monthOfYear] = month.split("-").map(Number);
  return value<TokenUsage>(tx)`
    select row_to_json(u) from public.get_user_token_usage_monthly(${userId}, ${year}, ${monthOfYear}) u
  `;
}
