import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { portVariables } from "./local-settings.ts";
import { identify, isIdentity, isRunning, type ProcessIdentity } from "./processes.ts";
import { StartupProblem } from "./startup-problem.ts";

/** What a running local stack notes in its data folder. */
export interface StackNote {
  owner: ProcessIdentity;
  apiUrl: string;
  supabaseUrl: string;
  /** What the owner started and has to stop; PostgreSQL is also found by its own lock. */
  children: ProcessIdentity[];
}

/** The right to use a data folder. */
export interface StackLock {
  /** Children of a stack that ended without stopping them; they may still run. */
  orphans: ProcessIdentity[];
  /** Whether an earlier stack on this data ended without giving its lock back. */
  wasLeftByCrash: boolean;
  /** Notes a process that must not outlive this one. */
  addChild(child: ProcessIdentity): void;
  release(): void;
}

/**
 * Takes the data folder for this process.
 * @throws StartupProblem when a living process holds it.
 */
export function takeStackLock(dataFolder: string, urls: { apiUrl: string; supabaseUrl: string }): StackLock {
  const file = lockFile(dataFolder);
  const owner = identify(process.pid);
  if (!owner) throw new Error("This process cannot find itself in the list of processes.");
  const note: StackNote = { owner, ...urls, children: [] };
  let orphans: ProcessIdentity[] = [];
  let wasLeftByCrash = false;
  while (!place(file, note)) {
    const left = readNote(file);
    if (left && isRunning(left.owner)) {
      throw new StartupProblem(
        `Nectar already runs on ${dataFolder} (process ${left.owner.pid}, ${left.apiUrl}). ` +
          `Stop it first, or give this one another folder and other ports: LOCAL_DATA_DIR, ${Object.values(portVariables).join(", ")}.`,
      );
    }
    if (!removeLeftLock(file, left)) continue;
    wasLeftByCrash = true;
    orphans = left?.children ?? [];
    // Noted as ours until they are stopped: should this process crash meanwhile, the next one still finds them.
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

/** What the stack that runs on this data folder notes about itself; undefined when none runs. */
export function runningStack(dataFolder: string): StackNote | undefined {
  const note = readNote(lockFile(dataFolder));
  return note && isRunning(note.owner) ? note : undefined;
}

function lockFile(dataFolder: string): string {
  return join(dataFolder, "stack.lock");
}

/** Puts the lock in place with its whole content at once; false when one is there already. */
function place(file: string, note: StackNote): boolean {
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

/** Removes a lock that was found to be left over; false when another process was faster and it is now that one's. */
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
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isNote(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isNote(value: unknown): value is StackNote {
  return (
    typeof value === "object" &&
    value !== null &&
    "owner" in value &&
    isIdentity(value.owner) &&
    "apiUrl" in value &&
    typeof value.apiUrl === "string" &&
    "supabaseUrl" in value &&
    typeof value.supabaseUrl === "string" &&
    "children" in value &&
    Array.isArray(value.children) &&
    value.children.every(isIdentity)
  );
}
