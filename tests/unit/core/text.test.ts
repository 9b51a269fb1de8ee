import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { briefText } from "#core/text/brief-text";
import { cleanTags } from "#core/text/tags";
import { codePoints, normalizeText, text, textProblem } from "#core/text/text";

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

  it("may be four times as long before it is normalized, and have 30 combining marks in a row", () => {
    // Kaithi letters, of two units each, that compose from two letters.
    expect(text({ max: 3 }).parse("\u{11099}\u{110ba}".repeat(3))).toBe("\u{1109a}".repeat(3));
    expect(text({ max: 40 }).safeParse(`e${"\u0316".repeat(30)}`).success).toBe(true);
  });

  it("has too many combining marks exactly if 31 of them follow each other", () => {
    const unit = fc.constantFrom("e", "\u0301", "\u0903", "\u{1d165}", "\u{e0100}", "\u{1f41d}", "\u9fff");
    const runs = fc.array(fc.tuple(unit, fc.integer({ min: 1, max: 31 })), { maxLength: 6 });
    fc.assert(
      fc.property(runs, (parts) => {
        const value = parts.map(([character, count]) => character.repeat(count)).join("");
        expect(textProblem(value) !== null).toBe(/\p{M}{31}/u.test(value));
      }),
    );
  });

  it("of combining marks is refused before it is normalized, which would take minutes", () => {
    const marks = "\u0301".repeat(1_000_000);
    expect(text({ max: 100 }).safeParse(marks).success).toBe(false);
    expect(text({ max: 1_000_000 }).safeParse(marks).success).toBe(false);
    expect(briefText(100).safeParse(marks).success).toBe(false);
    expect(cleanTags([marks])).toEqual([marks]);
  });

  it("has a message for each problem", () => {
    const problem = (value: string) => text({ max: 3 }).safeParse(value).error?.issues[0]?.message;
    expect(problem("  ")).toBe("must not be blank");
    expect(problem("abcd")).toBe("must have at most 3 characters");
    expect(problem("a\u0000")).toBe("must not contain NUL characters");
    expect(problem("\ud800")).toBe("must be well-formed Unicode");
    expect(problem("🐝🐝🐝")).toBeUndefined();
    expect(problem(`e${"\u0301".repeat(31)}`)).toBe("must have at most 3 characters");
    expect(
      text({ max: 50 })
        .safeParse(`e${"\u0301".repeat(31)}`)
        .error?.issues.map(({ message }) => message),
    ).toEqual(["must not have more than 30 combining marks in a row"]);
  });
});
