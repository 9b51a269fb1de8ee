import { PHOTO_URL_SECONDS } from "#core/limits";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import type { NewFile } from "#database/stored-files";
import { configured } from "#http/services/configured";
import type { CheckInRequest } from "./receive.ts";

/** A stored photo. */
export interface StoredPhoto extends NewFile {
  readonly url: string;
}

/** Stores the picture of an accepted photo in its announced file. */
export async function storePhoto(
  { services }: CheckInRequest,
  { id, path }: NewFile,
  jpeg: Uint8Array,
): Promise<StoredPhoto> {
  const files = configured(services.privateFiles);
  const [url] = await Promise.all([files.signedUrl(path, PHOTO_URL_SECONDS), files.upload(path, jpeg, "image/jpeg")]);
  return { id, path, url };
}

/** Takes back that a file is going to be stored, because its photo was refused. */
export async function deletePhotoNote(tx: Tx, { id }: NewFile): Promise<void> {
  await call(tx, "delete_photo_note", { fileId: id });
}

/** Removes a photo whose check-in failed, unless it was recorded: a connection can break after the database has committed. */
export async function removeUnlessRecorded(
  { services, commit }: CheckInRequest,
  { id, path }: StoredPhoto,
): Promise<void> {
  const isRecorded = await commit((tx) => call(tx, "is_checked_in", { fileId: id }));
  if (!isRecorded) await services.privateFiles?.remove([path]);
}
