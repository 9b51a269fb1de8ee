import { imageCostUsd, textCostUsd } from "@nectar/core/pricing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("textCostUsd", () => {
  it.each([
    // Calculated by hand: input × 0.15 / 1,000,000 + output × 0.60 / 1,000,000.
    [0, 0, "0.000000"],
    [3, 0, "0.000000"], // 0.00000045
    [10, 0, "0.000002"], // 0.0000015, half up
    [100, 200, "0.000135"], // 0.000015 + 0.000120
    [1_234, 567, "0.000525"], // 0.0001851 + 0.0003402 = 0.0005253
    [1_000_000, 1_000_000, "0.750000"],
    [123_456_789, 987_654_321, "611.111111"], // 18.51851835 + 592.5925926 = 611.11111095
  ])("of %i input and %i output tokens is %s", (input, output, cost) => {
    expect(textCostUsd(input, output)).toBe(cost);
  });

  it("is the exact price rounded to a micro-dollar, half up", () => {
    const tokens = fc.oneof(fc.nat(20_000), fc.maxSafeNat());
    fc.assert(
      fc.property(tokens, tokens, (input, output) => {
        const cost = textCostUsd(input, output);
        expect(cost).toMatch(/^\d+\.\d{6}$/);
        // In hundredths of a micro-dollar: 15 for an input token, 60 for an output token.
        const exact = 15n * BigInt(input) + 60n * BigInt(output);
        const difference = 100n * BigInt(cost.replace(".", "")) - exact;
        expect(difference > -50n && difference <= 50n).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("refuses %d tokens", (tokens) => {
    expect(() => textCostUsd(tokens, 0)).toThrow(RangeError);
    expect(() => textCostUsd(0, tokens)).toThrow(RangeError);
  });
});

describe("imageCostUsd", () => {
  it.each([
    ["standard", 1, "0.040000"],
    ["hd", 1, "0.080000"],
    ["standard", 3, "0.120000"],
    ["hd", 20, "1.600000"],
    ["standard", 0, "0.000000"],
    ["hd", 12_345, "987.600000"],
  ] as const)("of %s quality for %i images is %s", (quality, count, cost) => {
    expect(imageCostUsd(quality, count)).toBe(cost);
  });

  it("refuses a fraction of an image", () => {
    expect(() => imageCostUsd("hd", 1.5)).toThrow(RangeError);
  });
});
