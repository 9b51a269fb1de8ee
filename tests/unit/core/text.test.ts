import { codePoints, normalizeText, text, textProblem } from "@nectar/core/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("text", () => {
  it("has as many code points as an iteration over it", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (value) => codePoints(value) === [...value].length));
  });

  it("is accepted if and only if it has no NUL, no lone surrogate, and a length within bounds", () => {
    const schema = text({ min: 2, max: 5 });
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 8 }), (value) => {
        const stored = normalizeText(value);
        const fits = textProblem(stored) === null && [...stored].length >= 2 && [...stored].length <= 5;
        expect(schema.safeParse(value).success).toBe(fits);
      }),
    );
  });

  it("is trimmed and normalized to NFC", () => {
    expect(text({ max: 10 }).parse("  e\u0301 ")).toBe("\u00e9");
  });

  it("has a message for each problem", () => {
    const problem = (value: string) => text({ max: 3 }).safeParse(value).error?.issues[0]?.message;
    expect(problem("  ")).toBe("must not be blank");
    expect(problem("abcd")).toBe("must have at most 3 characters");
    expect(problem("a\u0000")).toBe("must not contain NUL characters");
    expect(problem("\ud800")).toBe("must be well-formed Unicode");
    expect(problem("🐝🐝🐝")).toBeUndefined();
  });
});
