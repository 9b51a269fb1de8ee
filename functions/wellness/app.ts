import { userOrProgram } from "#http/access/guards";
import { endpoint } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { createOnce } from "#http/request/chosen-id";
import { MessageResponse } from "#http/response/message";
import type { Services } from "#http/services/services";
import {
  NewWellnessEntry,
  WellnessEntriesResponse,
  WellnessEntryId,
  WellnessEntryResponse,
  WellnessEntryUpdate,
  WellnessQuery,
} from "./schema.ts";
import {
  createWellnessEntry,
  deleteWellnessEntry,
  listWellnessEntries,
  readWellnessEntry,
  updateWellnessEntry,
} from "./wellness-entries.ts";

/** Satisfaction, action notes and sleep of the caller. */
export function wellnessEntriesApp(services: Services) {
  return groupApp(services, "wellness-entries", [
    endpoint(
      "GET /api/wellness-entries",
      {
        id: "listWellnessEntries",
        summary: "List your wellness entries",
        description: "Newest first.",
        guard: userOrProgram("wellness:read"),
        replica: "own",
        query: WellnessQuery,
        response: WellnessEntriesResponse,
      },
      ({ tx, actor, query }) => listWellnessEntries(tx, actor.userId, query),
    ),
    endpoint(
      "GET /api/wellness-entries/:id",
      {
        id: "readWellnessEntry",
        summary: "Read a wellness entry",
        guard: userOrProgram("wellness:read"),
        replica: "own",
        params: { id: WellnessEntryId },
        versioned: "wellness_entry",
        response: WellnessEntryResponse,
        errors: ["wellness_entry.not_found"],
      },
      async ({ tx, tagged, params }) => ({ wellness_entry: tagged(await readWellnessEntry(tx, params.id)) }),
    ),
    endpoint(
      "POST /api/wellness-entries",
      {
        id: "createWellnessEntry",
        summary: "Create a wellness entry",
        guard: userOrProgram("wellness:write"),
        body: NewWellnessEntry,
        status: "201 or 200",
        versioned: "wellness_entry",
        response: WellnessEntryResponse,
        errors: ["sync.id_taken"],
      },
      async ({ tx, existed, tagged, body }) => {
        const entry = await createOnce(tx, { type: "wellness_entry", id: body.id }, existed, {
          read: (id) => readWellnessEntry(tx, id),
          create: () => createWellnessEntry(tx, body),
        });
        return { wellness_entry: tagged(entry) };
      },
    ),
    endpoint(
      "PUT /api/wellness-entries/:id",
      {
        id: "updateWellnessEntry",
        summary: "Correct a wellness entry",
        description: "If you change its type, send what the new type requires.",
        guard: userOrProgram("wellness:write"),
        params: { id: WellnessEntryId },
        body: WellnessEntryUpdate,
        versioned: "wellness_entry",
        response: WellnessEntryResponse,
        errors: ["wellness_entry.not_found"],
      },
      async ({ tx, tagged, params, body }) => ({
        wellness_entry: tagged(await updateWellnessEntry(tx, params.id, body)),
      }),
    ),
    endpoint(
      "DELETE /api/wellness-entries/:id",
      {
        id: "deleteWellnessEntry",
        summary: "Delete a wellness entry",
        description: "An encouragement drop that already counted it as engagement keeps counting it.",
        guard: userOrProgram("wellness:write"),
        params: { id: WellnessEntryId },
        versioned: "wellness_entry",
        response: MessageResponse,
        errors: ["wellness_entry.not_found"],
      },
      async ({ tx, params }) => {
        await deleteWellnessEntry(tx, params.id);
        return { message: "The wellness entry was deleted." };
      },
    ),
  ]);
}
