/** Pixels of three bytes (red, green, blue), row by row. */
export interface RawPicture {
  readonly pixels: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

export interface HeicLimits {
  readonly maxPixels: number;
  /** The longer side of the result is about this long, or less. */
  readonly side: number;
  /** The memory of the decoder in bytes; a phone's photo needs 241 MB. */
  readonly maxHeapBytes: number;
}

/** A plane (brightness or a color) of a decoded picture, in the memory of the module. */
interface Plane {
  readonly id: unknown;
  readonly stride: number;
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly bits_per_pixel: number;
}

/** The part of libheif that we use; it has no useful types of its own. */
interface Libheif {
  readonly HEAPU8: Uint8Array;
  readonly heif_colorspace: { readonly heif_colorspace_undefined: unknown; readonly heif_colorspace_YCbCr: unknown };
  readonly heif_chroma: { readonly heif_chroma_undefined: unknown };
  readonly heif_channel: {
    readonly heif_channel_Y: unknown;
    readonly heif_channel_Cb: unknown;
    readonly heif_channel_Cr: unknown;
  };
  readonly heif_error_code: { readonly heif_error_Ok: unknown };
  _malloc(bytes: number): number;
  _free(address: number): void;
  _heif_get_global_security_limits(): number;
  heif_context_alloc(): object | null;
  heif_context_read_from_memory(context: object, bytes: Uint8Array): { readonly code: unknown };
  heif_js_context_get_primary_image_handle(context: object): object;
  heif_image_handle_get_width(handle: object): number;
  heif_image_handle_get_height(handle: object): number;
  heif_js_decode_image2(
    handle: object,
    colorspace: unknown,
    chroma: unknown,
  ): { readonly image?: object; readonly channels?: readonly Plane[] };
}

/** Offsets of two limits in libheif's `heif_security_limits`, in the version that is installed. */
const LIMITS_VERSION = 4;
const MAX_PIXELS_AT = 8;
const MAX_MEMORY_AT = 64;
/** Bytes that libheif may allocate at the same time; a phone's photo of 24 megapixels takes a quarter of it. */
const MAX_MEMORY = 160 * 1024 * 1024;

/**
 * Bytes to which the memory of the module grows beforehand; untouched pages cost nothing. libheif describes a color plane
 * as if it were as high as the whole picture, so there must be room behind the last one, or it cannot be read.
 */
const ROOM = 240 * 1024 * 1024;

/** Bytes of a page of WebAssembly's memory. */
const PAGE = 64 * 1024;

/**
 * Decodes the main picture of a HEIC file, rotated as the file says, and reduces it on the way. Blocks its thread for
 * seconds and limits the memory of all WebAssembly in it, so it belongs in a worker (`heic-worker.ts`) that decodes one file.
 *
 * This calls the functions that libheif-js exports from C. Its HeifDecoder returns full-size RGBA and has no limits: a
 * process that decodes 24 megapixels with it takes 306 MB (376 MB at 10 bits a color) instead of 176 MB (220 MB), and for 49
 * megapixels 526 MB (663 MB) instead of 210 MB (283 MB).
 * @returns null when it cannot be decoded, or has more pixels than allowed
 */
export async function decodeHeicHere(bytes: Uint8Array, limits: HeicLimits): Promise<RawPicture | null> {
  const { maxPixels, side } = limits;
  const heif = await load(limits);
  const context = heif.heif_context_alloc();
  if (context === null) return null;
  try {
    if (heif.heif_context_read_from_memory(context, bytes).code !== heif.heif_error_code.heif_error_Ok) return null;
    const handle = heif.heif_js_context_get_primary_image_handle(context);
    const size = heif.heif_image_handle_get_width(handle) * heif.heif_image_handle_get_height(handle);
    if (!(size > 0 && size <= maxPixels)) return null;
    return decode(heif, handle, side);
  } catch {
    // Exceptions and traps of the module mean that the file is not a valid picture.
    return null;
  }
}

function decode(heif: Libheif, handle: object, side: number): RawPicture | null {
  // In the stored color space: RGB would need nearly three times the memory.
  const { image, channels } = heif.heif_js_decode_image2(
    handle,
    heif.heif_colorspace.heif_colorspace_undefined,
    heif.heif_chroma.heif_chroma_undefined,
  );
  if (image === undefined || channels === undefined) return null;
  const plane = (id: unknown) => channels.find((channel) => channel.id === id);
  const luma = plane(heif.heif_channel.heif_channel_Y);
  if (luma === undefined) return null;
  return reduced(luma, plane(heif.heif_channel.heif_channel_Cb), plane(heif.heif_channel.heif_channel_Cr), side);
}

/** The mean of each block of pixels, as red, green and blue (BT.601 in full range, as phones write it). */
function reduced(luma: Plane, cb: Plane | undefined, cr: Plane | undefined, side: number): RawPicture {
  const block = Math.max(1, Math.floor(Math.max(luma.width, luma.height) / side));
  const width = Math.max(1, Math.floor(luma.width / block));
  const height = Math.max(1, Math.floor(luma.height / block));
  const y = meanOfBlocks(luma, width, height);
  const [b, r] = [cb, cr].map((plane) => (plane === undefined ? undefined : meanOfBlocks(plane, width, height)));
  const pixels = new Uint8ClampedArray(width * height * 3);
  for (let index = 0; index < width * height; index += 1) {
    const light = y[index] ?? 0;
    const blue = (b?.[index] ?? 128) - 128;
    const red = (r?.[index] ?? 128) - 128;
    pixels[index * 3] = light + 1.402 * red;
    pixels[index * 3 + 1] = light - 0.344136 * blue - 0.714136 * red;
    pixels[index * 3 + 2] = light + 1.772 * blue;
  }
  return { pixels: new Uint8Array(pixels.buffer), width, height };
}

/** A plane reduced to a size, in values of 0 to 255. Color planes may be smaller than the picture. */
function meanOfBlocks(plane: Plane, width: number, height: number): Float32Array {
  const means = new Float32Array(width * height);
  const wide = plane.bits_per_pixel > 8;
  const bytesEach = wide ? 2 : 1;
  const scale = 255 / (2 ** plane.bits_per_pixel - 1);
  const { data, stride } = plane;
  for (let row = 0; row < height; row += 1) {
    const top = Math.floor((row * plane.height) / height);
    const bottom = Math.max(top + 1, Math.floor(((row + 1) * plane.height) / height));
    for (let column = 0; column < width; column += 1) {
      const left = Math.floor((column * plane.width) / width);
      const right = Math.max(left + 1, Math.floor(((column + 1) * plane.width) / width));
      let sum = 0;
      for (let y = top; y < bottom; y += 1) {
        for (let x = left; x < right; x += 1) {
          const at = y * stride + x * bytesEach;
          sum += (data[at] ?? 0) + (wide ? (data[at + 1] ?? 0) * 256 : 0);
        }
      }
      means[row * width + column] = (sum * scale) / ((bottom - top) * (right - left));
    }
  }
  return means;
}

async function load({ maxPixels, maxHeapBytes }: HeicLimits): Promise<Libheif> {
  const { default: start } = await import("libheif-js/libheif-wasm/libheif-bundle.js");
  limitMemories(maxHeapBytes);
  const heif: unknown = start();
  if (!isLibheif(heif)) throw new Error("libheif is not the version that this was written for.");
  heif._free(heif._malloc(ROOM));
  const limits = heif._heif_get_global_security_limits();
  const view = new DataView(heif.HEAPU8.buffer);
  if (view.getUint8(limits) !== LIMITS_VERSION) throw new Error("libheif has other limits than this was written for.");
  view.setBigUint64(limits + MAX_PIXELS_AT, BigInt(maxPixels), true);
  view.setBigUint64(limits + MAX_MEMORY_AT, BigInt(MAX_MEMORY), true);
  return heif;
}

/** Lets no WebAssembly memory of this thread grow beyond a size; the module's own limit is 2 GB. */
function limitMemories(maxBytes: number): void {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE > maxBytes) throw new RangeError("The decoder may not use more memory.");
    return grow.call(this, pages);
  };
}

function isLibheif(value: unknown): value is Libheif {
  return typeof value === "object" && value !== null && "heif_js_decode_image2" in value && "HEAPU8" in value;
}
