import { readFileSync } from "node:fs";

/** A problem that the developer can fix; its message says how and is printed without a stack trace. */
export class StartupProblem extends Error {
  override name = "StartupProblem";
}

/** The message of a caught error, for the message of another one. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The last 20 lines of a log file, indented to stand below a message; empty if there is no such file. */
export function logTail(logFile: string): string {
  try {
    const lines = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-20);
    return lines.map((line) => `    ${line}`).join("\n");
  } catch {
    return "";
  }
}
