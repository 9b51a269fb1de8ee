import { sql } from "kysely";
import { AppError } from "#core/errors";
import { ARCHIVE_UPLOAD_SECONDS } from "#core/limits";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { consumeQuota } from "#database/quota";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import type { StoredFile } from "#providers/private-files";
import type { Import, NewImport, NewImportResponse } from "./schema.ts";

/** An import and its archive. */
export interface CreatedImport {
  readonly id: string;
  /** The archive in the private store. */
  readonly path: string;
}

/**
 * Creates an import, whose archive is to be uploaded.
 * @throws AppError 503 if no file store is configured
 */
export async function createImport(tx: Tx, { privateFiles }: Services, input: NewImport): Promise<CreatedImport> {
  configured(privateFiles);
  const { id, path } = await call(tx, "create_import", { source: input.source, size: input.size });
  return { id, path };
}

/** An import that waits for its archive, with the address to send it to. @throws AppError `provider.failed` */
export async function presentUpload(
  { privateFiles, clock }: Services,
  { id, path }: CreatedImport,
  { size }: NewImport,
): Promise<NewImportResponse> {
  const expiresAt = new Date(clock.now().getTime() + ARCHIVE_UPLOAD_SECONDS * 1_000).toISOString();
  const url = await configured(privateFiles).signedUpload(path, "application/zip", size, ARCHIVE_UPLOAD_SECONDS);
  return { import: { id, status: "waiting", upload_url: url, upload_expires_at: expiresAt } };
}

/** Reads an import of the caller. @throws AppError 404 */
export async function readImport(tx: Tx, id: string): Promise<Import> {
  return tx
    .selectFrom("journal_imports")
    .select(["id", "source", "status", "dry_run", "found", "created", "skipped", "failed"])
    .select(sql<Import["problems"]>`problems`.as("problems"))
    .where("id", "=", id)
    .executeTakeFirstOrThrow(() => new AppError("import.not_found"));
}

/** Returns the path of the archive of the caller's import. @throws AppError 404, or 409 if the import has ended */
export function archiveToImport(tx: Tx, id: string): Promise<string> {
  return call(tx, "archive_to_import", { id });
}

/** The archive in the store. @throws AppError 409 if it is not there, `provider.failed` if the store fails */
export async function requireArchive({ privateFiles }: Services, path: string): Promise<StoredFile> {
  const archive = await configured(privateFiles).describe(path);
  if (archive === null) throw new AppError("import.not_uploaded");
  return archive;
}

/**
 * Starts an import of the caller, of this version of the archive.
 * @throws AppError 404, 409 if it has ended, or one of the caller's imports runs, 429 if the quota is used up
 */
export async function startImport(tx: Tx, id: string, { version }: StoredFile, dryRun: boolean): Promise<Import> {
  await consumeQuota(tx, "journal_import_start");
  await call(tx, "start_import", { id, version, dryRun });
  return readImport(tx, id);
}
