import { crc32, deflateSync } from "node:zlib";

/**
 * Encodes a picture as PNG. The library is loaded on first use.
 * @param pixels three bytes for each pixel (red, green, blue), row by row
 */
export async function encodePng(
  pixels: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Uint8Array> {
  const { default: sharp } = await import("sharp");
  // With filters a line that repeats the one above is nothing but zeros.
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 6, adaptiveFiltering: true })
    .toBuffer();
}

/** The end of the header of a PNG. */
const HEADER_END = 33;

/** Says in a PNG without a profile which ICC profile its colors have. */
export function withProfile(png: Uint8Array, profile: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from("iCCPicc\0\0"), deflateSync(profile)]);
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(content.length - "iCCP".length);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([png.subarray(0, HEADER_END), size, content, check, png.subarray(HEADER_END)]);
}
