import { parentPort, workerData } from "node:worker_threads";
import { withProfile } from "./png.ts";
import { fitInto, type StoredJpeg, storedJpeg } from "./stored-jpeg.ts";

/**
 * The address of this module: the source file or, when deployed, its chunk of the bundle, which it has because it is only
 * imported on use. A worker that starts here decodes the given file and posts the picture, or null.
 */
export const HEIC_WORKER = new URL(import.meta.url);

/** The data that the worker is started with. */
export interface HeicTask {
  readonly task: "decode-heic";
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly limits: HeicLimits;
  /** The ICC profile of the colors of the file, which the decoder does not apply. */
  readonly profile: Uint8Array | undefined;
}

/** Limits for decoding a HEIC file. */
export interface HeicLimits {
  readonly maxPixels: number;
  /** The longer side of the result has this many pixels, or fewer. */
  readonly side: number;
  /** The memory of the decoder in bytes. */
  readonly maxHeapBytes: number;
}

/** Bytes of a page of WebAssembly's memory. */
const PAGE = 64 * 1024;

// The main thread imports this module only for its address.
if (isHeicTask(workerData)) {
  // Exceptions and traps of the module mean that the file is not a valid picture.
  const picture = await decode(workerData).catch(() => null);
  parentPort?.postMessage(picture, picture === null ? [] : [picture.jpeg.buffer]);
}

/** Decodes the main picture, rotated as the file says, and reduces it where it is: a copy of 49 megapixels has 196 MB. */
async function decode({ bytes, limits, profile }: HeicTask): Promise<StoredJpeg | null> {
  const { maxPixels, maxHeapBytes, side } = limits;
  const { default: start } = await import("libheif-js/libheif-wasm/libheif-bundle.js");
  limitMemory(maxHeapBytes);
  const heif = start();
  const image = new heif.HeifDecoder().decode(bytes).find((each) => each.is_primary());
  if (image === undefined || image.get_width() * image.get_height() > maxPixels) return null;
  const { channels: [channel] = [] } = heif.heif_js_decode_image2(
    image.handle,
    heif.heif_colorspace.heif_colorspace_RGB,
    heif.heif_chroma.heif_chroma_interleaved_RGBA,
  );
  if (channel === undefined) return null;
  const { data, stride, width, height } = channel;
  const { default: sharp } = await import("sharp");
  const pixels = sharp(data, { raw: { width: stride / 4, height, channels: 4 } });
  const picture = pixels.extract({ left: 0, top: 0, width, height });
  if (profile === undefined) return storedJpeg(picture, side);
  // sharp converts colors by the profile of a file, and pixels are none.
  const small = await fitInto(picture, side).png({ compressionLevel: 0 }).toBuffer();
  return storedJpeg(sharp(withProfile(small, profile)), side);
}

/** Lets the memory of this thread's decoder not grow beyond a size: a small file can claim tiles that need two gigabytes. */
function limitMemory(maxBytes: number): void {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE > maxBytes) throw new RangeError("The decoder may not use more memory.");
    return grow.call(this, pages);
  };
}

function isHeicTask(value: unknown): value is HeicTask {
  return typeof value === "object" && value !== null && "task" in value && value.task === "decode-heic";
}
