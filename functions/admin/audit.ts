import type { Tx } from "#database/database";
import { cardOf } from "#database/profiles";
import { readPage } from "#http/response/paging";
import type { AuditQuery } from "./schema.ts";

/** A page of the audit log, newest first. The policies show it to super admins only. */
export async function listAuditEvents(tx: Tx, { actor_id, action, target_id, ...query }: AuditQuery) {
  let events = tx
    .selectFrom("audit_events")
    .select(["id", "created_at", "actor_role", "action", "target_type", "target_id", "changed", "request_id"])
    .select(cardOf("audit_events.actor_id").as("actor"));
  if (actor_id !== undefined) events = events.where("actor_id", "=", actor_id);
  if (action !== undefined) events = events.where("action", "=", action);
  if (target_id !== undefined) events = events.where("target_id", "=", target_id);
  const page = await readPage(events, query);
  return {
    events: page.rows.map(({ id, created_at, ...event }) => ({ id, at: created_at, ...event })),
    next_cursor: page.next_cursor,
  };
}
