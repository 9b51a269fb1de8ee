import { posix } from "node:path";
import { LENGTHS } from "#core/lengths.generated";
import { firstCodePoints, normalizeText } from "#core/text/text";
import type { Archive } from "./archive.ts";

/** A picture of an entry in an archive. */
export interface ArchivePicture {
  /** Its file in the archive, or where it should be. */
  readonly path: string;
  readonly isMissing: boolean;
  readonly caption: string | null;
}

/** More than are shown as problems, beside those that an entry may have. */
const MAX_PICTURES = 150;
/** `![alt text](target)` in Markdown. The lengths are bounded, so that no text takes long to search. */
const IMAGE =
  /!\[((?:\\.|[^\]\\]){0,1000})\]\([ \t]*(<[^<>\n]{1,1000}>|[^\s()<>]{1,1000})(?:[ \t]+"[^"\n]{0,1000}")?[ \t]*\)/g;

/** Makes pictures of the files of an archive. */
export function picturesIn({ files }: Archive): (path: string, caption?: string | null) => ArchivePicture {
  const paths = new Set(files.map(({ path }) => path));
  return (path, caption = null) => ({ path, isMissing: !paths.has(path), caption: captionOf(caption) });
}

function captionOf(text: string | null): string | null {
  const { max } = LENGTHS.entry_pictures.caption;
  // A character takes up to two UTF-16 units, and normalizing can make it longer.
  return firstCodePoints(normalizeText((text ?? "").slice(0, 2 * max)), max).trimEnd() || null;
}

/**
 * Takes the pictures out of a Markdown text. A line that only shows pictures of the archive is left out, unless the text has
 * no other lines; every other link stays, because a sentence may need it.
 * @param find the picture that a link means; null if it means none of the archive
 */
export function takePictures(text: string, find: (target: string, alt: string) => ArchivePicture | null) {
  const pictures: ArchivePicture[] = [];
  const kept: string[] = [];
  let isAfterPicture = false;
  for (const line of text.split("\n")) {
    let isTaken = false;
    const rest = line.replace(IMAGE, (link, alt: string, target: string) => {
      const picture = find(target.replace(/^<|>$/g, ""), alt.replace(/\\(.)/g, "$1"));
      if (picture !== null && pictures.length < MAX_PICTURES) pictures.push(picture);
      if (picture === null || picture.isMissing) return link;
      isTaken = true;
      return "";
    });
    const isBlank = line.trim() === "";
    if (isTaken && rest.trim() === "") isAfterPicture = true;
    else if (!(isBlank && isAfterPicture && (kept.at(-1) ?? "").trim() === "")) {
      isAfterPicture = false;
      kept.push(line);
    }
  }
  const rest = kept.join("\n").trimEnd();
  return { text: rest.trim() === "" ? text : rest, pictures };
}

/** The path of a file that a Markdown file links to; null for an address outside of the archive. */
export function linkedPath(from: string, target: string): string | null {
  if (/^([a-z][a-z0-9+.-]*:|\/|#)/i.test(target)) return null;
  return posix.join(posix.dirname(from), decoded(target));
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
