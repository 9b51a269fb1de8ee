import { endpoint } from "@nectar/http/endpoint";
import { groupApp } from "@nectar/http/group-app";
import { user } from "@nectar/http/guards";
import type { Services } from "@nectar/http/services";
import { NewWellnessEntry, WellnessEntriesResponse, WellnessEntryResponse, WellnessQuery } from "./schema.ts";
import { createWellnessEntry, listWellnessEntries } from "./wellness-entries.ts";

/** Satisfaction, action notes and sleep of the caller. */
export function wellnessEntriesApp(services: Services) {
  return groupApp(services, "wellness-entries", [
    endpoint(
      "GET /api/wellness-entries",
      {
        id: "listWellnessEntries",
        summary: "List your wellness entries",
        description: "Newest first.",
        guard: user,
        query: WellnessQuery,
        response: WellnessEntriesResponse,
      },
      ({ tx, actor, query }) => listWellnessEntries(tx, actor.userId, query),
    ),
    endpoint(
      "POST /api/wellness-entries",
      {
        id: "createWellnessEntry",
        summary: "Create a wellness entry",
        guard: user,
        body: NewWellnessEntry,
        status: 201,
        response: WellnessEntryResponse,
      },
      async ({ tx, body }) => ({ wellness_entry: await createWellnessEntry(tx, body) }),
    ),
  ]);
}
