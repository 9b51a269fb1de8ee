import * as z from "zod";

/** The fields of front matter that are imported; all others are left out. */
const FrontMatter = z.object({
  id: z.string().optional().catch(undefined),
  title: z.union([z.string(), z.number()]).transform(String).nullish(),
  date: z.string().nullish(),
  entry_date: z.string().nullish(),
  tags: z
    .union([
      z.string().transform((tags) => tags.split(/[\s,]+/).filter(Boolean)),
      z.array(z.union([z.string(), z.number()]).transform(String)),
    ])
    .nullish(),
  mood: z.union([z.string(), z.number()]).transform(String).nullish(),
  mood_source: z.string().nullish().catch(undefined),
  notebook: z.string().nullish(),
});
export type FrontMatter = z.output<typeof FrontMatter>;

/** In UTF-16 units: more than a title, 20 tags and what other programs add. */
const MAX_LENGTH = 16_384;

/**
 * Splits a Markdown text into its front matter (YAML between two lines of three hyphens) and the rest.
 * @returns null if it has front matter that cannot be read
 */
export async function splitFrontMatter(text: string): Promise<{ fields: FrontMatter; body: string } | null> {
  const [opening] = /^---[ \t]*\r?\n/.exec(text) ?? [];
  if (opening === undefined) return { fields: {}, body: text };
  const rest = text.slice(opening.length);
  const end = /^(?:---|\.\.\.)[ \t]*$/m.exec(rest.slice(0, MAX_LENGTH));
  // A line across the page, with which a text may begin.
  if (end === null) return { fields: {}, body: text };
  const fields = await parseYaml(rest.slice(0, end.index));
  return fields === null ? null : { fields, body: rest.slice(end.index + end[0].length) };
}

async function parseYaml(yaml: string): Promise<FrontMatter | null> {
  const { parse } = await import("yaml");
  try {
    // Dates stay strings in the core schema. Aliases would let a short text become a long one.
    const value: unknown = parse(yaml, { schema: "core", maxAliasCount: 0, logLevel: "error" });
    return FrontMatter.safeParse(value ?? {}).data ?? null;
  } catch {
    return null;
  }
}
