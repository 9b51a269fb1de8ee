import * as z from "zod";
import { MoodDirection } from "#core/assistant/note-analysis";
import { CalendarDate } from "#core/time/calendar-date";
import { atLeastOneField } from "#http/request/at-least-one-field";
import { NextCursor, pageFields } from "#http/response/paging";

export const AssistantSettings = z
  .object({
    read_notes_enabled: z.boolean().meta({ description: "Whether the assistant may read your journal entries." }),
    check_in_enabled: z.boolean().meta({ description: "Whether the assistant may write to you." }),
  })
  .meta({ id: "AssistantSettings" });
export type AssistantSettings = z.infer<typeof AssistantSettings>;

export const AssistantSettingsUpdate = atLeastOneField(AssistantSettings.partial()).meta({
  id: "AssistantSettingsUpdate",
});
export type AssistantSettingsUpdate = z.output<typeof AssistantSettingsUpdate>;

/** The assistant's analysis of a person's journal entries, made on one day. */
export const NoteAnalysisRecord = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    analysis_date: z.iso.date().meta({ description: "The UTC date on which it was made." }),
    summary: z.string(),
    mood_trends: z.object({
      overall: z.string(),
      direction: MoodDirection,
      moods: z.array(
        z.object({ mood: z.string(), entries: z.int().meta({ description: "In how many entries it was felt." }) }),
      ),
    }),
    topics: z.array(z.string()),
    patterns: z.array(z.string()),
    recommendations: z.string(),
    insights: z.object({
      gratitude: z.array(z.string()),
      challenges: z.array(z.string()),
      goals: z.array(z.string()),
      achievements: z.array(z.string()),
    }),
    entry_count: z.int().meta({ description: "How many entries were analyzed." }),
    created_at: z.iso.datetime({ precision: 3 }),
    updated_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "NoteAnalysis" });
export type NoteAnalysisRecord = z.infer<typeof NoteAnalysisRecord>;

/** An entry that an analysis has read. */
const AnalysisSource = z
  .object({ id: z.guid(), title: z.string(), created_at: z.iso.datetime({ precision: 3 }) })
  .meta({ id: "AnalysisSource" });

export const AnalysisQuery = z.object({
  date: CalendarDate.optional().meta({ description: "The UTC date of the analysis; the latest one by default." }),
});

export const SourcesQuery = z.object({ ...pageFields(), ...AnalysisQuery.shape });
export type SourcesQuery = z.output<typeof SourcesQuery>;

export const SourcesResponse = z.object({ sources: z.array(AnalysisSource), next_cursor: NextCursor });
export const SettingsResponse = z.object({ settings: AssistantSettings });
export const AnalysisResponse = z.object({
  analysis: NoteAnalysisRecord.nullable().meta({ description: "null if there is none." }),
});
