import { AppError } from "#core/errors";
import type { Tx } from "#database/database";
import { expectNewFile } from "#database/stored-files";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import type { SentPhoto } from "./photo-form.ts";
import { MAX_PHOTO_BYTES, type UploadRequest } from "./schema.ts";

/** Seconds for which a photo can be uploaded. */
const UPLOAD_SECONDS = 15 * 60;

/**
 * Reserves a path for a photo that is too large for a request; what is not used is removed an hour later.
 * @returns the key under which it can be checked in with
 * @throws AppError 413 above 10 MB, 503 if no file store is configured
 */
export async function reserveUpload(tx: Tx, { privateFiles }: Services, { size }: UploadRequest): Promise<string> {
  configured(privateFiles);
  if (size > MAX_PHOTO_BYTES) throw new AppError("checkin.photo_too_large");
  const { path } = await expectNewFile(tx, "checkin-uploads");
  return path;
}

/** The URL to send the photo to with PUT, in the content type and size of the request. */
export async function signUpload({ privateFiles, clock }: Services, key: string, { contentType, size }: UploadRequest) {
  const expiresAt = new Date(clock.now().getTime() + UPLOAD_SECONDS * 1_000).toISOString();
  const files = configured(privateFiles);
  const uploadUrl = await files.signedUpload(key, contentType, size, UPLOAD_SECONDS);
  return { uploadUrl, photoKey: key, expiresAt };
}

/**
 * Loads an upload of the caller.
 * @throws AppError 404 if it does not exist or belongs to another person; 413 above 10 MB
 */
export async function loadUpload({ privateFiles }: Services, userId: string, key: string): Promise<Uint8Array> {
  const folder = `checkin-uploads/${userId}/`;
  const isOwn = key.startsWith(folder) && /^[0-9a-f-]{36}$/.test(key.slice(folder.length));
  const bytes = isOwn ? await configured(privateFiles).download(key, MAX_PHOTO_BYTES) : null;
  if (bytes === null) throw new AppError("checkin.photo_not_found");
  if (bytes === "too_large") throw new AppError("checkin.photo_too_large");
  return bytes;
}

/** Removes an upload that was checked in with, because it still says where it was taken. Should this fail, housekeeping does it. */
export async function removeUpload({ privateFiles }: Services, sent: SentPhoto): Promise<void> {
  if ("uploadedTo" in sent) await privateFiles?.remove([sent.uploadedTo]).catch(() => undefined);
}
