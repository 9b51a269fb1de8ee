import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localDayEnd, windowInstants } from "#core/game/time";
import { addDays, dateIn, utcDate, weekdayOf } from "#core/time/calendar-date";
import { useApi } from "#tests/api";
import { LONG } from "#tests/long";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { GAME } from "../chain-scene.ts";
import { playDay } from "../game-days.ts";

const api = useApi();
const ZONES = ["UTC", "America/Los_Angeles", "Pacific/Kiritimati", "Australia/Lord_Howe"];
/** A leap year, so that 28 February is followed by another day of February. */
const MIDDLE = "2024-02-28";

const sender = beforeTests(() => api.person());
const today = async (person: Pick<Person, "token">) => (await api.get("/api/today", person).ok()).today;

/** Sets a window of two hours from a full hour on, without the matching that a request would do. */
async function setWindow(
  { id }: Person,
  { hour = 12, timezone = "UTC", away = "{}", rests = [] as object[], from = "2031-01-01" },
): Promise<void> {
  await api.query`insert into nectar.workout_windows
      (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from, away, rest_days)
    values (${id}, 'walk', ${clock(hour)}, ${clock(hour + 2)}, ${timezone}, ${from}, ${away}::datemultirange,
      ${JSON.stringify(rests)}::jsonb)`;
}

function clock(hour: number): string {
  return `${String(hour % 24).padStart(2, "0")}:00`;
}

const offset = (min: number, max: number) => fc.integer({ min, max });
const weekdays = fc.uniqueArray(offset(1, 7), { minLength: 1, maxLength: 7 });
const someone = fc.record({
  timezone: fc.constantFrom(...ZONES),
  day: offset(-2, 3),
  minute: fc.nat(24 * 60 - 1),
  window: fc.option(
    fc.record({
      hour: fc.nat(23),
      timezone: fc.constantFrom(...ZONES),
      firstDay: offset(-30, 3),
      away: fc.array(fc.record({ from: offset(-9, 9), days: fc.option(offset(1, 40)) }), { maxLength: 2 }),
      rest: fc.uniqueArray(offset(1, 7), { maxLength: 2 }),
      // From eight days ago until tomorrow.
      played: fc.array(fc.constantFrom("verified", "pending", "rejected", "missed", "unmatched"), {
        minLength: 10,
        maxLength: 10,
      }),
    }),
  ),
  written: fc.array(fc.oneof(offset(-6, 1), offset(-6, 1), offset(-800, 1)), { maxLength: 30 }),
  yearsAgo: fc.array(offset(1, 40), { maxLength: 4 }),
  goals: fc.array(
    fc.record({
      weekdays: fc.option(weekdays),
      status: fc.constantFrom("active", "active", "active", "paused", "completed"),
      checkIns: fc.array(fc.tuple(offset(-9, 0), fc.constantFrom("completed", "completed", "partial", "missed"))),
    }),
    { maxLength: 5 },
  ),
  drops: fc.record({ used: fc.nat(8), bonus: fc.nat(2), unread: fc.nat(3), balance: fc.nat(500) }),
  notifications: fc.array(fc.boolean(), { maxLength: 4 }),
});

type Someone = typeof someone extends fc.Arbitrary<infer Value> ? Value : never;

