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
