import { describe, expect, it } from "vitest";
import { BATCH } from "#functions/game/synthetic-users/check-ins";
import { whileOverlapping } from "#tests/claims";
import { deletionsOf } from "#tests/deletions";
import { crowd } from "../game-days.ts";
import { DATE, type Link, NOON, syntheticScene } from "./synthetic-scene.ts";

const { api, runAt, synthetics, chain, state } = syntheticScene();
const { deletedBefore } = deletionsOf(api);

describe("a run that is repeated, runs in parallel or is interrupted", () => {
  const SIZE = 60;

  /** Pairs of synthetic users who check in one after the other; a person follows the last. */
  async function scene() {
    const ada = await api.person();
    const users = await synthetics(SIZE);
    const pairs = users.map((user, index): Link => {
      const other = users[index ^ 1] ?? "";
      if (index % 2 === 0) return { user, after: other, start: "06:00" };
      return { user, before: other, after: ada.id, start: "09:00" };
    });
    await chain([...pairs, { user: ada.id, start: "12:00" }]);
    return ada;
  }

  it("has the same result when it runs three times in parallel and again", async () => {
    await scene();
    const runs = await whileOverlapping(api, () => Promise.all([runAt(NOON), runAt(NOON), runAt(NOON)]));
    const first = await state();
    expect(first.checkIns).toHaveLength(SIZE);
    expect(first.notifications).toHaveLength(SIZE / 2);
    expect(runs.reduce((sum, { results }) => sum + Number(results?.checked_in ?? 0), 0)).toBe(SIZE);
    await runAt(NOON);
    expect(await state()).toEqual(first);
  });

  it("succeeds while the account of the next person is deleted", async () => {
    const ada = await scene();
    const { results } = await deletedBefore(ada, () => runAt(NOON));
    expect(results).toMatchObject({ checked_in: SIZE });
    expect(await state()).toMatchObject({ checkIns: { length: SIZE }, notifications: [] });
    expect(await api.query`select from nectar.profiles where id = ${ada.id}`).toEqual([]);
  });

  it("is completed by the next run if its connections are cut", async () => {
    await scene();
    await runAt(NOON);
    const whole = await state();
    await api.query`delete from nectar.workout_checkins; delete from nectar.notifications; delete from nectar.battles`;
    await api.inTransaction(async ({ query }) => {
      // Another transaction is creating this battle, so the run has to wait in the middle.
      await query`insert into nectar.battles (week_start_date) values ('2026-11-16')`;
      const outcome = expect(runAt(NOON)).rejects.toThrow();
      await api.untilWaiting();
      await api.cutConnections();
      await outcome;
    });
    expect((await state()).checkIns).toEqual([]);
    await runAt(NOON);
    expect(await state()).toEqual(whole);
  });

  it("adds no check-in to a day that ends at the same time", async () => {
    const [user = ""] = await synthetics(1);
    await chain([{ user }]);
    await api.inTransaction(async ({ query }) => {
      await query`select from nectar.chains for no key update`;
      await query`delete from private.open_days`;
      const late = runAt(NOON.replace("12:00", "13:59"));
      await api.untilWaiting();
      await query`commit`;
      expect((await late).results).toMatchObject({ checked: 1, checked_in: 0 });
    });
    expect((await state()).checkIns).toEqual([]);
  });

  it("reaches all users when there are more than fit into one batch", async () => {
    const people = BATCH + 3;
    await crowd(api, people, DATE);
    await api.query`insert into nectar.synthetic_users (
        user_id, region, city, state, timezone, activity_type, window_start, window_end, check_in_probability, seed
      )
      select user_id, 'Midwest', 'Chicago', 'IL', 'UTC', 'walk', '12:00', '14:00', 1, 'crowd' from nectar.chains`;
    // Most play in the morning; a dozen follow one of them each, and the batches meet within this dozen.
    await api.query`with numbered as (
        select c.id, c.user_id, row_number() over (order by c.id) as n from nectar.chains c
      ), morning as (
        update nectar.chains c set window_starts_at = c.window_starts_at - interval '6 hours',
          window_ends_at = c.window_ends_at - interval '6 hours'
        from numbered m where m.id = c.id and m.n > 12
      )
      update nectar.chains c set before_user_id = ahead.user_id
      from numbered m join numbered ahead on ahead.n = m.n + 12
      where m.id = c.id and m.n <= 12`;
    const { results } = await runAt(`${DATE}T15:00:00.000Z`);
    expect(results).toEqual({ checked: people, checked_in: people, notified: 0, errors: [] });
    const written = await api.one`select count(distinct user_id)::int as people,
        count(*) filter (where chain_status = 'continued')::int as continued
      from nectar.workout_checkins`;
    expect(written).toEqual({ people, continued: people });
    expect((await runAt(`${DATE}T15:15:00.000Z`)).results).toMatchObject({ checked: 0, checked_in: 0 });
  });
});
