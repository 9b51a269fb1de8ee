import * as z from "zod";
import { ToneAnalysis } from "#core/assistant/tone";
import { LENGTHS } from "#core/lengths.generated";
import { PICTURE_URL_SECONDS } from "#core/limits";
import { ImageQuality } from "#core/money/pricing";
import { inWords } from "#core/text/numbers";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { NextCursor, pageFields } from "#http/response/paging";

const Content = text({ max: 10_000 });

export const ToneRequest = z
  .object({ content: Content, title: text({ ...LENGTHS.journal_entries.title, min: 0 }).nullish() })
  .meta({ id: "ToneRequest" });
export type ToneRequest = z.output<typeof ToneRequest>;

export const ToneResponse = ToneAnalysis.meta({ id: "ToneAnalysis" });

/** The body that generates a background: for an entry of the caller, or for any text. */
export const BackgroundRequest = z
  .object({
    entry_id: Uuid.nullish().meta({ description: "One of your entries. Send either entry_id or content." }),
    content: Content.nullish().meta({ description: "A text that is not one of your entries." }),
    title: text({ ...LENGTHS.journal_entries.title, min: 0 })
      .nullish()
      .meta({ description: "Replaces the title of the entry." }),
    mood: text({ ...LENGTHS.journal_entries.mood, min: 0 })
      .nullish()
      .meta({ description: "Replaces the mood of the entry." }),
    quality: ImageQuality.default("standard"),
  })
  .check(({ value, issues }) => {
    const [hasEntry, hasContent] = [(value.entry_id ?? null) !== null, (value.content ?? null) !== null];
    if (hasEntry !== hasContent) return;
    const message = hasEntry ? "must not be given together with entry_id" : "must be given unless entry_id is given";
    issues.push({ code: "custom", message, path: ["content"], input: value });
  })
  .meta({ id: "BackgroundRequest" });
export type BackgroundRequest = z.output<typeof BackgroundRequest>;

export const BackgroundResponse = z.object({
  image_url: z.url().meta({ description: `A link that works for ${inWords(PICTURE_URL_SECONDS)}.` }),
  quality: ImageQuality,
  cost_usd: z.number().meta({ description: "What the drawing cost, in US dollars." }),
});

export const BackgroundQuery = z.object({
  ...pageFields(),
  entry_id: Uuid.optional().meta({
    description: "Only the background of this entry, if you may see its content. By default all of your own.",
  }),
});
export type BackgroundQuery = z.output<typeof BackgroundQuery>;

const Background = z
  .object({
    id: z.guid(),
    entry_id: z.guid().nullable().meta({ description: "null if it was made for a text." }),
    image_url: z.url().meta({ description: `A link that works for ${inWords(PICTURE_URL_SECONDS)}.` }),
    quality: ImageQuality,
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Background" });
export const BackgroundsResponse = z.object({ backgrounds: z.array(Background), next_cursor: NextCursor });
