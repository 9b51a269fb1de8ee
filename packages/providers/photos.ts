import { AppError, type ErrorCode } from "#core/errors";
import { decodeHeic } from "./heic.ts";
import { once } from "./once.ts";
import type { PhotoFormat } from "./photo-format.ts";
import { type PhotoClaims, readClaims } from "./photo-metadata.ts";
import { type StoredJpeg, storedJpeg } from "./stored-jpeg.ts";

/** The photo of a check-in. */
export interface ExaminedPhoto {
  /** The picture, upright, without any metadata, at most 1600 pixels on a side. */
  readonly jpeg: Uint8Array;
  /** A dHash of 64 characters, 0 or 1. The same picture in another size or quality differs in few of them. */
  readonly perceptualHash: string;
  readonly claims: PhotoClaims;
}

/** A picture of an entry: upright, at most 2048 pixels on a side. */
export interface ReducedPicture extends StoredJpeg {
  /** The same with at most 400 pixels on a side. */
  readonly thumbnail: Uint8Array;
}

/** What a photo is stored for. */
interface Purpose {
  /** Pixels of the longer side of the stored picture. */
  readonly maxSide: number;
  /** Pixels of the shorter side of an acceptable photo. */
  readonly minSide: number;
  /** The error of a photo that cannot be used. */
  readonly refused: ErrorCode;
}
const CHECK_IN: Purpose = { maxSide: 1600, minSide: 200, refused: "checkin.unusable_photo" };
const PICTURE: Purpose = { maxSide: 2048, minSide: 1, refused: "picture.unusable" };

const THUMBNAIL_SIDE = 400;
/** More than phones have; a picture of this size is read in strips. */
const MAX_PIXELS = 110_000_000;
/** Memory of a picture that has to be read as a whole, in bytes. */
const MAX_BUFFERED_BYTES = 110 * 1024 * 1024;
/** HEIC is decoded as a whole; phones have 12 or 24 megapixels. */
const MAX_HEIC_PIXELS = 50_000_000;
/** The maximum memory of the HEIC decoder in bytes; 49 megapixels at 10 bits a color need less than 448 MB. */
const MAX_HEIC_HEAP_BYTES = 512 * 1024 * 1024;
/** Timeout for decoding a HEIC, in milliseconds; a phone's photo takes one or two seconds in a deployed function. */
const HEIC_DEADLINE_MS = 10_000;
/** Minimum contrast of a photo, of 255; the noise of a covered lens has less. */
const MIN_DEVIATION = 4;
/** Minimum entropy of a photo in bits per pixel; below it nearly everything has the same brightness. */
const MIN_ENTROPY = 0.5;
/** Side of the picture whose contrast and entropy are measured, in pixels: small enough that noise averages out. */
const SAMPLE_SIDE = 256;

/** Photos are decoded one at a time, because the memory of a function is small. */
let queue: Promise<unknown> = Promise.resolve();

/** Decodes the photos of check-ins and the pictures of entries. */
interface PhotoDecoder {
  /** @throws AppError `checkin.unusable_photo` if it cannot be decoded (in time), is too small, too large or blank */
  readonly examine: (bytes: Uint8Array, format: PhotoFormat) => Promise<ExaminedPhoto>;
  /** @throws AppError `picture.unusable` if it cannot be decoded (in time), or has too many pixels */
  readonly reduce: (bytes: Uint8Array, format: PhotoFormat) => Promise<ReducedPicture>;
}

/**
 * Lets work decode photos when it is its turn: one at a time, so that many uploads need no more memory than one. For a
 * check-in a photo is examined: it is decoded, its metadata are read, and the picture to store is made. For an entry it is
 * reduced to two pictures. sharp, exifr and libheif are loaded on first use.
 * @param heicDeadlineMs timeout for decoding a HEIC, in milliseconds
 */
export function inTurn<Result>(
  work: (decoder: PhotoDecoder) => Promise<Result>,
  heicDeadlineMs = HEIC_DEADLINE_MS,
): Promise<Result> {
  const decoder: PhotoDecoder = {
    examine: (bytes, format) => examine(bytes, format, heicDeadlineMs),
    reduce: (bytes, format) => reduce(bytes, format, heicDeadlineMs),
  };
  const turn = queue.then(() => work(decoder));
  queue = turn.catch(() => undefined);
  return turn;
}

