import * as z from "zod";
import type { Enum } from "#core/enums.generated";
import type { Tx } from "#database/database";
import type { AdminActor } from "./guards.ts";

/**
 * What an admin's change is about. The audit log records it in the transaction of the change, beside the operation and the
 * names of the fields that were set. If several things are changed, or one without an id, it has neither `id` nor `newId`.
 */
export interface Audit<Request, Body> {
  readonly target: Enum<"audit_target">;
  /** The id of the thing that the request is about. */
  id?(request: Request): string;
  /** The id of the thing that was created. */
  newId?(body: Body): string;
}

/** Records what an endpoint changes for an admin. */
export interface AuditRecorder {
  /** Called before the change, so that the caller still has the role that allows it. */
  readonly beforeChange: (tx: Tx) => Promise<void>;
  /** Called after the change with the response, which names what was created. */
  readonly afterChange: (tx: Tx, body: object) => Promise<void>;
}

/** A row of the audit log. */
interface RecordedChange {
  /** The id of the operation. */
  readonly action: string;
  readonly target: Enum<"audit_target">;
  readonly targetId: string | null;
  readonly requestId: string;
  /** The names of the fields that were set. */
  readonly changed?: string[];
  /** For a transaction of the service; in one of the caller, the database knows who it is. */
  readonly actor?: AdminActor;
}

/** Who makes a change by which operation. */
interface Change {
  readonly actor: AdminActor;
  /** The id of the operation. */
  readonly action: string;
  /** Whether its transaction runs as the service. */
  readonly runsAsService: boolean;
}

/** Makes the recorder of a request: it writes one row, before the change or, if that creates the thing, after it. */
export function auditRecorder<Request extends { readonly body: unknown; readonly requestId: string }>(
  { target, ...audit }: Audit<Request, object>,
  request: Request,
  { actor, action, runsAsService }: Change,
): AuditRecorder {
  const record = (tx: Tx, targetId: string | null) =>
    recordChange(tx, {
      action,
      target,
      targetId,
      requestId: request.requestId,
      changed: fieldNames(request.body),
      ...(runsAsService ? { actor } : {}),
    });
  return {
    beforeChange: async (tx) => {
      if (audit.newId === undefined) await record(tx, audit.id?.(request) ?? null);
    },
    afterChange: async (tx, body) => {
      if (audit.newId !== undefined) await record(tx, audit.newId(body));
    },
  };
}

/** Records an admin's change in the audit log, in the transaction of the change. */
export async function recordChange(
  tx: Tx,
  { action, target, targetId, requestId, changed = [], actor }: RecordedChange,
): Promise<void> {
  await tx
    .insertInto("audit_events")
    .values({
      ...(actor === undefined ? {} : { actor_id: actor.userId, actor_role: actor.role }),
      action,
      target_type: target,
      target_id: targetId,
      changed,
      // A caller may choose another kind of text, which could be anything.
      request_id: z.guid().safeParse(requestId).data ?? null,
    })
    .execute();
}

/** The names of the fields of a parsed body, without those that were not sent. */
function fieldNames(body: unknown): string[] {
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : name));
}
