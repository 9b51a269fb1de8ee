import { addDays } from "@nectar/core/calendar-date";
import { localDayEnd, windowInstants } from "@nectar/core/game/time";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "../../../support/api.ts";
import type { Person } from "../../../support/people.ts";
import { type ChainRow, CRON_SECRET, GAME, gameOf } from "../chain-scene.ts";

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
const game = gameOf(api);
/** A Wednesday. */
const TODAY = "2031-05-14";
const TOMORROW = "2031-05-15";

/** Of some people: whom each is linked to, by their place among them. */
async function linksOf(date: string, people: readonly Person[]) {
  const rows = await game.rows(date);
  const indexOf = (id: string | null) => (id === null ? null : people.findIndex((person) => person.id === id));
  return people.map(({ id }) => {
    const row = rows.find(({ user_id }) => user_id === id);
    return row === undefined ? null : [indexOf(row.before_user_id), indexOf(row.after_user_id)];
  });
}

const rowOf = async (date: string, person: Person) =>
  (await game.rows(date)).find(({ user_id }) => user_id === person.id);
const newsOf = (person: Person) =>
  api.query(
    "select title, data from nectar.notifications where user_id = $1 and type = 'chain_update' order by title",
    [person.id],
  );

/** What people were notified of so far, they were an hour ago. */
const anHourLater = () => api.query("update nectar.notifications set created_at = created_at - interval '1 hour'");

/** People of a city with windows at some hours, one after the other. */
async function playersOf(city: string, hours: readonly number[]): Promise<Person[]> {
  const people: Person[] = [];
  for (const hour of hours) people.push(await game.player(city, hour));
  return people;
}

/** As if those who are noted were put there long ago: nothing but a run for everybody matches them. */
const forgetNotes = (ids: readonly string[]) =>
  api.query("delete from private.players_to_match where user_id = any ($1)", [ids]);

/** Puts synthetic users with coordinates into a city, straight into the tables. */
async function synthetic(city: string, count: number, coordinates = true): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id } = await api.person();
    ids.push(id);
    await api.query("update nectar.profiles set is_ai = true where id = $1", [id]);
    await api.query(
      `insert into nectar.workout_windows (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
       values ($1, 'cardio', '18:00', '20:00', 'UTC', '2031-01-01')`,
      [id],
    );
    await api.query(
      "insert into nectar.user_locations (user_id, city, latitude, longitude) values ($1, $2, $3::numeric, $3::numeric)",
      [id, city, coordinates ? 1 : null],
    );
  }
  await forgetNotes(ids);
  return ids;
}

/** A city of people who are matched by nobody yet: their windows are there, and no request was made. */
async function unmatched(city: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id } = await api.person();
    ids.push(id);
    await api.query("insert into nectar.user_locations (user_id, city) values ($1, $2)", [id, city]);
    await api.query(
      `insert into nectar.workout_windows (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
       values ($1, 'walk', make_time($2, 0, 0), make_time($2 + 2, 0, 0), 'UTC', '2031-01-01')`,
      [id, (index * 3) % 21],
    );
  }
  await forgetNotes(ids);
  return ids;
}