async function examine(bytes: Uint8Array, format: PhotoFormat, heicDeadlineMs: number): Promise<ExaminedPhoto> {
  const { jpeg } = await decode(bytes, format, CHECK_IN, heicDeadlineMs);
  // The stored picture is measured, not the original. Decoding it again in a quarter of its size takes hardly any time.
  const sharp = await loadSharp();
  const grey = await sharp(jpeg)
    .resize(SAMPLE_SIDE, SAMPLE_SIDE, { fit: "fill", kernel: "linear" })
    .greyscale()
    .raw()
    .toBuffer();
  refuseBlank(grey);
  const raw = { raw: { width: SAMPLE_SIDE, height: SAMPLE_SIDE, channels: 1 } } as const;
  const small = await sharp(grey, raw).resize(9, 8, { fit: "fill" }).greyscale().raw().toBuffer();
  // libvips reads the metadata of a HEIC, but not its pixels. Unreadable metadata counts as missing.
  const found = await load(sharp, bytes)
    .metadata()
    .catch(() => null);
  const claims = await readClaims({ exif: found?.exif, xmp: found?.xmp });
  return { jpeg, perceptualHash: differenceHash(small), claims };
}

async function reduce(bytes: Uint8Array, format: PhotoFormat, heicDeadlineMs: number): Promise<ReducedPicture> {
  const picture = await decode(bytes, format, PICTURE, heicDeadlineMs);
  const sharp = await loadSharp();
  const { jpeg: thumbnail } = await storedJpeg(sharp(picture.jpeg), THUMBNAIL_SIDE);
  return { ...picture, thumbnail };
}

async function decode(
  bytes: Uint8Array,
  format: PhotoFormat,
  purpose: Purpose,
  heicDeadlineMs: number,
): Promise<StoredJpeg> {
  const unusable = (sentence: string) => new AppError(purpose.refused, { sentence });
  const refuseSmall = (width: number, height: number) => {
    const { minSide } = purpose;
    if (Math.min(width, height) < minSide) throw unusable(`The photo is smaller than ${minSide} pixels.`);
  };
  const sharp = await loadSharp();
  if (format === "heic") {
    const picture = await decodeHeic(bytes, {
      maxPixels: MAX_HEIC_PIXELS,
      side: purpose.maxSide,
      maxHeapBytes: MAX_HEIC_HEAP_BYTES,
      deadlineMs: heicDeadlineMs,
    });
    if (picture === "unreadable") throw unusable("The photo cannot be read.");
    if (picture === "too_slow") throw unusable("The photo takes too long to read. Send it as a JPEG.");
    refuseSmall(picture.width, picture.height);
    return picture;
  }
  const found = await load(sharp, bytes)
    .metadata()
    .catch(() => null);
  // A file can have two formats at once; it must decode as the one of its first bytes.
  if (found === null || found.format !== format) throw unusable("The photo cannot be read.");
  refuseSmall(found.width, found.height);
  if (bufferedBytes(found) > MAX_BUFFERED_BYTES) throw unusable("The photo has too many pixels.");
  const picture = await storedJpeg(load(sharp, bytes).autoOrient(), purpose.maxSide).catch(() => null);
  if (picture === null) throw unusable("The photo cannot be read.");
  return picture;
}

function load(sharp: Sharp, bytes: Uint8Array): ReturnType<Sharp> {
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error", pages: 1 });
}

/** Memory that the decoded picture needs at once, in bytes; 0 if it is read in strips, as most are. */
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
  // Two bytes per coefficient; color has a quarter of them if it is halved both ways.
  if (found.format === "jpeg") return pixels * 2 * (found.chromaSubsampling === "4:2:0" ? 1.5 : found.channels);
  return pixels * found.channels * (found.depth === "uchar" ? 1 : 2);
}

type Sharp = typeof import("sharp").default;

/** @param grey one byte per pixel */
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
    throw new AppError(CHECK_IN.refused, { sentence: "There is nothing to see on the photo." });
  }
}

/** Whether each pixel is darker than the next one, in eight rows of nine grey pixels. */
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

const loadSharp = once(async () => {
  const { default: sharp } = await import("sharp");
  // Each thread and each cached result needs memory.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
});
