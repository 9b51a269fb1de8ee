import { AppError } from "@nectar/core/errors";
import { decodeHeic } from "./heic.ts";
import type { PhotoFormat } from "./photo-format.ts";
import { type PhotoClaims, readClaims } from "./photo-metadata.ts";

/** A photo that was looked at. */
export interface ExaminedPhoto {
  /** The picture alone, upright, without any metadata, at most 1600 pixels on a side. */
  readonly jpeg: Uint8Array;
  /** Sixty-four characters of 0 and 1: dHash. The same picture in another size or quality differs in few of them. */
  readonly perceptualHash: string;
  readonly claims: PhotoClaims;
}

/** Pixels on the longer side of what is stored. */
const LONGEST_SIDE = 1600;
const JPEG_QUALITY = 82;
/** Pixels on the shorter side below which a photo shows nothing. */
const SHORTEST_SIDE = 200;
/** Above what phones make; a picture of this size is read in strips. */
const MAX_PIXELS = 110_000_000;
/** Bytes that a picture may take that has to be read as a whole. */
const MAX_BUFFERED_BYTES = 110 * 1024 * 1024;
/** HEIC is decoded as a whole; phones write 12 or 24 megapixels. */
const MAX_HEIC_PIXELS = 50_000_000;
/** The maximum memory of the HEIC decoder in bytes. */
const MAX_HEIC_HEAP_BYTES = 320 * 1024 * 1024;
/** Milliseconds that decoding a HEIC may take: those of phones take one or two seconds in a deployed function. */
const HEIC_DEADLINE_MS = 10_000;
/** Below this much contrast there is nothing to see, of 255: the noise of a covered lens has less. */
const MIN_DEVIATION = 4;
/** Bits a pixel below which nearly everything is of one brightness. */
const MIN_ENTROPY = 0.5;
/** How large a photo is looked at to see whether there is anything on it, in pixels: coarse enough that noise averages out. */
const LOOK = 256;

/** One photo is decoded at a time, whatever arrives: memory is what a function has least of. */
let queue: Promise<unknown> = Promise.resolve();

/** How a photo is examined. */
export interface Examination {
  /** Runs when it is this photo's turn, before it is decoded; an error that it throws ends the examination. */
  readonly admit?: () => Promise<void>;
  /** Milliseconds that decoding a HEIC may take. */
  readonly heicDeadlineMs?: number;
}

/**
 * Looks at a photo: decodes it, reads what it says of itself, and makes the picture that is kept. One at a time, so that
 * many uploads take no more memory than one. sharp, exifr and libheif are loaded on first use.
 * @throws AppError `checkin.unusable_photo` when it cannot be decoded (in time), is too small, too large or blank
 */
export function examinePhoto(
  bytes: Uint8Array,
  format: PhotoFormat,
  { admit = async () => {}, heicDeadlineMs = HEIC_DEADLINE_MS }: Examination = {},
): Promise<ExaminedPhoto> {
  const turn = queue.then(async () => {
    await admit();
    return examine(bytes, format, heicDeadlineMs);
  });
  queue = turn.catch(() => undefined);
  return turn;
}

async function examine(bytes: Uint8Array, format: PhotoFormat, heicDeadlineMs: number): Promise<ExaminedPhoto> {
  const { jpeg, claims } = format === "heic" ? await reduceHeic(bytes, heicDeadlineMs) : await reduce(bytes, format);
  // What is kept is what is looked at: it is decoded again, but in a quarter of its size, which takes next to nothing.
  const sharp = await loadSharp();
  const grey = await sharp(jpeg).resize(LOOK, LOOK, { fit: "fill", kernel: "linear" }).greyscale().raw().toBuffer();
  refuseBlank(grey);
  const raw = { raw: { width: LOOK, height: LOOK, channels: 1 } } as const;
  const small = await sharp(grey, raw).resize(9, 8, { fit: "fill" }).greyscale().raw().toBuffer();
  return { jpeg, perceptualHash: differenceHash(small), claims };
}

interface Reduced {
  readonly jpeg: Uint8Array;
  readonly claims: PhotoClaims;
}

