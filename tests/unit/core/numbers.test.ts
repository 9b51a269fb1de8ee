import { describe, expect, it } from "vitest";
import { grouped, inMb, inWords } from "#core/text/numbers";

describe("numbers in texts", () => {
  it("have their thousands apart", () => {
    expect([0, 999, 1_000, 20_000, 1_234_567].map(grouped)).toEqual(["0", "999", "1,000", "20,000", "1,234,567"]);
  });

  it("are sizes in megabytes", () => {
    expect(inMb(4 * 1024 ** 2)).toBe("4 MB");
  });

  it("are times in their largest whole unit", () => {
    expect([30, 60, 900, 3_600, 86_400, 172_800].map(inWords)).toEqual([
      "30 seconds",
      "1 minute",
      "15 minutes",
      "1 hour",
      "1 day",
      "2 days",
    ]);
  });
});
