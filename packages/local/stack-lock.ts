import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { PORT_VARIABLES } from "./local-settings.ts";
import { identify, isRunning, ProcessIdentity } from "./processes.ts";
import { StartupProblem } from "./startup-problem.ts";

/**
 * What a running local stack writes into its lock. `children` are the processes that it started and has to stop; PostgreSQL
 * is also found by its own lock.
 */
const StackNote = z.object({
  owner: ProcessIdentity,
  apiUrl: z.string(),
  supabaseUrl: z.string(),
  children: z.array(ProcessIdentity),
});
type StackNote = z.infer<typeof StackNote>;

/** The exclusive use of a data folder. */
export interface StackLock {
  /** Children of a stack that ended without stopping them; they may still run. */
  orphans: ProcessIdentity[];
  /** Whether an earlier stack on this data ended without releasing its lock. */
  wasLeftByCrash: boolean;
  /** Adds a process that must not outlive this one. */
  addChild(child: ProcessIdentity): void;
  release(): void;
}

/**
 * Locks the data folder for this process. The lock of a process that has ended is taken over at once, even if its pid is in
 * use again; lock-file libraries wait for a heartbeat to become stale instead, and would refuse a start right after a crash.
 * @throws StartupProblem when a running process has the lock.
 */
export function takeStackLock(dataFolder: string, urls: { apiUrl: string; supabaseUrl: string }): StackLock {
  const file = lockFile(dataFolder);
  const owner = identify(process.pid);
  if (!owner) throw new Error("This process cannot find itself in the list of processes.");
  const note: StackNote = { owner, ...urls, children: [] };
  let orphans: ProcessIdentity[] = [];
  let wasLeftByCrash = false;
  while (!createLock(file, note)) {
    const left = readNote(file);
    if (left && isRunning(left.owner)) {
      throw new StartupProblem(
        `Nectar already runs on ${dataFolder} (process ${left.owner.pid}, ${left.apiUrl}). ` +
          `Stop it first, or give this one another folder and other ports: LOCAL_DATA_DIR, ${Object.values(PORT_VARIABLES).join(", ")}.`,
      );
    }
    if (!removeLeftLock(file, left)) continue;
    wasLeftByCrash = true;
    orphans = left?.children ?? [];
    // Kept until they are stopped: if this process crashes before, the next one finds them.
    note.children = orphans;
  }
  return {
    orphans,
    wasLeftByCrash,
    addChild: (child) => {
      note.children = [...note.children.filter(isRunning), child];
      const next = `${file}.next`;
      writeFileSync(next, JSON.stringify(note));
      renameSync(next, file);
    },
    release: () => rmSync(file, { force: true }),
  };
}

/** The note of the stack that runs on this data folder; undefined when none runs. */
export function runningStack(dataFolder: string): StackNote | undefined {
  const note = readNote(lockFile(dataFolder));
  return note && isRunning(note.owner) ? note : undefined;
}

function lockFile(dataFolder: string): string {
  return join(dataFolder, "stack.lock");
}

/** Creates the lock file with its content in one step; false if it exists. */
function createLock(file: string, note: StackNote): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(note));
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes a lock that was left by a crash; false if another process has taken the lock meanwhile. */
function removeLeftLock(file: string, left: StackNote | undefined): boolean {
  const aside = `${file}.${process.pid}.left`;
  try {
    renameSync(file, aside);
  } catch {
    return false;
  }
  const isTheSame = JSON.stringify(readNote(aside)) === JSON.stringify(left);
  if (isTheSame) rmSync(aside, { force: true });
  else renameSync(aside, file);
  return isTheSame;
}

function readNote(file: string): StackNote | undefined {
  try {
    return StackNote.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}
