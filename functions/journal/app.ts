import { MOODS } from "@nectar/core/moods";
import { textOrNull } from "@nectar/core/text";
import type { Tx } from "@nectar/database/database";
import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { MessageResponse } from "@nectar/http/message";
import { respondInPhases, respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { idParam, json, query } from "@nectar/http/validate";
import { countTags, createEntry, deleteEntry, listEntries, readEntry, updateEntry } from "./entries.ts";
import { findTone, logLostMood, storeMood } from "./mood.ts";
import {
  EntriesResponse,
  EntryQuery,
  EntryResponse,
  EntryUpdate,
  MoodsResponse,
  NewEntry,
  TagsResponse,
} from "./schema.ts";

/** How long a writer waits for a mood to be found. */
const TONE_BUDGET_MS = 8_000;

/**
 * The journal: entries whose metadata and content are visible separately.
 * @param options.toneBudgetMs how long finding a mood may take
 */
export function journalApp(services: Services, options: { toneBudgetMs?: number } = {}) {
  const { ai, logger } = services;
  const toneBudgetMs = options.toneBudgetMs ?? TONE_BUDGET_MS;
  return createApp(services)
    .get(
      "/api/journal",
      describe({ summary: "List entries that the caller may see", response: EntriesResponse }),
      user,
      query(EntryQuery),
      async (c) => {
        const page = await c.var.asUser((tx) => listEntries(tx, c.var.actor.userId, c.req.valid("query")));
        return answer(c, 200, page);
      },
    )
    .get(
      "/api/journal/tags",
      describe({
        summary: "Count the caller's own tags",
        description: "The most used tags first, at most 5,000.",
        response: TagsResponse,
      }),
      user,
      async (c) => {
        const tags = await c.var.asUser((tx) => countTags(tx, c.var.actor.userId));
        return answer(c, 200, { tags });
      },
    )
    .get(
      "/api/journal/:id",
      describe({ summary: "Read one entry", response: EntryResponse, errors: [404] }),
      user,
      idParam,
      async (c) => {
        const entry = await c.var.asUser((tx) => readEntry(tx, c.req.valid("param").id));
        return answer(c, 200, { entry });
      },
    )
    .post(
      "/api/journal",
      describe({ summary: "Write an entry", status: 201, response: EntryResponse, errors: [403, 404, 409] }),
      user,
      json(NewEntry),
      (c) => {
        const input = c.req.valid("json");
        const write = async (tx: Tx) => ({ entry: await createEntry(tx, input) });
        if (ai === null || textOrNull(input.mood) !== null) return respondOnce(c, 201, write);
        return respondInPhases(c, 201, {
          before: write,
          during: ({ entry }) => findTone(ai, entry, toneBudgetMs, logger, c.var.requestId),
          after: async (tx, { entry }, reply) => ({ entry: await storeMood(tx, entry, reply) }),
          provisional: (written) => written,
          onFailure: (error) => logLostMood(error, logger, c.var.requestId),
        });
      },
    )
    .put(
      "/api/journal/:id",
      describe({ summary: "Change an entry", response: EntryResponse, errors: [403, 404] }),
      user,
      json(EntryUpdate),
      idParam,
      async (c) => {
        const { entry, wantsMood } = await c.var.asUser((tx) =>
          updateEntry(tx, c.req.valid("param").id, c.req.valid("json"), ai !== null),
        );
        if (ai === null || !wantsMood) return answer(c, 200, { entry });
        const reply = await findTone(ai, entry, toneBudgetMs, logger, c.var.requestId);
        const changed = await c.var
          .asUser((tx) => storeMood(tx, entry, reply))
          .catch((error: unknown) => {
            logLostMood(error, logger, c.var.requestId);
            return entry;
          });
        return answer(c, 200, { entry: changed });
      },
    )
    .delete(
      "/api/journal/:id",
      describe({ summary: "Delete an entry", response: MessageResponse, errors: [403, 404] }),
      user,
      idParam,
      async (c) => {
        await c.var.asUser((tx) => deleteEntry(tx, c.req.valid("param").id));
        return answer(c, 200, { message: "The entry was deleted." });
      },
    )
    .get("/api/moods", describe({ summary: "List the moods that are suggested", response: MoodsResponse }), user, (c) =>
      answer(c, 200, { moods: MOODS.map((mood) => ({ ...mood })) }),
    );
}
