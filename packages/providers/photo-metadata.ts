/** The metadata of a photo that a check-in needs. */
export interface PhotoClaims {
  /** When it was taken by the camera's clock, `YYYY-MM-DDTHH:MM:SS`; null if unknown. */
  readonly takenAt: string | null;
  /** The offset of that clock from UTC, such as `+02:00`; null if unknown. */
  readonly takenOffset: string | null;
  /** Whether it names a program for editing pictures. */
  readonly isEdited: boolean;
  readonly isScreenshot: boolean;
}

/** Names of programs for editing pictures; cameras and phones write versions instead. */
const EDITORS =
  /photoshop|lightroom|gimp|snapseed|picsart|facetune|canva|pixelmator|affinity|paint|imagemagick|graphicsmagick|exiftool|pixlr|photopea|darktable|rawtherapee|luminar|capture one|acdsee|irfanview|xnview|photoscape|vsco|afterlight|meitu|remini|fotor|stable diffusion|midjourney|dall-e|firefly/i;

/** The metadata blocks of a file. */
export interface MetadataParts {
  /** The EXIF block, with or without its `Exif\0\0`. */
  readonly exif?: Uint8Array | undefined;
  readonly xmp?: Uint8Array | undefined;
}

/** Reads the claims of a photo from its EXIF and XMP; what cannot be read counts as missing. exifr is loaded on first use. */
export async function readClaims({ exif, xmp }: MetadataParts): Promise<PhotoClaims> {
  return claimsOf(exif === undefined ? {} : await parseExif(withoutHeading(exif)), textOf(xmp));
}

function claimsOf(tags: Readonly<Record<string, unknown>>, xmp: string): PhotoClaims {
  const software = typeof tags.Software === "string" ? tags.Software : "";
  return {
    takenAt: momentOf(tags.DateTimeOriginal),
    takenOffset: offsetOf(tags.OffsetTimeOriginal),
    isEdited: EDITORS.test(software) || EDITORS.test(creatorTool(xmp)),
    isScreenshot: /screenshot/i.test(commentOf(tags.userComment)),
  };
}

async function parseExif(bytes: Uint8Array): Promise<Record<string, unknown>> {
  const { default: exifr } = await import("exifr");
  try {
    const tags: unknown = await exifr.parse(bytes, {
      tiff: true,
      ifd0: { pick: ["Software"] },
      exif: { pick: ["DateTimeOriginal", "OffsetTimeOriginal", "UserComment"] },
      gps: false,
      interop: false,
      ifd1: false,
      xmp: false,
      icc: false,
      iptc: false,
      jfif: false,
      ihdr: false,
      makerNote: false,
      userComment: true,
      // Values as they are written: exifr would read times in the time zone of this process.
      reviveValues: false,
      translateValues: false,
      sanitize: true,
      mergeOutput: true,
    });
    return isRecord(tags) ? tags : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Reads a moment such as `2026:11:21 07:05:09`; null for one that does not exist or has no plausible year. */
function momentOf(value: unknown): string | null {
  const match =
    typeof value === "string" ? /^(19\d\d|2\d{3})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)/.exec(value) : null;
  if (match === null) return null;
  const moment = `${match[1]}-${match[2]}-${match[3]}T${match[4]}`;
  const time = Date.parse(`${moment}Z`);
  // 30 February is read as 2 March, and blanks or zeros as nothing.
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(moment) ? moment : null;
}

function offsetOf(value: unknown): string | null {
  const match = typeof value === "string" ? /^([+-])(\d\d):?(\d\d)/.exec(value.trim()) : null;
  if (match === null) return typeof value === "string" && value.startsWith("Z") ? "+00:00" : null;
  const [, sign, hours, minutes] = match;
  return Number(hours) <= 14 && Number(minutes) < 60 ? `${sign}${hours}:${minutes}` : null;
}

/** A comment starts with eight bytes that name its character set. */
function commentOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value instanceof Uint8Array ? textOf(value).replaceAll("\0", "") : "";
}

/** The name of the program in XMP, as an attribute or as an element. */
function creatorTool(xmp: string): string {
  return /(?:xmp:CreatorTool|stEvt:softwareAgent)\s*(?:=\s*["']|>)([^"'<]{0,200})/.exec(xmp)?.[1] ?? "";
}

/** Bytes as text, one character each: names of programs are plain. */
function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function withoutHeading(exif: Uint8Array): Uint8Array {
  return textOf(exif.subarray(0, 4)) === "Exif" ? exif.subarray(6) : exif;
}
