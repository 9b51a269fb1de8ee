import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { imageCostUsd, sumUsd, textCostUsd } from "#core/money/pricing";

describe("textCostUsd", () => {
  it.each([
    // Calculated by hand: input × 0.10 / 1,000,000 + output × 0.50 / 1,000,000.
    ["gpt-6-luna", 0, 0, "0.000000"],
    ["gpt-6-luna", 4, 0, "0.000000"], // 0.0000004
    ["gpt-6-luna", 0, 1, "0.000001"], // 0.0000005, half up
    ["gpt-6-luna", 100, 200, "0.000110"], // 0.000010 + 0.000100
    ["a model of another vendor", 1_000_000, 1_000_000, "0.600000"],
    // input × 0.15 / 1,000,000 + output × 0.60 / 1,000,000
    ["gpt-4o-mini", 10, 0, "0.000002"], // 0.0000015, half up
    ["gpt-4o-mini", 1_234, 567, "0.000525"], // 0.0001851 + 0.0003402 = 0.0005253
    ["gpt-4o-mini-2024-07-18", 123_456_789, 987_654_321, "611.111111"], // 18.51851835 + 592.5925926 = 611.11111095
  ])("of %s for %i input and %i output tokens is %s", (model, input, output, cost) => {
    expect(textCostUsd(model, input, output)).toBe(cost);
  });

  it("is the exact price rounded to a micro-dollar, half up", () => {
    const tokens = fc.oneof(fc.nat(20_000), fc.maxSafeNat());
    fc.assert(
      fc.property(tokens, tokens, (input, output) => {
        const cost = textCostUsd("gpt-6-luna", input, output);
        expect(cost).toMatch(/^\d+\.\d{6}$/);
        // In hundredths of a micro-dollar: 10 for an input token, 50 for an output token.
        const exact = 10n * BigInt(input) + 50n * BigInt(output);
        const difference = 100n * BigInt(cost.replace(".", "")) - exact;
        expect(difference > -50n && difference <= 50n).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("refuses %d tokens", (tokens) => {
    expect(() => textCostUsd("gpt-6-luna", tokens, 0)).toThrow(RangeError);
    expect(() => textCostUsd("gpt-6-luna", 0, tokens)).toThrow(RangeError);
  });
});

describe("imageCostUsd", () => {
  it.each([
    ["standard", null, "0.040000"],
    ["hd", null, "0.080000"],
    // Calculated by hand: text × 5 / 1,000,000 + image × 8 / 1,000,000 + output × 30 / 1,000,000.
    ["standard", { text: 100, image: 0, output: 1_056 }, "0.032180"],
    ["hd", { text: 3, image: 1, output: 4_160 }, "0.124823"],
  ] as const)("of %s quality with the tokens %o is %s", (quality, tokens, cost) => {
    expect(imageCostUsd(quality, tokens)).toBe(cost);
  });

  it("refuses a fraction of a token", () => {
    expect(() => imageCostUsd("hd", { text: 1.5, image: 0, output: 1 })).toThrow(RangeError);
  });
});

it("sumUsd adds exactly", () => {
  expect([sumUsd([]), sumUsd(["0.100000", "0.200000"]), sumUsd(["9.999999", "0.000001"])]).toEqual([
    "0.000000",
    "0.300000",
    "10.000000",
  ]);
});
