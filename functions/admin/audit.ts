import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { cardOf } from "@nectar/database/profiles";
import { pageOf } from "@nectar/http/paging";
import { sql } from "kysely";
import type { AuditEvent, AuditQuery } from "./schema.ts";

/** A page of the audit log, newest first. The policies show it to super admins only. */
export async function listAuditEvents(tx: Tx, { actor_id, action, target_id, cursor, limit }: AuditQuery) {
  let events = tx
    .selectFrom("audit_events")
    .select(["id", "created_at as at", "actor_role", "action", "target_id", "changed", "request_id"])
    .select(sql<AuditEvent["target_type"]>`target_type`.as("target_type"))
    .select(cardOf("audit_events.actor_id").as("actor"))
    .where(afterCursor(["created_at", "id"], cursor));
  if (actor_id !== undefined) events = events.where("actor_id", "=", actor_id);
  if (action !== undefined) events = events.where("action", "=", action);
  if (target_id !== undefined) events = events.where("target_id", "=", target_id);
  const rows = await events
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, ({ at, id }) => ({ at, id }));
  return { events: page.rows, next_cursor: page.next_cursor };
}
