import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { imageCostUsd, sumUsd, textCostUsd } from "#core/money/pricing";
import { PRICES } from "#tests/models";

describe("textCostUsd", () => {
  it.each([
    // Calculated by hand: input × 0.15 / 1,000,000 + output × 0.60 / 1,000,000.
    [0, 0, "0.000000"],
    [3, 0, "0.000000"], // 0.00000045
    [10, 0, "0.000002"], // 0.0000015, half up
    [1_234, 567, "0.000525"], // 0.0001851 + 0.0003402 = 0.0005253
    [123_456_789, 987_654_321, "611.111111"], // 18.51851835 + 592.5925926 = 611.11111095
  ])("of %i input and %i output tokens is %s", (input, output, cost) => {
    expect(textCostUsd(PRICES, input, output)).toBe(cost);
  });

  it("is the exact price rounded to a micro-dollar, half up", () => {
    const tokens = fc.oneof(fc.nat(20_000), fc.maxSafeNat());
    const price = fc.nat(200_000_000);
    fc.assert(
      fc.property(tokens, tokens, price, price, (input, output, textInput, textOutput) => {
        const cost = textCostUsd({ ...PRICES, textInput, textOutput }, input, output);
        expect(cost).toMatch(/^\d+\.\d{6}$/);
        // In millionths of a micro-dollar.
        const exact = BigInt(textInput) * BigInt(input) + BigInt(textOutput) * BigInt(output);
        const difference = 1_000_000n * BigInt(cost.replace(".", "")) - exact;
        expect(difference > -500_000n && difference <= 500_000n).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("refuses %d tokens", (tokens) => {
    expect(() => textCostUsd(PRICES, tokens, 0)).toThrow(RangeError);
    expect(() => textCostUsd(PRICES, 0, tokens)).toThrow(RangeError);
  });
});

it("imageCostUsd follows the quality", () => {
  expect([imageCostUsd(PRICES, "standard"), imageCostUsd(PRICES, "hd")]).toEqual(["0.040000", "0.080000"]);
});

it("sumUsd adds exactly", () => {
  expect([sumUsd([]), sumUsd(["0.100000", "0.200000"]), sumUsd(["9.999999", "0.000001"])]).toEqual([
    "0.000000",
    "0.300000",
    "10.000000",
  ]);
});
