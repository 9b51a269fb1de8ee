import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GROUPS } from "../../functions/groups.ts";
import { type Bundle, bundleBaseline, bundleFunction, measureImports } from "./bundle.ts";

/** How much more a function may be than the libraries that it stands on. */
const LARGEST_RATIO = 1.7;
let baseline: Bundle;

beforeAll(async () => {
  baseline = await bundleBaseline();
});
afterAll(() => baseline.remove());

describe.each(GROUPS)("the bundle of $name", ({ name }) => {
  it(`reads at start at most ${LARGEST_RATIO} times what its libraries are`, async () => {
    const { eagerBytesGz, weights, remove } = await bundleFunction(name);
    await remove();
    expect(weights.map((weight) => weight.name)).toContain(`functions/${name}`);
    expect(eagerBytesGz).toBeGreaterThan(0);
    expect(eagerBytesGz / baseline.eagerBytesGz).toBeLessThan(LARGEST_RATIO);
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