async function reduceHeic(bytes: Uint8Array, deadlineMs: number): Promise<Reduced> {
  const picture = await decodeHeic(bytes, {
    maxPixels: MAX_HEIC_PIXELS,
    side: LONGEST_SIDE,
    maxHeapBytes: MAX_HEIC_HEAP_BYTES,
    deadlineMs,
  });
  if (picture === "unreadable") throw unusable("The photo cannot be read.");
  if (picture === "too_slow") throw unusable("The photo takes too long to read. Send it as a JPEG.");
  const { pixels, width, height } = picture;
  refuseSmall(width, height);
  const sharp = await loadSharp();
  // libvips reads the boxes of a HEIC but has no decoder for its pixels. What it cannot read counts as missing.
  const found = await sharp(bytes)
    .metadata()
    .catch(() => null);
  const claims = await readClaims({ exif: found?.exif, xmp: found?.xmp });
  // libheif has turned it already.
  return { jpeg: await encode(sharp(pixels, { raw: { width, height, channels: 3 } })).toBuffer(), claims };
}

async function reduce(bytes: Uint8Array, format: Exclude<PhotoFormat, "heic">): Promise<Reduced> {
  const sharp = await loadSharp();
  const load = () => sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error", pages: 1 });
  const found = await load()
    .metadata()
    .catch(() => null);
  // A file can be two things at once; it must decode as what its first bytes say.
  if (found === null || found.format !== format) throw unusable("The photo cannot be read.");
  refuseSmall(found.width, found.height);
  if (bufferedBytes(found) > MAX_BUFFERED_BYTES) throw unusable("The photo has too many pixels.");
  const claims = await readClaims({ exif: found.exif, xmp: found.xmp });
  const jpeg = await encode(load().autoOrient())
    .toBuffer()
    .catch(() => null);
  if (jpeg === null) throw unusable("The photo cannot be read.");
  return { jpeg, claims };
}

/** The picture that is kept, without anything that the file says beside it. */
function encode(picture: ReturnType<Sharp>): ReturnType<Sharp> {
  return picture
    .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .jpeg({ quality: JPEG_QUALITY });
}

/** What has to be in memory at once, in bytes: most pictures are read strip by strip, these are not. */
function bufferedBytes(found: {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly depth: string;
  readonly isProgressive?: boolean | undefined;
  readonly chromaSubsampling?: string | undefined;
}): number {
  const pixels = found.width * found.height;
  if (found.format === "webp") return pixels * 4;
  if (found.isProgressive !== true) return 0;
  // Coefficients of two bytes; color has a quarter of them when it is halved both ways.
  if (found.format === "jpeg") return pixels * 2 * (found.chromaSubsampling === "4:2:0" ? 1.5 : found.channels);
  return pixels * found.channels * (found.depth === "uchar" ? 1 : 2);
}

type Sharp = typeof import("sharp").default;

/** @param grey a byte for each pixel */
function refuseBlank(grey: Uint8Array): void {
  const counts = new Uint32Array(256);
  for (const light of grey) counts[light] = (counts[light] ?? 0) + 1;
  let [mean, squares, entropy] = [0, 0, 0];
  for (const [light, count] of counts.entries()) {
    const share = count / grey.length;
    mean += share * light;
    squares += share * light ** 2;
    if (share > 0) entropy -= share * Math.log2(share);
  }
  if (squares - mean ** 2 < MIN_DEVIATION ** 2 || entropy < MIN_ENTROPY) {
    throw unusable("There is nothing to see on the photo.");
  }
}

function refuseSmall(width: number, height: number): void {
  if (Math.min(width, height) < SHORTEST_SIDE) throw unusable(`The photo is smaller than ${SHORTEST_SIDE} pixels.`);
}

/** Whether each of nine grey pixels in eight rows is darker than the one after it. */
function differenceHash(grey: Uint8Array): string {
  let bits = "";
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < 8; column += 1) {
      const at = row * 9 + column;
      bits += (grey[at] ?? 0) < (grey[at + 1] ?? 0) ? "1" : "0";
    }
  }
  return bits;
}

let loading: Promise<Sharp> | undefined;

function loadSharp(): Promise<Sharp> {
  loading ??= import("sharp").then(({ default: sharp }) => {
    // Each thread and each kept result takes memory of its own.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });
  return loading;
}

function unusable(sentence: string): AppError {
  return new AppError("checkin.unusable_photo", { sentence });
}
