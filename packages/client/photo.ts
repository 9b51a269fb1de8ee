import type { LocalFile } from "./calls.ts";
import type { UploadRequest } from "./types.generated.ts";

/** A larger photo does not fit into a request to a deployed function, which takes about 4.4 MB with everything else. */
const MAX_PHOTO_IN_REQUEST_BYTES = 4_000_000;

/** Whether a photo is uploaded to a presigned address instead of being sent with the check-in. */
export function needsUpload({ size = 0 }: Blob | LocalFile): boolean {
  return size > MAX_PHOTO_IN_REQUEST_BYTES;
}

/** The media type of a photo. Where it has none it is read from the first byte: many browsers do not know HEIC. */
export async function contentTypeOf(photo: Blob | LocalFile): Promise<UploadRequest["contentType"]> {
  const known = CONTENT_TYPES.find((type) => type === photo.type);
  if (known !== undefined) return known;
  // A Blob of React Native has no such method.
  const bytes = "uri" in photo ? undefined : await photo.slice(0, 1).arrayBuffer?.();
  const [first] = new Uint8Array(bytes ?? []);
  return FIRST_BYTES.get(first ?? 0) ?? "image/heic";
}

const CONTENT_TYPES = ["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif"] as const;

/** JPEG starts with FF D8, PNG with 89 "PNG", WebP with "RIFF"; HEIC starts with a length. */
const FIRST_BYTES = new Map<number, UploadRequest["contentType"]>([
  [0xff, "image/jpeg"],
  [0x89, "image/png"],
  [0x52, "image/webp"],
]);
