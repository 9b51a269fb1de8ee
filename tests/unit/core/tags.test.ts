import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanTags } from "#core/text/tags";

describe("tags", () => {
  it("lose leading #, white space and later spellings", () => {
    expect(cleanTags(["#Rain", " rain ", "##walk", "# Sun", "RAIN", "é"])).toEqual(["Rain", "walk", "Sun", "é"]);
  });

  it("do not change when cleaned again, and differ in more than upper and lower case", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 5 })), (tags) => {
        const cleaned = cleanTags(tags);
        expect(new Set(cleaned.map((tag) => tag.toLowerCase())).size).toBe(cleaned.length);
        expect(cleanTags(cleaned)).toEqual(cleaned);
      }),
    );
  });
});
