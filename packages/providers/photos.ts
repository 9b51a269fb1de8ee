import { AppError, type ErrorCode } from "#core/errors";
import { MAX_MEGAPIXELS, PICTURE_SIDE, THUMBNAIL_SIDE } from "#core/limits";
import { decodeHeic } from "./heic.ts";
import { once } from "./once.ts";
import type { PhotoFormat } from "./photo-format.ts";
import { type PhotoClaims, readClaims } from "./photo-metadata.ts";
import { fitInto, type StoredJpeg, storedJpeg } from "./stored-jpeg.ts";

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
const PICTURE: Purpose = { maxSide: PICTURE_SIDE, minSide: 1, refused: "picture.unusable" };

const MAX_PIXELS = MAX_MEGAPIXELS * 1024 ** 2;
/** Memory of a picture that has to be read as a whole, in bytes. */
const MAX_BUFFERED_BYTES = 110 * 1024 * 1024;
/** The maximum memory of the HEIC decoder in bytes; 50 megapixels at 10 bits a color need less than 480 MB. */
const MAX_HEIC_HEAP_BYTES = 512 * 1024 * 1024;
/** Timeout for decoding, in milliseconds; a HEIC of a phone takes one or two seconds in a deployed function. */
const DEADLINE_MS = 10_000;
/** Minimum contrast of a photo, of 255; the noise of a covered lens has less. */
const MIN_DEVIATION = 4;
/** Minimum entropy of a photo in bits per pixel; below it nearly everything has the same brightness. */
const MIN_ENTROPY = 0.5;
/** Side of the picture whose contrast and entropy are measured, in pixels: small enough that noise averages out. */
const SAMPLE_SIDE = 256;

/** How many photos are decoded at the same time, so that nobody waits for the slowest photo of one other person. */
const MAX_AT_ONCE = 2;
/** Memory of the photos that are decoded at the same time, beyond what those take that are read in strips. */
const MAX_DECODING_BYTES = 200 * 1024 * 1024;

/** A photo that waits to be decoded. */
interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

const waiting: Waiting[] = [];
let running = 0;
let freeBytes = MAX_DECODING_BYTES;

/** Does work that takes so much memory when it is its turn, in the order of the calls, so that many photos need little memory. */
async function inTurn<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
  const turn = Promise.withResolvers<void>();
  waiting.push({ bytes, begin: turn.resolve });
  beginNext();
  await turn.promise;
  try {
    return await work();
  } finally {
    running -= 1;
    freeBytes += bytes;
    beginNext();
  }
}

/** Begins what fits. A photo that is larger than the limit is decoded beside one that is read in strips. */
function beginNext(): void {
  const [next] = waiting;
  if (next === undefined || running === MAX_AT_ONCE) return;
  if (next.bytes > freeBytes && freeBytes < MAX_DECODING_BYTES) return;
  waiting.shift();
  running += 1;
  freeBytes -= next.bytes;
  next.begin();
  beginNext();
}

/**
 * Examines the photo of a check-in when it is its turn: decodes it, reads its metadata, and makes the picture to store.
 * sharp, exifr and libheif are loaded on first use.
 * @param deadlineMs timeout for decoding, in milliseconds
 * @throws AppError `checkin.unusable_photo` if it cannot be decoded (in time), is too small, too large or blank
 */
export async function examinePhoto(
  bytes: Uint8Array,
  format: PhotoFormat,
  deadlineMs = DEADLINE_MS,
): Promise<ExaminedPhoto> {
  const found = await describe(bytes, format, CHECK_IN);
  return inTurn(found.memory, () => examine(bytes, found, deadlineMs));
}

/**
 * Reduces a picture of an entry to two when it is its turn.
 * @param deadlineMs timeout for decoding, in milliseconds
 * @throws AppError `picture.unusable` if it cannot be decoded (in time), or has too many pixels
 */
export async function reducePhoto(
  bytes: Uint8Array,
  format: PhotoFormat,
  deadlineMs = DEADLINE_MS,
): Promise<ReducedPicture> {
  const found = await describe(bytes, format, PICTURE);
  return inTurn(found.memory, () => reduce(bytes, found, deadlineMs));
}

async function examine(bytes: Uint8Array, found: Described, deadlineMs: number): Promise<ExaminedPhoto> {
  const { jpeg } = await decode(bytes, found, CHECK_IN, deadlineMs);
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
  const { exif, xmp } = found.metadata ?? {};
  return { jpeg, perceptualHash: differenceHash(small), claims: await readClaims({ exif, xmp }) };
}

async function reduce(bytes: Uint8Array, found: Described, deadlineMs: number): Promise<ReducedPicture> {
  const picture = await decode(bytes, found, PICTURE, deadlineMs);
  const sharp = await loadSharp();
  const { jpeg: thumbnail } = await storedJpeg(sharp(picture.jpeg), THUMBNAIL_SIDE);
  return { ...picture, thumbnail };
}

