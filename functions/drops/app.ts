import { endpoint } from "@nectar/http/endpoint";
import { groupApp } from "@nectar/http/group-app";
import { user } from "@nectar/http/guards";
import { jobEndpoint } from "@nectar/http/job-endpoint";
import type { Services } from "@nectar/http/services";
import { listTransactions, readBalance } from "./drops.ts";
import { awardMonthlyDrops, claimMonthlyDrops } from "./monthly.ts";
import { BalanceResponse, MonthlyAwardResponse, TransactionQuery, TransactionsResponse } from "./schema.ts";

/** Drops, the currency of Nectar: balances, their transactions, and the monthly award. */
export function dropsApp(services: Services) {
  return groupApp(services, "drops", [
    endpoint(
      "GET /api/drops/balance",
      { id: "readDropsBalance", summary: "Read your balance of drops", guard: user, response: BalanceResponse },
      async ({ tx, actor }) => {
        const balance = await readBalance(tx, actor.userId);
        return { balance, drops_balance: balance };
      },
    ),
    endpoint(
      "GET /api/drops/transactions",
      {
        id: "listDropTransactions",
        summary: "List your drop transactions",
        description: "Newest first.",
        guard: user,
        query: TransactionQuery,
        response: TransactionsResponse,
      },
      ({ tx, actor, query }) => listTransactions(tx, actor.userId, query),
    ),
    endpoint(
      "POST /api/drops/award-monthly",
      {
        id: "awardMonthlyDrops",
        summary: "Claim your drops of this month",
        description: "The month is the UTC calendar month. If you already have them, `awarded` is false.",
        guard: user,
        response: MonthlyAwardResponse,
      },
      ({ tx, actor, now }) => claimMonthlyDrops(tx, actor.userId, now),
    ),
    jobEndpoint(awardMonthlyDrops, {
      id: "runMonthlyDrops",
      summary: "Give all users their drops of this month (scheduled)",
    }),
  ]);
}
