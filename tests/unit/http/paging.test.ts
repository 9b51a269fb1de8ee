import { pageFields } from "@nectar/http/paging";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { MosaicQuery } from "../../../functions/workout-window/mosaic-schema.ts";

const LISTS = [
  ["a list", z.object(pageFields()), 100, 500],
  ["a list with bounds of its own", z.object(pageFields({ usual: 50, largest: 100 })), 50, 100],
  ["a mosaic", MosaicQuery, 20_000, 20_000],
] as const;

describe.each(LISTS)("the limit of %s", (_, schema, usual, largest) => {
  const limitOf = (text: string) => schema.safeParse({ limit: text }).data?.limit;

  it("is as asked, and the usual one when nobody says", () => {
    expect(limitOf("1")).toBe(1);
    expect(limitOf("007")).toBe(7);
    expect(limitOf(String(largest))).toBe(largest);
    expect(schema.parse({}).limit).toBe(usual);
  });

  it.each([10, 20, 400, 100_000])("is lowered to the largest when it is a number of %i digits", (digits) => {
    expect(limitOf("9".repeat(digits))).toBe(largest);
    expect(limitOf(`1${"0".repeat(digits - 1)}`)).toBe(largest);
  });

  it.each(["", "0", "0".repeat(400), "-1", "+1", "1.5", "1e3", "0x10", " 1", "1\n", "ten", "١"])(
    "is refused when it is %j",
    (text) => {
      expect(schema.safeParse({ limit: text }).success).toBe(false);
    },
  );
});