/** Writes everything of a person. @param date today where they live */
async function write(person: Person, { window, written, yearsAgo, goals, drops, ...rest }: Someone, date: string) {
  const { id } = person;
  await api.query`update nectar.accounts set timezone = ${rest.timezone} where user_id = ${id}`;
  if (window !== null) {
    const { hour, timezone, firstDay, rest: restDays, played } = window;
    const ranges = window.away.map(({ from, days }) => {
      return `[${addDays(date, from)},${days === null ? "" : addDays(date, from + days)})`;
    });
    const rests = restDays.length === 0 ? [] : [{ from: addDays(date, -3), weekdays: restDays }];
    const from = addDays(date, firstDay);
    await setWindow(person, { hour, timezone, away: `{${ranges.join(",")}}`, rests, from });
    const times = { start: clock(hour), end: clock(hour + 2), timezone };
    const days = played.flatMap((status, index) => {
      const day = addDays(date, index - 8);
      if (status === "unmatched" || day < from) return [];
      const { startsAt, endsAt } = windowInstants(times, day);
      return [{ date: day, status, startsAt, endsAt, dayEndsAt: localDayEnd(day, times) }];
    });
    await api.query`insert into nectar.chains (date, user_id, team_color, area_key, activity_type, timezone,
        window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
      select r.date, ${id}, 'red', 'city:test', 'walk', ${timezone}, ${times.start}, ${times.end}, r."startsAt",
        r."endsAt", r."dayEndsAt"
      from jsonb_to_recordset(${JSON.stringify(days)}::jsonb)
        r (date date, "startsAt" timestamptz, "endsAt" timestamptz, "dayEndsAt" timestamptz)`;
    await api.query`insert into nectar.workout_checkins
        (user_id, date, activity_type, status, chain_status, team_color, battle_week_start, verified_at)
      select ${id}, r.date, 'walk', r.status::nectar.checkin_status, 'broken', 'red', private.week_start(r.date),
        case when r.status = 'verified' then now() end
      from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) r (date date, status text) where r.status <> 'missed'`;
  }
  const earlier = yearsAgo.map((years) => `${Number(date.slice(0, 4)) - years}${date.slice(4)}`);
  // 29 February of a year that has none.
  const isDate = (day: string) => utcDate(new Date(`${day}T00:00Z`)) === day;
  await api.query`insert into nectar.journal_entries (user_id, title, entry_date)
    select ${id}, 'A day', d::date from unnest(${[...written.map((days) => addDays(date, days)), ...earlier].filter(isDate)}::text[]) d`;
  for (const [index, goal] of goals.entries()) {
    const checkIns = goal.checkIns.map(([days, status]) => ({ date: addDays(date, days), status }));
    const { id: goalId } = await api.one<{ id: string }>`insert into nectar.goals
        (user_id, title, weekdays, status, started_on, metadata_audience_id, content_audience_id, created_at)
      values (${id}, ${`Goal ${index}`}, ${goal.weekdays?.toSorted() ?? null}::smallint[],
        ${goal.status}::nectar.goal_status, ${addDays(date, -9)}, ${id}, ${id},
        now() - make_interval(mins => ${10 - index}))
      returning id`;
    await api.query`insert into nectar.goal_check_ins (goal_id, user_id, status, check_in_date)
      select ${goalId}, ${id}, r.status::nectar.goal_check_in_status, r.date
      from jsonb_to_recordset(${JSON.stringify(checkIns)}::jsonb) r (date date, status text)`;
  }
  await api.query`update nectar.accounts set drops_balance = ${drops.balance} where user_id = ${id}`;
  await api.query`insert into nectar.encouragement_allowances (user_id, date, daily_allowance, drops_used, bonus_earned)
    values (${id}, ${utcDate(api.services.clock.now())}, 5, ${drops.used}, ${drops.bonus})`;
  await api.query`insert into nectar.encouragement_drops
      (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until, read_at)
    select ${sender.id}, ${id}, 'Well done', true, '2023-01-01', '2023-01-01', '2023-01-02',
      case when n > ${drops.unread} then now() end
    from generate_series(1, 4) n`;
  await api.query`insert into nectar.notifications (user_id, type, read_at)
    select ${id}, 'chain_update', case when is_read then now() end from unnest(${rest.notifications}::boolean[]) is_read`;
}

