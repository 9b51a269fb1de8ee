import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backupsToKeep, isBackupDue } from "#ops/backup/nights";

const night = (date: string) => new Date(`${date}T02:00:07Z`);
const datesOf = (backups: readonly Date[]) => backupsToKeep(backups).map((at) => at.toISOString().slice(0, 10));
/** A backup of each night up to and including a date. */
const nights = (count: number, last: string) =>
  Array.from({ length: count }, (_, days) => new Date(night(last).getTime() - days * 86_400_000));

describe("the backups to keep", () => {
  it("are the last ones of seven days, four weeks and six months", () => {
    // 2026-11-29 is a Sunday.
    expect(datesOf(nights(400, "2026-11-29"))).toEqual([
      ...["2026-11-29", "2026-11-28", "2026-11-27", "2026-11-26", "2026-11-25", "2026-11-24", "2026-11-23"],
      ...["2026-11-22", "2026-11-15", "2026-11-08"],
      ...["2026-10-31", "2026-09-30", "2026-08-31", "2026-07-31", "2026-06-30"],
    ]);
  });

  it("are the same after every night as if all backups were still there", () => {
    let kept: Date[] = [];
    for (const at of nights(400, "2026-11-29").reverse()) kept = backupsToKeep([...kept, at]);
    expect(kept).toEqual(backupsToKeep(nights(400, "2026-11-29")));
  });

  it("are the last one of a day with several", () => {
    const twice = ["2026-11-29T02:00:00Z", "2026-11-29T14:00:00Z", "2026-11-29T09:00:00Z"].map((at) => new Date(at));
    expect(backupsToKeep(twice)).toEqual([twice[1]]);
  });

  it("are not given up while there are no new ones", () => {
    expect(datesOf([night("2024-02-29"), night("2026-11-29")])).toEqual(["2026-11-29", "2024-02-29"]);
  });

  it("are seventeen at most, among them the newest", () => {
    const min = new Date("2020-01-01");
    fc.assert(
      fc.property(
        fc.array(fc.date({ min, max: new Date("2030-01-01"), noInvalidDate: true }), { minLength: 1 }),
        (backups) => {
          const kept = backupsToKeep(backups);
          expect(kept.length).toBeLessThanOrEqual(17);
          expect(kept[0]?.getTime()).toBe(Math.max(...backups.map((at) => at.getTime())));
        },
      ),
    );
  });
});

describe("a backup is due", () => {
  const isDue = (last: string, now: string, hour: number) => isBackupDue(new Date(last), new Date(now), hour);

  it("at once if there is none", () => {
    expect(isBackupDue(null, new Date("2026-11-29T15:00:00Z"), 2)).toBe(true);
  });

  it("once a day from its hour on, also the day after if it was missed", () => {
    expect(isDue("2026-11-28T02:10:00Z", "2026-11-29T01:59:59Z", 2)).toBe(false);
    expect(isDue("2026-11-28T02:10:00Z", "2026-11-29T02:00:00Z", 2)).toBe(true);
    expect(isDue("2026-11-29T02:00:00Z", "2026-11-29T23:59:59Z", 2)).toBe(false);
    expect(isDue("2026-11-28T01:59:00Z", "2026-11-29T01:00:00Z", 2)).toBe(true);
    expect(isDue("2026-11-28T23:00:00Z", "2026-11-29T00:30:00Z", 0)).toBe(true);
    expect(isDue("2026-11-28T23:00:00Z", "2026-11-29T22:59:00Z", 23)).toBe(false);
  });
});
