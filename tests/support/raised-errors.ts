import { appendFileSync } from "node:fs";

/** The variable that names the file in which all processes of a run collect the errors that they saw, one a line. */
export const RAISED_ERRORS_FILE = "NECTAR_RAISED_ERRORS_FILE";

const seen = new Set<string>();

/** Records that an operation responded with an error, for the check of `declared-errors.ts` after all tests. */
export function recordError(operationId: string, code: string): void {
  const file = process.env[RAISED_ERRORS_FILE];
  const line = `${operationId} ${code}\n`;
  if (file === undefined || seen.has(line)) return;
  seen.add(line);
  appendFileSync(file, line);
}
