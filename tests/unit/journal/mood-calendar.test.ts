import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MOODS } from "#core/assistant/moods";
import { drawMoodCalendar, type MoodDay } from "#journal/mood-calendar";

const day = (fields: Partial<MoodDay> = {}): MoodDay => ({ date: "2026-03-01", entries: 1, mood: "joyful", ...fields });

/** The squares of a picture by their titles, with the kind that each shows. */
function squaresOf(svg: string): { kind: string; title: string }[] {
  return [...svg.matchAll(/<use href="#(\w+)"[^>]*><title>([^<]*)<\/title><\/use>/g)].map(
    ([, kind = "", title = ""]) => ({
      kind,
      title,
    }),
  );
}

describe("the picture of a year", () => {
  it.each([
    [2026, 365],
    [2024, 366],
    [1900, 365],
  ])("%i has %i squares, each with its date", (year, days) => {
    const dates = squaresOf(drawMoodCalendar(year, [])).map(({ title }) => title.slice(0, 10));
    expect(dates).toHaveLength(days);
    expect(dates).toEqual([...new Set(dates)].toSorted());
    expect([dates[0], dates.at(-1)]).toEqual([`${year}-01-01`, `${year}-12-31`]);
  });

  it("begins each week on Monday", () => {
    const svg = drawMoodCalendar(2026, []);
    const column = (date: string) => new RegExp(`x="(\\d+)" y="\\d+"><title>${date}`).exec(svg)?.[1];
    for (const monday of ["2026-06-01", "2026-11-23", "2026-12-07"]) expect(column(monday)).toBe("0");
    expect(column("2026-11-22")).toBe("108");
  });

  it.each(MOODS)("shows $name as $category, in upper or lower case", ({ name, category }) => {
    const svg = drawMoodCalendar(2026, [day({ mood: name.toUpperCase(), entries: 2 })]);
    expect(squaresOf(svg)).toContainEqual({
      kind: category,
      title: `2026-03-01: ${name.toUpperCase()} (${category}), 2 entries`,
    });
  });

  it("distinguishes other moods, days without a mood and days without an entry", () => {
    const svg = drawMoodCalendar(2026, [day({ mood: "wistful" }), day({ date: "2026-03-02", mood: null })]);
    expect(squaresOf(svg).slice(59, 62)).toEqual([
      { kind: "other", title: "2026-03-01: wistful, 1 entry" },
      { kind: "without_mood", title: "2026-03-02: no mood, 1 entry" },
      { kind: "nothing", title: "2026-03-03: no entry" },
    ]);
  });

  it("is described in words, for the year and for each month with an entry", () => {
    const svg = drawMoodCalendar(2026, [
      day(),
      day({ date: "2026-03-02", mood: "sad" }),
      day({ date: "2026-11-22", mood: null }),
    ]);
    expect(svg).toContain('role="img" aria-labelledby="title description"');
    expect(svg).toContain('<title id="title">Mood calendar of 2026</title>');
    expect(svg).toContain(
      '<desc id="description">A square for each day. Days with an entry, by the category of their mood: 1 positive, 1 negative, 1 no mood. March: 1 positive, 1 negative. November: 1 no mood.</desc>',
    );
    expect(drawMoodCalendar(2026, [])).toContain("No day of this year has an entry.");
  });

  it("has a shape of its own for each kind in the legend, so that it does not depend on color", () => {
    const svg = drawMoodCalendar(2026, []);
    const shapes = [...svg.matchAll(/<g id="(\w+)">(.*)<\/g>/g)].map(([, id, shape = ""]) => ({
      id,
      shape: shape.replaceAll(/var\(--\w+\)/g, ""),
    }));
    expect(shapes.map(({ id }) => id)).toEqual(["positive", "neutral", "negative", "other", "without_mood", "nothing"]);
    expect(new Set(shapes.map(({ shape }) => shape)).size).toBe(shapes.length);
    for (const { id } of shapes) expect(svg).toMatch(new RegExp(`<use href="#${id}" x="\\d+" y="\\d+"/><text`));
  });

  it("is XML without a script or an address, whatever a mood says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 50 }), (mood) => {
        const svg = drawMoodCalendar(2026, [day({ mood })]);
        const title = svg.match(/<title>2026-03-01: (.*), 1 entry<\/title>/su)?.[1] ?? "";
        expect(title).not.toBe("");
        expect(title).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u);
      }),
    );
    const hostile = drawMoodCalendar(2026, [day({ mood: "</title><script>alert(1)</script>&" })]);
    expect(hostile).toContain("&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;");
    expect(hostile).not.toMatch(/<script|\son\w+=|url\(|@import|<image|<foreignObject/);
    expect(hostile.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/https?:|href="[^#]/);
  });
});

describe.each(["light", "dark"])("in the %s scheme", (scheme) => {
  const blocks = [...drawMoodCalendar(2026, []).matchAll(/:root\{([^}]*)\}/g)].map(([, block = ""]) => block);
  const block = blocks[scheme === "light" ? 0 : 1] ?? "";
  const colors = new Map(
    [...block.matchAll(/--(\w+):(#[0-9a-f]{6})/g)].map(([, name = "", color = ""]) => [name, color]),
  );
  const contrast = (one: string, other: string) => contrastOf(colors.get(one) ?? "", colors.get(other) ?? "");

  it("text has a contrast of at least 4.5", () => {
    expect(contrast("text", "background")).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["positive", "neutral", "negative", "other"])(
    "a %s square and its mark have a contrast of at least 3",
    (kind) => {
      expect(contrast(kind, "background")).toBeGreaterThanOrEqual(3);
      expect(contrast("mark", kind)).toBeGreaterThanOrEqual(3);
    },
  );

  it("days without a mood and without an entry have a contrast of at least 3", () => {
    expect(contrast("line", "background")).toBeGreaterThanOrEqual(3);
  });
});

/** The contrast ratio of WCAG 2. @param one #rrggbb */
function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
