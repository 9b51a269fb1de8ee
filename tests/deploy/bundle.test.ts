import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GROUPS, type Group } from "../../functions/groups.ts";
import { type Bundle, bundleBaseline, bundleFunction, measureImports } from "./bundle.ts";

/** How much more a function may be than the libraries that it stands on. */
const MAX_RATIO = 1.7;
let baseline: Bundle;

beforeAll(async () => {
  baseline = await bundleBaseline();
});
afterAll(() => baseline.remove());

describe.each<Group>(GROUPS)("the bundle of $name", ({ name, unbundledPackages = [] }) => {
  it(`reads at start at most ${MAX_RATIO} times what its libraries are, and finds all that it asks for`, async () => {
    const { eagerBytesGz, weights, missing, remove } = await bundleFunction(name);
    await remove();
    // What a library can do without is not installed here; the rest must lie beside the bundle.
    expect(missing).toEqual(unbundledPackages);
    expect(weights.map((weight) => weight.name)).toContain(`functions/${name}`);
    expect(eagerBytesGz).toBeGreaterThan(0);
    expect(eagerBytesGz / baseline.eagerBytesGz).toBeLessThan(MAX_RATIO);
  });
});

describe("the measure", () => {
  it("contains the libraries that it is named for", () => {
    const names = baseline.weights.map((weight) => weight.name);
    expect(names).toEqual(expect.arrayContaining(["hono", "zod", "pg", "kysely", "jose"]));
  });

  it("times imports in processes of their own", () => {
    const [first = 0, second = 0] = measureImports([baseline.entry, baseline.entry], 1);
    expect(Math.min(first, second)).toBeGreaterThan(1);
  });

  it("says why an import failed", () => {
    expect(() => measureImports(["/no/such/module.mjs"], 1)).toThrow("Importing /no/such/module.mjs failed");
  });
});
