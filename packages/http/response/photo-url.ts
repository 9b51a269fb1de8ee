import { PHOTO_URL_SECONDS } from "#core/limits";
import type { Services } from "../services/services.ts";

/** A signed URL of a check-in's photo; null without a photo, or without a store. */
export async function photoUrl({ privateFiles }: Services, key: string | null): Promise<string | null> {
  return key === null || privateFiles === null ? null : privateFiles.signedUrl(key, PHOTO_URL_SECONDS);
}
