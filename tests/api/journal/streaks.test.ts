import fc from "fast-check";
import { expect, it } from "vitest";
import { readStats } from "#functions/journal/stats";
import { useApi } from "#tests/api";
import { LONG } from "#tests/long";
import { beforeTests } from "#tests/prepare";

const HISTORIES = LONG ? 10_000 : 100;

const api = useApi();
const ada = beforeTests(() => api.person());
/** Zones that both Node and PostgreSQL know. */
const known = beforeTests(async () => {
  const rows = await api.query<{ name: string }>`select name from pg_timezone_names`;
  const names = new Set(rows.map(({ name }) => name));
  return { zones: [...Intl.supportedValuesOf("timeZone"), "UTC"].filter((zone) => names.has(zone)) };
});

const DAY = 86_400_000;
const FIRST_NOW = Date.UTC(2012, 0, 1);

/** Days before today (tomorrow is -1), with more or fewer gaps, and a range of days around them. */
const history = fc.record({
  zone: fc.nat(),
  now: fc.integer({ min: FIRST_NOW, max: Date.UTC(2026, 0, 1) }),
  gaps: fc.array(fc.constantFrom(1, 1, 1, 1, 2, 3, 9), { maxLength: 40 }),
  latest: fc.constantFrom(-1, -1, 0, 0, 0, 1, 1, 2, 5),
  to: fc.constantFrom(-2, -1, 0, 0, 0, 1, 2, 4),
  length: fc.integer({ min: 1, max: 60 }),
});

/** The streaks as one counts them on a calendar, day by day. */
function countOnCalendar(
  written: ReadonlySet<number>,
  { from, to, today }: { from: number; to: number; today: number },
) {
  const has = (day: number) => day >= from && day <= to && written.has(day);
  let longest = 0;
  for (let day = from, run = 0; day <= to; day += 1) {
    run = has(day) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  let current = 0;
  for (let day = has(today) ? today : today - 1; has(day); day -= 1) current += 1;
  return { current, longest };
}

/** The number of the day since 1970 that a calendar in a zone shows. */
function dayIn(zone: string, now: number): number {
  const shown = new Date(now).toLocaleDateString("sv-SE", { timeZone: zone });
  return Date.parse(`${shown}T00:00:00Z`) / DAY;
}

const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

it(`streaks are what one counts on a calendar, in ${HISTORIES} random histories and time zones`, async () => {
  const seen = { none: 0, endsToday: 0, endedYesterday: 0, cutByRange: 0, afterToday: 0 };
  await fc.assert(
    fc.asyncProperty(history, async (plan) => {
      const zone = known.zones[plan.zone % known.zones.length] ?? "";
      const today = dayIn(zone, plan.now);
      const written = new Set<number>();
      for (let index = 0, day = today - plan.latest; index < plan.gaps.length; index += 1) {
        written.add(day);
        day -= plan.gaps[index] ?? 1;
      }
      const to = today - plan.to;
      const from = to - plan.length + 1;
      await api.query`delete from nectar.journal_entries where user_id = ${ada.id}`;
      await api.query`update nectar.accounts set timezone = ${zone} where user_id = ${ada.id}`;
      await api.query`insert into nectar.journal_entries (user_id, title, entry_date)
          select ${ada.id}, 't', d::date from unnest(${[...written].map(dateOf)}::text[]) d`;
      const range = { from: dateOf(from), to: dateOf(to) };
      const stats = await api.database.asUser(ada.id, (tx) => readStats(tx, range, new Date(plan.now)));
      const expected = countOnCalendar(written, { from, to, today });
      expect({ current: stats.current_streak, longest: stats.longest_streak }).toEqual(expected);
      if (expected.current === 0) seen.none += 1;
      else if (written.has(today) && to >= today) seen.endsToday += 1;
      else seen.endedYesterday += 1;
      if (expected.current > 0 && written.has(from) && written.has(from - 1)) seen.cutByRange += 1;
      if (expected.current > 0 && written.has(today + 1) && to > today) seen.afterToday += 1;
    }),
    { numRuns: HISTORIES },
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
});
