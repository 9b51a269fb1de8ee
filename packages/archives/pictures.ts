import { posix } from "node:path";
import { LENGTHS } from "#core/lengths.generated";
import { firstCodePoints, normalizeText } from "#core/text/text";
import type { Archive } from "./archive.ts";
import { linesOf } from "./lines.ts";
import type { PictureFault } from "./problems.ts";

/** A picture of an entry in an archive. */
export interface ArchivePicture {
  /** Its file in the archive, or where it should be. */
  readonly path: string;
  /** Why there is none to import; null if there is a file. */
  readonly fault: PictureFault | null;
  readonly caption: string | null;
}

/** Finds a file of an archive. @param paths where it may be, the likeliest first */
export type FindPicture = (paths: readonly string[], caption?: string | null) => ArchivePicture;

/** More than are shown as problems, beside those that an entry may have. */
const MAX_PICTURES = 150;

// The lengths are bounded, so that no text takes long to search.
/** `![alt text](target "title")` in Markdown; a target may have spaces, and pairs of brackets. */
const MARKDOWN =
  /!\[(?<alt>(?:\\.|[^\]\\]){0,1000})\]\([ \t]{0,9}(?<target><[^<>\n]{1,1000}>|(?:\\.|[^()\n\\]|\([^()\n]{0,200}\)){1,1000}?)(?:[ \t]{1,9}"[^"\n]{0,1000}")?[ \t]{0,9}\)/;
/** `![[target|alt text]]` of Obsidian. */
const EMBED = /!\[\[(?<file>[^[\]|#\n]{1,1000})(?:#[^[\]|\n]{0,200})?(?:\|(?<label>[^[\]\n]{0,1000}))?\]\]/;
const HTML = /<img\s(?<attributes>[^<>\n]{1,2000})>/;
/** `![alt text][reference]`. */
const REFERENCE = /!\[[^[\]\n]{0,1000}\]\[(?<reference>[^[\]\n]{0,1000})\]/;
const SHOWN = new RegExp([MARKDOWN, EMBED, HTML, REFERENCE].map(({ source }) => source).join("|"), "gi");
const PICTURE_NAME = /\.(?:jpe?g|png|webp|hei[cf]|gif|avif|tiff?|bmp|svg)$/i;
const MEDIA_NAME = /\.(?:mp3|m4a|aac|wav|ogg|flac|mp4|m4v|mov|webm|avi|pdf)$/i;

/** Makes pictures of the files of an archive: by their paths, or else regardless of Unicode form and case. */
export function picturesIn({ files }: Archive): FindPicture {
  const exact = new Set(files.map(({ path }) => path));
  // Null if several files have the same name then.
  const similar = new Map<string, string | null>();
  for (const { path } of files) {
    const key = folded(path);
    similar.set(key, similar.has(key) ? null : path);
  }
  return (paths, caption = null) => {
    const path = paths.find((one) => exact.has(one)) ?? paths.map((one) => similar.get(folded(one))).find(Boolean);
    const [likeliest = ""] = paths;
    return { path: path ?? likeliest, fault: path ? null : "missing_picture", caption: captionOf(caption) };
  };
}

function folded(path: string): string {
  return normalizeText(path, false).toLowerCase();
}

function captionOf(text: string | null): string | null {
  const { max } = LENGTHS.entry_pictures.caption;
  // A character takes up to two UTF-16 units, and normalizing can make it longer.
  return firstCodePoints(normalizeText((text ?? "").slice(0, 2 * max)), max).trimEnd() || null;
}

/**
 * Takes the pictures out of a Markdown text. A line that only shows pictures of the archive is left out; every other link
 * stays, because a sentence may need it. Code stays as it is.
 * @param find the picture that a link means; null if it means none of the archive
 */
export function takePictures(text: string, find: (target: string, alt: string) => ArchivePicture | null) {
  const pictures: ArchivePicture[] = [];
  const kept: string[] = [];
  let isAfterPicture = false;
  for (const { line, isCode } of linesOf(text)) {
    let isTaken = false;
    let rest = line;
    for (const { 0: link, groups = {} } of isCode ? [] : line.matchAll(SHOWN)) {
      const picture = pictureOf(groups, find);
      if (picture !== null && pictures.length < MAX_PICTURES) pictures.push(picture);
      if (picture === null || picture.fault !== null) continue;
      isTaken = true;
      rest = rest.replace(link, () => "");
    }
    const isBlank = line.trim() === "";
    if (isTaken && rest.trim() === "") isAfterPicture = true;
    else if (!(isBlank && isAfterPicture && (kept.at(-1) ?? "").trim() === "")) {
      isAfterPicture = false;
      kept.push(line);
    }
  }
  return { text: kept.join("\n").trimEnd(), pictures };
}

/** @param groups of SHOWN */
function pictureOf(
  { alt = "", target, file, label = "", attributes, reference }: Readonly<Record<string, string | undefined>>,
  find: (target: string, alt: string) => ArchivePicture | null,
): ArchivePicture | null {
  if (reference !== undefined) return { path: reference, fault: "unsupported_link", caption: null };
  if (target !== undefined) return find(target.replace(/^<|>$/g, ""), alt.replace(/\\(.)/g, "$1"));
  if (attributes !== undefined) return find(attribute(attributes, "src"), attribute(attributes, "alt"));
  // Notes are embedded the same way, and a label may be a width instead.
  if (file === undefined || !(PICTURE_NAME.test(file) || MEDIA_NAME.test(file))) return null;
  return find(file, /^\d+(?:x\d+)?$/.test(label) ? "" : label);
}

function attribute(attributes: string, name: "src" | "alt"): string {
  const pattern = { src: /\bsrc\s?=\s?(?:"([^"]*)"|'([^']*)')/i, alt: /\balt\s?=\s?(?:"([^"]*)"|'([^']*)')/i };
  const [, double, single] = pattern[name].exec(attributes) ?? [];
  return double ?? single ?? "";
}

/** The picture that a Markdown file links to; null for an address outside of the archive. */
export function linkedPicture(from: string, target: string, alt: string, find: FindPicture): ArchivePicture | null {
  const paths = linkedPaths(from, target);
  if (paths === null) return null;
  const picture = find(paths, alt);
  return picture.fault !== null && MEDIA_NAME.test(picture.path) ? { ...picture, fault: "unsupported_media" } : picture;
}

/**
 * The paths that a link in a Markdown file may mean; null for an address outside of the archive. A backslash is an escape,
 * or divides folders on Windows.
 */
export function linkedPaths(from: string, target: string): string[] | null {
  if (target === "" || /^([a-z][a-z0-9+.-]*:|\/|#)/i.test(target)) return null;
  const unescaped = target.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1").replaceAll("\\", "/");
  const written = [unescaped, target.replaceAll("\\", "/")];
  const paths = written.flatMap((path) => [decoded(path), path]).map((path) => posix.join(posix.dirname(from), path));
  return [...new Set(paths)];
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
