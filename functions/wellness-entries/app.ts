import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { json, query } from "@nectar/http/validate";
import { NewWellnessEntry, WellnessEntriesResponse, WellnessEntryResponse, WellnessQuery } from "./schema.ts";
import { createWellnessEntry, listWellnessEntries } from "./wellness-entries.ts";

/** Satisfaction, action notes and sleep of a person. */
export function wellnessEntriesApp(services: Services) {
  return createApp(services)
    .get(
      "/api/wellness-entries",
      describe({ summary: "List one's wellness entries, newest first", response: WellnessEntriesResponse }),
      user,
      query(WellnessQuery),
      async (c) => {
        const { userId } = c.var.actor;
        return answer(c, 200, await c.var.asUser((tx) => listWellnessEntries(tx, userId, c.req.valid("query"))));
      },
    )
    .post(
      "/api/wellness-entries",
      describe({ summary: "Write a wellness entry", status: 201, response: WellnessEntryResponse, errors: [409] }),
      user,
      json(NewWellnessEntry),
      (c) =>
        respondOnce(c, 201, async (tx) => ({ wellness_entry: await createWellnessEntry(tx, c.req.valid("json")) })),
    );
}
