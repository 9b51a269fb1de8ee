import fc from "fast-check";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { parseInt8, parseTimestamptz, valueTypes } from "#database/value-types";

describe("a timestamp from PostgreSQL", () => {
  it("is RFC 3339 in UTC with milliseconds, for any number of fractional digits", () => {
    expect(parseTimestamptz("2026-11-21 01:13:54+00")).toBe("2026-11-21T01:13:54.000Z");
    expect(parseTimestamptz("2026-11-21 01:13:54.2+00")).toBe("2026-11-21T01:13:54.200Z");
    expect(parseTimestamptz("2026-11-21 01:13:54.123456+00")).toBe("2026-11-21T01:13:54.123Z");
  });

  it("is the same moment, for any moment", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }), (date) => {
        const text = date.toISOString().replace("T", " ").replace("Z", "+00");
        return parseTimestamptz(text) === date.toISOString();
      }),
    );
  });

  it.each(["infinity", "-infinity", "2026-11-21 01:13:54+02", "2026-11-21 01:13:54", "0044-03-15 12:00:00+00 BC"])(
    "that is not in UTC, or no moment, is an error: %s",
    (text) => {
      expect(() => parseTimestamptz(text)).toThrow();
    },
  );
});

describe("a number from PostgreSQL", () => {
  it("is a number if that is exact, else an error", () => {
    expect(parseInt8("9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
    for (const text of ["9007199254740992", "-9223372036854775808"]) expect(() => parseInt8(text)).toThrow();
  });

  it("with decimals stays a string, and a date stays a date", () => {
    const parse = (oid: number, text: string) => valueTypes.getTypeParser(oid, "text")(text);
    expect(parse(pg.types.builtins.NUMERIC, "0.1000000000000000000001")).toBe("0.1000000000000000000001");
    expect(parse(pg.types.builtins.DATE, "2026-02-28")).toBe("2026-02-28");
    expect(parse(pg.types.builtins.BOOL, "t")).toBe(true);
  });
});
