/** A problem that the developer can fix; its message says how and is printed without a stack trace. */
export class StartupProblem extends Error {
  override name = "StartupProblem";
}

/** What a caught error says, in the message of another one. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