/** A photo before it is decoded. */
interface Described {
  readonly format: PhotoFormat;
  /** Memory to decode it, in bytes, beyond what a picture takes that is read in strips. */
  readonly memory: number;
  /** null if they cannot be read, which is only the decoder's matter for a HEIC. */
  readonly metadata: Metadata | null;
}

/** Reads the metadata of a photo. @throws AppError for one that cannot be decoded because of them */
async function describe(bytes: Uint8Array, format: PhotoFormat, purpose: Purpose): Promise<Described> {
  const sharp = await loadSharp();
  // libvips reads the metadata of a HEIC, but not its pixels.
  const metadata = await sharp(bytes, { limitInputPixels: false, pages: 1 })
    .metadata()
    .catch(() => null);
  if (metadata === null && format === "heic") return { format, memory: MAX_HEIC_HEAP_BYTES, metadata };
  // A file can have two formats at once; it must decode as the one of its first bytes.
  if (metadata === null || (metadata.format === "heif" ? "heic" : metadata.format) !== format) {
    throw unusable(purpose, "The photo cannot be read.");
  }
  const pixels = metadata.width * metadata.height;
  const memory = memoryOf(metadata);
  // A HEIC has a limit of its own, which its thread keeps.
  const bufferedPixels = format === "heic" || memory === 0 ? Infinity : (MAX_BUFFERED_BYTES / memory) * pixels;
  const maxPixels = Math.min(MAX_PIXELS, bufferedPixels);
  if (pixels > maxPixels) {
    const [has, most] = [Math.floor(pixels / 1e6), Math.min(50, Math.floor(maxPixels / 1e6))];
    throw unusable(purpose, `The photo has ${has} megapixels. Send it with at most ${most}.`);
  }
  return { format, memory, metadata };
}

async function decode(
  bytes: Uint8Array,
  { format, metadata }: Described,
  purpose: Purpose,
  deadlineMs: number,
): Promise<StoredJpeg> {
  const refuseSmall = (width: number, height: number) => {
    const { minSide } = purpose;
    if (Math.min(width, height) < minSide) throw unusable(purpose, `The photo is smaller than ${minSide} pixels.`);
  };
  if (metadata !== null) refuseSmall(metadata.width, metadata.height);
  const picture =
    format === "heic"
      ? await decodeHeic(bytes, {
          maxPixels: MAX_PIXELS,
          side: purpose.maxSide,
          maxHeapBytes: MAX_HEIC_HEAP_BYTES,
          profile: metadata?.icc,
          deadlineMs,
        })
      : await decodeWithSharp(bytes, metadata?.orientation ?? 1, purpose.maxSide, deadlineMs);
  if (picture === "unreadable") throw unusable(purpose, "The photo cannot be read.");
  if (picture === "too_slow") throw unusable(purpose, "The photo takes too long to read. Send it as a smaller JPEG.");
  refuseSmall(picture.width, picture.height);
  return picture;
}

function unusable({ refused }: Purpose, sentence: string): AppError {
  return new AppError(refused, { sentence });
}

/** The end of a JPEG, which some phones do not write. */
const END_OF_JPEG = Uint8Array.of(0xff, 0xd9);

/** Decodes a JPEG, PNG or WebP. A JPEG without its end is accepted if it has all its rows. */
async function decodeWithSharp(
  bytes: Uint8Array,
  orientation: number,
  side: number,
  deadlineMs: number,
): Promise<StoredJpeg | "unreadable" | "too_slow"> {
  const sharp = await loadSharp();
  const attempt = async (file: Uint8Array, failOn: "error" | "warning") => {
    const picture = sharp(file, { limitInputPixels: MAX_PIXELS, failOn, pages: 1 });
    picture.timeout({ seconds: Math.ceil(deadlineMs / 1_000) });
    if (orientation === 1) return storedJpeg(picture, side);
    // Reduced first, because libvips rotates a picture as a whole, and without a deadline.
    const small = await fitInto(picture, side).withMetadata({ orientation }).png({ compressionLevel: 0 }).toBuffer();
    return storedJpeg(sharp(small).autoOrient(), side);
  };
  const picture = await attempt(bytes, "error").catch(reasonOf);
  if (picture !== "no_end") return picture;
  // Behind a complete picture the end makes no difference; if rows are missing before it, that is a warning.
  const complete = await attempt(Buffer.concat([bytes, END_OF_JPEG]), "warning").catch(reasonOf);
  return complete === "no_end" ? "unreadable" : complete;
}

/** Why libvips did not decode a picture, which only its message says. */
function reasonOf(error: unknown): "unreadable" | "too_slow" | "no_end" {
  const message = error instanceof Error ? error.message : "";
  if (message.startsWith("timeout")) return "too_slow";
  return message.includes("premature end of JPEG image") ? "no_end" : "unreadable";
}

type Metadata = Awaited<ReturnType<ReturnType<Sharp>["metadata"]>>;

/** Memory that the decoded picture needs at once, in bytes; 0 if it is read in strips, as most are. */
function memoryOf(found: Metadata): number {
  const pixels = found.width * found.height;
  if (found.format === "heif") return pixels * (found.bitsPerSample === 8 ? 6.5 : 9.5);
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
