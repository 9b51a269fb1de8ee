import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { cronRoute } from "@nectar/http/cron-route";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { query } from "@nectar/http/validate";
import { listTransactions, readBalance } from "./drops.ts";
import { awardEverybody, awardMonth } from "./monthly.ts";
import { BalanceResponse, MonthlyAwardResponse, TransactionQuery, TransactionsResponse } from "./schema.ts";

/** The drops currency: a person's balance and its movements, and the monthly award. */
export function dropsApp(services: Services) {
  return createApp(services)
    .get(
      "/api/drops/balance",
      describe({ summary: "Read one's balance", response: BalanceResponse }),
      user,
      async (c) => {
        const balance = await c.var.asUser((tx) => readBalance(tx, c.var.actor.userId));
        return answer(c, 200, { balance, drops_balance: balance });
      },
    )
    .get(
      "/api/drops/transactions",
      describe({ summary: "List one's movements, newest first", response: TransactionsResponse }),
      user,
      query(TransactionQuery),
      async (c) => {
        const page = await c.var.asUser((tx) => listTransactions(tx, c.var.actor.userId, c.req.valid("query")));
        return answer(c, 200, page);
      },
    )
    .post(
      "/api/drops/award-monthly",
      describe({ summary: "Take the drops of this month", response: MonthlyAwardResponse }),
      user,
      (c) => respondOnce(c, 200, (tx) => awardMonth(tx, c.var.actor.userId, services.clock.now())),
    )
    .post(...cronRoute(awardEverybody, { summary: "Give everybody the drops of this month (scheduled)" }));
}
