import { AppError, type ErrorCode } from "#core/errors";
import { MAX_PHOTO_IN_FORM_BYTES, PHOTO_UPLOAD_SECONDS } from "#core/limits";
import type { Tx } from "#database/database";
import { expectNewFile, type PersonFileKind } from "#database/stored-files";
import { type PhotoFormat, photoFormat } from "#providers/photo-format";
import { configured } from "../services/configured.ts";
import type { AppContext } from "../services/context.ts";
import { MAX_PHOTO_FORM_BYTES } from "../services/photo-turns.ts";
import type { Services } from "../services/services.ts";
import { type Form, readForm } from "./multipart.ts";

/** What photos are sent for, and the errors for those that are not accepted. */
export interface PhotoPurpose {
  /** The kind of file of an upload. */
  readonly uploads: PersonFileKind;
  readonly maxBytes: number;
  readonly tooLarge: ErrorCode;
  readonly unsupported: ErrorCode;
  readonly notUploaded: ErrorCode;
}

/** A file that is a photo by its bytes, and no larger than allowed. */
export interface AcceptedPhoto {
  readonly bytes: Uint8Array;
  readonly format: PhotoFormat;
}

/** A photo as it was sent: the file itself, or the key of its upload. */
export type SentPhoto = AcceptedPhoto | { readonly uploadedTo: string };

/** The media types with which a photo can be uploaded. */
export const UPLOAD_TYPES = ["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif"] as const;

/** Reads a form with a photo. A larger photo is uploaded to an address of its own. @throws AppError 413, and as `readForm` does */
export function readPhotoForm(c: AppContext, { tooLarge }: PhotoPurpose): Promise<Form> {
  return readForm(c, MAX_PHOTO_FORM_BYTES, tooLarge);
}

/** The photo of a form. @throws AppError 415 for another kind of file, 413 for one that needs an address of its own */
export function photoOfForm(bytes: Uint8Array, purpose: PhotoPurpose): AcceptedPhoto {
  return acceptPhoto(bytes, purpose, MAX_PHOTO_IN_FORM_BYTES);
}

/** A file that is a photo by its bytes. @throws AppError 415 for another kind of file, 413 for one that is too large */
export function acceptPhoto(
  bytes: Uint8Array,
  errors: PhotoPurpose,
  maxBytes: number = errors.maxBytes,
): AcceptedPhoto {
  const format = photoFormat(bytes);
  if (format === null) throw new AppError(errors.unsupported);
  if (bytes.length > maxBytes) throw new AppError(errors.tooLarge);
  return { bytes, format };
}

/**
 * Reserves a path for a photo that is too large for a request; what is not used is removed an hour later.
 * @returns the key under which the photo can be used
 * @throws AppError 413 if it is too large, 503 if no file store is configured
 */
export async function reserveUpload(
  tx: Tx,
  { privateFiles }: Services,
  size: number,
  { uploads, maxBytes, tooLarge }: PhotoPurpose,
): Promise<string> {
  configured(privateFiles);
  if (size > maxBytes) throw new AppError(tooLarge);
  const { path } = await expectNewFile(tx, uploads);
  return path;
}

/** The URL to send the photo to with PUT, in this content type and size, and until when. */
export async function signUpload(
  { privateFiles, clock }: Services,
  key: string,
  contentType: (typeof UPLOAD_TYPES)[number],
  size: number,
): Promise<{ url: string; expiresAt: string }> {
  const expiresAt = new Date(clock.now().getTime() + PHOTO_UPLOAD_SECONDS * 1_000).toISOString();
  return { url: await configured(privateFiles).signedUpload(key, contentType, size, PHOTO_UPLOAD_SECONDS), expiresAt };
}

/**
 * The photo itself; an upload of the caller is loaded.
 * @throws AppError 404 if the upload does not exist or belongs to another person; 413 or 415 if it is not accepted; 503 if
 *   too many photos are in memory
 */
export async function receivePhoto(
  { privateFiles, photoTurns }: Services,
  userId: string,
  sent: SentPhoto,
  purpose: PhotoPurpose,
): Promise<AcceptedPhoto> {
  if ("bytes" in sent) return sent;
  const key = sent.uploadedTo;
  const folder = `${purpose.uploads}/${userId}/`;
  const isOwn = key.startsWith(folder) && /^[0-9a-f-]{36}$/.test(key.slice(folder.length));
  const store = configured(privateFiles);
  const stored = isOwn ? await store.describe(key) : null;
  if (stored === null) throw new AppError(purpose.notUploaded);
  if (stored.size > purpose.maxBytes) throw new AppError(purpose.tooLarge);
  photoTurns.hold(userId, stored.size);
  const bytes = await store.download(key, stored.size);
  if (bytes === null || bytes === "too_large") throw new AppError(purpose.notUploaded);
  return acceptPhoto(bytes, purpose);
}

/** Removes an upload that was used, because its metadata say where it was taken. Should this fail, housekeeping does it. */
export async function removeUpload({ privateFiles }: Services, sent: SentPhoto): Promise<void> {
  if ("uploadedTo" in sent) await privateFiles?.remove([sent.uploadedTo]).catch(() => undefined);
}
