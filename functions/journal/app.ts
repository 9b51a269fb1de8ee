import { MOODS } from "@nectar/core/moods";
import { textOrNull } from "@nectar/core/text";
import { endpoint, phasedEndpoint } from "@nectar/http/endpoint";
import { groupApp } from "@nectar/http/group-app";
import { user } from "@nectar/http/guards";
import { MessageResponse } from "@nectar/http/message";
import { finished } from "@nectar/http/run";
import type { Services } from "@nectar/http/services";
import { countTags, createEntry, deleteEntry, listEntries, readEntry, updateEntry } from "./entries.ts";
import { findMood } from "./mood.ts";
import {
  EntriesResponse,
  EntryId,
  EntryQuery,
  EntryResponse,
  EntryUpdate,
  MoodsResponse,
  NewEntry,
  TagsResponse,
} from "./schema.ts";

/** Errors of the date, the notebook and the sharing of an entry. */
const FIELD_ERRORS = [
  "journal.date_out_of_range",
  "notebook.not_found",
  "notebook.not_yours",
  "visibility.missing_team",
  "visibility.missing_organization",
  "visibility.not_a_member",
  // If it is deleted during the request.
  "organization.not_found",
  "team.not_found",
] as const;

/** How long a writer waits for a mood to be found, in milliseconds. */
const TONE_BUDGET_MS = 8_000;

/**
 * The journal: entries whose metadata and content are visible separately.
 * @param options.toneBudgetMs how long finding a mood may take
 */
export function journalApp(services: Services, { toneBudgetMs = TONE_BUDGET_MS } = {}) {
  return groupApp(services, "journal", [
    endpoint(
      "GET /api/journal",
      {
        id: "listJournalEntries",
        summary: "List the entries that you may see",
        guard: user,
        writes: "for super admins",
        query: EntryQuery,
        response: EntriesResponse,
      },
      ({ tx, query }) => listEntries(tx, query),
    ),
    endpoint(
      "GET /api/journal/tags",
      {
        id: "listJournalTags",
        summary: "Count the tags of your entries",
        description: "Most used tags first, at most 5,000.",
        guard: user,
        response: TagsResponse,
      },
      async ({ tx, actor }) => ({ tags: await countTags(tx, actor.userId) }),
    ),
    endpoint(
      "GET /api/journal/:id",
      {
        id: "readJournalEntry",
        summary: "Read an entry",
        guard: user,
        writes: "for super admins",
        params: { id: EntryId },
        response: EntryResponse,
        errors: ["journal.not_found"],
      },
      async ({ tx, params }) => ({ entry: await readEntry(tx, params.id) }),
    ),
    phasedEndpoint(
      "POST /api/journal",
      {
        id: "createJournalEntry",
        summary: "Write an entry",
        description: "If you send no mood, the server looks for one in the text, provided that it can use a model.",
        guard: user,
        body: NewEntry,
        status: 201,
        response: EntryResponse,
        errors: FIELD_ERRORS,
      },
      {
        before: async ({ tx, body }) => {
          const entry = await createEntry(tx, body);
          return services.ai === null || textOrNull(body.mood) !== null ? finished({ entry }) : entry;
        },
        ...findMood(services, toneBudgetMs),
      },
    ),
    phasedEndpoint(
      "PUT /api/journal/:id",
      {
        id: "updateJournalEntry",
        summary: "Update an entry",
        guard: user,
        params: { id: EntryId },
        body: EntryUpdate,
        response: EntryResponse,
        errors: ["journal.not_found", "journal.not_yours", ...FIELD_ERRORS],
      },
      {
        before: async ({ tx, params, body }) => {
          const { entry, wantsMood } = await updateEntry(tx, params.id, body, services.ai !== null);
          return wantsMood ? entry : finished({ entry });
        },
        ...findMood(services, toneBudgetMs),
      },
    ),
    endpoint(
      "DELETE /api/journal/:id",
      {
        id: "deleteJournalEntry",
        summary: "Delete an entry",
        guard: user,
        params: { id: EntryId },
        response: MessageResponse,
        errors: ["journal.not_yours", "journal.not_found"],
      },
      async ({ tx, params }) => {
        await deleteEntry(tx, params.id);
        return { message: "The entry was deleted." };
      },
    ),
    phasedEndpoint(
      "GET /api/moods",
      {
        id: "listMoods",
        summary: "List the suggested moods",
        description: "An entry may have any other mood as well.",
        guard: user,
        response: MoodsResponse,
      },
      { during: async () => ({ moods: MOODS }) },
    ),
  ]);
}
