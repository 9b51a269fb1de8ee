import { expect, test } from "vitest";
import { fileOf, readMutants } from "../mutants/mutants.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

test("the text of every mutant is in the sources, once", () => {
  const mutants = readMutants();
  expect(mutants.length).toBeGreaterThan(40);
  for (const mutant of mutants) expect(() => fileOf(ROOT, mutant)).not.toThrow();
});
