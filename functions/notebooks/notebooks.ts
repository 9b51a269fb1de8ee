import { AppError } from "#core/errors";
import { textOrNull } from "#core/text/text";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { FIRST_PAGE } from "#database/keyset";
import { unversioned } from "#database/unversioned";
import { byCreation, MAX_PAGE_BYTES, pageOf } from "#http/response/paging";
import { readEntryPage } from "#journal/entry-list";
import { applySharing, lockOwn, ownSharing, refusal, requireVisible } from "#journal/sharing";
import type {
  NewNotebook,
  NotebookAudiencePreview,
  NotebookEntriesQuery,
  NotebookPreview,
  NotebookQuery,
  NotebookUpdate,
  VersionedNotebook,
} from "./schema.ts";

/** A page of the notebooks that the caller may see, newest first. */
export async function listNotebooks(tx: Tx, query: NotebookQuery) {
  const { at, id } = query.cursor ?? FIRST_PAGE;
  const rows = await call(tx, "list_notebooks", { scope: query.scope, after: at, afterId: id, max: query.limit + 1 });
  const page = pageOf(rows, query.limit, byCreation);
  return { notebooks: page.rows.map(unversioned), next_cursor: page.next_cursor };
}

/** Reads one visible notebook. @throws AppError 404 */
export async function readNotebook(tx: Tx, id: string): Promise<VersionedNotebook> {
  return tx
    .selectFrom("readable_notebooks")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow(() => new AppError("notebook.not_found"));
}

/** A page of those entries of a notebook that the caller may see, newest first. @throws AppError 404 if the notebook is not visible */
export async function listNotebookEntries(tx: Tx, id: string, query: NotebookEntriesQuery) {
  await requireVisible(tx, "notebooks", id);
  const entries = await readEntryPage(
    tx,
    {
      scope: "all",
      order: "newest first",
      cursor: query.cursor,
      limit: query.limit + 1,
      fields: query.fields,
      maxContentBytes: MAX_PAGE_BYTES,
    },
    { notebook_id: id },
  );
  const page = pageOf(entries, query.limit, byCreation);
  return { entries: page.rows, next_cursor: page.next_cursor };
}

/** Creates a notebook of the caller. @throws AppError 400, 403 or 404 if it cannot be shared like this */
export async function createNotebook(tx: Tx, input: NewNotebook): Promise<VersionedNotebook> {
  const sharing = await applySharing(tx, null, input);
  const { id } = await tx
    .insertInto("notebooks")
    .values({
      id: input.id,
      name: input.name,
      description: textOrNull(input.description),
      ai_excluded_default: input.ai_excluded_default,
      ...sharing,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await writeTemplate(tx, id, input.template);
  return readNotebook(tx, id);
}

/**
 * Updates a notebook of the caller, and the visibility of entries that inherit from it.
 * @throws AppError 404 if it is not visible, 403 if it belongs to someone else
 */
export async function updateNotebook(tx: Tx, id: string, change: NotebookUpdate): Promise<VersionedNotebook> {
  const before = await lockOwn(tx, "notebooks", id);
  const sharing = await applySharing(tx, before, change);
  await tx
    .updateTable("notebooks")
    .set({
      name: change.name,
      description: change.description === undefined ? undefined : textOrNull(change.description),
      ai_excluded_default: change.ai_excluded_default,
      ...sharing,
    })
    .where("id", "=", id)
    .execute();
  await writeTemplate(tx, id, change.template);
  return readNotebook(tx, id);
}

/**
 * Computes what an update of a notebook of the caller would change for those who see its entries. Writes nothing.
 * @throws AppError as `updateNotebook`
 */
export async function previewNotebook(tx: Tx, id: string, change: NotebookAudiencePreview): Promise<NotebookPreview> {
  const before = await ownSharing(tx, "notebooks", id).executeTakeFirst();
  if (before === undefined) throw await refusal(tx, "notebooks", id);
  const sharing = await applySharing(tx, before, change);
  return call(tx, "preview_notebook_audience", { notebookId: id, change: sharing });
}

/**
 * Deletes a notebook of the caller, but not its entries.
 * @returns the number of those entries
 * @throws AppError 404 if it is not visible, 403 if it belongs to someone else
 */
export async function deleteNotebook(tx: Tx, id: string): Promise<number> {
  await lockOwn(tx, "notebooks", id);
  const { entries } = await tx
    .selectFrom("journal_entries")
    .select((eb) => eb.fn.countAll<number>().as("entries"))
    .where("notebook_id", "=", id)
    .executeTakeFirstOrThrow();
  await tx.deleteFrom("notebooks").where("id", "=", id).execute();
  return entries;
}

async function writeTemplate(tx: Tx, id: string, template: string | null | undefined): Promise<void> {
  if (template === undefined) return;
  await tx
    .updateTable("notebook_contents")
    .set({ template: textOrNull(template) })
    .where("notebook_id", "=", id)
    .execute();
}
