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

/** Stores the picture of an accepted photo. Housekeeping removes it after an hour unless a check-in refers to it. */
export async function storePhoto({ services, transaction }: CheckInRequest, jpeg: Uint8Array): Promise<StoredPhoto> {
  const files = configured(services.privateFiles);
  const { id, path } = await transaction((tx) => expectNewFile(tx, "checkins"));
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
