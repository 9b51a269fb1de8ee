import { CalendarDate } from "@nectar/core/calendar-date";
import { atLeastOneField } from "@nectar/http/at-least-one-field";
import { z } from "zod";

/** What the assistant may do for a person. */
export const AssistantSettings = z
  .object({
    read_notes_enabled: z.boolean().meta({ description: "The assistant may read the person's notes." }),
    check_in_enabled: z.boolean().meta({ description: "The assistant may write to the person." }),
  })
  .meta({ id: "AssistantSettings" });
export type AssistantSettings = z.infer<typeof AssistantSettings>;

/** The body that changes what the assistant may do. */
export const AssistantSettingsUpdate = atLeastOneField(AssistantSettings.partial()).meta({
  id: "AssistantSettingsUpdate",
});
export type AssistantSettingsUpdate = z.output<typeof AssistantSettingsUpdate>;

/** What the assistant made of a person's notes on one day. */
export const NoteAnalysisRecord = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    analysis_date: z.iso.date().meta({ description: "By the UTC calendar." }),
    summary: z.string(),
    mood_trends: z.record(z.string(), z.unknown()),
    topics: z.array(z.string()),
    patterns: z.array(z.string()),
    recommendations: z.string(),
    insights: z.object({
      gratitude: z.array(z.string()),
      challenges: z.array(z.string()),
      goals: z.array(z.string()),
      achievements: z.array(z.string()),
    }),
    entry_count: z.int().meta({ description: "How many notes were read for it." }),
    created_at: z.iso.datetime({ precision: 3 }),
    updated_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "NoteAnalysis" });
export type NoteAnalysisRecord = z.infer<typeof NoteAnalysisRecord>;

/** The query of one's own analysis. */
export const AnalysisQuery = z.object({
  date: CalendarDate.optional().meta({ description: "UTC day; the latest when left out." }),
});

export const SettingsResponse = z.object({ settings: AssistantSettings });
export const AnalysisResponse = z.object({ analysis: NoteAnalysisRecord.nullable() });
