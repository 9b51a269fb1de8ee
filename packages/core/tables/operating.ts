import { RESPONSE_KEPT_HOURS } from "../retention.ts";
import { aboutNoOne, type Card, LEFT } from "./card.ts";

const REQUESTS = { what: "Responses to repeated requests, limits per day, files to remove", seenBy: "no one" };

/** Tables that keep the service working. */
export const OPERATING_TABLES = {
  "private.idempotency_keys": {
    about: REQUESTS,
    users: { select: "owner", insert: "signed in", update: "owner", delete: "owner" },
    chosen: {
      insert: "body body_hash is_final key resource_id route status",
      update: "body is_final resource_id status",
    },
    service: { select: "created_at", delete: "*" },
    left: { [LEFT.derived]: "user_id key route body_hash status body resource_id is_final created_at" },
    erased: "by cascade",
    kept: [
      {
        what: "Responses to repeated requests, which may have journal text",
        hours: RESPONSE_KEPT_HOURS,
        since: "created_at",
        key: "created_at",
      },
    ],
    grows: "with time",
    sample: { route: "POST /api/goals", key: "key :n", body_hash: "hash", status: 201, body: "{}" },
  },
  "private.quota_uses": {
    about: REQUESTS,
    users: { select: "owner" },
    left: { [LEFT.internal]: "user_id name period_start used" },
    erased: "by cascade",
    grows: "with people",
    sample: { name: "window_change", period_start: "now", used: 1 },
  },
  "private.stored_files_to_remove": {
    about: REQUESTS,
    service: { select: "*", delete: "*" },
    left: { [LEFT.internal]: "store path remove_after claimed_at" },
    erased: { by: "housekeeping, after it has removed the file" },
    kept: [{ what: "Files that were uploaded and not used", hours: 1, in: "expect_file" }],
    grows: "with time, for jobs",
  },
  "private.job_runs": {
    ...aboutNoOne("id job key due_at started_at finished_at succeeded results"),
    service: { select: "*", insert: "due_at job key", update: "finished_at results succeeded", delete: "*" },
    kept: [{ what: "Runs of jobs: names and counts", days: 90, since: "started_at" }],
    grows: "with time, for jobs",
  },
  "private.leases": {
    ...aboutNoOne("name key holder expires_at"),
    service: { select: "*", insert: "name key expires_at", update: "holder expires_at", delete: "*" },
    kept: [{ what: "Leases of work that ended without giving them back", until: "expires_at", key: "name key" }],
    grows: "few rows",
  },
  "private.jobs": {
    ...aboutNoOne("name known_since"),
    service: { select: "*", insert: "*" },
    grows: "few rows",
  },
} as const satisfies Readonly<Record<string, Card>>;