describe("setting a window", () => {
  it("matches today and tomorrow immediately with players of the same city, ignoring case and spaces", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const [ada] = await playersOf("Ulm", [6]);
    const [ben] = await playersOf("  uLM ", [9]);
    const [eve] = await playersOf("Aalen", [12]);
    if (ada === undefined || ben === undefined || eve === undefined) throw new Error("There are three.");
    for (const date of [TODAY, TOMORROW]) {
      expect(await linksOf(date, [ada, ben, eve])).toEqual([
        [null, 1],
        [0, null],
        [null, null],
      ]);
    }
    expect(await newsOf(ada)).toHaveLength(2);
    expect((await newsOf(ben)).map(({ data }) => data)).toEqual([{ date: TODAY }, { date: TOMORROW }]);
    expect(await newsOf(eve)).toEqual([]);
  });

  it("notifies players when they first have neighbors, and of changes in the last 24 hours", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const [ada, ben] = await playersOf("Essen", [6, 9]);
    if (ada === undefined || ben === undefined) throw new Error("There are two.");
    const titles = async (person: Person) => (await newsOf(person)).map(({ title }) => title);
    const [first, second] = [`Your chain of ${TODAY}`, `Your chain of ${TOMORROW}`];
    // Ada was alone until Ben came, so that it is news to her of both dates, and no change.
    expect([await titles(ada), await titles(ben)]).toEqual([
      [first, second],
      [first, second],
    ]);
    // Six hours before today's window a change is worth a message, thirty hours before tomorrow's it is not.
    await anHourLater();
    await playersOf("Essen", [12]);
    for (const date of [TODAY, TOMORROW]) await game.cron({ date });
    expect([await titles(ada), await titles(ben)]).toEqual([
      [first, second],
      [first, `${first} has changed`, second],
    ]);
  });

  it("moves a player to the new city and links their former neighbors", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const [first, middle, last] = await playersOf("Bonn", [6, 9, 12]);
    const [other] = await playersOf("Trier", [15]);
    if (first === undefined || middle === undefined || last === undefined || other === undefined)
      throw new Error("Four.");
    expect((await api.put(`${GAME}/update-location`, middle, { city: "Trier" })).status).toBe(200);
    expect(await linksOf(TODAY, [first, middle, last, other])).toEqual([
      [null, 2],
      [null, 3],
      [0, null],
      [1, null],
    ]);
    expect((await rowOf(TODAY, middle))?.area_key).toBe("city:utc:trier");
  });

  it("compares windows as instants, also on the date on which clocks change", async () => {
    api.at("2031-03-29T12:00:00Z");
    const early = await game.player("Anywhere", 1, "Europe/Berlin");
    const late = await game.player("Anywhere", 3, "Europe/Berlin");
    // At 02:00 it is 03:00: two real hours from 01:00 on end at 04:00.
    expect(await linksOf("2031-03-30", [early, late])).toEqual([
      [null, null],
      [null, null],
    ]);
    await game.cron({ date: "2031-03-31" });
    expect(await linksOf("2031-03-31", [early, late])).toEqual([
      [null, 1],
      [0, null],
    ]);
  });

  it.each([
    ["an ordinary day", "Europe/Berlin", "2031-05-14", 6, "2031-05-14T22:00:00.000Z"],
    ["a window over midnight", "Asia/Kathmandu", "2031-05-14", 23, "2031-05-15T18:15:00.000Z"],
    [
      "a day whose clocks are put back by half an hour",
      "Australia/Lord_Howe",
      "2031-04-06",
      6,
      "2031-04-06T13:30:00.000Z",
    ],
    ["a midnight that comes twice: the first", "America/Havana", "2031-11-01", 6, "2031-11-02T04:00:00.000Z"],
  ])("keeps when the local day ends: %s in %s", async (_, timezone, date, hour, dayEnd) => {
    api.at(`${addDays(date, -1)}T11:00:00Z`);
    const person = await game.player("Somewhere else", hour, timezone);
    const times = { start: `${hour < 10 ? "0" : ""}${hour}:00`, end: hour === 23 ? "01:00" : "08:00", timezone };
    const [row] = await api.query(
      "select window_ends_at, day_ends_at from nectar.chains where user_id = $1 and date = $2",
      [person.id, date],
    );
    expect(row).toEqual({ window_ends_at: windowInstants(times, date).endsAt, day_ends_at: new Date(dayEnd) });
    expect(localDayEnd(date, times)).toEqual(new Date(dayEnd));
  });

  it("does not change players whose window has opened or who have checked in, nor the links to them", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const people = await playersOf("Kiel", [6, 10, 14]);
    const before = (await game.rows(TODAY)).filter(({ user_id }) => people.some(({ id }) => id === user_id));
    const [, , evening] = people;
    if (evening === undefined) throw new Error("There are three.");
    await api.query(
      `insert into nectar.workout_checkins (user_id, date, activity_type, chain_status, battle_week_start)
       values ($1, $2, 'walk', 'continued', '2031-05-12')`,
      [evening.id, TODAY],
    );
    api.at(`${TODAY}T06:30:00Z`);
    // 08:00 would be closer to both, but the first has begun; 17:00 comes after somebody who has checked in.
    const [eight, late] = await playersOf("Kiel", [8, 17]);
    if (eight === undefined || late === undefined) throw new Error("There are two.");
    const now = await game.rows(TODAY);
    expect(now.filter(({ user_id }) => before.some((row) => row.user_id === user_id))).toEqual(before);
    expect(await linksOf(TODAY, [...people, eight, late])).toEqual([
      [null, 1],
      [0, 2],
      [1, null],
      [null, 4],
      [3, null],
    ]);
    expect(await linksOf(TOMORROW, [...people, eight, late])).toEqual([
      [null, 3],
      [3, 2],
      [1, 4],
      [0, 1],
      [2, null],
    ]);
  });

  it("changes an open window from tomorrow, and a later one immediately", async () => {
    api.at(`${TODAY}T06:30:00Z`);
    const [ada, ben] = await playersOf("Jena", [6, 12]);
    if (ada === undefined || ben === undefined) throw new Error("There are two.");
    await game.setWindow(ada, 20);
    await game.setWindow(ben, 17);
    const starts = async (date: string) =>
      Promise.all([ada, ben].map(async (person) => (await rowOf(date, person))?.window_starts_at.toISOString()));
    expect(await starts(TODAY)).toEqual([`${TODAY}T06:00:00.000Z`, `${TODAY}T17:00:00.000Z`]);
    expect(await starts(TOMORROW)).toEqual([`${TOMORROW}T20:00:00.000Z`, `${TOMORROW}T17:00:00.000Z`]);
    expect(await linksOf(TOMORROW, [ada, ben])).toEqual([
      [1, null],
      [null, 0],
    ]);
  });
});

