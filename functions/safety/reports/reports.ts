import { sql } from "kysely";
import { nameAssistant } from "#core/assistant/assistant";
import { textOrNull } from "#core/text/text";
import { ageHours } from "#database/age-hours";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { cardOf } from "#database/profiles";
import { all } from "#database/query";
import { requireUnits } from "#database/quota";
import { byCreation, pageOf, readPage, withSignedUrl } from "#http/response/paging";
import { otherAdminThan } from "../admins.ts";
import { type ReportedCheckIn, reportedCheckIn } from "../reported-photo.ts";
import type { NewReport, ReceivedReport, ReceivedReportQuery, Report, ReportQuery } from "./schema.ts";

/**
 * Reports a thing for the caller.
 * @returns the report, or the one of the same thing that is still open
 * @throws AppError 400 for what is the caller's own, 404 for what they may not see, 429 with Retry-After
 */
export async function createReport(tx: Tx, input: NewReport, now: Date): Promise<{ report: Report; isNew: boolean }> {
  const given = { ...input, details: textOrNull(input.details) };
  const { report_id, is_new, wait_seconds } = await call(tx, "create_report", { report: given, moment: now });
  requireUnits("report", wait_seconds);
  const report = await sentReports(tx).where("id", "=", report_id).executeTakeFirstOrThrow();
  return { report, isNew: is_new };
}

function sentReports(tx: Tx) {
  return tx
    .selectFrom("reports")
    .select(["id", "reason", "details", sql<Report["status"]>`status`.as("status"), "created_at", "decided_at"])
    .select([sql<Report["target_type"]>`target_type`.as("target_type"), "target_id"]);
}

/** A page of what the caller reported, newest first. */
export async function listReports(tx: Tx, userId: string, { status, ...query }: ReportQuery) {
  let reports = sentReports(tx).where("reporter_id", "=", userId);
  if (status !== undefined) reports = reports.where("status", "=", status);
  const page = await readPage(reports, query);
  return { reports: page.rows, next_cursor: page.next_cursor };
}

/**
 * A page of what people reported, oldest first, for an admin, with the paths of photos. Reports about the admin are left out if another admin can
 * decide about them.
 */
export async function listReceivedReports(
  tx: Tx,
  adminId: string,
  query: ReceivedReportQuery,
  { now, assistantName }: { readonly now: Date; readonly assistantName: string },
) {
  const { status, target_type, cursor, limit } = query;
  const rows = await all<Omit<ReceivedReport, "photo_url" | "date"> & ReportedCheckIn>(tx)`
    select r.id, r.target_type, r.target_id, r.reason, r.details, r.status, r.created_at, r.decided_at,
      ${cardOf("r.reporter_id")} as reporter, ${cardOf("r.owner_id")} as owner, r.excerpt,
      ${reportedCheckIn("r.target_type", "r.target_id")} as checkin, ${ageHours("r.created_at", now)} as age_hours,
      (
        select count(*)::int from reports o
        where o.target_id = r.target_id and o.target_type = r.target_type and o.status = 'open'
      ) as open_reports_of_target
    from reports r
    where ${status === undefined ? sql`true` : sql`r.status = ${status}`}
      and ${target_type === undefined ? sql`true` : sql`r.target_type = ${target_type}`}
      and ${afterCursor(["r.created_at", "r.id"], cursor, "oldest first")}
      and (r.owner_id <> ${adminId} or not ${otherAdminThan(adminId)})
    order by r.created_at, r.id
    limit ${limit + 1}
  `;
  const named = rows.map((report) => ({ ...report, owner: nameAssistant(report.owner, assistantName) }));
  return pageOf(named, limit, byCreation, withSignedUrl);
}
