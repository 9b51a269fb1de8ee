import type { TurnOptions } from "#assistant/turns";
import { userOrProgram } from "#http/access/guards";
import { endpoint } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import type { RunOptions } from "#http/jobs/jobs";
import { MessageResponse } from "#http/response/message";
import type { Services } from "#http/services/services";
import { deleteAnalyses, listSources, readAnalysis } from "./analyses.ts";
import { analyzeRecentNotes } from "./analyzing.ts";
import {
  AnalysisQuery,
  AnalysisResponse,
  AssistantSettingsUpdate,
  SettingsResponse,
  SourcesQuery,
  SourcesResponse,
} from "./schema.ts";
import { readSettings, updateSettings } from "./settings.ts";

/**
 * The assistant: its settings, and its analyses of people's notes.
 * @param options of the job that analyzes notes
 */
export function chatApp(services: Services, options: RunOptions<TurnOptions> = {}) {
  return groupApp(services, "chat", [
    endpoint(
      "GET /api/chat/settings",
      {
        id: "readAssistantSettings",
        summary: "Read your assistant settings",
        guard: userOrProgram("journal:read"),
        replica: "own",
        response: SettingsResponse,
      },
      async ({ tx, actor }) => ({ settings: await readSettings(tx, actor.userId) }),
    ),
    endpoint(
      "PUT /api/chat/settings",
      {
        id: "updateAssistantSettings",
        summary: "Update your assistant settings",
        guard: userOrProgram("journal:write"),
        body: AssistantSettingsUpdate,
        response: SettingsResponse,
      },
      async ({ tx, actor, body }) => ({ settings: await updateSettings(tx, actor.userId, body) }),
    ),
    endpoint(
      "GET /api/chat/analysis",
      {
        id: "readNoteAnalysis",
        summary: "Read the assistant's analysis of your entries",
        guard: userOrProgram("journal:read"),
        replica: "own",
        query: AnalysisQuery,
        response: AnalysisResponse,
      },
      async ({ tx, actor, query }) => ({ analysis: await readAnalysis(tx, actor.userId, query.date) }),
    ),
    endpoint(
      "GET /api/chat/analysis/sources",
      {
        id: "listAnalysisSources",
        summary: "List the entries that an analysis has read",
        description: "Newest first. Empty if there is no analysis; without entries that you deleted since.",
        guard: userOrProgram("journal:read"),
        replica: "shared",
        query: SourcesQuery,
        response: SourcesResponse,
      },
      ({ tx, actor, query }) => listSources(tx, actor.userId, query),
    ),
    endpoint(
      "DELETE /api/chat/analysis",
      {
        id: "deleteNoteAnalyses",
        summary: "Delete all your analyses",
        guard: userOrProgram("journal:write"),
        response: MessageResponse,
      },
      async ({ tx, actor }) => {
        await deleteAnalyses(tx, actor.userId);
        return { message: "Your analyses were deleted." };
      },
    ),
    jobEndpoint(
      analyzeRecentNotes,
      { id: "runNoteAnalysis", summary: "Analyze the recent entries of all users who allow it (scheduled)" },
      options,
    ),
  ]);
}
