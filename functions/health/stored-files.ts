import { sql } from "kysely";
import type { Tx } from "#database/database";
import type { BudgetedWork } from "#http/jobs/jobs";
import type { Services } from "#http/services/services";
import type { PrivateFiles } from "#providers/private-files";

/** Prefix of the keys of exports. Only they are uploaded in parts. */
const EXPORTS = "exports/";
/** How many files one call to a store removes. */
const BATCH = 500;

/**
 * Removes the files that no row owns from the object stores. A file leaves the list only after its store has removed it, so
 * after a crash it is removed once more, which changes nothing.
 * @returns how many were removed, and how many are left for the next run because their store failed or is not configured
 */
export async function removeUnownedFiles(
  services: Pick<Services, "privateFiles" | "publicImages" | "logger">,
  { transaction, outOfTime }: Pick<BudgetedWork, "transaction" | "outOfTime">,
): Promise<{ files: number; files_left: number }> {
  const stores = [
    { store: "private", files: services.privateFiles && withUploads(services.privateFiles) },
    { store: "tone-packs", files: services.publicImages },
  ];
  const counts = { files: 0, files_left: 0 };
  for (const { store, files } of stores) {
    for (;;) {
      const due = await transaction((tx) => readDueFiles(tx, store));
      if (due.length === 0) break;
      if (files === null || outOfTime() || !(await wasRemoved(services, store, () => files.remove(due)))) {
        counts.files_left += due.length;
        break;
      }
      await transaction((tx) => removeFromList(tx, store, due));
      counts.files += due.length;
    }
  }
  return counts;
}

/** Also ends what was uploaded of exports that will never be finished. */
function withUploads(files: PrivateFiles): Pick<PrivateFiles, "remove"> {
  return {
    async remove(keys) {
      for (const key of keys) if (key.startsWith(EXPORTS)) await files.abortUploads(key);
      await files.remove(keys);
    },
  };
}

async function readDueFiles(tx: Tx, store: string): Promise<string[]> {
  const rows = await tx
    .selectFrom("private.stored_files_to_remove")
    .select("path")
    .where("store", "=", store)
    .where("remove_after", "<=", sql<string>`now()`)
    .orderBy("remove_after")
    .limit(BATCH)
    .execute();
  return rows.map(({ path }) => path);
}

async function removeFromList(tx: Tx, store: string, paths: readonly string[]): Promise<void> {
  await tx
    .deleteFrom("private.stored_files_to_remove")
    .where("store", "=", store)
    .where("path", "in", [...paths])
    .execute();
}

async function wasRemoved(
  { logger }: Pick<Services, "logger">,
  store: string,
  remove: () => Promise<void>,
): Promise<boolean> {
  try {
    await remove();
    return true;
  } catch {
    // The vendor's message could contain paths, and a path contains a user's id.
    logger.warn({ store }, "files could not be removed");
    return false;
  }
}