describe("squads and teams", () => {
  it("have three members of one team, filled up with synthetic users that have coordinates", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const filler = await synthetic("Ahlen", 3);
    const nowhere = await synthetic("Ahlen", 1, false);
    const people = await playersOf("Ahlen", [6, 8]);
    const rows = (await game.rows(TODAY)).filter(({ area_key }) => area_key === "city:utc:ahlen");
    const ids = rows.map(({ user_id }) => user_id);
    expect(ids.toSorted()).toEqual([...filler, ...people.map(({ id }) => id)].toSorted());
    expect(ids).not.toContain(nowhere[0]);
    for (const squad of new Set(rows.flatMap(({ squad_id }) => squad_id ?? []))) {
      const members = rows.filter(({ squad_id }) => squad_id === squad);
      expect(members).toHaveLength(3);
      expect(new Set(members.map(({ team_color }) => team_color)).size).toBe(1);
      const [stored] = await api.query(
        "select user_1_id, user_2_id, user_3_id, team_color from nectar.squads where id = $1",
        [squad],
      );
      const { team_color, ...users } = stored ?? {};
      expect(Object.values(users).map(String).toSorted()).toEqual(members.map(({ user_id }) => user_id).toSorted());
      expect(team_color).toBe(members[0]?.team_color);
    }
    const first = rows.find(({ user_id }) => user_id === people[0]?.id);
    expect(first?.squad_id).not.toBeNull();
  });

  it("keep their colors for the week; the next week has new ones", async () => {
    // Sunday: tomorrow is another week.
    api.at("2031-05-18T03:00:00Z");
    const people = await playersOf("Worms", [6, 8, 10, 12, 14, 16]);
    const colors = async (date: string) => {
      const rows = await game.rows(date);
      return people.map(({ id }) => rows.find(({ user_id }) => user_id === id)?.team_color);
    };
    const sunday = await colors("2031-05-18");
    const monday = await colors("2031-05-19");
    for (const dealt of [sunday, monday]) expect(dealt.filter((color) => color === "red")).toHaveLength(3);
    // Half of the city leaves, so that a team dealt anew would not be the old one.
    api.at("2031-05-19T03:00:00Z");
    for (const person of people.slice(0, 2)) await api.put(`${GAME}/update-location`, person, { city: "Mainz" });
    const [later] = await playersOf("Worms", [18]);
    await game.cron({ date: "2031-05-20" });
    expect(await colors("2031-05-20")).toEqual(monday);
    const weeks = await api.query(
      "select week_start_date::text as week, color from nectar.team_colors where user_id = $1 order by week",
      [later?.id],
    );
    expect(weeks.map(({ week }) => week)).toEqual(["2031-05-19"]);
    await game.cron({ date: "2031-05-26" });
    const next = await api.query(
      "select user_id from nectar.team_colors where user_id = any ($1) and week_start_date = '2031-05-26'",
      [people.map(({ id }) => id)],
    );
    expect(next).toHaveLength(6);
  });

  it("prefer players who had no squad on the day before", async () => {
    api.at("2031-05-20T03:00:00Z");
    const ids = await unmatched("Hof", 4);
    await api.query(
      "insert into nectar.team_colors (user_id, week_start_date, color) select unnest($1::uuid[]), '2031-05-19', 'red'",
      [ids],
    );
    const leftOut = async (date: string) => {
      await game.cron({ date });
      const rows = (await game.rows(date)).filter(({ user_id }) => ids.includes(user_id));
      return rows.filter(({ squad_id }) => squad_id === null).map(({ user_id }) => ids.indexOf(user_id));
    };
    // Windows are in the order of the ids, so that the last one is left out, and then the last one of the others.
    expect(await leftOut("2031-05-22")).toEqual([3]);
    expect(await leftOut("2031-05-23")).toEqual([2]);
    expect(await leftOut("2031-05-24")).toEqual([3]);
  });
});

