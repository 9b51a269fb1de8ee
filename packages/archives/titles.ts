import { LENGTHS } from "#core/lengths.generated";
import { firstCodePoints, normalizeText } from "#core/text/text";

/** Characters of a line that may become a title, marks and addresses of pictures included. */
const LOOKED_AT = 1_000;
/** Characters of a text whose first line with words is looked for. */
const SEARCHED = 20_000;

/** A title made of a text that has none: its first line with words, cut if it is too long; null if there is none. */
export function titleOf(text: unknown): string | null {
  if (typeof text !== "string") return null;
  for (const [line] of text.slice(0, SEARCHED).matchAll(/.+/g)) {
    const title = normalizeText(withoutMarks(line.slice(0, LOOKED_AT)));
    if (title !== "") return shortTitle(title);
  }
  return null;
}

/** The first heading of a Markdown text, cut if it is too long; null if there is none. */
export function headingOf(markdown: string): string | null {
  const [, heading = ""] = /^#{1,6}[ \t](.*)/m.exec(markdown) ?? [];
  const title = normalizeText(heading.slice(0, LOOKED_AT).replace(/[ \t]#+$/, ""));
  return title === "" ? null : shortTitle(title);
}

/** The title of an entry with nothing that could be one. */
export function dayAsTitle(entryDate: string): string {
  return `Entry of ${entryDate}`;
}

export function shortTitle(title: string): string {
  return firstCodePoints(title, LENGTHS.journal_entries.title.max).trimEnd();
}

/** A line without pictures, and without the marks of a heading. */
function withoutMarks(line: string): string {
  return line.replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "").replace(/^\s*#{1,6}\s/, "");
}
