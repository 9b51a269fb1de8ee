import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GROUPS, type Group } from "../../functions/groups.ts";
import { type Bundle, bundleBaseline, bundleFunction, measureImports } from "./bundle.ts";

/** The maximum size of a function, compared with the libraries that every function uses. */
const MAX_RATIO = 1.3;
let baseline: Bundle;

beforeAll(async () => {
  baseline = await bundleBaseline();
});
afterAll(() => baseline.remove());

describe.each<Group>(GROUPS)("the bundle of $name", ({ name, unbundledPackages = [] }) => {
  it(`loads at most ${MAX_RATIO} times the size of its libraries at start, and contains all its imports`, async () => {
    const { eagerBytesGz, weights, missing, remove } = await bundleFunction(name);
    await remove();
    // Optional dependencies of libraries are not installed here; all others must be beside the bundle.
    expect(missing).toEqual(unbundledPackages);
    expect(weights.map((weight) => weight.name)).toContain(`functions/${name}`);
    expect(eagerBytesGz).toBeGreaterThan(0);
    expect(eagerBytesGz / baseline.eagerBytesGz).toBeLessThan(MAX_RATIO);
  });
});

describe("the measurement", () => {
  it("compares with the libraries that every function needs", () => {
    const names = baseline.weights.map((weight) => weight.name);
    expect(names).toEqual(expect.arrayContaining(["hono", "zod", "pg", "kysely", "jose"]));
  });

  it("times imports in separate processes", () => {
    const [first = 0, second = 0] = measureImports([baseline.entry, baseline.entry], 1);
    expect(Math.min(first, second)).toBeGreaterThan(1);
  });

  it("says why an import failed", () => {
    expect(() => measureImports(["/no/such/module.mjs"], 1)).toThrow("Importing /no/such/module.mjs failed");
  });
});
