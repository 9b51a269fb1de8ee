/** Something that the person who started the stack can put right, at the start or later; its message says how and is shown without a stack. */
export class StartupProblem extends Error {
  override name = "StartupProblem";
}
