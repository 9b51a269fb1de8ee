import { AppError } from "#core/errors";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { job } from "#http/jobs/jobs";
import { queueWork } from "#http/jobs/wake";
import { type PageQuery, readPage } from "#http/response/paging";
import { scheduleOf } from "../../schedules.ts";
import type { Export } from "./schema.ts";

const notFound = () => new AppError("export.not_found");

/** An export from the database, with the path of its file. */
type ExportRow = Omit<Export, "url"> & { readonly file_key: string };

function selectExports(tx: Tx) {
  return tx
    .selectFrom("exports")
    .select(["id", "status", "created_at", "ready_at", "expires_at", "size_bytes", "sha256", "file_key"]);
}

/** Asks for an export of the caller's data. @throws AppError 409 while another one is pending */
export async function createExport(tx: Tx): Promise<Export> {
  const id = await call(tx, "create_export");
  return presentExport(await readExport(tx, id), null);
}

/** A page of the caller's exports, newest first. */
export async function listExports(tx: Tx, userId: string, query: PageQuery) {
  const page = await readPage(selectExports(tx).where("user_id", "=", userId), query);
  return { exports: page.rows.map((row) => presentExport(row, null)), next_cursor: page.next_cursor };
}

/** Reads an export of the caller. @throws AppError 404 */
export async function readExport(tx: Tx, id: string): Promise<ExportRow> {
  return selectExports(tx).where("id", "=", id).executeTakeFirstOrThrow(notFound);
}

/** Deletes an export of the caller; one that is pending is not built any further. @throws AppError 404 */
export async function deleteExport(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("exports").where("id", "=", id).returning("id").executeTakeFirstOrThrow(notFound);
}

/** An export as it is sent. */
export function presentExport({ file_key, ...row }: ExportRow, url: string | null): Export {
  return { ...row, url };
}

/** Queues all pending exports. One that is being built is left alone. */
export const resumeExports = job(scheduleOf("exports"), async (context) => ({
  resumed: await queueWork(context, "export"),
}));
