import { recordTextUsage } from "@nectar/ai/usage";
import { phasedEndpoint } from "@nectar/http/endpoint";
import { groupApp } from "@nectar/http/group-app";
import { user } from "@nectar/http/guards";
import type { Services } from "@nectar/http/services";
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

/** Analyses of tone, and backgrounds for entries, by models on request. */
export function aiApp(services: Services) {
  return groupApp(services, "ai", [
    phasedEndpoint(
      "POST /api/ai/analyze-tone",
      {
        id: "analyzeTone",
        summary: "Analyze the tone of a text",
        description: "You can analyze 60 texts per hour.",
        guard: user,
        body: ToneRequest,
        response: ToneResponse,
        errors: ["ai.quota_exhausted", "provider.failed", "provider.not_configured"],
      },
      {
        before: ({ tx }) => consumeToneQuota(tx, services),
        during: requestTone,
        after: async ({ tx }, _, { tone, usage }) => {
          await recordTextUsage(tx, "tone_analysis", usage);
          return tone;
        },
      },
    ),
    phasedEndpoint(
      "POST /api/ai/generate-background",
      {
        id: "generateBackground",
        summary: "Generate a background for an entry or a text",
        description: "An entry has one background; a new one replaces it. You can generate 20 per UTC day.",
        guard: user,
        body: BackgroundRequest,
        response: BackgroundResponse,
        errors: [
          "journal.not_yours",
          "journal.not_found",
          "journal.ai_excluded",
          "ai.refused",
          "ai.quota_exhausted",
          "provider.failed",
          "provider.not_configured",
        ],
      },
      {
        before: prepareBackground,
        during: drawBackground,
        after: ({ tx }, background, drawn) => saveBackground(tx, background, drawn),
      },
    ),
    phasedEndpoint(
      "GET /api/ai/backgrounds",
      {
        id: "listBackgrounds",
        summary: "List your backgrounds, or the background of an entry",
        description: "Newest first.",
        guard: user,
        writes: "for super admins",
        statements: "any number",
        query: BackgroundQuery,
        response: BackgroundsResponse,
        errors: ["journal.not_found", "provider.failed", "provider.not_configured"],
      },
      {
        before: ({ tx, actor, query }) => listBackgrounds(tx, actor.userId, query),
        during: (_, page) => presentBackgrounds(services, page),
      },
    ),
  ]);
}
