import type { ImportedEntry } from "#archives/drafts";
import type { ArchivePicture } from "#archives/pictures";
import { ARCHIVE_PROBLEMS, ArchiveProblem, PICTURE_FAULTS, type Problem, problemOf } from "#archives/problems";
import type { ArchiveReader } from "#archives/reading";
import { AppError, sentenceOf } from "#core/errors";
import { MAX_PICTURES_OF_ENTRY } from "#core/limits";
import type { Tx } from "#database/database";
import { one } from "#database/query";
import { expectNewFile } from "#database/stored-files";
import type { WorkerContext } from "#http/jobs/jobs";
import { acceptPhoto } from "#http/request/sent-photo";
import { configured } from "#http/services/configured";
import { type ReducedPicture, reducePhoto } from "#providers/photos";
import type { PrivateFiles } from "#providers/private-files";
import { PICTURES } from "../../pictures/picture-body.ts";

/** A picture whose files are stored, as a row of an imported entry. */
interface StoredPicture {
  readonly id: string;
  readonly thumbnail_id: string;
  readonly position: number;
  readonly caption: string | null;
  readonly width: number;
  readonly height: number;
  readonly size_bytes: number;
}

/** The means of a worker on an import. */
export interface ImportWorker extends WorkerContext {
  /** Whether the import has worked for long enough and another one waits. */
  readonly turnIsOver: () => Promise<boolean>;
}

/** The files that were stored for a picture of the archive. */
interface StoredFiles {
  readonly paths: readonly [picture: string, thumbnail: string];
  readonly width: number;
  readonly height: number;
}

interface Source {
  readonly userId: string;
  readonly archive: ArchiveReader;
  /** What became of each file of the archive: any number of entries may show it, and it is decoded once. */
  readonly stored: Map<string, StoredFiles | Problem>;
}

/** More than a stored picture has, in bytes. */
const MAX_STORED_BYTES = 20 * 1024 * 1024;

/** The problem of a picture that shows without looking at its file, if there is one. */
export function referenceProblem({ path, fault }: ArchivePicture, index: number): Problem | null {
  if (index >= MAX_PICTURES_OF_ENTRY) {
    return problemOf(path, "too_many_pictures", sentenceOf("picture.too_many"));
  }
  return fault === null ? null : problemOf(path, fault, PICTURE_FAULTS[fault]);
}

/**
 * Stores the pictures of the entries that are new, until the turn is over. Housekeeping removes those of a batch that is not
 * imported afterwards.
 * @param known the external ids of the entries that the person has already
 * @returns the entries that it came to, with the rows of their pictures; null if the time is up
 */
export async function storePictures(
  worker: ImportWorker,
  source: Source,
  entries: readonly ImportedEntry[],
  known: ReadonlySet<string>,
) {
  const { database, config } = worker.services;
  const problems: Problem[] = [];
  const withPictures: (Omit<ImportedEntry, "pictures"> & { pictures: StoredPicture[] })[] = [];
  let free: number | null = null;
  for (const entry of entries) {
    const isNew = !known.has(entry.external_id);
    if (isNew && entry.pictures.length > 0 && (await worker.turnIsOver())) break;
    const pictures: StoredPicture[] = [];
    withPictures.push({ ...entry, pictures });
    for (const [index, picture] of (isNew ? entry.pictures : []).entries()) {
      if (worker.outOfTime()) return null;
      free ??= config.pictureBytesPerPerson - (await database.asUser(source.userId, storedBytes, "read"));
      const outcome =
        referenceProblem(picture, index) ?? (await storePicture(worker, source, picture, pictures.length, free));
      if ("code" in outcome) problems.push(outcome);
      else {
        pictures.push(outcome);
        free -= outcome.size_bytes;
      }
    }
  }
  return { entries: withPictures, problems };
}

/** The bytes that the pictures of the caller take up. */
async function storedBytes(tx: Tx): Promise<number> {
  const { bytes } = await one<{ bytes: number }>(tx)`
    select coalesce(sum(size_bytes), 0)::float8 as bytes from entry_pictures where user_id = private.actor_id()
  `;
  return bytes;
}

/** @param free bytes that may still be stored @returns the picture, or why it is not imported */
async function storePicture(
  { services }: WorkerContext,
  { userId, archive, stored }: Source,
  { path, caption }: ArchivePicture,
  position: number,
  free: number,
): Promise<StoredPicture | Problem> {
  const store = configured(services.privateFiles);
  const before = stored.get(path);
  if (before !== undefined && "code" in before) return before;
  const reduced = (before && (await storedAgain(store, before))) ?? (await reducePicture(archive, path));
  if ("code" in reduced) {
    stored.set(path, reduced);
    return reduced;
  }
  const { jpeg, thumbnail, width, height } = reduced;
  const sizeBytes = jpeg.length + thumbnail.length;
  if (sizeBytes > free) return problemOf(path, "storage_full", sentenceOf("picture.storage_full"));
  const [file, small] = await services.database.asUser(
    userId,
    async (tx) => [await expectNewFile(tx, "pictures"), await expectNewFile(tx, "pictures")] as const,
  );
  await store.upload(file.path, jpeg, "image/jpeg");
  await store.upload(small.path, thumbnail, "image/jpeg");
  stored.set(path, { paths: [file.path, small.path], width, height });
  return { id: file.id, thumbnail_id: small.id, position, caption, width, height, size_bytes: sizeBytes };
}

/** A picture that was stored for another entry; null if it was removed since. */
async function storedAgain(store: PrivateFiles, { paths, ...size }: StoredFiles) {
  const [jpeg, thumbnail] = await Promise.all(paths.map((path) => store.download(path, MAX_STORED_BYTES)));
  return jpeg instanceof Uint8Array && thumbnail instanceof Uint8Array ? { jpeg, thumbnail, ...size } : null;
}

async function reducePicture(archive: ArchiveReader, path: string): Promise<ReducedPicture | Problem> {
  try {
    const bytes = await archive.file({ path, maxBytes: PICTURES.maxBytes });
    if (bytes === "too_large") throw new AppError(PICTURES.tooLarge);
    const { format } = acceptPhoto(bytes, PICTURES);
    return await reducePhoto(bytes, format);
  } catch (error) {
    if (error instanceof AppError) return problemOf(path, "unusable_picture", error.message);
    const isFile =
      error instanceof ArchiveProblem && (error.code === "damaged" || error.code === "unsupported_compression");
    if (!isFile) throw error;
    return problemOf(path, "unusable_picture", ARCHIVE_PROBLEMS[error.code]);
  }
}
