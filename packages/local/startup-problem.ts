/** A problem that the developer can fix; its message says how and is printed without a stack trace. */
export class StartupProblem extends Error {
  override name = "StartupProblem";
}
