import * as z from "zod";
import { grouped } from "#core/text/numbers";
import { readYamlFields } from "./yaml-fields.ts";

/** The fields of front matter that are imported; all others are left out. */
const FrontMatter = z.object({
  id: z.string().nullish().catch(undefined),
  title: z.string().nullish(),
  date: z.string().nullish().catch(undefined),
  created: z.string().nullish().catch(undefined),
  created_at: z.string().nullish().catch(undefined),
  entry_date: z.string().nullish().catch(undefined),
  tags: z
    .union([z.string().transform((tags) => tags.split(/[\s,]+/).filter(Boolean)), z.array(z.string())])
    .nullish()
    .catch(undefined),
  mood: z.string().nullish().catch(undefined),
  mood_source: z.string().nullish().catch(undefined),
  notebook: z.string().nullish().catch(undefined),
});
export type FrontMatter = z.output<typeof FrontMatter>;

const NAMES: ReadonlySet<string> = new Set(FrontMatter.keyof().options);
/** Without a title, another one would be made up; a text without one of the others is still the entry. */
const OPTIONAL: ReadonlySet<string> = new Set([...NAMES].filter((name) => name !== "title"));

/** In UTF-16 units: more than a title, 20 tags and what other programs add. */
const MAX_LENGTH = 2_048;

/** A text without its front matter, or why that cannot be read. */
export type MarkdownParts = { readonly fields: FrontMatter; readonly body: string } | { readonly problem: string };

/** Splits a Markdown text into its front matter (YAML between two lines of three hyphens) and the rest. */
export function splitFrontMatter(text: string): MarkdownParts {
  const asText = { fields: {}, body: text };
  const [opening] = /^---[ \t]*\r?\n/.exec(text) ?? [];
  if (opening === undefined) return asText;
  const rest = text.slice(opening.length);
  const end = /^(?:---|\.\.\.)[ \t]*$/m.exec(rest);
  // A line across the page, with which a text may begin.
  if (end === null) return asText;
  if (end.index > MAX_LENGTH) {
    const isFrontMatter = /^[\w-]+:/.test(rest);
    return isFrontMatter ? { problem: `The front matter has more than ${grouped(MAX_LENGTH)} characters.` } : asText;
  }
  const values = readYamlFields(rest.slice(0, end.index), NAMES, OPTIONAL);
  const fields = values && FrontMatter.safeParse(Object.fromEntries(values)).data;
  if (!fields) return { problem: "The front matter is not YAML, or a field of it has another type." };
  return { fields, body: rest.slice(end.index + end[0].length) };
}
