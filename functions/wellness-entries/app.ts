import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { json, query } from "@nectar/http/validate";
import { NewWellnessEntry, WellnessEntriesAnswer, WellnessEntryAnswer, WellnessQuery } from "./schema.ts";
import { createWellnessEntry, pageOfWellnessEntries } from "./wellness-entries.ts";

/** Satisfaction, action notes and sleep of a person. */
export function wellnessEntriesApp(services: Services) {
  return createApp(services)
    .get(
      "/api/wellness-entries",
      describe({ summary: "List one's wellness entries, newest first", response: WellnessEntriesAnswer }),
      user,
      query(WellnessQuery),
      async (c) => {
        const { userId } = c.var.actor;
        return answer(c, 200, await c.var.asUser((tx) => pageOfWellnessEntries(tx, userId, c.req.valid("query"))));
      },
    )
    .post(
      "/api/wellness-entries",
      describe({ summary: "Write a wellness entry", status: 201, response: WellnessEntryAnswer, errors: [409] }),
      user,
      json(NewWellnessEntry),
      (c) =>
        respondOnce(c, 201, async (tx) => ({ wellness_entry: await createWellnessEntry(tx, c.req.valid("json")) })),
    );
}