/** The start screen, put together from the endpoints of its parts. */
async function fromParts(person: Person, { window }: Someone, now: Date) {
  const { timezone } = (await api.get("/api/user/profile", person).ok()).profile;
  const date = dateIn(timezone, now);
  const statsFrom = async (from: string) =>
    (await api.get(`/api/journal/stats?from=${from}&to=${date}`, person).ok()).stats;
  const { goals } = await api.get("/api/goals?status=active&limit=500", person).ok();
  const due = goals.filter((goal) => goal.weekdays?.includes(weekdayOf(date)) === true).toReversed();
  const checkedIn = async (id: string) =>
    (await api.get(`/api/goals/${id}`, person).ok()).goal.check_ins.some(
      ({ status, check_in_date }) => status === "completed" && check_in_date === date,
    );
  return {
    date,
    timezone,
    window: window === null ? null : await windowFromParts(person, now),
    streak: window === null ? null : (await api.get(`${GAME}/streak`, person).ok()).streak,
    goals: await Promise.all(
      due.map(async ({ id, title, streak }) => ({ id, title, streak, checked_in: await checkedIn(id) })),
    ),
    journal: {
      entries_today: (await statsFrom(date)).entries,
      current_streak: (await statsFrom(addDays(date, -365))).current_streak,
      on_this_day: (await api.get("/api/journal/on-this-day", person).ok()).entries.length,
    },
    drops: {
      balance: (await api.get("/api/drops/balance", person).ok()).balance,
      total_available: (await api.get("/api/encouragement-drops/my-drops", person).ok()).total_available,
      unread: (await api.get("/api/encouragement-drops/received", person).ok()).unread_count,
    },
    notifications: { unread: (await api.get("/api/notifications", person).ok()).unread_count },
  };
}

/** The first window that is not over, of the dates on which the person plays. */
async function windowFromParts(person: Person, now: Date) {
  const { window } = await api.get(`${GAME}/my-window`, person).ok();
  if (window === null) return null;
  const { window_start_time: start, window_end_time: end, timezone, activity_type, away, rest_days } = window;
  for (let days = -4; days <= 100; days += 1) {
    const date = addDays(utcDate(now), days);
    const isAway = away.some(({ from, until }) => from <= date && (until === null || date < until));
    const rests = rest_days.effective_from !== null && date >= rest_days.effective_from;
    if (date < window.effective_from || isAway) continue;
    if (rests && rest_days.weekdays.includes(weekdayOf(date))) continue;
    const { startsAt, endsAt } = windowInstants({ start, end, timezone }, date);
    if (endsAt <= now) continue;
    const { status } = await api.get(`${GAME}/checkin/${date}`, person).ok();
    return { date, starts_at: startsAt.toISOString(), ends_at: endsAt.toISOString(), activity_type, status };
  }
  return null;
}

it("says what the endpoints of its parts say, for random people", async () => {
  await fc.assert(
    fc.asyncProperty(someone, async (each) => {
      const now = new Date(Date.parse(addDays(MIDDLE, each.day)) + each.minute * 60_000);
      api.at(now.toISOString());
      const person = await api.person();
      await write(person, each, dateIn(each.timezone, now));
      expect(await today(person)).toEqual(await fromParts(person, each, now));
    }),
    { numRuns: LONG ? 500 : 40 },
  );
});

