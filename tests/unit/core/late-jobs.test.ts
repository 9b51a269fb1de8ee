import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBackupLate, isLate } from "#core/time/late-jobs";
import { SCHEDULES } from "#functions/schedules";

const LONG_AGO = "2020-01-01T00:00:00Z";
const BUDGET_SECONDS = 60;

function late(cron: string, lastSuccess: string | null, now: string, knownSince = LONG_AGO): boolean {
  const lastSucceededAt = lastSuccess === null ? null : new Date(lastSuccess);
  return isLate(
    { cron, budgetSeconds: BUDGET_SECONDS },
    { knownSince: new Date(knownSince), lastSucceededAt },
    new Date(now),
  );
}

describe("a job is late", () => {
  const HOURLY = "cron(5 * * * ? *)";

  it("once it was due three times without a success, and the third run had time to finish", () => {
    const success = "2026-11-22T09:05:10Z";
    expect(late(HOURLY, success, "2026-11-22T11:59:00Z")).toBe(false);
    expect(late(HOURLY, success, "2026-11-22T12:05:59Z")).toBe(false);
    expect(late(HOURLY, success, "2026-11-22T12:06:00Z")).toBe(true);
  });

  it("until it succeeds again", () => {
    expect(late(HOURLY, "2026-11-22T12:20:00Z", "2026-11-22T12:21:00Z")).toBe(false);
  });

  it("never at night if it runs during a part of the day", () => {
    const nightly = "cron(0/10 2-8 * * ? *)";
    const success = "2026-11-21T08:50:20Z";
    expect(late(nightly, success, "2026-11-22T01:59:59Z")).toBe(false);
    expect(late(nightly, success, "2026-11-22T02:20:59Z")).toBe(false);
    expect(late(nightly, success, "2026-11-22T02:21:00Z")).toBe(true);
    expect(late(nightly, "2026-11-21T08:20:20Z", "2026-11-21T08:59:00Z")).toBe(true);
  });

  it("on the first of a month if it runs only then, and until the next one if none of its runs succeeded", () => {
    const monthly = "cron(0/15 0-2 1 * ? *)";
    const success = "2026-11-01T02:45:20Z";
    expect(late(monthly, success, "2026-11-30T23:59:59Z")).toBe(false);
    expect(late(monthly, success, "2026-12-01T00:30:59Z")).toBe(false);
    expect(late(monthly, success, "2026-12-01T00:31:00Z")).toBe(true);
    expect(late(monthly, success, "2026-12-24T00:00:00Z")).toBe(true);
    expect(late(monthly, "2027-01-01T00:00:20Z", "2027-01-01T00:01:00Z")).toBe(false);
  });

  it("after three weeks if it runs weekly", () => {
    const weekly = "cron(0 23 ? * SUN *)";
    const success = "2026-11-01T23:00:20Z";
    expect(late(weekly, success, "2026-11-22T23:00:59Z")).toBe(false);
    expect(late(weekly, success, "2026-11-22T23:01:00Z")).toBe(true);
  });

  it("without any success only once it was due three times since it is known", () => {
    expect(late(HOURLY, null, "2026-11-22T12:06:00Z", "2026-11-22T10:05:01Z")).toBe(false);
    expect(late(HOURLY, null, "2026-11-22T13:06:00Z", "2026-11-22T10:05:01Z")).toBe(true);
  });
});

it.each(SCHEDULES.map((schedule) => ({ name: schedule.name, schedule })))(
  "$name is not late right after a success, and once late it stays late until the next one",
  ({ schedule }) => {
    const moment = fc.date({ min: new Date("2024-01-01"), max: new Date("2030-01-01"), noInvalidDate: true });
    const history = (lastSucceededAt: Date) => ({ knownSince: new Date(LONG_AGO), lastSucceededAt });
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }), (success, days, more) => {
        expect(isLate(schedule, history(success), success)).toBe(false);
        const later = new Date(success.getTime() + days * 86_400_000);
        const evenLater = new Date(later.getTime() + more * 3_600_000);
        if (isLate(schedule, history(success), later)) {
          expect(isLate(schedule, history(success), evenLater)).toBe(true);
        }
      }),
    );
  },
);

describe("a backup is late", () => {
  const NOON = "2026-11-22T12:00:00Z";
  const isBackupLateAt = (now: string, lastSuccess: string | null, knownSince = LONG_AGO) =>
    isBackupLate(
      { knownSince: new Date(knownSince), lastSucceededAt: lastSuccess === null ? null : new Date(lastSuccess) },
      new Date(now),
    );

  it("26 hours after the last one", () => {
    expect(isBackupLateAt("2026-11-23T14:00:00Z", NOON)).toBe(false);
    expect(isBackupLateAt("2026-11-23T14:00:01Z", NOON)).toBe(true);
  });

  it("26 hours after one was first expected, if there was none", () => {
    expect(isBackupLateAt("2026-11-23T14:00:00Z", null, NOON)).toBe(false);
    expect(isBackupLateAt("2026-11-23T14:00:01Z", null, NOON)).toBe(true);
  });
});
