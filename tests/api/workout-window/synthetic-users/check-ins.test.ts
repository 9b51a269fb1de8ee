import pg from "pg";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkInSyntheticUsers, SLICE } from "../../../../functions/workout-window/synthetic-users/check-ins.ts";
import { drawnCheckIn } from "../../../../packages/core/game/synthetic.ts";
import { useApi } from "../../../support/api.ts";
import { deletionsOf } from "../../../support/deletions.ts";
import type { Person } from "../../../support/people.ts";
import { checkIn, crowd } from "../game-days.ts";

const api = useApi();
const runAt = (moment: string) =>
  checkInSyntheticUsers.run({ ...api.services, clock: { now: () => new Date(moment) } });

/** A Saturday; its battle begins on Monday the 16th. */
const DATE = "2026-11-21";
const NOON = `${DATE}T12:00:00.000Z`;

let root: Person;
beforeAll(async () => {
  root = await api.person({ role: "super_admin" });
});
beforeEach(() =>
  api.query(
    `delete from auth.users where raw_app_meta_data ->> 'nectar' = 'synthetic';
     delete from nectar.workout_checkins; delete from nectar.chains; delete from nectar.squads; delete from nectar.battles;
     delete from nectar.notifications`,
  ),
);

async function synthetics(count: number, checkInProbability = 1): Promise<string[]> {
  const { body } = await api.post("/api/workout-window/admin/ai-users/generate", root, {
    count,
    config: { checkInProbability },
  });
  await api.query("delete from nectar.chains; delete from nectar.squads");
  return body.users.map(({ id }: { id: string }) => id);
}

interface Link {
  readonly user: string;
  readonly before?: string;
  readonly after?: string;
  readonly date?: string;
  readonly start?: string;
  readonly color?: "red" | "blue";
}

/** Puts people into the chain of a date; windows are given by their start in UTC. */
const chain = (links: readonly Link[]) =>
  api.query(
    `insert into nectar.chains (date, user_id, before_user_id, after_user_id, team_color, area_key, activity_type,
       timezone, window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
     select coalesce(l.date, $2::date), l.user, l.before, l.after, coalesce(l.color, 'red'), 'city:x', 'walk', 'UTC',
       l.start::time, l.start::time + interval '2 hours',
       (coalesce(l.date, $2::date) + l.start::time) at time zone 'UTC',
       (coalesce(l.date, $2::date) + l.start::time) at time zone 'UTC' + interval '2 hours',
       (coalesce(l.date, $2::date) + 1)::timestamp at time zone 'UTC'
     from jsonb_to_recordset($1) as l (
       "user" uuid, before uuid, after uuid, date date, start text, color nectar.team_color
     )`,
    [JSON.stringify(links.map((link) => ({ start: "11:00", ...link }))), DATE],
  );

const drawn = (userId: string, probability = 1, start = "11:00") => {
  const startsAt = new Date(`${DATE}T${start}:00Z`);
  return drawnCheckIn({
    userId,
    date: DATE,
    probability,
    startsAt,
    endsAt: new Date(startsAt.getTime() + 7_200_000),
  });
};

/** All that a run leaves behind. */
async function state() {
  const checkIns = await api.query<{ user_id: string; chips: number }>(
    `select k.user_id, k.date, k.status, k.battle_chips_earned as chips, k.chip_breakdown, k.chain_status, k.team_color,
       k.battle_week_start, k.verified_at, k.photo_timestamp, k.chain_id = c.id as of_chain
     from nectar.workout_checkins k join nectar.chains c on c.user_id = k.user_id and c.date = k.date
     order by k.user_id, k.date`,
  );
  const told = await api.query(
    "select user_id, type, data ->> 'date' as date from nectar.notifications where type in ('baton_pass', 'battle_update') order by 1, 2, 3",
  );
  const battles = await api.query("select week_start_date, battle_status from nectar.battles order by 1");
  return { checkIns, told, battles };
}

