import { createReadStream } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PrivateFiles } from "#providers/private-files";
import { MigrationProblem } from "../migrate/migration-problem.ts";

/** Where backups are kept. */
export interface BackupStore {
  /** Takes a finished file. There is never a part of it under its name. */
  add(name: string, path: string): Promise<void>;
  /** The names of all files. */
  list(): Promise<string[]>;
  remove(names: readonly string[]): Promise<void>;
}

/** A folder, on whose disk the files are made. */
export function folderStore(folder: string): BackupStore {
  return {
    async add(name, path) {
      const to = join(folder, name);
      await syncToDisk(path);
      await rename(path, to);
      await syncToDisk(dirname(to));
    },
    list: () => readdir(folder),
    async remove(names) {
      for (const name of names) await rm(join(folder, name), { force: true });
    },
  };
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path);
  await file.sync().finally(() => file.close());
}

const PREFIX = "backups/";

/** A bucket. A file has at most 50 GB, because the provider's parts are of one size. */
export function bucketStore(files: PrivateFiles): BackupStore {
  return {
    async add(name, path) {
      await files.uploadStream(PREFIX + name, createReadStream(path), "application/octet-stream");
      const [{ size }, stored] = [await stat(path), await files.describe(PREFIX + name)];
      if (stored?.size !== size) {
        await files.remove([PREFIX + name]);
        throw new MigrationProblem(`${name} had ${stored?.size ?? 0} bytes in the bucket instead of ${size}.`);
      }
      await rm(path);
    },
    async list() {
      const names: string[] = [];
      for await (const { key } of files.list(PREFIX)) names.push(key.slice(PREFIX.length));
      return names;
    },
    remove: (names) => files.remove(names.map((name) => PREFIX + name)),
  };
}
