import { recordTextUsage } from "@nectar/ai/usage";
import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { respondInPhases } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { json, query } from "@nectar/http/validate";
import {
  drawBackground,
  listBackgrounds,
  prepareBackground,
  presentBackgrounds,
  saveBackground,
} from "./backgrounds.ts";
import {
  BackgroundQuery,
  BackgroundRequest,
  BackgroundResponse,
  BackgroundsResponse,
  ToneRequest,
  ToneResponse,
} from "./schema.ts";
import { consumeToneQuota, requestTone } from "./tone.ts";

/** What people ask the models for themselves: the tone of a text, and backgrounds for entries. */
export function aiApp(services: Services) {
  return createApp(services)
    .post(
      "/api/ai/analyze-tone",
      describe({
        summary: "Find the tone of a text",
        description: "60 an hour.",
        response: ToneResponse,
        errors: [409, 429, 500, 503],
      }),
      user,
      json(ToneRequest),
      (c) =>
        respondInPhases(c, 200, {
          before: (tx) => consumeToneQuota(tx, services),
          during: () => requestTone(services, c.var.asUser, c.req.valid("json")),
          after: async (tx, _, { tone, usage }) => {
            await recordTextUsage(tx, "tone_analysis", usage);
            return tone;
          },
        }),
    )
    .post(
      "/api/ai/generate-background",
      describe({
        summary: "Draw a background for an entry or a text",
        description: "20 a day. An entry has one background; a new one replaces it.",
        response: BackgroundResponse,
        errors: [403, 404, 409, 429, 500, 503],
      }),
      user,
      json(BackgroundRequest),
      (c) =>
        respondInPhases(c, 200, {
          before: (tx) => prepareBackground(tx, services, c.var.actor.userId, c.req.valid("json")),
          during: (background) => drawBackground(services, c.var.asUser, background),
          after: (tx, background, imageUrl) => saveBackground(tx, background, imageUrl),
        }),
    )
    .get(
      "/api/ai/backgrounds",
      describe({
        summary: "List one's own backgrounds, or those of an entry",
        response: BackgroundsResponse,
        errors: [404, 500, 503],
      }),
      user,
      query(BackgroundQuery),
      async (c) => {
        const page = await c.var.asUser((tx) => listBackgrounds(tx, c.var.actor.userId, c.req.valid("query")));
        return answer(c, 200, await presentBackgrounds(services, page));
      },
    );
}
