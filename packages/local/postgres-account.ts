import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { StartupProblem } from "./startup-problem.ts";

const run = promisify(execFile);

/** The operating-system user that PostgreSQL runs as; PostgreSQL refuses to run as root. */
export interface PostgresAccount {
  uid: number;
  gid: number;
}

const ACCOUNT_NAME = "postgres";

/**
 * The account that PostgreSQL's processes must switch to, or undefined when they can run as the current user. As root
 * that is the system user `postgres`, which is created when the machine has none.
 * @throws StartupProblem when root cannot create that user.
 */
export async function postgresAccount(): Promise<PostgresAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await findAccount();
  if (existing) return existing;
  try {
    await run("groupadd", ["--system", "--force", ACCOUNT_NAME]);
    await run("useradd", [
      "--system",
      "--gid",
      ACCOUNT_NAME,
      "--no-create-home",
      "--shell",
      "/bin/false",
      ACCOUNT_NAME,
    ]);
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    throw new StartupProblem(
      `PostgreSQL does not run as root and the user "${ACCOUNT_NAME}" could not be created (${reason}). Create it, or run as another user.`,
    );
  }
  const created = await findAccount();
  if (!created) throw new StartupProblem(`The user "${ACCOUNT_NAME}" was created but the system does not know it.`);
  return created;
}

async function findAccount(): Promise<PostgresAccount | undefined> {
  try {
    const uid = await run("id", ["-u", ACCOUNT_NAME]);
    const gid = await run("id", ["-g", ACCOUNT_NAME]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/**
 * Whether the account may pass through every existing folder from the root down to `path` (below /root or a `mktemp -d`
 * folder another user may not). Paths that do not exist yet are judged by their nearest existing parent.
 */
export async function canReach(account: PostgresAccount, path: string): Promise<boolean> {
  const parent = dirname(path);
  if (parent !== path && !(await canReach(account, parent))) return false;
  try {
    const entry = await stat(path);
    if (!entry.isDirectory()) return true;
    const executeBit = entry.uid === account.uid ? 0o100 : entry.gid === account.gid ? 0o010 : 0o001;
    return (entry.mode & executeBit) !== 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return true;
    throw error;
  }
}
