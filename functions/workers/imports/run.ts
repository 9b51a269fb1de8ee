import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ImportBatch } from "#archives/batches";
import {
  ARCHIVE_PROBLEMS,
  ArchiveProblem,
  type ArchiveProblemCode,
  MAX_ENTRIES,
  type Problem,
  problemOf,
} from "#archives/problems";
import { type ArchiveReader, readInWorker } from "#archives/reading";
import { AppError, type ErrorCode } from "#core/errors";
import { LENGTHS } from "#core/lengths.generated";
import { IMPORT_TURN_SECONDS } from "#core/limits";
import { call, type Row } from "#database/call";
import type { Tx } from "#database/database";
import { one } from "#database/query";
import { type RenewedClaim, whileClaimed } from "#http/jobs/claims";
import { type WorkerContext, withinBudget } from "#http/jobs/jobs";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import type { Import } from "../../imports/schema.ts";
import { type ImportWorker, referenceProblem, storePictures } from "./pictures.ts";

/** An import that is being worked on. */
interface ClaimedImport extends Row<"import_to_do"> {
  /** How often work on it began without an entry being created; with this time. */
  readonly attempts: number;
}

/** The result of an import; counts that are left out stay as the last batch left them. */
type ImportResult = Pick<Import, "status"> &
  Partial<Pick<Import, "found" | "created" | "skipped" | "failed" | "problems">>;

/** Why nothing more is written for a person. */
const ACCOUNT_PROBLEMS: ReadonlyMap<ErrorCode, ArchiveProblemCode> = new Map([
  ["auth.suspended", "account_suspended"],
  ["account.closing", "account_closing"],
]);

const MAX_PROBLEMS = LENGTHS.journal_imports.problems.max;
/** An archive that ends the process, or takes longer to read than a worker has, is not tried forever. */
const MAX_ATTEMPTS = 20;

/**
 * Works on a running import until it has ended, or its turn or the time is up; then it is queued again, behind the others.
 * Does nothing while another process works on it.
 */
export async function runImport(services: Services, id: string, budgetMs: number): Promise<object> {
  const status = await whileClaimed(services, { kind: "import", key: id }, (claim) => work(claim, id, budgetMs));
  if (status === "interrupted" && !services.stopping.aborted) await services.queue.send([{ name: "import", id }]);
  return { status };
}

async function work({ services, attempts, release }: RenewedClaim, id: string, budgetMs: number): Promise<string> {
  const budgeted = withinBudget(services, budgetMs);
  const [running] = await budgeted.transaction((tx) => call(tx, "import_to_do", { id }));
  if (running === undefined) return "not running";
  const claimed = { ...running, attempts };
  const worker = { ...budgeted, turnIsOver: turnOf(budgeted, claimed) };
  const result = await importArchive(worker, claimed);
  if (result === null) {
    await release();
    return "interrupted";
  }
  await worker.transaction((tx) => call(tx, "end_import", { id, result }));
  // Should this fail, housekeeping does it.
  if (!claimed.dry_run) await worker.services.privateFiles?.remove([claimed.path]).catch(() => undefined);
  return result.status;
}

/**
 * Begins the turn of an import. It is over after half a minute if another import waits for a worker; after longer for one
 * that was started again and again without creating an entry, so that reading up to where it was cannot take the whole turn.
 */
function turnOf(
  { transaction, services: { clock } }: WorkerContext,
  { attempts }: ClaimedImport,
): () => Promise<boolean> {
  const end = clock.now().getTime() + attempts * IMPORT_TURN_SECONDS * 1_000;
  return async () => clock.now().getTime() >= end && (await transaction(someImportWaits));
}

/** Whether some running import has no worker. */
async function someImportWaits(tx: Tx): Promise<boolean> {
  const { waits } = await one<{ waits: boolean }>(tx)`
    select exists (select from private.work where kind = 'import' and due_at <= now()) as waits
  `;
  return waits;
}

/** Imports as much as there is time for. @returns null if there is more */
async function importArchive(worker: ImportWorker, claimed: ClaimedImport): Promise<ImportResult | null> {
  const { source, time_zone: timeZone, first_day: firstDay, last_day: lastDay } = claimed;
  try {
    if (claimed.attempts > MAX_ATTEMPTS) throw new ArchiveProblem("interrupted");
    return await withArchive(worker.services, claimed, async (fd) => {
      const archive = await readInWorker({ source, fd, clock: { timeZone, firstDay, lastDay } });
      try {
        if (!claimed.is_checked) {
          const checked = await checkArchive(worker, claimed, archive.batches());
          if (checked === null || claimed.dry_run) return checked;
        }
        return await importBatches(worker, claimed, archive);
      } finally {
        await archive.close();
      }
    });
  } catch (error) {
    const { code, path } = problemBehind(error);
    return { status: "failed", problems: [problemOf(path, code, ARCHIVE_PROBLEMS[code])] };
  }
}