describe("synthetic check-ins", () => {
  it("are written at their drawn time, verified, without a photo, with their chips", async () => {
    const users = await synthetics(40, 0.85);
    await chain(users.map((user) => ({ user })));
    const expected = users.filter((user) => {
      const moment = drawn(user, 0.85);
      return moment !== null && moment <= new Date(NOON);
    });
    expect(expected.length).toBeGreaterThan(5);
    expect(expected.length).toBeLessThan(35);
    const { results } = await runAt(NOON);
    expect(results).toEqual({ checked: 40, checked_in: expected.length, notified: 0, errors: [] });
    const { checkIns, battles } = await state();
    expect(checkIns.map(({ user_id }) => user_id)).toEqual(expected.toSorted());
    for (const row of checkIns) {
      const moment = drawn(row.user_id, 0.85);
      const early = (moment?.getTime() ?? 0) - Date.parse(`${DATE}T11:00:00Z`) <= 30 * 60_000;
      expect(row).toMatchObject({
        status: "verified",
        chips: 2,
        chip_breakdown: { base: 1, chain: 1, early: early ? 0.5 : 0, streak: 0, raw: early ? 2.5 : 2, earned: 2 },
        chain_status: "continued",
        team_color: "red",
        verified_at: moment,
        photo_timestamp: null,
        of_chain: true,
      });
    }
    expect(battles).toMatchObject([{ battle_status: "in_progress" }]);
    expect(await api.query("select from nectar.workout_checkin_photos")).toEqual([]);

    // Later the rest of those who play that day, and nobody else, however often.
    const all = users.filter((user) => drawn(user, 0.85) !== null);
    await runAt(`${DATE}T13:10:00.000Z`);
    expect((await state()).checkIns.map(({ user_id }) => user_id)).toEqual(all.toSorted());
    expect((await runAt(`${DATE}T14:00:00.000Z`)).results).toMatchObject({ checked_in: 0 });
  });

  it("are not written for people, inactive users, a probability of 0, times to come, or days that are over", async () => {
    const ada = await api.person();
    const [resting = "", over = "", later = ""] = await synthetics(3);
    const [never = ""] = await synthetics(1, 0);
    await api.put(`/api/workout-window/admin/ai-users/${resting}/toggle`, root, { isActive: false });
    await api.query("delete from nectar.chains");
    await chain([
      { user: ada.id },
      { user: resting },
      { user: over },
      { user: never },
      { user: later, start: "20:00" },
    ]);
    await api.query("update nectar.chains set closed_at = now() where user_id = $1", [over]);
    expect((await runAt(`${DATE}T13:30:00.000Z`)).results).toEqual({
      checked: 1,
      checked_in: 0,
      notified: 0,
      errors: [],
    });
    expect((await state()).checkIns).toEqual([]);
  });

  it("are caught up after missed runs while the day is open", async () => {
    const [user = ""] = await synthetics(1);
    await chain([{ user }]);
    await runAt("2026-11-22T09:00:00.000Z");
    expect((await state()).checkIns).toMatchObject([{ user_id: user, verified_at: drawn(user) }]);
  });

  it("notify the person who is next and the people of the squad once", async () => {
    const [ada, bob] = [await api.person(), await api.person()];
    const [one = "", two = ""] = await synthetics(2);
    await chain([
      { user: one, after: two, start: "07:00" },
      { user: two, before: one, after: ada.id, start: "09:00" },
      { user: ada.id, before: two, start: "12:00" },
      { user: bob.id, start: "12:00" },
    ]);
    await api.query(
      `with squad as (
         insert into nectar.squads (date, user_1_id, user_2_id, user_3_id, team_color)
         values ($1, $2, $3, $4, 'red') returning id
       ) update nectar.chains set squad_id = squad.id from squad where user_id in ($2, $3, $4)`,
      [DATE, one, two, bob.id],
    );
    expect((await runAt(`${DATE}T11:30:00.000Z`)).results).toMatchObject({ checked_in: 2, notified: 3 });
    await runAt(`${DATE}T11:45:00.000Z`);
    const { told } = await state();
    expect(told).toHaveLength(3);
    expect(told).toEqual(
      expect.arrayContaining([
        { user_id: ada.id, type: "baton_pass", date: DATE },
        { user_id: bob.id, type: "battle_update", date: DATE },
        { user_id: bob.id, type: "battle_update", date: DATE },
      ]),
    );
    const [note] = await api.query("select title, body, data from nectar.notifications where type = 'baton_pass'");
    expect(note).toEqual({
      title: "The baton is yours",
      body: expect.stringMatching(/^\p{L}+ \p{L}+ has checked in\. You are next\.$/u),
      data: { date: DATE, checkin_id: expect.any(String) },
    });
  });

  it("do not notify a next person who has checked in or whose window and grace are over", async () => {
    const [done, late, open] = [await api.person(), await api.person(), await api.person()];
    const [one = "", two = "", three = ""] = await synthetics(3);
    // The job was away until noon. The window of who is late is over since 11:44, with its grace of 15 minutes.
    await chain([
      { user: one, after: done.id, start: "06:00" },
      { user: done.id, before: one, start: "11:00" },
      { user: two, after: late.id, start: "06:00" },
      { user: late.id, before: two, start: "09:44" },
      { user: three, after: open.id, start: "06:00" },
      { user: open.id, before: three, start: "09:46" },
    ]);
    await checkIn(api, { person: done, date: DATE, team: "red" });
    expect((await runAt(NOON)).results).toMatchObject({ checked_in: 3, notified: 1 });
    expect((await state()).told).toEqual([{ user_id: open.id, type: "baton_pass", date: DATE }]);
  });

  it("continue the chain unless the previous player missed their window and grace", async () => {
    const [ada, bob] = [await api.person(), await api.person()];
    const [close = "", far = "", kept = "", awaited = ""] = await synthetics(4);
    await chain([
      // Ada's window and grace end at 08:15; she stays away.
      { user: ada.id, after: far, start: "06:00" },
      { user: far, before: ada.id, start: "08:30" },
      { user: bob.id, after: kept, start: "06:00" },
      { user: kept, before: bob.id, start: "08:30" },
      { user: close, start: "06:00", after: awaited },
      { user: awaited, before: close, start: "08:30" },
    ]);
    await api.query(
      `insert into nectar.workout_checkins (user_id, date, activity_type, status, chain_status, battle_week_start)
       values ($1, $2, 'walk', 'pending', 'continued', '2026-11-16')`,
      [bob.id, DATE],
    );
    await runAt(NOON);
    const rows = new Map((await state()).checkIns.map((row) => [row.user_id, row]));
    expect(rows.get(far)).toMatchObject({ chain_status: "broken", chips: 1, chip_breakdown: { chain: 0 } });
    expect(rows.get(kept)).toMatchObject({ chain_status: "continued", chips: 2 });
    // Both in one run: who is before counts.
    expect(rows.get(awaited)).toMatchObject({ chain_status: "continued", chips: 2 });
  });

  it("earn the streak bonus from the seventh day", async () => {
    const [six = "", seven = "", gap = ""] = await synthetics(3);
    const past = (user: string, days: readonly number[]) =>
      api.query(
        `insert into nectar.workout_checkins (user_id, date, activity_type, status, chain_status, battle_week_start, verified_at)
         select $1, $2::date - day, 'walk', 'verified', 'continued', '2026-11-16', now()
         from unnest($3::int[]) day`,
        [user, DATE, days],
      );
    await past(six, [1, 2, 3, 4, 5]);
    await past(seven, [1, 2, 3, 4, 5, 6]);
    await past(gap, [1, 2, 3, 5, 6, 7, 8, 9]);
    await chain([{ user: six }, { user: seven }, { user: gap }]);
    await runAt(`${DATE}T13:05:00.000Z`);
    const chips = new Map((await state()).checkIns.map((row) => [row.user_id, row.chips]));
    expect([chips.get(six), chips.get(seven), chips.get(gap)]).toEqual([2, 4, 2]);
  });

  it("count for the next battle if the battle of their week is over", async () => {
    const [user = ""] = await synthetics(1);
    await chain([{ user }]);
    await api.query(
      `insert into nectar.battles (week_start_date, battle_status, winner, battle_result)
       values ('2026-11-16', 'completed', 'tie', '{}')`,
    );
    await runAt(`${DATE}T13:05:00.000Z`);
    expect(
      await api.query("select battle_week_start::text as week from nectar.workout_checkins where user_id = $1", [user]),
    ).toEqual([{ week: "2026-11-23" }]);
  });
});

