import { KEPT_DAYS } from "#core/retention";
import { userOrProgramOf } from "#http/access/guards";
import { endpoint } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import type { Services } from "#http/services/services";
import { listChanges } from "./changes.ts";
import { ChangesQuery, ChangesResponse, SCOPES } from "./schema.ts";

/** The feed of changes of a person's own things. */
export function changesApp(services: Services) {
  return groupApp(services, "changes", [
    endpoint(
      "GET /api/changes",
      {
        id: "listChanges",
        summary: "List what changed of your own things",
        description: `Without a cursor, a walk through everything that you have; then, with the \`next_cursor\` of its last page, through what changed since, deletions included. A walk has each thing once, in its newest state; what changes after its first page is in the next one. A personal token with any of the scopes ${SCOPES.join(", ")} may call it; what it may not read is left out. A cursor belongs to its types and scopes, and expires after ${KEPT_DAYS.removedThings} days.`,
        guard: userOrProgramOf(SCOPES),
        // It counts against the quota, and only the primary knows which transactions still run.
        access: "write while closing",
        quota: "changes",
        query: ChangesQuery,
        response: ChangesResponse,
        errors: ["sync.cursor_expired"],
      },
      ({ tx, actor, query, now }) => listChanges(tx, services, actor, query, now),
    ),
  ]);
}
