import pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../../support/acting.ts";

const acting = useActing();
const REFUSED = "42501";
const WINDOW = `insert into nectar.workout_windows
  (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
  values ($1, 'walk', '06:00', '08:00', 'UTC', '2026-11-21')`;
const LOCATION = "insert into nectar.user_locations (user_id, city) values ($1, 'Ulm')";
const ada = beforeTests(() => acting.person());
const ben = beforeTests(() => acting.person());

/** Adds a player to the chain of a date, as matching does. */
async function chain(user: string, date: string, timezone: string, ends: string, dayEnds: string): Promise<void> {
  await acting.admin.query(
    `insert into nectar.chains (date, user_id, team_color, area_key, activity_type, timezone, window_start_time,
       window_end_time, window_starts_at, window_ends_at, day_ends_at)
     values ($1, $2, 'red', 'city:ulm', 'walk', $3, '06:00', '08:00', $4::timestamptz - interval '2 hours', $4, $5)`,
    [date, user, timezone, ends, dayEnds],
  );
}

beforeEach(async () => {
  await acting.admin.query("truncate nectar.chains, private.open_days cascade");
  await chain(ada.id, "2026-11-21", "UTC", "2026-11-21T08:00Z", "2026-11-22T00:00Z");
});

describe("what users read of the chains of others", () => {
  it("includes who plays when, and for which team", async () => {
    const statement = `select id, date, user_id, before_user_id, after_user_id, team_color, squad_id, activity_type,
      timezone, window_start_time, window_end_time, window_starts_at, window_ends_at from nectar.chains`;
    expect(await acting.outcome({ person: ben.id }, statement)).toBe(1);
  });

  it.each([
    ["select area_key from nectar.chains"],
    ["select * from nectar.chains"],
    ["select from nectar.chains where area_key = 'city:ulm'"],
    ["select max(length(c::text)) from nectar.chains c"],
    ["select p.area_key from private.player_areas p"],
    ["select private.area_key('Ulm', null, 'UTC')"],
  ])("does not include where they live: %s", async (statement) => {
    for (const person of [ada.id, ben.id]) expect(await acting.outcome({ person }, statement)).toBe(REFUSED);
  });
});

describe("the end of a day", () => {
  const ended = async (moment: string) => {
    const { rows } = await acting.admin.query(
      "select coalesce(sum(closed), 0)::int as n from private.end_days($1, 10)",
      [moment],
    );
    return rows[0].n;
  };

  it("is the stored moment, even if the database does not know the time zone", async () => {
    // PostgreSQL would end this day at midnight of Europe/Berlin, 23:00Z; the rules of time know a newer law.
    await chain(ben.id, "2026-11-21", "Europe/Berlin", "2026-11-21T20:00Z", "2026-11-21T22:00Z");
    // And this zone it has never heard of.
    await chain(ben.id, "2026-11-20", "Mars/Olympus", "2026-11-20T08:00Z", "2026-11-20T21:37Z");
    expect(await ended("2026-11-20T21:36:59.999Z")).toBe(0);
    expect(await ended("2026-11-20T21:37:00Z")).toBe(1);
    expect(await ended("2026-11-21T21:59:59.999Z")).toBe(0);
    expect(await ended("2026-11-21T22:00:00Z")).toBe(1);
    expect(await ended("2026-11-22T00:00:00Z")).toBe(1);
  });

  it("comes after the window", async () => {
    await expect(chain(ben.id, "2026-11-21", "UTC", "2026-11-21T08:00Z", "2026-11-21T08:00Z")).rejects.toMatchObject({
      code: "23514",
    });
  });
});

describe("a window and a location that are written at the same time", () => {
  const placeOf = async (person: string) => {
    const { rows } = await acting.admin.query("select area_key from private.player_areas where user_id = $1", [person]);
    return rows.map(({ area_key }) => area_key);
  };

  it.each([
    ["the window first", WINDOW, LOCATION],
    ["the location first", LOCATION, WINDOW],
  ])("both count for the area: %s", async (_, first, second) => {
    const { id } = await acting.person();
    const [one, other] = [acting.adminUrl, acting.adminUrl].map((url) => new pg.Client({ connectionString: url }));
    if (one === undefined || other === undefined) throw new Error("There are two.");
    await Promise.all([one.connect(), other.connect()]);
    try {
      await one.query("begin");
      await one.query(first, [id]);
      await other.query("begin");
      const later = other.query(second, [id]);
      const waiting = `select from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database() and query like 'insert into nectar.%'`;
      await expect.poll(async () => (await acting.admin.query(waiting)).rowCount).toBe(1);
      await one.query("commit");
      await later;
      await other.query("commit");
    } finally {
      await Promise.all([one.end(), other.end()]);
    }
    expect(await placeOf(id)).toEqual(["city:utc:ulm"]);
  });
});

describe("players to match", () => {
  const COORDINATES = "update nectar.user_locations set latitude = 1, longitude = 1 where user_id = $1";
  const takeFromQueue = async (person: string) =>
    (await acting.admin.query("delete from private.players_to_match where user_id = $1", [person])).rowCount;

  it.each([
    { change: "a location without a window", before: [], statement: LOCATION, queued: 0 },
    { change: "a first window", before: [LOCATION], statement: WINDOW, queued: 1 },
    {
      change: "another activity",
      before: [LOCATION, WINDOW],
      statement: "update nectar.workout_windows set activity_type = 'cardio' where user_id = $1",
      queued: 1,
    },
    {
      change: "the same activity",
      before: [LOCATION, WINDOW],
      statement: "update nectar.workout_windows set activity_type = 'walk' where user_id = $1",
      queued: 0,
    },
    {
      change: "rest",
      before: [LOCATION, WINDOW],
      statement: "update nectar.workout_windows set away = '{(,)}' where user_id = $1",
      queued: 1,
    },
    {
      change: "another city",
      before: [LOCATION, WINDOW],
      statement: "update nectar.user_locations set city = 'Bonn' where user_id = $1",
      queued: 1,
    },
    {
      change: "another address alone",
      before: [LOCATION, WINDOW],
      statement: "update nectar.user_locations set ip_address = '203.0.113.7' where user_id = $1",
      queued: 0,
    },
    { change: "coordinates", before: [LOCATION, WINDOW], statement: COORDINATES, queued: 1 },
    {
      change: "a step aside",
      before: [LOCATION, WINDOW, COORDINATES],
      statement: "update nectar.user_locations set latitude = 2, longitude = 1 where user_id = $1",
      queued: 0,
    },
    {
      change: "no location any more",
      before: [LOCATION, WINDOW],
      statement: "delete from nectar.user_locations where user_id = $1",
      queued: 1,
    },
    {
      change: "a deleted account",
      before: [LOCATION, WINDOW],
      statement: "delete from auth.users where id = $1",
      queued: 0,
    },
  ])("are queued with the change: $change", async ({ before, statement, queued }) => {
    const { id } = await acting.person();
    for (const earlier of before) await acting.admin.query(earlier, [id]);
    await takeFromQueue(id);
    await acting.admin.query(statement, [id]);
    expect(await takeFromQueue(id)).toBe(queued);
  });
});
