import { admin, user } from "#http/access/guards";
import { endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { wakePushes, wakeShares } from "#http/jobs/wake";
import { withPhoto } from "../reported-photo.ts";
import { decideReport } from "./decisions.ts";
import { createReport, listReceivedReports, listReports } from "./reports.ts";
import {
  DecisionResponse,
  NewDecision,
  NewReport,
  ReceivedReportQuery,
  ReceivedReportsResponse,
  ReportId,
  ReportQuery,
  ReportResponse,
  ReportsResponse,
} from "./schema.ts";

/** Reports, and what admins decide about them. */
export const reportRoutes = [
  endpoint(
    "POST /api/reports",
    {
      id: "createReport",
      summary: "Report content or a user",
      description:
        "An admin decides about it, and you are notified then. The owner does not learn who reported. You can report everything that you may see, and things of users that you blocked. Reporting the same thing again while your report is open returns that report with 200.",
      guard: user,
      body: NewReport,
      status: "201 or 200",
      response: ReportResponse,
      quota: { name: "report", counted: "by the handler" },
      errors: ["report.own_thing", "report.target_not_found"],
    },
    async ({ tx, body, now, existed }) => {
      const { report, isNew } = await createReport(tx, body, now);
      if (!isNew) existed();
      return { report };
    },
  ),
  endpoint(
    "GET /api/reports",
    {
      id: "listReports",
      summary: "List what you reported",
      description: "Newest first.",
      guard: user,
      replica: "own",
      query: ReportQuery,
      response: ReportsResponse,
    },
    ({ tx, actor, query }) => listReports(tx, actor.userId, query),
  ),
  endpointInSteps(
    "GET /api/admin/reports",
    {
      id: "listReceivedReports",
      summary: "List the reports of all users (admin)",
      description:
        "Oldest first. Reports about you are left out, unless you are the only admin: another admin decides about them. Reports of check-ins have the photo.",
      access: "service",
      guard: admin,
      query: ReceivedReportQuery,
      response: ReceivedReportsResponse,
      errors: ["provider.failed"],
    },
    async ({ read, services, actor, query, now }) => {
      const { assistantName } = services.config;
      const { rows, next_cursor } = await read((tx) =>
        listReceivedReports(tx, actor.userId, query, { now, assistantName }),
      );
      return { reports: await Promise.all(rows.map((report) => withPhoto(services, report))), next_cursor };
    },
  ),
  endpoint(
    "PUT /api/admin/reports/:id",
    {
      id: "decideReport",
      summary: "Decide a report (admin)",
      description:
        "Decides every open report of the same thing. Unless you dismiss them, the owner is notified, reads your reason and can appeal. The reporters are only notified that their report was decided. Only super admins can suspend an admin.",
      access: "service",
      guard: admin,
      audit: { target: "report", id: ({ params }) => params.id },
      params: { id: ReportId },
      body: NewDecision,
      response: DecisionResponse,
      errors: [
        "report.user_cannot_be_hidden",
        "report.not_found",
        "report.already_decided",
        "report.own_case",
        "report.super_admin_not_suspended",
      ],
    },
    async ({ tx, actor, params, body, now, services, afterCommit }) => {
      const decision = await decideReport(tx, actor.userId, params.id, body, now);
      afterCommit(() => wakePushes(services));
      // A notebook that is hidden, or shown again, may have many entries.
      afterCommit(() => wakeShares(services));
      return { decision };
    },
  ),
];
