import type { Services } from "../services/services.ts";

/** Seconds for which the URL of a check-in's photo is valid. */
export const PHOTO_URL_SECONDS = 15 * 60;

/** A signed URL of a check-in's photo; null without a photo, or without a store. */
export async function photoUrl({ privateFiles }: Services, key: string | null): Promise<string | null> {
  return key === null || privateFiles === null ? null : privateFiles.signedUrl(key, PHOTO_URL_SECONDS);
}
