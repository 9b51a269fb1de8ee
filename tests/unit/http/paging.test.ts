import { describe, expect, it } from "vitest";
import * as z from "zod";
import { MosaicQuery } from "#functions/game/mosaics/schema";
import { MAX_PAGE_BYTES, PageQuery, pageFields, pageOf, sentBytes, withSignedUrl } from "#http/response/paging";

const LISTS = [
  ["a list", z.object(pageFields()), 100, 500],
  ["a list with bounds of its own", z.object(pageFields({ default: 50, max: 100 })), 50, 100],
  ["a mosaic", MosaicQuery, 20_000, 20_000],
] as const;

describe.each(LISTS)("the limit of %s", (_, schema, byDefault, max) => {
  const limitOf = (text: string) => schema.safeParse({ limit: text }).data?.limit;

  it("is as requested, or the default", () => {
    expect(limitOf("1")).toBe(1);
    expect(limitOf("007")).toBe(7);
    expect(limitOf(String(max))).toBe(max);
    expect(schema.parse({}).limit).toBe(byDefault);
  });

  it.each([10, 20, 400, 100_000])("is lowered to the maximum if it has %i digits", (digits) => {
    expect(limitOf("9".repeat(digits))).toBe(max);
    expect(limitOf(`1${"0".repeat(digits - 1)}`)).toBe(max);
  });

  it.each(["", "0", "0".repeat(400), "-1", "+1", "1.5", "1e3", "0x10", " 1", "1\n", "ten", "١"])(
    "is refused if it is %j",
    (text) => {
      expect(schema.safeParse({ limit: text }).success).toBe(false);
    },
  );
});

describe("a page", () => {
  const returned = (rows: readonly unknown[]) =>
    Buffer.byteLength(JSON.stringify({ body: JSON.stringify({ rows, next_cursor: null }) }));
  const row = (n: number, text: string) => ({ id: uuid(n), at: "2026-01-01T00:00:00.000Z", text });
  const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const cursorOf = ({ at, id }: { at: string; id: string }) => ({ at, id });
  /** Reads a whole list page by page, as a client does. */
  function pagesOf<Row extends { at: string; id: string }>(rows: readonly Row[], limit: number) {
    const pages: Row[][] = [];
    let from = 0;
    for (;;) {
      const page = pageOf(rows.slice(from, from + limit + 1), limit, cursorOf);
      pages.push([...page.rows]);
      if (page.next_cursor === null) return pages;
      const { cursor } = PageQuery.parse({ cursor: page.next_cursor });
      from = rows.findIndex(({ id }) => id === cursor?.id) + 1;
    }
  }

  it("ends after limit small rows", () => {
    const rows = Array.from({ length: 5 }, (_, n) => row(n, "small"));
    expect(pagesOf(rows, 2).map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pageOf(rows, 5, cursorOf).next_cursor).toBeNull();
  });

  it.each([
    ["letters", "a"],
    ["characters outside the basic plane", "\u{1F41D}"],
    ["control characters", "\u0001"],
    ["quotes", '"'],
    ["backslashes", "\\"],
  ])("ends before it is too large because of %s, and no row is lost", (_, character) => {
    const rows = Array.from({ length: 45 }, (_, n) => row(n, character.repeat(100_000)));
    const pages = pagesOf(rows, 43);
    expect(pages.flat().map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    for (const [index, page] of pages.entries()) {
      expect(returned(page)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
      const next = pages[index + 1]?.[0];
      if (next !== undefined && page.length < 43)
        expect(returned([...page, next])).toBeGreaterThan(0.99 * MAX_PAGE_BYTES);
    }
  });

  it("has at least one row, however large", () => {
    const rows = [row(1, "a".repeat(2 * MAX_PAGE_BYTES)), row(2, "small")];
    expect(pagesOf(rows, 10).map((page) => page.length)).toEqual([1, 1]);
  });

  it("measures what is sent for a row, not the row itself", () => {
    const rows = Array.from({ length: 3 }, (_, n) => row(n, "small"));
    const large = () => "a".repeat(0.6 * MAX_PAGE_BYTES);
    expect(pageOf(rows, 3, cursorOf, large).rows).toHaveLength(1);
    expect(sentBytes(JSON.stringify(withSignedUrl(rows[0])))).toBeGreaterThan(2_000);
  });

  it("measures text exactly as Lambda returns it", () => {
    for (const text of ["plain", 'a "quoted" \\ backslash', "\u0001\n\u{1F41D}\u20AC\u00E9"]) {
      const json = JSON.stringify(text);
      expect(sentBytes(json)).toBe(Buffer.byteLength(JSON.stringify(json)) - 2);
    }
  });
});
