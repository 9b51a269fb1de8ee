import type { Card } from "@nectar/core/card";
import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { pageOf } from "@nectar/http/paging";
import { sql } from "kysely";
import type { AuditEvent, AuditQuery } from "./schema.ts";

/** A page of the audit log, newest first. The policies show it to super admins only. */
export async function listAuditEvents(tx: Tx, { actor_id, action, target_id, cursor, limit }: AuditQuery) {
  let events = tx
    .selectFrom("audit_events as e")
    .leftJoin("profiles as p", "p.id", "e.actor_id")
    .select(["e.id", "e.created_at as at", "e.actor_role", "e.action", "e.target_id", "e.changed", "e.request_id"])
    .select(sql<AuditEvent["target_type"]>`e.target_type`.as("target_type"))
    .select(
      sql<Card | null>`
        case when p.id is not null then
          json_build_object('id', p.id, 'full_name', p.full_name, 'avatar_url', p.avatar_url, 'is_ai', p.is_ai)
        end
      `.as("actor"),
    )
    .where(afterCursor(["e.created_at", "e.id"], cursor));
  if (actor_id !== undefined) events = events.where("e.actor_id", "=", actor_id);
  if (action !== undefined) events = events.where("e.action", "=", action);
  if (target_id !== undefined) events = events.where("e.target_id", "=", target_id);
  const rows = await events
    .orderBy("e.created_at", "desc")
    .orderBy("e.id", "desc")
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, ({ at, id }) => ({ at, id }));
  return { events: page.rows, next_cursor: page.next_cursor };
}
