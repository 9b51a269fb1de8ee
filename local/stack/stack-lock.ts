import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lock } from "proper-lockfile";
import * as z from "zod";
import { PORT_VARIABLES } from "../settings/local-settings.ts";
import { StartupProblem } from "../support/startup-problem.ts";

/** Milliseconds after which the lock of a process that was killed counts as left behind. */
const STALE_MS = 5_000;

const StackNote = z.object({ pid: z.int(), apiUrl: z.string(), supabaseUrl: z.string() });
type StackNote = z.infer<typeof StackNote>;

/**
 * Locks the data folder for this process. After a crash it waits until the lock is stale.
 * @returns how to release it
 * @throws StartupProblem if a running process has the lock
 */
export async function lockStack(dataFolder: string, note: Omit<StackNote, "pid">): Promise<() => Promise<void>> {
  const last = readStackNote(dataFolder);
  const retries = last !== undefined && isRunning(last.pid) ? 0 : 8;
  const release = await lock(dataFolder, {
    lockfilePath: join(dataFolder, "running.lock"),
    stale: STALE_MS,
    retries: { retries, factor: 1, minTimeout: 1_000 },
    onCompromised: () => console.error(`  Another program has removed the lock of ${dataFolder}.`),
  }).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ELOCKED")) throw error;
    const { pid, apiUrl } = readStackNote(dataFolder) ?? { pid: "?", apiUrl: "starting" };
    throw new StartupProblem(
      `Nectar already runs on ${dataFolder} (process ${pid}, ${apiUrl}). ` +
        `Stop it first, or give this one another folder and other ports: LOCAL_DATA_DIR, ${Object.values(PORT_VARIABLES).join(", ")}.`,
    );
  });
  writeFileSync(noteFile(dataFolder), JSON.stringify({ pid: process.pid, ...note }));
  return async () => {
    rmSync(noteFile(dataFolder), { force: true });
    await release();
  };
}

/** The process and addresses of the stack that runs on a data folder, or ended there without stopping. */
export function readStackNote(dataFolder: string): StackNote | undefined {
  try {
    return StackNote.parse(JSON.parse(readFileSync(noteFile(dataFolder), "utf8")));
  } catch {
    return undefined;
  }
}

const noteFile = (dataFolder: string) => join(dataFolder, "running.json");

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
