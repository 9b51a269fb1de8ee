import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { admin, superAdmin } from "@nectar/http/guards";
import { respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { idParam, json, query } from "@nectar/http/validate";
import { adjustDrops, refundPurchase } from "./drops.ts";
import { listReceivedEmails } from "./emails.ts";
import { listRates, setRate } from "./rates.ts";
import {
  Adjustment,
  EmailsResponse,
  MovementResponse,
  NewRate,
  PageQuery,
  RateResponse,
  RatesResponse,
  Refund,
  RoleResponse,
  RoleUpdate,
  UsersQuery,
  UsersResponse,
} from "./schema.ts";
import { listUsers, updateRole } from "./users.ts";

/**
 * What admins see and super admins change. Reading runs as the service, behind the guard; changing runs as the person, so
 * that the database itself asks for the role once more.
 */
export function adminApp(services: Services) {
  return createApp(services)
    .get(
      "/api/admin/conversion/rates",
      describe({ summary: "Read how many tokens one drop is worth, now and before", response: RatesResponse }),
      admin,
      query(PageQuery),
      async (c) => answer(c, 200, await services.database.asService((tx) => listRates(tx, c.req.valid("query")))),
    )
    .post(
      "/api/admin/conversion/rates",
      describe({
        summary: "Set how many tokens one drop is worth, from now on",
        status: 201,
        response: RateResponse,
        errors: [409],
      }),
      superAdmin,
      json(NewRate),
      (c) => respondOnce(c, 201, async (tx) => ({ rate: await setRate(tx, c.req.valid("json")) })),
    )
    .get(
      "/api/admin/users",
      describe({ summary: "List people with their balance and this month's token usage", response: UsersResponse }),
      admin,
      query(UsersQuery),
      async (c) => {
        const now = services.clock.now();
        const page = await services.database.asService((tx) => listUsers(tx, c.req.valid("query"), now));
        return answer(c, 200, page);
      },
    )
    .get(
      "/api/admin/emails/received",
      describe({
        summary: "List mail to the service, newest first",
        description: "Kept for 30 days. Attachments are not kept.",
        response: EmailsResponse,
      }),
      admin,
      query(PageQuery),
      async (c) => {
        const page = await services.database.asService((tx) => listReceivedEmails(tx, c.req.valid("query")));
        return answer(c, 200, page);
      },
    )
    .put(
      "/api/admin/users/:id/role",
      describe({ summary: "Change a person's service-wide role", response: RoleResponse, errors: [404, 409] }),
      superAdmin,
      json(RoleUpdate),
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const user = await c.var.asUser((tx) => updateRole(tx, id, c.req.valid("json")));
        return answer(c, 200, { user });
      },
    )
    .post(
      "/api/admin/drops/adjust",
      describe({ summary: "Correct a person's balance of drops", response: MovementResponse, errors: [404, 409] }),
      superAdmin,
      json(Adjustment),
      (c) => respondOnce(c, 200, (tx) => adjustDrops(tx, c.req.valid("json"))),
    )
    .post(
      "/api/admin/drops/refund",
      describe({ summary: "Give back what a purchase cost", response: MovementResponse, errors: [404, 409] }),
      superAdmin,
      json(Refund),
      (c) => respondOnce(c, 200, (tx) => refundPurchase(tx, c.req.valid("json"))),
    );
}
