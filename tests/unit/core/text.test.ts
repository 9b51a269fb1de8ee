import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
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

  it("keeps its letters when it is normalized: only marks, jamo and vowels of Kirat Rai are composed onto others", () => {
    const composed = /^[\p{M}\u1161-\u1175\u11a8-\u11c2\u{16d67}\u{16d68}]*$/u;
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const character = String.fromCodePoint(point);
      const [first = "", ...others] = character.normalize("NFD");
      if (others.length === 0) continue;
      if (character.normalize("NFC") === character) expect(others.join("")).toMatch(composed);
      if (!composed.test(character)) expect(first).not.toMatch(composed);
    }
  });

  it("with more letters or more marks than characters are allowed is refused without normalizing it", () => {
    const refusal = (value: string) => text({ max: 100 }).safeParse(value).error?.issues[0]?.message;
    const normalize = vi.spyOn(String.prototype, "normalize");
    const tooLong = "must have at most 100 characters";
    for (const value of ["e\u0301".repeat(101), "\u03b1\u0313\u0300".repeat(51), `e${"\u0301".repeat(30)}`.repeat(4)]) {
      expect.soft(refusal(value)).toBe(tooLong);
    }
    const tag = "e\u0301".repeat(51);
    expect(cleanTags([`# ${tag}`])).toEqual([tag]);
    expect(normalize).not.toHaveBeenCalled();
    normalize.mockRestore();
    expect(refusal(`${" ".repeat(150)}e\u0301${" ".repeat(150)}`)).toBeUndefined();
  });

  it.each([
    ["Vietnamese", "Tiê\u0301ng Viê\u0323t râ\u0301t đe\u0323p. "],
    ["Korean in jamo", "한국어는 아름답다. "],
    ["Greek with accents", "ἐν ἀρχῇ ἦν ὁ λόγος· "],
    ["Hebrew with points", "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים. "],
    ["Thai", "ภาษาไทยที่น้ำหวาน "],
    ["Hindi", "हिन्दी क़लम. "],
    ["Zalgo", `Z${"\u0316\u0301\u0323".repeat(10)}algo `],
  ])("is as long as it may be in %s, however it is composed", (_, sample) => {
    const max = 100_000;
    const stored = sample.normalize("NFC");
    const value = stored.repeat(Math.floor(max / [...stored].length)).trim();
    expect(text({ max }).parse(value.normalize("NFD"))).toBe(value.normalize("NFC"));
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
