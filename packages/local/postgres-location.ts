import { createHash, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { chmod, lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { canEnter, type PostgresAccount } from "./postgres-account.ts";
import { stopLeftoverPostgres } from "./postgres-leftover.ts";
import { StartupProblem } from "./startup-problem.ts";

/** The location of a cluster. */
export interface ClusterLocation {
  /** The folder PostgreSQL calls its data directory; it may not exist yet. */
  cluster: string;
  /** The folder outside the data folder that contains the cluster, if it cannot be inside. */
  outside: string | undefined;
}

/** Folder for files that PostgreSQL's user must reach if it cannot enter the checkout. Survives a reboot. */
const OUTSIDE_ROOT = "/var/tmp";

/**
 * Decides where the cluster of a data folder is, and creates that folder. Normally `<dataFolder>/postgres`; when root
 * runs us from a folder that PostgreSQL's user cannot enter, a folder in /var/tmp named after the data folder's path.
 * A note in the data folder ties the two together: if it is missing (the data folder was deleted), the cluster outside is
 * removed.
 */
export async function locateCluster(
  dataFolder: string,
  account: PostgresAccount | undefined,
): Promise<ClusterLocation> {
  const inside = join(resolve(dataFolder), "postgres");
  await mkdir(inside, { recursive: true });
  if (!account || (await canEnter(account, inside))) return { cluster: join(inside, "data"), outside: undefined };
  const outside = await claimFolder(outsideName(dataFolder));
  const cluster = join(outside, "data");
  const insideNote = join(inside, "outside-id");
  const outsideNote = join(outside, "outside-id");
  const known = await readNote(outsideNote);
  if (!known || known !== (await readNote(insideNote))) {
    await stopLeftoverPostgres(cluster);
    await rm(cluster, { recursive: true, force: true });
    const id = randomUUID();
    await writeFile(insideNote, id);
    await writeFile(outsideNote, id);
  }
  return { cluster, outside };
}

/** Removes the cluster of a data folder, wherever it is (synchronous, so that it also works while the process exits). PostgreSQL must not be running on it. */
export function removeCluster(dataFolder: string): void {
  const folders = [join(resolve(dataFolder), "postgres")];
  if (process.getuid?.() === 0) folders.push(join(OUTSIDE_ROOT, outsideName(dataFolder)));
  // Retried, because a server that is ending may still write a file.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/**
 * Creates a folder of root in /var/tmp that everyone may enter, unless it exists.
 * @throws StartupProblem when the folder belongs to another user, who may have guessed the name and planted the content.
 */
export async function claimFolder(name: string): Promise<string> {
  const folder = join(OUTSIDE_ROOT, name);
  try {
    await mkdir(folder, { mode: 0o755 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const entry = await lstat(folder);
  if (!entry.isDirectory() || entry.uid !== process.getuid?.()) {
    throw new StartupProblem(`${folder} belongs to another user: remove it, then start again.`);
  }
  // The mode given to mkdir is narrowed by the umask.
  await chmod(folder, 0o755);
  return folder;
}

function outsideName(dataFolder: string): string {
  return `nectar-${createHash("sha256").update(resolve(dataFolder)).digest("hex").slice(0, 16)}`;
}

function readNote(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}