describe("the scheduled run", () => {
  const DATE = "2031-06-04";
  const of = (rows: readonly ChainRow[], ids: readonly string[]) => rows.filter(({ user_id }) => ids.includes(user_id));

  it("matches all players for today and tomorrow, or for the given date", async () => {
    api.at("2031-06-01T00:00:00Z");
    const ids = await unmatched("Gera", 7);
    const { status, body } = await game.cron();
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, message: "done", today: "2031-06-01", tomorrow: "2031-06-02" });
    for (const date of [body.today, body.tomorrow]) expect(of(await game.rows(date), ids)).toHaveLength(7);
    expect(of(await game.rows("2031-06-03"), ids)).toHaveLength(0);
    expect((await game.cron({ date: "2031-06-03" })).body.results?.chainsCreated).toBeGreaterThanOrEqual(7);
    expect(of(await game.rows("2031-06-03"), ids)).toHaveLength(7);
    for (const date of ["2031-05-30", "2031-06-09", "2031-02-30"]) {
      expect((await game.cron({ date })).status, date).toBe(400);
    }
  });

  it("changes nothing and notifies no one when it runs again", async () => {
    api.at(`${DATE}T00:00:00Z`);
    const ids = await unmatched("Suhl", 8);
    const first = await game.cron({ date: DATE });
    expect(first.body.results?.chainsCreated).toBeGreaterThanOrEqual(8);
    const rows = await game.rows(DATE);
    const stored = await api.query("select xmin, * from nectar.chains order by id");
    expect((await game.cron({ date: DATE })).body.results).toEqual({
      chainsCreated: 0,
      chainsChanged: 0,
      squadsCreated: 0,
    });
    expect(await game.rows(DATE)).toEqual(rows);
    // Not even written again.
    expect(await api.query("select xmin, * from nectar.chains order by id")).toEqual(stored);
    const told = await api.query(
      "select user_id, count(*)::int as n from nectar.notifications where user_id = any ($1) group by 1",
      [ids],
    );
    expect(told.map(({ n }) => n)).toEqual(told.map(() => 1));
    expect(told.length).toBe(of(rows, ids).filter((row) => (row.before_user_id ?? row.after_user_id) !== null).length);
  });

  it("has one result when it runs many times in parallel, also for two dates of a week", async () => {
    api.at("2031-06-05T00:00:00Z");
    const ids = await unmatched("Cottbus", 9);
    const answers = await Promise.all([
      game.cron(),
      game.cron(),
      game.cron({ date: "2031-06-05" }),
      game.cron({ date: "2031-06-06" }),
      game.cron({ date: "2031-06-06" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const [thursday, friday] = [of(await game.rows("2031-06-05"), ids), of(await game.rows("2031-06-06"), ids)];
    expect([thursday.length, friday.length]).toEqual([9, 9]);
    const colors = (rows: readonly ChainRow[]) => rows.map(({ user_id, team_color }) => [user_id, team_color]);
    expect(colors(friday)).toEqual(colors(thursday));
    expect((await game.cron()).body.results).toEqual({ chainsCreated: 0, chainsChanged: 0, squadsCreated: 0 });
  });

  it("leaves nothing behind when it is killed, and the next run does all", async () => {
    api.at("2031-06-10T00:00:00Z");
    const ids = await unmatched("Plauen", 6);
    const blocker = new pg.Client({ connectionString: api.adminUrl });
    await blocker.connect();
    try {
      // Somebody else is about to write a team: the run has written its squads when the kill comes.
      await blocker.query("begin");
      await blocker.query(
        "insert into nectar.team_colors (user_id, week_start_date, color) values ($1, '2031-06-09', 'red')",
        [ids[3]],
      );
      const run = game.cron({ date: "2031-06-10" });
      const waiting =
        "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%write_chains%' and datname = current_database()";
      await expect.poll(() => api.query(waiting), { timeout: 10_000 }).toHaveLength(1);
      await api.query(`select pg_terminate_backend(pid) from (${waiting}) running`);
      expect((await run).status).toBe(503);
    } finally {
      await blocker.end();
    }
    expect(await game.rows("2031-06-10")).toEqual([]);
    expect(await api.query("select from nectar.squads where date = '2031-06-10'")).toEqual([]);
    expect((await game.cron({ date: "2031-06-10" })).body.results?.chainsCreated).toBeGreaterThanOrEqual(6);
    expect(of(await game.rows("2031-06-10"), ids)).toHaveLength(6);
  });

  it("removes players who do not play any more, and squads that are no longer full", async () => {
    api.at("2031-06-11T20:00:00Z");
    const [ai] = await synthetic("Zwickau", 1);
    const ids = await unmatched("Zwickau", 3);
    await game.cron({ date: "2031-06-12" });
    await api.query("update nectar.workout_windows set away = '{(,)}' where user_id = any ($1)", [[ids[0], ai]]);
    await game.cron({ date: "2031-06-12" });
    const left = of(await game.rows("2031-06-12"), [...ids, ai ?? ""]);
    expect(left.map(({ user_id }) => user_id).toSorted()).toEqual([ids[1], ids[2]].toSorted());
    expect(left.map(({ squad_id }) => squad_id)).toEqual([null, null]);
    expect(
      await api.query(
        "select from nectar.squads s where date = '2031-06-12' and $1 in (user_1_id, user_2_id, user_3_id)",
        [ids[1]],
      ),
    ).toEqual([]);
  });

  it("succeeds when accounts are deleted during and after the run", async () => {
    api.at("2031-06-13T00:00:00Z");
    const ids = await unmatched("Halle", 3);
    await game.cron({ date: "2031-06-13" });
    await api.query("delete from auth.users where id = $1", [ids[1]]);
    const left = of(await game.rows("2031-06-13"), ids);
    expect(left).toHaveLength(2);
    for (const { before_user_id, after_user_id } of left) {
      expect(before_user_id).not.toBe(ids[1]);
      expect(after_user_id).not.toBe(ids[1]);
    }
    await api.query("delete from auth.users where id = any ($1)", [[ids[0], ids[2]]]);
    expect(
      await api.query("select from nectar.squads where num_nonnulls(user_1_id, user_2_id, user_3_id) = 0"),
    ).toEqual([]);
  });
});

describe("POST /api/workout-window/generate-chains", () => {
  let ada: Person;
  beforeAll(async () => {
    api.at("2031-07-01T12:00:00Z");
    ada = await game.player("Riesa", 6, "Pacific/Kiritimati");
  });
  const generate = (body?: object, as = ada) => api.post(`${GAME}/generate-chains`, as, body);

  it("matches today in the caller's time zone by default", async () => {
    const { status, body } = await generate();
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: "The chains were there already.",
      date: "2031-07-02",
      chainsCreated: 0,
      squadsCreated: 0,
    });
  });

  it("accepts today and tomorrow, in UTC and in the caller's time zone", async () => {
    const answered: Record<string, number> = {};
    for (const date of ["2031-06-30", "2031-07-01", "2031-07-02", "2031-07-03", "2031-07-04"]) {
      const { status, body } = await generate({ date });
      answered[date] = status;
      if (status === 400) expect(body.code).toBe("game.date_not_playable");
    }
    expect(Object.values(answered)).toEqual([400, 200, 200, 200, 400]);
    expect((await generate({ date: "2031-02-30" })).body.code).toBe("request.invalid");
  });

  it("matches the caller's own area only, and nothing without a window", async () => {
    const { id } = await api.person();
    await api.query("insert into nectar.user_locations (user_id, city) values ($1, 'Riesa')", [id]);
    await api.query(
      `insert into nectar.workout_windows (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
       values ($1, 'walk', '09:00', '11:00', 'Pacific/Kiritimati', '2031-01-01')`,
      [id],
    );
    const elsewhere = await game.player("Pirna", 9);
    await api.query("delete from nectar.chains where user_id = $1", [elsewhere.id]);
    expect((await generate({ date: "2031-07-03" })).body).toMatchObject({
      message: "The chains were generated.",
      chainsCreated: 1,
    });
    expect((await rowOf("2031-07-03", ada))?.after_user_id).toBe(id);
    expect(await rowOf("2031-07-03", elsewhere)).toBeUndefined();
    const nobody = await api.person();
    expect((await generate({}, nobody)).body).toMatchObject({ date: "2031-07-01", chainsCreated: 0 });
  });
});
