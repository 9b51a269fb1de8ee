import { RESPONSE_KEPT_HOURS } from "../retention.ts";
import { ABOUT_NO_ONE, type Cards, LEFT } from "./card.ts";

const REQUESTS = { what: "Responses to repeated requests, limits per day, files to remove", seenBy: "no one" };

/** Tables that keep the service working. */
export const OPERATING_TABLES = {
  "private.idempotency_keys": {
    about: REQUESTS,
    users: { select: "owner", insert: "signed in", update: "owner", delete: "owner" },
    left: LEFT.derived,
    erased: "by cascade",
    kept: [
      {
        what: "Responses to repeated requests, which may have journal text",
        hours: RESPONSE_KEPT_HOURS,
        since: "created_at",
        key: ["created_at"],
      },
    ],
    grows: "with time",
    sample: { route: "POST /api/goals", key: "key :n", body_hash: "hash", status: 201, body: "{}" },
  },
  "private.quota_uses": {
    about: REQUESTS,
    users: { select: "owner" },
    left: LEFT.internal,
    erased: "by cascade",
    grows: "with people",
    sample: { name: "window_change", period_start: "now", used: 1 },
  },
  "private.stored_files_to_remove": {
    about: REQUESTS,
    left: LEFT.internal,
    erased: { by: "housekeeping, after it has removed the file" },
    kept: [{ what: "Files that were uploaded and not used", hours: 1, in: "expect_file" }],
    grows: "with time, for jobs",
  },
  "private.job_runs": {
    ...ABOUT_NO_ONE,
    kept: [{ what: "Runs of jobs: names and counts", days: 90, since: "started_at" }],
    grows: "with time, for jobs",
  },
  "private.work": {
    ...ABOUT_NO_ONE,
    kept: [{ what: "Work that was left", days: 30, since: "due_at", key: ["kind", "key"], countedAs: "leases" }],
    grows: "few rows",
  },
  "private.jobs": {
    ...ABOUT_NO_ONE,
    grows: "few rows",
  },
} as const satisfies Cards;