/** Works on the archive as an open file without a name, of which nothing is left when the process dies. */
async function withArchive<Result>(
  { privateFiles }: Services,
  { path, version }: ClaimedImport,
  work: (fd: number) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "nectar-import-"));
  const file = await open(join(folder, "archive.zip"), "wx+").finally(() => rm(folder, { recursive: true }));
  try {
    const found = await configured(privateFiles).downloadTo(file, path, version);
    if (found !== "loaded") throw new ArchiveProblem(`archive_${found}`);
    return await work(file.fd);
  } finally {
    await file.close();
  }
}

/** @throws the error itself if the import may succeed when it is tried again */
function problemBehind(error: unknown): Pick<ArchiveProblem, "code" | "path"> {
  if (error instanceof ArchiveProblem) return error;
  const code = error instanceof AppError ? ACCOUNT_PROBLEMS.get(error.code) : undefined;
  if (code === undefined) throw error;
  return { code, path: null };
}

/**
 * Reads the whole archive without creating anything: what does not unpack as it should is found before the first entry is
 * created, and a dry run has its result.
 * @returns null if the time was up
 */
async function checkArchive(
  { transaction, outOfTime, turnIsOver }: ImportWorker,
  { id }: ClaimedImport,
  batches: AsyncIterable<ImportBatch>,
): Promise<ImportResult | null> {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  let [found, failed, pictures] = [0, 0, 0];
  for await (const batch of batches) {
    if (outOfTime() || (await turnIsOver())) return null;
    found += batch.entries.length + batch.problems.length;
    if (found > MAX_ENTRIES) throw new ArchiveProblem("too_many_entries");
    const known = new Set(await transaction((tx) => knownEntries(tx, id, found, batch)));
    const ofPictures: Problem[] = [];
    for (const entry of batch.entries) {
      if (known.has(entry.external_id)) continue;
      seen.add(entry.external_id);
      const refused = entry.pictures.flatMap((picture, index) => referenceProblem(picture, index) ?? []);
      ofPictures.push(...refused);
      pictures += entry.pictures.length - refused.length;
    }
    failed += batch.problems.length;
    problems.push(...[...batch.problems, ...ofPictures].slice(0, MAX_PROBLEMS - problems.length));
  }
  const isAccepted = await transaction((tx) => call(tx, "accept_import", { id, pictures }));
  if (!isAccepted) throw new ArchiveProblem("picture_limit");
  return { status: "done", found, created: seen.size, skipped: found - failed - seen.size, failed, problems };
}

/** The external ids of the entries of a batch that its person has already. */
function knownEntries(tx: Tx, id: string, found: number, { entries }: ImportBatch): Promise<string[]> {
  const ids = entries.map(({ external_id, exported_id }) => ({ external_id, exported_id }));
  return call(tx, "check_import_batch", { id, found, entries: ids });
}

/**
 * Imports batch after batch; what was created before is skipped.
 * @returns null if the time or the turn was up, or if the import was ended by its person's erasure
 */
async function importBatches(
  worker: ImportWorker,
  { id, user_id: userId }: ClaimedImport,
  archive: ArchiveReader,
): Promise<ImportResult | null> {
  const { transaction, outOfTime, turnIsOver } = worker;
  const source = { userId, archive, stored: new Map() };
  let [found, failed] = [0, 0];
  for await (const batch of archive.batches()) {
    const hasPictures = batch.entries.some(({ pictures }) => pictures.length > 0);
    const total = found + batch.entries.length + batch.problems.length;
    const known = new Set(hasPictures ? await transaction((tx) => knownEntries(tx, id, total, batch)) : []);
    const stored = await storePictures(worker, source, batch.entries, known);
    if (stored === null) return null;
    const isWhole = stored.entries.length === batch.entries.length;
    found = isWhole ? total : found + stored.entries.length;
    failed += isWhole ? batch.problems.length : 0;
    const imported = {
      entries: stored.entries,
      found,
      failed,
      problems: batch.problems.slice(0, MAX_PROBLEMS),
      picture_problems: stored.problems,
    };
    if (outOfTime() || !(await transaction((tx) => call(tx, "import_entries", { id, batch: imported })))) return null;
    if (!isWhole || (await turnIsOver())) return null;
  }
  return { status: "done" };
}
