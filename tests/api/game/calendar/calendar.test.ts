import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localDayEnd, windowInstants } from "#core/game/time";
import { addDays, dateIn } from "#core/time/calendar-date";
import { reviewCheckIn } from "#functions/game/check-ins/review";
import { decideAppeal } from "#functions/safety/appeals/appeals";
import { useApi } from "#tests/api";
import { LONG } from "#tests/long";
import { beforeTests } from "#tests/prepare";
import { GAME, gameOf } from "../chain-scene.ts";
import { playDay } from "../game-days.ts";
import { expected } from "./reference.ts";

const api = useApi();
const game = gameOf(api);
const FIRST = "2031-03-03";
const DAYS = 130;
const dates = Array.from({ length: DAYS }, (_, day) => addDays(FIRST, day));
const last = addDays(FIRST, DAYS - 1);
const NOTHING = { current: 0, longest: 0, since: null, freezesHeld: 0, nextFreezeIn: null, atRisk: false };

describe("GET /api/workout-window/streak and /calendar", () => {
  it("are zeros and none without a window", async () => {
    const person = await api.person();
    expect(await api.get(`${GAME}/streak`, person).ok()).toEqual({ streak: NOTHING });
    const { days } = await api.get(`${GAME}/calendar?from=2031-01-01&to=2031-01-02`, person).ok();
    const none = { state: "none", chips: 0, checkinId: null };
    expect(days).toEqual([
      { date: "2031-01-01", ...none },
      { date: "2031-01-02", ...none },
    ]);
  });

  it("freeze a failed day, and end the streak on the next one", async () => {
    api.at(`${FIRST}T03:00:00Z`);
    const ada = await game.player("Ulm", 12);
    expect((await api.get(`${GAME}/streak`, ada).ok()).streak).toEqual({
      ...NOTHING,
      freezesHeld: 1,
      nextFreezeIn: 7,
    });
    await api.query`delete from nectar.chains where user_id = ${ada.id}`;
    for (const day of [0, 2]) {
      await playDay(api, { person: ada, date: addDays(FIRST, day), team: "red", status: "verified", chips: 2 });
    }
    for (const day of [1, 3]) await playDay(api, { person: ada, date: addDays(FIRST, day), team: "red" });
    api.at(`${addDays(FIRST, 3)}T11:00:00Z`);
    const atRisk = { current: 2, longest: 2, since: FIRST, freezesHeld: 0, nextFreezeIn: 5, atRisk: true };
    expect((await api.get(`${GAME}/streak`, ada).ok()).streak).toEqual(atRisk);
    api.at(`${addDays(FIRST, 3)}T15:00:00Z`);
    expect((await api.get(`${GAME}/streak`, ada).ok()).streak).toMatchObject({ current: 0, longest: 2, since: null });
    const { days } = await api.get(`${GAME}/calendar`, ada).ok();
    expect(days).toHaveLength(30);
    expect(days.slice(-5).map(({ state, chips }) => [state, chips])).toEqual([
      ["none", 0],
      ["completed", 2],
      ["frozen", 0],
      ["completed", 2],
      ["failed", 0],
    ]);
  });

  it("refuses an empty range and more than 366 days", async () => {
    const person = await api.person();
    await api.get(`${GAME}/calendar?from=2031-02-01&to=2031-01-31`, person).invalid("from");
    await api.get(`${GAME}/calendar?from=2031-01-01&to=2032-01-02`, person).invalid("from");
    await api.get(`${GAME}/calendar?from=yesterday`, person).invalid("from");
    const { days } = await api.get(`${GAME}/calendar?from=2031-01-01&to=2032-01-01`, person).ok();
    expect(days).toHaveLength(366);
  });
});

