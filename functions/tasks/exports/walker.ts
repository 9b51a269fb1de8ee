import { AppError } from "@nectar/core/errors";
import { ArchiveSlice, ArchiveState, digestOf, EMPTY_ARCHIVE } from "@nectar/core/export/archive";
import { call } from "@nectar/database/call";
import type { Tx } from "@nectar/database/database";
import { all, value } from "@nectar/database/query";
import { runAsService } from "@nectar/database/retry";
import { loggedTransactionOf } from "@nectar/http/access";
import { configured } from "@nectar/http/configured";
import type { Services } from "@nectar/http/services";
import { wake, wakePushes } from "@nectar/http/wake";
import * as z from "zod";
import { STEPS } from "./contents.ts";
import type { PartFiles, Source } from "./steps.ts";

/** A slice ends when it has this many bytes; all but the last part of an upload need 5 MB. */
const SLICE_BYTES = 6 * 1024 * 1024;
/** Longer than a slice takes: after it, a worker that has died is replaced. */
const LEASE = "2 minutes";
/** An export fails after so many attempts in a row that did not finish a slice. */
const MAX_ATTEMPTS = 5;
/** Parts whose files are read at once: a part may have tens of thousands of small files. */
const PARTS_AT_ONCE = 1;

/** What the next slice continues with. */
const Checkpoint = z.object({
  step: z.int(),
  cursor: z.string().nullable(),
  /** The number of the next part. */
  part: z.int(),
  archive: ArchiveState,
});
type Checkpoint = z.infer<typeof Checkpoint>;

const FIRST: Checkpoint = { step: 0, cursor: null, part: 1, archive: EMPTY_ARCHIVE };

/** A pending export that this worker has claimed. */
interface Claimed {
  readonly id: string;
  readonly user_id: string;
  readonly key: string;
  readonly created_at: string;
  readonly claim: string;
  readonly upload_id: string | null;
  readonly checkpoint: unknown;
}

/**
 * Builds an export, or continues where another worker stopped. Ends without an effect if there is nothing to do, if another
 * worker has it, or once the export or the account is deleted. When the time is up, another task continues.
 * @throws AppError if the database or a store failed; a job tries again
 */
export async function buildExport(services: Services, id: string, budgetMs: number): Promise<{ slices: number }> {
  const { clock, stopping } = services;
  const end = clock.now().getTime() + budgetMs;
  const claimed = await inService(
    services,
    (tx) => value<Claimed | null>(tx)`select private.claim_export(${id}, ${LEASE}::interval, ${MAX_ATTEMPTS})`,
  );
  let slices = 0;
  if (claimed === null) return { slices };
  const uploadId =
    claimed.upload_id ?? (await configured(services.privateFiles).createUpload(claimed.key, "application/zip"));
  let checkpoint = claimed.checkpoint === null ? FIRST : Checkpoint.parse(claimed.checkpoint);
  while (checkpoint.step < STEPS.length) {
    if (stopping.aborted || (slices > 0 && clock.now().getTime() >= end)) {
      await handOver(services, claimed);
      return { slices };
    }
    const next = await writeSlice(services, { ...claimed, upload_id: uploadId }, checkpoint);
    if (next === null) return { slices };
    checkpoint = next;
    slices += 1;
  }
  await finish(services, { ...claimed, upload_id: uploadId }, checkpoint.archive);
  return { slices };
}

/**
 * Builds and uploads one part, and stores what comes after it.
 * @returns null if the export or the account is gone, or if another worker has claimed the export
 */
async function writeSlice(
  services: Services,
  claimed: Claimed & { readonly upload_id: string },
  checkpoint: Checkpoint,
): Promise<Checkpoint | null> {
  const { id, key, upload_id } = claimed;
  const archive = await ArchiveSlice.from(checkpoint.archive, new Date(claimed.created_at));
  const source = sourceOf(services, claimed, checkpoint.part);
  let { step, cursor } = checkpoint;
  try {
    for (let work = STEPS[step]; work !== undefined && archive.written < SLICE_BYTES; work = STEPS[step]) {
      cursor = await work.write(archive, source, cursor);
      if (cursor === null) step += 1;
    }
  } catch (error) {
    if (error instanceof AppError && error.code === "auth.unknown_account") return null;
    throw error;
  }
  const etag = await configured(services.privateFiles).uploadPart(key, upload_id, checkpoint.part, archive.bytes());
  const next: Checkpoint = { step, cursor, part: checkpoint.part + 1, archive: archive.state() };
  const { files, records } = archive.ended();
  const slice = { upload_id, checkpoint: next, number: checkpoint.part, etag, files };
  const isSaved = await inService(services, (tx) =>
    call(tx, "save_export_slice", { id, claim: claimed.claim, slice, records: Buffer.from(records), lease: LEASE }),
  );
  return isSaved ? next : null;
}

/** Makes the parts one file, and the export ready. */
async function finish(
  services: Services,
  { id, key, claim, upload_id }: Claimed & { readonly upload_id: string },
  archive: ArchiveState,
): Promise<void> {
  const files = configured(services.privateFiles);
  // A worker that died here may have completed the upload already, and then it is unknown.
  if ((await files.describe(key))?.size !== archive.size) {
    const parts = await inService(
      services,
      (tx) =>
        all<{ number: number; etag: string }>(tx)`
        select number, etag from private.export_parts where export_id = ${id} order by number
      `,
    );
    await files.completeUpload(key, upload_id, parts);
  }
  const sha256 = await digestOf(archive);
  const isFinished = await inService(services, (tx) =>
    call(tx, "finish_export", { id, claim, size: archive.size, sha256 }),
  );
  if (isFinished) await wakePushes(services);
}

/** Lets another worker continue. */
async function handOver(services: Services, { id, claim }: Claimed): Promise<void> {
  await inService(services, (tx) => call(tx, "release_export", { id, claim }));
  await wake(services, { name: "export", id });
}

function sourceOf(services: Services, { id, user_id, created_at }: Claimed, part: number): Source {
  return {
    userId: user_id,
    services,
    generatedAt: created_at,
    part,
    read: (work) => loggedTransactionOf(services.database, user_id, work, "read in the background"),
    partsAfter: (number) =>
      inService(
        services,
        (tx) =>
          all<PartFiles>(tx)`
          select number, files, records from private.export_parts
          where export_id = ${id} and number > ${number} and number < ${part}
          order by number limit ${PARTS_AT_ONCE}
        `,
      ),
  };
}

function inService<Result>({ database }: Services, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return runAsService(database, work);
}
