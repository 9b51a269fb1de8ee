import { recordTextUsage } from "#assistant/usage";
import { userOrProgram } from "#http/access/guards";
import { endpointInSteps } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
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
import { requestTone } from "./tone.ts";

/** Analyses of tone, and backgrounds for entries, by models on request. */
export function aiApp(services: Services) {
  return groupApp(services, "ai", [
    endpointInSteps(
      "POST /api/ai/analyze-tone",
      {
        id: "analyzeTone",
        summary: "Analyze the tone of a text",
        guard: userOrProgram("journal:read"),
        body: ToneRequest,
        maxBodyKb: 1024,
        response: ToneResponse,
        quota: "tone_analysis",
        errors: ["provider.failed", "provider.not_configured"],
      },
      async ({ commit, respond, body }) => {
        const ai = await commit(async () => configured(services.ai));
        const { tone, usage } = await requestTone(ai, commit, body);
        return respond(async (tx) => {
          await recordTextUsage(tx, "tone_analysis", usage);
          return tone;
        });
      },
    ),
    endpointInSteps(
      "POST /api/ai/generate-background",
      {
        id: "generateBackground",
        summary: "Generate a background for an entry or a text",
        description: "An entry has one background; a new one replaces it.",
        guard: userOrProgram("journal:write"),
        body: BackgroundRequest,
        maxBodyKb: 1024,
        quota: "background_generation",
        response: BackgroundResponse,
        errors: [
          "journal.not_yours",
          "journal.not_found",
          "journal.ai_excluded",
          "ai.refused",
          "provider.failed",
          "provider.not_configured",
        ],
      },
      async ({ commit, respond, actor, body }) => {
        const background = await commit((tx) => prepareBackground(tx, services, actor.userId, body));
        const drawn = await drawBackground(services, commit, background);
        return respond((tx) => saveBackground(tx, background, drawn));
      },
    ),
    endpointInSteps(
      "GET /api/ai/backgrounds",
      {
        id: "listBackgrounds",
        summary: "List your backgrounds, or the background of an entry",
        description: "Newest first.",
        guard: userOrProgram("journal:read"),
        access: "read, logged",
        replica: "shared",
        query: BackgroundQuery,
        response: BackgroundsResponse,
        errors: ["journal.not_found", "provider.failed", "provider.not_configured"],
      },
      async ({ read, actor, query }) =>
        presentBackgrounds(services, await read((tx) => listBackgrounds(tx, actor.userId, query))),
    ),
  ]);
}
