/** A problem that the developer can fix, at the start or later; its message says how and is printed without a stack. */
export class StartupProblem extends Error {
  override name = "StartupProblem";
}
