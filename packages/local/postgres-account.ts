import { execFile } from "node:child_process";
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
    const flags = `--system --gid ${ACCOUNT_NAME} --no-create-home --shell /bin/false`;
    await run("useradd", [...flags.split(" "), ACCOUNT_NAME]);
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

/** Whether the account may enter a folder, and every folder above it: below /root or a `mktemp -d` folder it may not. */
export function canEnter(account: PostgresAccount, folder: string): Promise<boolean> {
  return run("test", ["-x", folder], { ...account, cwd: "/" }).then(
    () => true,
    () => false,
  );
}