describe("a run that is repeated, runs in parallel or is interrupted", () => {
  const SIZE = 60;

  /** Everybody checks in once; pairs follow each other, and a person follows the last. */
  async function scene() {
    const ada = await api.person();
    const users = await synthetics(SIZE);
    await chain(
      users
        .map((user, index): Link => {
          const [first, second] = [index % 2 === 0, users[index ^ 1] ?? ""];
          return first
            ? { user, after: second, start: "06:00" }
            : { user, before: second, after: ada.id, start: "09:00" };
        })
        .concat({ user: ada.id, start: "12:00" }),
    );
    return ada;
  }

  it("has the same result when it runs three times in parallel and again", async () => {
    await scene();
    const runs = await Promise.all([runAt(NOON), runAt(NOON), runAt(NOON)]);
    const first = await state();
    expect(first.checkIns).toHaveLength(SIZE);
    expect(first.told).toHaveLength(SIZE / 2);
    expect(runs.reduce((sum, { results }) => sum + Number(results?.checked_in ?? 0), 0)).toBe(SIZE);
    await runAt(NOON);
    expect(await state()).toEqual(first);
  });

  it("succeeds while the account of the next person is deleted", async () => {
    const ada = await scene();
    const { results } = await deletionsOf(api).deletedDuring(ada, () => runAt(NOON));
    expect(results).toMatchObject({ checked_in: SIZE });
    expect(await state()).toMatchObject({ checkIns: { length: SIZE }, told: [] });
    expect(await api.query("select from nectar.profiles where id = $1", [ada.id])).toEqual([]);
  });

  it("is completed by the next run if its connections are cut", async () => {
    await scene();
    await runAt(NOON);
    const whole = await state();
    await api.query(
      "delete from nectar.workout_checkins; delete from nectar.notifications; delete from nectar.battles",
    );
    const blocker = new pg.Client({ connectionString: api.adminUrl });
    await blocker.connect();
    try {
      // Someone else is about to make this battle: the run has to wait for them in the middle.
      await blocker.query("begin");
      await blocker.query("insert into nectar.battles (week_start_date) values ('2026-11-16')");
      const cut = runAt(NOON);
      const outcome = expect(cut).rejects.toThrow();
      await expect
        .poll(
          async () => {
            const waiting = await api.query(
              `select pid from pg_stat_activity where datname = current_database() and usename = 'nectar_api'
               and wait_event_type = 'Lock'`,
            );
            return waiting.length;
          },
          { timeout: 20_000 },
        )
        .toBe(1);
      await api.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'nectar_api'",
      );
      await outcome;
    } finally {
      await blocker.end();
    }
    expect((await state()).checkIns).toEqual([]);
    await runAt(NOON);
    expect(await state()).toEqual(whole);
  });

  it("adds no check-in to a day that ends at the same time", async () => {
    const [user = ""] = await synthetics(1);
    await chain([{ user }]);
    const ending = new pg.Client({ connectionString: api.adminUrl });
    await ending.connect();
    try {
      await ending.query("begin");
      await ending.query("update nectar.chains set closed_at = now()");
      const late = runAt(NOON.replace("12:00", "13:59"));
      await expect
        .poll(
          () =>
            api.query(
              `select pid from pg_stat_activity where datname = current_database() and usename = 'nectar_api'
               and wait_event_type = 'Lock'`,
            ),
          { timeout: 20_000 },
        )
        .toHaveLength(1);
      await ending.query("commit");
      expect((await late).results).toMatchObject({ checked: 1, checked_in: 0 });
    } finally {
      await ending.end();
    }
    expect((await state()).checkIns).toEqual([]);
  });

  it("reaches all users when there are more than fit into one slice", async () => {
    const people = SLICE + 3;
    await crowd(api, people, DATE);
    await api.query(
      `insert into nectar.synthetic_users (
         user_id, region, city, state, timezone, activity_type, window_start, window_end, check_in_probability, seed
       )
       select user_id, 'Midwest', 'Chicago', 'IL', 'UTC', 'walk', '12:00', '14:00', 1, 'crowd' from nectar.chains`,
    );
    // Most play in the morning; a dozen follow one of them each, and the border is among this dozen.
    await api.query(
      `with numbered as (
         select c.id, c.user_id, row_number() over (order by c.id) as n from nectar.chains c
       ), morning as (
         update nectar.chains c set window_starts_at = c.window_starts_at - interval '6 hours',
           window_ends_at = c.window_ends_at - interval '6 hours'
         from numbered m where m.id = c.id and m.n > 12
       )
       update nectar.chains c set before_user_id = ahead.user_id
       from numbered m join numbered ahead on ahead.n = m.n + 12
       where m.id = c.id and m.n <= 12`,
    );
    expect((await runAt(`${DATE}T15:00:00.000Z`)).results).toEqual({
      checked: people,
      checked_in: people,
      notified: 0,
      errors: [],
    });
    expect(
      await api.query(
        "select count(distinct user_id)::int as people, count(*) filter (where chain_status = 'continued')::int as continued from nectar.workout_checkins",
      ),
    ).toEqual([{ people, continued: people }]);
    expect((await runAt(`${DATE}T15:15:00.000Z`)).results).toMatchObject({ checked: 0, checked_in: 0 });
  }, 30_000);
});
