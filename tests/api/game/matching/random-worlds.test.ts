import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addDays } from "#core/time/calendar-date";
import { rematchQueued, rematchUsers } from "#functions/game/matching/rematch";
import { generateForAllPlayers } from "#functions/game/matching/runs";
import { hasLeft } from "#functions/game/windows/dates";
import { updateLocation } from "#functions/game/windows/location";
import { readWindow, setActive, setWindow } from "#functions/game/windows/windows";
import type { Services } from "#http/services/services";
import { useApi } from "#tests/api";
import { LONG } from "#tests/long";
import { type ChainRow, CRON_SECRET } from "../chain-scene.ts";

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
let admin: pg.Client;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: api.adminUrl });
  await admin.connect();
});
afterAll(() => admin.end());
const query = async (text: string, values: unknown[] = []) => (await admin.query(text, values)).rows;

const PEOPLE = 9;
const CITIES = ["Ulm", "Bonn"] as const;
const ZONES = ["UTC", "America/Los_Angeles", "Pacific/Kiritimati"] as const;
const START = Date.parse("2031-05-17T20:00:00Z");

const who = fc.nat(PEOPLE - 1);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("window"), who, hour: fc.nat(23), zone: fc.constantFrom(...ZONES) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("move"), who, city: fc.constantFrom(...CITIES) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("time"), hours: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("match all") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("check in"), who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rest"), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete"), who }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Row extends ChainRow {
  readonly date: string;
  readonly window_ends_at: Date;
  readonly has_checkin: boolean;
  readonly is_away: boolean;
  readonly weekly_color: string | null;
  readonly squad: { readonly team_color: string; readonly date: string; readonly members: (string | null)[] } | null;
}

const readRows = async (): Promise<Map<string, Row>> => {
  const rows = await query(
    `select c.user_id, c.date::text, c.before_user_id, c.after_user_id, c.team_color, c.squad_id, c.area_key,
       c.window_starts_at, c.window_ends_at, k.id is not null as has_checkin,
       coalesce(c.date <@ w.away, false) as is_away, t.color as weekly_color,
       case when s.id is not null then jsonb_build_object('team_color', s.team_color, 'date', s.date,
         'members', jsonb_build_array(s.user_1_id, s.user_2_id, s.user_3_id)) end as squad
     from nectar.chains c
     left join nectar.squads s on s.id = c.squad_id
     left join nectar.workout_windows w on w.user_id = c.user_id
     left join nectar.workout_checkins k on k.user_id = c.user_id and k.date = c.date
     left join nectar.team_colors t on t.user_id = c.user_id and t.week_start_date = date_trunc('week', c.date::timestamp)::date`,
  );
  return new Map(rows.map((row) => [`${row.date} ${row.user_id}`, row]));
};

function expectSound(rows: ReadonlyMap<string, Row>) {
  const squads = new Map<string, Row[]>();
  for (const row of rows.values()) {
    const of = (id: string | null) => (id === null ? undefined : rows.get(`${row.date} ${id}`));
    if (row.after_user_id !== null) {
      const next = of(row.after_user_id);
      expect(next?.before_user_id).toBe(row.user_id);
      expect(next?.user_id).not.toBe(row.user_id);
      expect(next?.area_key).toBe(row.area_key);
      expect(next?.window_starts_at.getTime()).toBeGreaterThanOrEqual(row.window_ends_at.getTime());
    }
    if (row.before_user_id !== null) expect(of(row.before_user_id)?.after_user_id).toBe(row.user_id);
    expect(row.weekly_color).toBe(row.team_color);
    if (row.squad_id !== null) squads.set(row.squad_id, [...(squads.get(row.squad_id) ?? []), row]);
  }
  for (const members of squads.values()) {
    const [first] = members;
    expect(new Set(members.map(({ team_color }) => team_color))).toEqual(new Set([first?.squad?.team_color]));
    expect(new Set(members.map(({ area_key }) => area_key)).size).toBe(1);
    expect(new Set(members.map(({ date }) => date))).toEqual(new Set([first?.squad?.date]));
    expect(first?.squad?.members.filter((id) => id !== null).toSorted()).toEqual(
      members.map(({ user_id }) => user_id).toSorted(),
    );
  }
}

/** Players whose window has opened or who have checked in keep everything but neighbors who are gone. */
function expectKept(
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
  now: number,
  gone: ReadonlySet<string>,
) {
  for (const [key, row] of before) {
    if (gone.has(row.user_id)) continue;
    if (row.window_starts_at.getTime() > now && !row.has_checkin) continue;
    const kept = after.get(key);
    const { team_color, squad_id, area_key, window_starts_at, window_ends_at } = row;
    expect(kept).toMatchObject({ team_color, squad_id, area_key, window_starts_at, window_ends_at });
    for (const side of ["before_user_id", "after_user_id"] as const) {
      if (kept?.[side] !== row[side]) expect(kept?.[side]).toBeNull();
    }
  }
}

