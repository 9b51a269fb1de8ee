import { one } from "@nectar/database/query";
import { expectNewFile } from "@nectar/database/stored-files";
import { configured } from "@nectar/http/configured";
import { PHOTO_URL_SECONDS } from "./check-ins.ts";
import type { CheckInRequest } from "./receive.ts";

/** A stored photo. */
export interface StoredPhoto {
  readonly id: string;
  readonly path: string;
  readonly url: string;
}

/**
 * Announces the file of an accepted photo: housekeeping removes it after an hour unless a check-in refers to it.
 * @returns the file, and whether the caller is matched on the date
 */
export async function expectPhoto(
  { actor: { userId }, transaction }: CheckInRequest,
  date: string,
): Promise<{ file: Pick<StoredPhoto, "id" | "path">; isMatched: boolean }> {
  return transaction(async (tx) => {
    const [file, chain] = await Promise.all([
      expectNewFile(tx, "checkins"),
      tx.selectFrom("chains").select("id").where("user_id", "=", userId).where("date", "=", date).executeTakeFirst(),
    ]);
    return { file, isMatched: chain !== undefined };
  });
}

/** Stores the picture of an accepted photo in its announced file. */
export async function storePhoto(
  { services }: CheckInRequest,
  { id, path }: Pick<StoredPhoto, "id" | "path">,
  jpeg: Uint8Array,
): Promise<StoredPhoto> {
  const files = configured(services.privateFiles);
  const [url] = await Promise.all([files.signedUrl(path, PHOTO_URL_SECONDS), files.upload(path, jpeg, "image/jpeg")]);
  return { id, path, url };
}

/** Removes a photo whose check-in failed, unless it was recorded: a connection can break after the database has committed. */
export async function removeUnlessRecorded(
  { services, transaction }: CheckInRequest,
  { id, path }: StoredPhoto,
): Promise<void> {
  const { is_recorded } = await transaction(
    (tx) => one<{ is_recorded: boolean }>(tx)`select private.is_checked_in(${id}::uuid) as is_recorded`,
  );
  if (!is_recorded) await services.privateFiles?.remove([path]);
}
