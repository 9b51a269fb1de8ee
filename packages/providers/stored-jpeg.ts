import type { Sharp } from "sharp";

/** A picture to store, without any metadata, and its sides in pixels. */
export interface StoredJpeg {
  readonly jpeg: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

const QUALITY = 82;

/** Makes the picture to store: pixels alone without any metadata, with at most so many on a side. */
export async function storedJpeg(picture: Sharp, maxSide: number): Promise<StoredJpeg> {
  const { data, info } = await fitInto(picture, maxSide)
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .jpeg({ quality: QUALITY })
    .toBuffer({ resolveWithObject: true });
  // A copy with memory of its own, which a thread can hand over.
  return { jpeg: new Uint8Array(data), width: info.width, height: info.height };
}

/** Reduces a picture that has more pixels on a side. */
export function fitInto(picture: Sharp, maxSide: number): Sharp {
  return picture.resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true });
}