/** A person who is away has no row of a window that has not opened. */
function expectWithoutAbsent(rows: ReadonlyMap<string, Row>, now: number) {
  for (const row of rows.values()) {
    if (row.is_away && !row.has_checkin) expect(row.window_starts_at.getTime()).toBeLessThanOrEqual(now);
  }
}

it("stays sound in random worlds, whatever people do and when, and does nothing when it is run again", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), fc.nat(), async (steps, salt) => {
      const made = await query(
        `insert into auth.users (id, email)
         select id, id || '@example.test'
         from (select md5($1 || n)::uuid as id from generate_series(1, $2::int) n) i returning id`,
        [`${salt} ${steps.length}`, PEOPLE],
      );
      const ids: string[] = made.map(({ id }) => id);
      // Every third is synthetic and has coordinates.
      const synthetic = ids.filter((_, n) => n % 3 === 0);
      await query("update nectar.profiles set is_ai = true where id = any ($1)", [synthetic]);
      await query(
        "insert into nectar.user_locations (user_id, city, latitude, longitude) select unnest($1::uuid[]), 'Ulm', 1, 1",
        [ids],
      );
      let now = START;
      const services: Services = { ...api.services, clock: { now: () => new Date(now) } };
      const gone = new Set<string>();
      let rows = await readRows();
      for (const what of [
        ...ids.map((_, n): Step => ({ kind: "window", who: n, hour: (n * 5) % 24, zone: "UTC" })),
        ...steps,
      ]) {
        await happen(what);
        const after = await readRows();
        expectSound(after);
        expectKept(rows, after, now, gone);
        expectWithoutAbsent(after, now);
        // A second here stands for days.
        await query("delete from private.quota_uses");
        rows = after;
      }
      await generateForAllPlayers(services);
      const final = await readRows();
      const nothing = { chainsCreated: 0, chainsChanged: 0, squadsCreated: 0 };
      expect((await generateForAllPlayers(services)).results).toEqual(nothing);
      expect(await readRows()).toEqual(final);
      // A person who does not play in the week is not a member of its team.
      const absent = await query(
        `select from nectar.team_colors t where not exists (
             select from nectar.chains c
             where c.user_id = t.user_id and c.date between t.week_start_date and t.week_start_date + 6)`,
      );
      expect(absent).toEqual([]);
      await query("delete from auth.users where id = any ($1)", [ids]);

      async function happen(what: Step) {
        if (what.kind === "time") {
          now += what.hours * 3_600_000;
          return;
        }
        if (what.kind === "match all") {
          await generateForAllPlayers(services);
          return;
        }
        const id = ids[what.who];
        if (id === undefined || gone.has(id)) return;
        const asThem = <Result>(work: Parameters<typeof services.database.asUser<Result>>[1]) =>
          services.database.asUser(id, work);
        if (what.kind === "window") {
          const clock = (hour: number) => `${String(hour % 24).padStart(2, "0")}:00`;
          const times = { windowStartTime: clock(what.hour), windowEndTime: clock(what.hour + 2) };
          const setup = { activityType: "walk", ...times, timezone: what.zone } as const;
          await asThem((tx) => setWindow(tx, id, setup, new Date(now)));
          await rematchUsers(services, [id]);
        } else if (what.kind === "move") {
          await asThem((tx) => updateLocation(tx, id, { city: what.city }));
          await rematchUsers(services, [id]);
        } else if (what.kind === "rest") {
          if (synthetic.includes(id)) {
            await query(
              "update nectar.workout_windows set away = case when away = '{}' then '{(,)}' else '{}' end::datemultirange where user_id = $1",
              [id],
            );
          } else {
            await asThem(async (tx) => {
              const window = await readWindow(tx, id, new Date(now));
              const isActive = window !== null && hasLeft(window, new Date(now));
              await setActive(tx, id, { isActive }, new Date(now));
            });
          }
          await rematchQueued.run(services);
        } else if (what.kind === "delete") {
          gone.add(id);
          await query("delete from auth.users where id = $1", [id]);
          await rematchQueued.run(services);
        } else {
          const today = new Date(now).toISOString().slice(0, 10);
          await query(
            `insert into nectar.workout_checkins
               (user_id, date, activity_type, chain_status, battle_week_start)
             select c.user_id, c.date, 'walk', 'continued', date_trunc('week', c.date::timestamp)::date
             from nectar.chains c where c.user_id = $1 and c.date = $2
             on conflict do nothing`,
            [id, addDays(today, 1)],
          );
        }
      }
    }),
    { numRuns: LONG ? 100 : 5 },
  );
});
