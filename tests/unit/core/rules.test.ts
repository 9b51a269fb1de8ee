import { describe, expect, it } from "vitest";
import { AppError, allErrorCodes, sentenceOf, statusOf } from "#core/errors";
import { sharingProblems } from "#core/people/visibility";
import { WebLink } from "#core/text/links";
import { canonicalTimeZone } from "#core/time/time-zone";
import { endOfRange, startOfRange } from "#core/time/utc-day";

describe("the catalogue of errors", () => {
  it("has dotted lower-case codes, each with a status and a sentence, which errors with the code have", () => {
    for (const code of allErrorCodes()) {
      expect(code).toMatch(/^[a-z_]+\.[a-z_]+$/);
      expect(sentenceOf(code)).toMatch(/^[A-Z].{5,78}\.$/);
      expect(new AppError(code)).toMatchObject({ status: statusOf(code), message: sentenceOf(code) });
      expect([400, 401, 402, 403, 404, 405, 409, 410, 412, 413, 415, 422, 429, 500, 503]).toContain(statusOf(code));
    }
  });
});

describe("a time zone", () => {
  it.each([
    ["UTC", "UTC"],
    ["GMT", "UTC"],
    ["etc/zulu", "UTC"],
    ["Europe/Zurich", "Europe/Zurich"],
    ["europe/kiev", "Europe/Kyiv"],
    ["Asia/Calcutta", "Asia/Kolkata"],
    ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
    ["US/Pacific", "America/Los_Angeles"],
    ["Japan", "Asia/Tokyo"],
    ["ROK", "Asia/Seoul"],
    ["Etc/GMT+5", "Etc/GMT+5"],
  ])("can be %s, which is %s today", (spelling, zone) => {
    expect(canonicalTimeZone(spelling)).toBe(zone);
  });

  it.each(["EST", "CET", "pst8pdt", "+01:00", "Europe", "Europe/Atlantis", "SystemV/EST5", "", "Europe/Zurich "])(
    "cannot be '%s'",
    (zone) => {
      expect(canonicalTimeZone(zone)).toBeNull();
    },
  );
});

describe("a range that includes its end", () => {
  it("ends at the next midnight for a date, also across months and leap days", () => {
    expect(endOfRange("2026-03-01")).toBe("2026-03-02T00:00:00.000Z");
    expect(endOfRange("2028-02-28")).toBe("2028-02-29T00:00:00.000Z");
    expect(endOfRange("2026-12-31")).toBe("2027-01-01T00:00:00.000Z");
  });

  it("starts at the given time in UTC, with any offset", () => {
    expect(startOfRange("2026-03-01")).toBe("2026-03-01T00:00:00.000Z");
    expect(startOfRange("2026-03-01T00:30:00+23:59")).toBe("2026-02-28T00:31:00.000Z");
  });

  it("ends a millisecond after a timestamp, with any offset", () => {
    expect(endOfRange("2026-03-01T10:00:00+02:00")).toBe("2026-03-01T08:00:00.001Z");
  });
});

describe("sharing", () => {
  const nothing = { metadata_visibility: "user", content_visibility: "user", team_id: null, org_id: null } as const;
  it("is complete if it names the team and organization that its levels need", () => {
    const problems = (given: object) => sharingProblems({ ...nothing, ...given }).map(({ field }) => field);
    expect(problems({})).toEqual([]);
    expect(problems({ metadata_visibility: "team" })).toEqual(["team_id"]);
    expect(problems({ content_visibility: "org", metadata_visibility: "team" })).toEqual(["team_id", "org_id"]);
    expect(problems({ content_visibility: "org", org_id: "x" })).toEqual([]);
  });
});

describe("a link", () => {
  it.each(["https://example.org/a?b=c", "http://127.0.0.1:9/x.png"])("can be %s", (link) => {
    expect(WebLink.safeParse(link).success).toBe(true);
  });
  it.each([
    "javascript:alert(1)",
    "data:image/png;base64,AA",
    "ftp://x.org",
    "/relative",
    "",
    "https://",
    `https://x.org/${"a".repeat(2048)}`,
  ])("cannot be %s", (link) => {
    expect(WebLink.safeParse(link).success).toBe(false);
  });
});
