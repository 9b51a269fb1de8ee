import { superAdmin, userOrProgram } from "#http/access/guards";
import { endpoint } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import type { Services } from "#http/services/services";
import { listTransactions, readBalance } from "./drops.ts";
import { awardMonthlyDrops, claimMonthlyDrops } from "./monthly.ts";
import { reconcile, reconcileDrops } from "./reconciliation.ts";
import {
  BalanceResponse,
  MonthlyAwardResponse,
  ReconciliationResponse,
  TransactionQuery,
  TransactionsResponse,
} from "./schema.ts";

/** Drops, the currency of Nectar: balances, their transactions, the monthly award, and whether all of it adds up. */
export function dropsApp(services: Services) {
  return groupApp(services, "drops", [
    endpoint(
      "GET /api/drops/balance",
      {
        id: "readDropsBalance",
        summary: "Read your balance of drops",
        guard: userOrProgram("drops:read"),
        replica: "own",
        response: BalanceResponse,
      },
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
        guard: userOrProgram("drops:read"),
        replica: "own",
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
        guard: userOrProgram("drops:write"),
        response: MonthlyAwardResponse,
      },
      ({ tx, actor, now }) => claimMonthlyDrops(tx, actor.userId, now),
    ),
    jobEndpoint(awardMonthlyDrops, {
      id: "runMonthlyDrops",
      summary: "Give all users their drops of this month (scheduled)",
    }),
    endpoint(
      "GET /api/admin/drops/reconcile",
      {
        id: "reconcileDrops",
        summary: "Reconcile all balances with the ledger (super admin)",
        description:
          "All accounts, transactions, monthly awards and purchases of tone packs, as they were at one moment. Corrects nothing. It may take many seconds; a daily job runs it as well, and fails if it is not `ok`.",
        access: "service",
        guard: superAdmin,
        response: ReconciliationResponse,
      },
      async ({ tx, now }) => ({ reconciliation: await reconcileDrops(tx, now) }),
    ),
    jobEndpoint(reconcile, {
      id: "runDropsReconciliation",
      summary: "Reconcile all balances with the ledger (scheduled)",
      description: "500 if they do not add up.",
    }),
  ]);
}
