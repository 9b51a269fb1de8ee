import type { JobContext } from "@nectar/http/jobs";
import type { Services } from "@nectar/http/services";
import { sql } from "kysely";

/** Files that one call to a store removes. */
const BATCH = 500;

/** What happened to the files whose time had come. */
export interface RemovedFiles {
  readonly removed: number;
  /** Files that a store did not remove, or that belong to a store that is not configured; they are tried again. */
  readonly left: number;
}

/**
 * Removes the files that no row owns from the object stores. A file is crossed out only after its store has removed it,
 * so a crash in between removes it once more, which changes nothing.
 */
export async function removeUnownedFiles(services: Services, { slice, outOfTime }: JobContext): Promise<RemovedFiles> {
  const stores = [
    { store: "private", files: services.privateFiles },
    { store: "tone-packs", files: services.publicImages },
  ];
  let removed = 0;
  let left = 0;
  for (const { store, files } of stores) {
    for (let due = await dueFiles(slice, store); due.length > 0; due = await dueFiles(slice, store)) {
      if (files === null || outOfTime() || !(await wasRemoved(services, store, () => files.remove(due)))) {
        left += due.length;
        break;
      }
      await crossOut(slice, store, due);
      removed += due.length;
    }
  }
  return { removed, left };
}

async function dueFiles(slice: JobContext["slice"], store: string): Promise<string[]> {
  const rows = await slice((tx) =>
    tx
      .selectFrom("private.stored_files_to_remove")
      .select("path")
      .where("store", "=", store)
      .where("remove_after", "<=", sql<string>`now()`)
      .orderBy("remove_after")
      .limit(BATCH)
      .execute(),
  );
  return rows.map(({ path }) => path);
}

async function crossOut(slice: JobContext["slice"], store: string, paths: readonly string[]): Promise<void> {
  await slice((tx) =>
    tx
      .deleteFrom("private.stored_files_to_remove")
      .where("store", "=", store)
      .where("path", "in", [...paths])
      .execute(),
  );
}

async function wasRemoved(services: Services, store: string, remove: () => Promise<void>): Promise<boolean> {
  try {
    await remove();
    return true;
  } catch {
    // The vendor's text could name paths, and with them people.
    services.logger.warn({ store }, "files could not be removed");
    return false;
  }
}
