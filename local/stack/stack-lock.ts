import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { PORT_VARIABLES } from "../settings/local-settings.ts";
import { StartupProblem } from "../support/startup-problem.ts";

const StackNote = z.object({ pid: z.int(), apiUrl: z.string(), supabaseUrl: z.string() });
type StackNote = z.infer<typeof StackNote>;

/**
 * Locks the data folder until it is released or this process ends, however it ends: SQLite asks the operating system.
 * @returns how to release it
 * @throws StartupProblem if a running process has the lock
 */
export function lockStack(dataFolder: string, note: Omit<StackNote, "pid">): () => void {
  const lock = new DatabaseSync(join(dataFolder, "lock.sqlite"), { timeout: 0 });
  try {
    lock.exec("begin exclusive");
  } catch {
    const { pid, apiUrl } = readStackNote(dataFolder) ?? { pid: "?", apiUrl: "starting" };
    throw new StartupProblem(
      `Nectar already runs on ${dataFolder} (process ${pid}, ${apiUrl}). ` +
        `Stop it first, or give this one another folder and other ports: LOCAL_DATA_DIR, ${Object.values(PORT_VARIABLES).join(", ")}.`,
    );
  }
  writeFileSync(noteFile(dataFolder), JSON.stringify({ pid: process.pid, ...note }));
  return () => {
    rmSync(noteFile(dataFolder), { force: true });
    lock.close();
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
