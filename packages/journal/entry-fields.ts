import * as z from "zod";
import { LENGTHS } from "#core/lengths.generated";
import { cleanTags, MAX_TAG_LENGTH } from "#core/text/tags";
import { text } from "#core/text/text";

const MAX_TAGS = LENGTHS.journal_entries.tags.max;
const TOO_MANY_TAGS = `must have at most ${MAX_TAGS} tags`;
/** The maximum number of tags as they are sent, with duplicates. */
export const MAX_SENT_TAGS = 1_000;
const Tag = text({ max: MAX_TAG_LENGTH });

export const EntryTitle = text(LENGTHS.journal_entries.title);

export const EntryContent = text(LENGTHS.journal_entry_contents.content);

export const EntryMood = text({ ...LENGTHS.journal_entries.mood, min: 0 }).meta({
  description: "Any text; an empty one means no mood.",
});

export const EntryTags = z
  // A longer text cannot become a tag, and is refused as it is.
  .array(z.string().max(256, { message: `must have at most ${MAX_TAG_LENGTH} characters`, abort: true }))
  // The first check, so that zod refuses a list that is too long before it looks at its elements.
  .max(MAX_SENT_TAGS, TOO_MANY_TAGS)
  .overwrite(cleanTags)
  .check((context) => {
    if (context.value.length > MAX_TAGS) {
      context.issues.push({ code: "custom", message: TOO_MANY_TAGS, input: context.value });
    }
    for (const [index, tag] of context.value.entries()) {
      const problem = Tag.safeParse(tag).error?.issues[0]?.message;
      if (problem !== undefined) {
        context.issues.push({ code: "custom", message: problem, path: [index], input: tag });
      }
    }
  });
