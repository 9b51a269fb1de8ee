import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { cronRoute } from "@nectar/http/cron-route";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import type { RunOptions } from "@nectar/http/jobs";
import { MessageResponse } from "@nectar/http/message";
import type { Services } from "@nectar/http/services";
import { json, query } from "@nectar/http/validate";
import { deleteAnalyses, readAnalysis } from "./analyses.ts";
import { type AnalyzingOptions, analyzeEverybody } from "./analyzing.ts";
import { AnalysisQuery, AnalysisResponse, AssistantSettingsUpdate, SettingsResponse } from "./schema.ts";
import { readSettings, updateSettings } from "./settings.ts";

/**
 * The assistant: what it may do for a person, and what it makes of their notes.
 * @param options how the analysis of everybody's notes is run
 */
export function chatApp(services: Services, options: RunOptions<AnalyzingOptions> = {}) {
  return createApp(services)
    .get(
      "/api/chat/settings",
      describe({ summary: "Read what the assistant may do", response: SettingsResponse }),
      user,
      async (c) => {
        const settings = await c.var.asUser((tx) => readSettings(tx, c.var.actor.userId));
        return answer(c, 200, { settings });
      },
    )
    .put(
      "/api/chat/settings",
      describe({ summary: "Change what the assistant may do", response: SettingsResponse }),
      user,
      json(AssistantSettingsUpdate),
      async (c) => {
        const settings = await c.var.asUser((tx) => updateSettings(tx, c.var.actor.userId, c.req.valid("json")));
        return answer(c, 200, { settings });
      },
    )
    .get(
      "/api/chat/analysis",
      describe({ summary: "Read what the assistant made of one's notes", response: AnalysisResponse }),
      user,
      query(AnalysisQuery),
      async (c) => {
        const { date } = c.req.valid("query");
        const analysis = await c.var.asUser((tx) => readAnalysis(tx, c.var.actor.userId, date));
        return answer(c, 200, { analysis });
      },
    )
    .delete(
      "/api/chat/analysis",
      describe({ summary: "Have all of one's analyses forgotten", response: MessageResponse }),
      user,
      async (c) => {
        await c.var.asUser((tx) => deleteAnalyses(tx, c.var.actor.userId));
        return answer(c, 200, { message: "The analyses were forgotten." });
      },
    )
    .post(...cronRoute(analyzeEverybody, { summary: "Analyse everybody's recent notes (scheduled)" }, options));
}
