import { addDays } from "@nectar/core/calendar-date";
import { localDayEnd, windowInstants } from "@nectar/core/game/time";
import { expect, it } from "vitest";
import { useActing } from "../support/acting.ts";

const acting = useActing();

/** Zones whose clocks change at midnight, or by half an hour, or did so within the years below. */
const ODD_ZONES = [
  "America/Havana",
  "America/Asuncion",
  "America/Santiago",
  "America/Nuuk",
  "America/Scoresbysund",
  "Atlantic/Azores",
  "Africa/Cairo",
  "Asia/Beirut",
  "Asia/Gaza",
  "Australia/Lord_Howe",
  "Europe/Berlin",
  "Pacific/Chatham",
];

interface Case {
  readonly date: string;
  readonly timezone: string;
}

/** Every day of a year for the odd ones, every ninth for all others. */
function cases(): Case[] {
  const year = Array.from({ length: 365 }, (_, index) => addDays("2026-01-01", index));
  const others = Intl.supportedValuesOf("timeZone").filter((zone) => !ODD_ZONES.includes(zone));
  return [
    ...ODD_ZONES.flatMap((timezone) => year.map((date) => ({ date, timezone }))),
    ...others.flatMap((timezone, index) =>
      year.filter((_, day) => (day + index) % 9 === 0).map((date) => ({ date, timezone })),
    ),
  ];
}

/** Minutes that a zone is ahead of UTC, as Node knows it. */
function offsetInNode(timezone: string, moment: number): number {
  const parts = new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "longOffset" }).formatToParts(moment);
  const [, sign, hours, minutes] =
    /GMT(?:([+-])(\d\d):(\d\d))?/.exec(parts.find(({ type }) => type === "timeZoneName")?.value ?? "") ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

it("ends a day in SQL when the rules of time say that it ends, in every zone", async () => {
  const all = cases().map((one) => {
    const times = { start: "10:00", end: "12:00", timezone: one.timezone };
    return {
      ...one,
      endsAt: windowInstants(times, one.date).endsAt.toISOString(),
      dayEnd: localDayEnd(one.date, times).getTime(),
    };
  });
  const { rows } = await acting.admin.query<{ day_end: Date; offset: number }>(
    `select private.local_day_end(c.ends_at, c.zone) as day_end,
       (extract(epoch from (c.day_end at time zone c.zone) - (c.day_end at time zone 'UTC')) / 60)::integer as offset
     from unnest($1::timestamptz[], $2::text[], $3::timestamptz[]) with ordinality c (ends_at, zone, day_end, place)
     order by c.place`,
    [
      all.map(({ endsAt }) => endsAt),
      all.map(({ timezone }) => timezone),
      all.map(({ dayEnd }) => new Date(dayEnd).toISOString()),
    ],
  );
  expect(rows).toHaveLength(all.length);
  const differing = all.filter(({ dayEnd }, index) => rows[index]?.day_end.getTime() !== dayEnd);
  // The two programs may know another state of the world's zones: then they disagree about the clock itself.
  const offsets = new Map(all.map((one, index) => [one, rows[index]?.offset]));
  expect(
    differing
      .filter((one) => offsets.get(one) === offsetInNode(one.timezone, one.dayEnd))
      .map(({ date, timezone }) => `${timezone} ${date}`),
  ).toEqual([]);
  expect(differing.length).toBeLessThan(all.length / 100);
}, 120_000);
