import { statfsSync } from "node:fs";
import { freemem } from "node:os";

const IN_MEMORY = "/dev/shm";
/** More than a run needs, so that the rest of the machine is not short of memory. */
const NEEDED_BYTES = 8 * 1024 ** 3;

/**
 * Keeps the temporary files of a run in memory, where the system allows it. Each test file creates a database of 1,500 files
 * and deletes it: on ext4, which looks for an inode that was not in use lately, that takes up to ten times as long.
 */
export function keepTemporaryFilesInMemory(): void {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (Math.min(bavail * bsize, freemem()) >= NEEDED_BYTES) process.env.TMPDIR ??= IN_MEMORY;
    else if (process.env.TMPDIR === undefined)
      console.warn(
        `${IN_MEMORY} has less than 8 GB: the databases of tests are on disk, which may take ten times as long.`,
      );
  } catch {
    // There is no such folder on other systems than Linux.
  }
}