describe("GET /api/today", () => {
  it("has nothing to show to a new person", async () => {
    api.at("2031-05-05T10:00:00Z");
    expect(await today(await api.person())).toMatchObject({
      date: "2031-05-05",
      timezone: "UTC",
      window: null,
      streak: null,
      goals: [],
      journal: { entries_today: 0, current_streak: 0, on_this_day: 0 },
      notifications: { unread: 0 },
    });
  });

  it("shows the window as it was matched, until it is over", async () => {
    const ada = await api.person();
    await setWindow(ada, { hour: 15 });
    await playDay(api, { person: ada, date: "2031-05-05", team: "red", startsAt: "2031-05-05T09:00:00Z" });
    api.at("2031-05-05T10:00:00Z");
    const matched = { date: "2031-05-05", starts_at: "2031-05-05T09:00:00.000Z", ends_at: "2031-05-05T11:00:00.000Z" };
    expect((await today(ada)).window).toEqual({ ...matched, activity_type: "walk", status: "pending" });
    api.at("2031-05-05T11:00:00Z");
    expect((await today(ada)).window).toMatchObject({ date: "2031-05-06", status: "not_started" });
    expect((await today(ada)).window?.starts_at).toBe("2031-05-06T15:00:00.000Z");
  });

  it("shows a window of yesterday until it is over", async () => {
    const ada = await api.person();
    await setWindow(ada, { hour: 15 });
    await playDay(api, { person: ada, date: "2031-05-05", team: "red", startsAt: "2031-05-06T01:00:00Z" });
    api.at("2031-05-06T02:00:00Z");
    expect((await today(ada)).window).toMatchObject({ date: "2031-05-05", starts_at: "2031-05-06T01:00:00.000Z" });
    api.at("2031-05-06T03:00:00Z");
    expect((await today(ada)).window).toMatchObject({ date: "2031-05-06", starts_at: "2031-05-06T15:00:00.000Z" });
  });

  it("shows the next date that is played to who is away, and none to who has left", async () => {
    api.at("2031-05-05T10:00:00Z");
    const [ada, ben, cleo] = [await api.person(), await api.person(), await api.person()];
    await setWindow(ada, { away: "{[2031-05-04,2031-10-01)}" });
    await setWindow(ben, { away: "{[2031-05-05,)}" });
    await setWindow(cleo, { away: "{[2031-05-06,)}" });
    expect((await today(ada)).window).toMatchObject({ date: "2031-10-01", status: "not_started" });
    expect(await today(ben)).toMatchObject({ window: null, streak: { current: 0 } });
    expect((await today(cleo)).window).toMatchObject({ date: "2031-05-05", status: "not_started" });
  });

  it("lists the 50 oldest goals, and counts 1,000 unread notifications", async () => {
    const ada = await api.person();
    await api.query`insert into nectar.goals (user_id, title, weekdays, metadata_audience_id, content_audience_id, created_at)
      select ${ada.id}, n::text, '{1,2,3,4,5,6,7}', ${ada.id}, ${ada.id}, now() + make_interval(secs => n)
      from generate_series(1, 51) n`;
    await api.query`insert into nectar.notifications (user_id, type)
      select ${ada.id}, 'chain_update' from generate_series(1, 1001)`;
    const { goals, notifications } = await today(ada);
    expect(goals?.map(({ title }) => title)).toEqual(Array.from({ length: 50 }, (_, n) => String(n + 1)));
    expect(notifications).toEqual({ unread: 1_000 });
  });

  it("shows a token the parts that its scopes read", async () => {
    const ada = await api.person();
    await setWindow(ada, {});
    const withScopes = async (...scopes: string[]) => {
      const { token } = await api.post("/api/user/tokens", ada, { name: "Widget", scopes }).created();
      return { token: token.secret ?? "" };
    };
    const player = await withScopes("game:read");
    const doer = await withScopes("goals:write", "drops:read");
    const writer = await withScopes("journal:read", "profile:read");
    const listener = await withScopes("notifications:read");
    const { window, streak, goals, journal, drops, notifications, ...common } = await today(ada);
    const none = { window: null, streak: null, goals: null, journal: null, drops: null, notifications: null };
    expect(await today(player)).toEqual({ ...common, ...none, window, streak });
    expect(await today(doer)).toEqual({ ...common, ...none, goals, drops });
    expect(await today(writer)).toEqual({ ...common, ...none, journal });
    expect(await today(listener)).toEqual({ ...common, ...none, notifications: { unread: 4 } });
    expect(notifications).toEqual({ unread: 4 });
  });

  it("refuses a token that reads none of its parts, and names its scopes", async () => {
    const ada = await api.person();
    const body = { name: "Widget", scopes: ["profile:write", "wellness:read"] };
    const { token } = await api.post("/api/user/tokens", ada, body).created();
    const { issues } = await api.get("/api/today", { token: token.secret ?? "" }).refused(403, "auth.scope_missing");
    expect(issues?.map(({ message }) => message).toSorted()).toEqual(["profile:write", "wellness:read"]);
  });

  it("is open to who is suspended, takes no parameters, and is for signed-in users", async () => {
    const ada = await api.person();
    await api.query`select private.suspend_user(${ada.id}, '2999-01-01T00:00Z')`;
    expect(await today(ada)).toMatchObject({ timezone: "UTC" });
    await api.get("/api/today?date=2031-05-05", ada).invalid("date");
    await api.get("/api/today").refused(401, "auth.missing_token");
  });
});
