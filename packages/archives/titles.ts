import { LENGTHS } from "#core/lengths.generated";
import { firstCodePoints, normalizeText } from "#core/text/text";
import { linesOf } from "./lines.ts";

/** Characters of a line that may become a title, marks and addresses of pictures included. */
const LOOKED_AT = 1_000;
/** Characters of a text whose first line with words is looked for. */
const SEARCHED = 20_000;

/** A title made of a text that has none: its first line with words, cut if it is too long; null if there is none. */
export function titleOf(text: unknown): string | null {
  if (typeof text !== "string") return null;
  for (const { line, isCode } of linesOf(text.slice(0, SEARCHED))) {
    const title = isCode ? "" : plain(line.slice(0, LOOKED_AT).replace(/^\s*#{1,6}\s/, ""));
    if (title !== "") return shortTitle(title);
  }
  return null;
}

/** The first heading of a Markdown text, cut if it is too long; null if there is none. */
export function headingOf(markdown: string): string | null {
  for (const { line, isCode } of linesOf(markdown)) {
    const [, heading] = /^#{1,6}[ \t](.*)/.exec(line) ?? [];
    if (heading === undefined || isCode) continue;
    const title = plain(heading.slice(0, LOOKED_AT).replace(/[ \t]#+[ \t\r]*$/, ""));
    return title === "" ? null : shortTitle(title);
  }
  return null;
}

/** The title of an entry with nothing that could be one. */
export function dayAsTitle(entryDate: string): string {
  return `Entry of ${entryDate}`;
}

/** What is left of a text without its pictures; the title if they were all there was, because an entry has a text. */
export function contentOf(
  shown: { readonly text: string; readonly pictures: readonly object[] },
  title: string,
): string {
  return shown.text.trim() === "" && shown.pictures.length > 0 ? title : shown.text;
}

export function shortTitle(title: string): string {
  return firstCodePoints(title, LENGTHS.journal_entries.title.max).trimEnd();
}

/** A line of Markdown as it is read: without pictures, addresses of links, marks and escapes. */
function plain(line: string): string {
  const text = line
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replaceAll(/(?<!\\)(\*\*|__|~~|==|`)(?=\S)([^*_~=`]*\S)\1/g, "$2")
    .replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");
  return normalizeText(text);
}