const admin = beforeTests(() => api.person({ role: "admin" }));
const other = beforeTests(() => api.person({ role: "admin" }));
const someDate = fc.constantFrom(...dates);
const history = fc.record({
  timezone: fc.constantFrom("UTC", "America/Los_Angeles", "Pacific/Kiritimati", "Australia/Lord_Howe"),
  hour: fc.nat(23),
  days: fc.array(fc.constantFrom("verified", "verified", "verified", "pending", "rejected", "missed", "unmatched"), {
    minLength: DAYS,
    maxLength: DAYS,
  }),
  gap: fc.option(fc.nat(DAYS)),
  away: fc.array(fc.record({ from: someDate, days: fc.integer({ min: 1, max: 95 }) }), { maxLength: 2 }),
  rests: fc.uniqueArray(
    fc.record({ from: someDate, weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 2 }) }),
    { selector: ({ from }) => from, maxLength: 3 },
  ),
  reviews: fc.array(
    fc.record({
      day: fc.nat(DAYS - 1),
      status: fc.constantFrom("verified", "rejected"),
      isAppealed: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  minutes: fc.nat(2 * 24 * 60),
});

it("agree with a reference that shares no code with them, after reviews and appeals in any order", async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ timezone, hour, days, gap, away, rests, reviews, minutes }) => {
      const person = await api.person();
      const clock = (of: number) => `${String(of % 24).padStart(2, "0")}:00`;
      const times = { start: clock(hour), end: clock(hour + 2), timezone };
      const ordered = rests.toSorted((one, other) => one.from.localeCompare(other.from));
      const ranges = away.map(({ from, days: length }) => `[${from},${addDays(from, length)})`);
      const rows = dates.flatMap((date, day) => {
        const status = days[day];
        if (status === undefined || status === "unmatched" || (gap !== null && day >= gap)) return [];
        const { startsAt, endsAt } = windowInstants(times, date);
        return [{ date, status, startsAt, endsAt, dayEndsAt: localDayEnd(date, times) }];
      });
      await api.query`insert into nectar.workout_windows
          (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from, away, rest_days)
        values (${person.id}, 'walk', ${times.start}, ${times.end}, ${timezone}, ${FIRST},
          ${`{${ranges.join(",")}}`}::datemultirange, ${JSON.stringify(ordered)}::jsonb)`;
      await api.query`insert into nectar.chains (date, user_id, team_color, area_key, activity_type, timezone,
          window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
        select r.date, ${person.id}, 'red', 'city:test', 'walk', ${timezone}, ${times.start}, ${times.end},
          r."startsAt", r."endsAt", r."dayEndsAt"
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          r (date date, "startsAt" timestamptz, "endsAt" timestamptz, "dayEndsAt" timestamptz)`;
      await api.query`insert into nectar.workout_checkins
          (user_id, date, activity_type, status, chain_status, team_color, battle_week_start, verified_at)
        select ${person.id}, r.date, 'walk', r.status::nectar.checkin_status, 'broken', 'red',
          private.week_start(r.date), case when r.status = 'verified' then now() end
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r (date date, status text) where r.status <> 'missed'`;
      const now = new Date(windowInstants(times, last).startsAt.getTime() + (minutes - 24 * 60) * 60_000);
      const moment = { now, graceMinutes: 15 };
      for (const { day, status, isAppealed } of reviews) {
        const [found] = await api.query<{ id: string }>`select id from nectar.workout_checkins
          where user_id = ${person.id} and date = ${dates[day]} and status <> ${status}`;
        if (found === undefined) continue;
        const review = { status, reason: "The photo shows something else." } as const;
        await api.database.asService((tx) => reviewCheckIn(tx, admin.id, found.id, review, moment));
        if (status === "verified" || !isAppealed) continue;
        const { id } = await api.one<{ id: string }>`
          insert into nectar.moderation_appeals (decision_id, owner_id, reason, created_at)
          select d.id, d.owner_id, 'It is the photo of that day.', ${now} from nectar.moderation_decisions d
          where d.target_id = ${found.id} and d.id not in (select decision_id from nectar.moderation_appeals)
          limit 1 returning id`;
        const answer = { decision: "reverse", answer: "We looked at it again." } as const;
        await api.database.asService((tx) => decideAppeal(tx, other.id, id, answer, moment));
      }
      const stored = await api.query<{ date: string; status: string; chips: number }>`
        select date::text, status, battle_chips_earned as chips from nectar.workout_checkins where user_id = ${person.id}`;
      const facts = {
        today: dateIn(timezone, now),
        now: now.getTime(),
        matched: new Map(
          rows.map(({ date, startsAt, endsAt, dayEndsAt }) => [
            date,
            { startsAt: startsAt.getTime(), endsAt: endsAt.getTime(), dayEndsAt: dayEndsAt.getTime() },
          ]),
        ),
        checkIns: new Map(stored.map(({ date, ...checkIn }) => [date, checkIn])),
        away,
        rests,
      };
      const { states, streak } = expected(facts, FIRST);
      api.at(now.toISOString());
      expect((await api.get(`${GAME}/streak`, person).ok()).streak).toEqual(streak);
      const { days: shown } = await api.get(`${GAME}/calendar?from=${FIRST}&to=${addDays(last, 3)}`, person).ok();
      for (const { date, state, chips } of shown) {
        expect([date, state]).toEqual([date, states.get(date) ?? "none"]);
        expect(chips).toBe(state === "completed" ? facts.checkIns.get(date)?.chips : 0);
      }
      // The plans that PostgreSQL has kept are those for few rows.
      await api.query`delete from auth.users where id = ${person.id}`;
    }),
    { numRuns: LONG ? 10_000 : 10 },
  );
});
