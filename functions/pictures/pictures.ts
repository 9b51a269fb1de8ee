import { AppError } from "#core/errors";
import { MAX_PICTURES_LISTED } from "#core/limits";
import { textOrNull } from "#core/text/text";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { isOwn, notYours } from "#database/not-yours";
import { consumeQuota } from "#database/quota";
import { expectNewFile, type NewFile } from "#database/stored-files";
import type { EndpointRequest } from "#http/endpoint/endpoint";
import type { Steps } from "#http/endpoint/run";
import { receivePhoto, removeUpload } from "#http/request/sent-photo";
import { configured } from "#http/services/configured";
import type { Actor } from "#http/services/tokens";
import { type Picture, type SeenPicture, signPicture } from "#journal/picture";
import { refusal } from "#journal/sharing";
import { type ReducedPicture, reducePhoto } from "#providers/photos";
import { type NewPicture, PICTURES } from "./picture-body.ts";
import type { PictureUpdate } from "./schema.ts";

type PictureRequest = Pick<EndpointRequest<Actor, unknown, unknown, NewPicture>, "services" | "actor" | "body"> & Steps;

/** The files of a picture, which may be stored now. */
interface PictureFiles {
  readonly picture: NewFile;
  readonly thumbnail: NewFile;
}

/**
 * Adds a picture to an entry: receive, reduce, store, record. Whatever fails, housekeeping removes the files that no row
 * owns.
 * @throws AppError 404 or 403 for an entry that is not the caller's, 400 if the picture cannot be used, 409 without room
 */
export async function createPicture(request: PictureRequest): Promise<{ picture: Picture }> {
  const { services, actor, body, commit, respond } = request;
  const store = configured(services.privateFiles);
  // The transaction checks that the account exists.
  if ("uploadedTo" in body.sent) await commit(async () => {});
  const { bytes, format } = await receivePhoto(services, actor.userId, body.sent, PICTURES);
  // Committed before the picture waits to be decoded, so that it counts whatever happens.
  const files = await commit((tx) => expectPicture(tx, request));
  const reduced = await reducePhoto(bytes, format);
  const { picture, thumbnail } = files;
  const [addresses] = await Promise.all([
    signPicture(store, { file_key: picture.path, thumbnail_key: thumbnail.path }),
    store.upload(picture.path, reduced.jpeg, "image/jpeg"),
    store.upload(thumbnail.path, reduced.thumbnail, "image/jpeg"),
  ]);
  const response = await respond(async (tx) => {
    const recorded = await recordPicture(tx, request, files, reduced);
    return { picture: { ...recorded, ...addresses } };
  });
  await removeUpload(services, body.sent);
  return response;
}

/** Counts a picture against the quota and announces its files, if the entry has room for it. */
async function expectPicture(tx: Tx, request: PictureRequest): Promise<PictureFiles> {
  await requireRoom(tx, request, 1);
  await consumeQuota(tx, "picture_examination");
  return { picture: await expectNewFile(tx, "pictures"), thumbnail: await expectNewFile(tx, "pictures") };
}

/** @returns the position of the next picture @throws AppError 404, 403 or 409 */
async function requireRoom(tx: Tx, { services, body }: PictureRequest, bytes: number): Promise<number> {
  const position = await call(tx, "require_picture_room", {
    entryId: body.entry_id,
    bytes,
    maxBytes: services.config.pictureBytesPerPerson,
  });
  if (position === null) throw await refusal(tx, "journal_entries", body.entry_id);
  return position;
}

async function recordPicture(
  tx: Tx,
  request: PictureRequest,
  { picture, thumbnail }: PictureFiles,
  { jpeg, thumbnail: small, width, height }: ReducedPicture,
): Promise<Omit<Picture, "url" | "thumbnail_url">> {
  const { entry_id, caption, sent } = request.body;
  const sizeBytes = jpeg.length + small.length;
  const position = await requireRoom(tx, request, sizeBytes);
  if ("uploadedTo" in sent && !(await call(tx, "claim_picture_upload", { path: sent.uploadedTo }))) {
    throw new AppError(PICTURES.notUploaded);
  }
  const values = {
    id: picture.id,
    entry_id,
    position,
    caption: textOrNull(caption),
    width,
    height,
    size_bytes: sizeBytes,
  };
  const { created_at } = await tx
    .insertInto("entry_pictures")
    .values({ ...values, thumbnail_id: thumbnail.id })
    .returning("created_at")
    .executeTakeFirstOrThrow();
  return { ...values, created_at };
}

/** The pictures of those entries whose content the caller sees, at most 400: an entry that no longer fits is left out whole. */
export async function listPictures(tx: Tx, entryIds: readonly string[]): Promise<SeenPicture[]> {
  const pictures = await call(tx, "list_pictures", { entryIds: [...new Set(entryIds)] });
  const beyond = pictures[MAX_PICTURES_LISTED];
  return beyond === undefined ? pictures : pictures.filter(({ entry_id }) => entry_id !== beyond.entry_id);
}

/** Changes the caption or the position of a picture of the caller. @throws AppError 404 or 403 if it is not theirs */
export async function updatePicture(tx: Tx, id: string, { caption, position }: PictureUpdate): Promise<SeenPicture> {
  const entryId = await lockPicture(tx, id);
  if (caption !== undefined) {
    await tx
      .updateTable("entry_pictures")
      .set({ caption: textOrNull(caption) })
      .where("id", "=", id)
      .execute();
  }
  if (position !== undefined) await call(tx, "move_picture", { id, position });
  const updated = (await listPictures(tx, [entryId])).find((one) => one.id === id);
  if (updated === undefined) throw new AppError("picture.not_found");
  return updated;
}

/** Deletes a picture of the caller. @throws AppError 404 or 403 if it is not theirs */
export async function deletePicture(tx: Tx, id: string): Promise<void> {
  await lockPicture(tx, id);
  await tx.deleteFrom("entry_pictures").where("id", "=", id).execute();
}

/** Locks a picture of the caller. @returns its entry @throws AppError 404 or 403 if it is not theirs */
async function lockPicture(tx: Tx, id: string): Promise<string> {
  const entryId = await call(tx, "lock_picture", { id });
  if (entryId === null) throw await pictureRefusal(tx, id);
  return entryId;
}

/** The error for a picture that is not the caller's: 403 if they see its entry, or only its metadata, else 404. */
async function pictureRefusal(tx: Tx, id: string): Promise<AppError> {
  const entryId = await call(tx, "entry_of_picture", { id });
  const entry = await tx
    .selectFrom("journal_entries")
    .select(isOwn("user_id"))
    .where("id", "=", entryId)
    .executeTakeFirst();
  return notYours(entry, { unseen: "picture.not_found", foreign: "picture.not_yours" });
}
