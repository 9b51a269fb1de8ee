import { KEPT_DAYS } from "#core/retention";
import { admin, superAdmin } from "#http/access/guards";
import { endpoint } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { readJobStates } from "#http/jobs/job-states";
import type { Services } from "#http/services/services";
import { SCHEDULES } from "../schedules.ts";
import { listAuditEvents } from "./audit.ts";
import { adjustDrops, refundPurchase } from "./drops.ts";
import { listReceivedEmails } from "./emails.ts";
import { listRates, setRate } from "./rates.ts";
import {
  Adjustment,
  AuditQuery,
  AuditResponse,
  EmailsResponse,
  JobsResponse,
  MovementResponse,
  NewRate,
  PageQuery,
  RateResponse,
  RatesResponse,
  Refund,
  RoleResponse,
  RoleUpdate,
  UserId,
  UsersQuery,
  UsersResponse,
} from "./schema.ts";
import { listUsers, updateRole } from "./users.ts";

/**
 * Endpoints for admins, who read, and super admins, who also change. Reading runs as the service, after the guard.
 * Changing, and reading the audit log, run as the caller, so that the database checks the role as well.
 */
export function adminApp(services: Services) {
  return groupApp(services, "admin", [
    endpoint(
      "GET /api/admin/conversion/rates",
      {
        id: "listConversionRates",
        summary: "List the conversion rates of tokens to drops (admin)",
        access: "service",
        guard: admin,
        query: PageQuery,
        response: RatesResponse,
      },
      ({ tx, query }) => listRates(tx, query),
    ),
    endpoint(
      "POST /api/admin/conversion/rates",
      {
        id: "createConversionRate",
        summary: "Set the conversion rate of tokens to drops (super admin)",
        description: "Takes effect immediately.",
        guard: superAdmin,
        audit: { target: "conversion_rate", newId: ({ rate }) => rate.id },
        body: NewRate,
        status: 201,
        response: RateResponse,
      },
      async ({ tx, body }) => ({ rate: await setRate(tx, body) }),
    ),
    endpoint(
      "GET /api/admin/users",
      {
        id: "listUsers",
        summary: "List users with their balance and token usage of this month (admin)",
        description: "Newest first. The month is the current UTC calendar month.",
        access: "service",
        guard: admin,
        query: UsersQuery,
        response: UsersResponse,
      },
      ({ tx, query, now }) => listUsers(tx, query, now),
    ),
    endpoint(
      "GET /api/admin/emails/received",
      {
        id: "listReceivedEmails",
        summary: "List the mail that the service received (admin)",
        description: `Newest first. Mail is kept for ${KEPT_DAYS.receivedMails} days; attachments are not kept.`,
        access: "service",
        guard: admin,
        query: PageQuery,
        response: EmailsResponse,
      },
      ({ tx, query }) => listReceivedEmails(tx, query),
    ),
    endpoint(
      "PUT /api/admin/users/:id/role",
      {
        id: "updateUserRole",
        summary: "Change the role of a user (super admin)",
        guard: superAdmin,
        audit: { target: "user", id: ({ params }) => params.id },
        params: { id: UserId },
        body: RoleUpdate,
        response: RoleResponse,
        errors: ["user.not_found", "admin.last_super_admin"],
      },
      async ({ tx, params, body }) => ({ user: await updateRole(tx, params.id, body) }),
    ),
    endpoint(
      "POST /api/admin/drops/adjust",
      {
        id: "adjustDrops",
        summary: "Adjust the balance of a user (super admin)",
        guard: superAdmin,
        audit: { target: "user", id: ({ body }) => body.user_id },
        body: Adjustment,
        response: MovementResponse,
        errors: ["user.not_found", "drops.balance_too_high", "drops.balance_would_be_negative"],
      },
      ({ tx, body }) => adjustDrops(tx, body),
    ),
    endpoint(
      "POST /api/admin/drops/refund",
      {
        id: "refundPurchase",
        summary: "Refund a purchase (super admin)",
        guard: superAdmin,
        audit: { target: "drop_transaction", id: ({ body }) => body.transaction_id },
        body: Refund,
        response: MovementResponse,
        errors: [
          "drops.transaction_not_found",
          "drops.not_refundable",
          "drops.already_refunded",
          "drops.balance_too_high",
        ],
      },
      ({ tx, body }) => refundPurchase(tx, body),
    ),
    endpoint(
      "GET /api/admin/jobs",
      {
        id: "listJobs",
        summary: "List the scheduled jobs with their last runs (admin)",
        access: "service",
        guard: admin,
        response: JobsResponse,
      },
      async ({ tx, now }) => ({ jobs: await readJobStates(tx, SCHEDULES, now) }),
    ),
    endpoint(
      "GET /api/admin/audit",
      {
        id: "listAuditEvents",
        summary: "List what admins changed (super admin)",
        description: "Newest first. The log is append-only.",
        guard: superAdmin,
        query: AuditQuery,
        response: AuditResponse,
      },
      ({ tx, query }) => listAuditEvents(tx, query),
    ),
  ]);
}
