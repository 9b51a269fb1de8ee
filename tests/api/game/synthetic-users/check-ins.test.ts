import { describe, expect, it } from "vitest";
import { sentNotifications } from "#tests/notifications";
import { checkIn } from "../game-days.ts";
import { DATE, NOON, syntheticScene } from "./synthetic-scene.ts";

const scene = syntheticScene();
const { api, runAt, synthetics, chain, drawn, state } = scene;

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
      const chip_breakdown = { base: 1, chain: 1, early: early ? 0.5 : 0, streak: 0, raw: early ? 2.5 : 2, earned: 2 };
      expect(row).toMatchObject({ status: "verified", chips: 2, chip_breakdown, chain_status: "continued" });
      expect(row).toMatchObject({ team_color: "red", verified_at: moment, photo_timestamp: null, of_chain: true });
    }
    expect(battles).toMatchObject([{ battle_status: "in_progress" }]);
    expect(await api.query`select from nectar.workout_checkin_photos`).toEqual([]);

    // Later the rest of those who play on that date, and no one else, in any number of runs.
    const all = users.filter((user) => drawn(user, 0.85) !== null);
    await runAt(`${DATE}T13:10:00.000Z`);
    expect((await state()).checkIns.map(({ user_id }) => user_id)).toEqual(all.toSorted());
    expect((await runAt(`${DATE}T14:00:00.000Z`)).results).toMatchObject({ checked_in: 0 });
  });

  it("are not written for people, inactive users, a probability of 0, times to come, or days that are over", async () => {
    const ada = await api.person();
    const [resting = "", over = "", later = ""] = await synthetics(3);
    const [never = ""] = await synthetics(1, 0);
    await api.put(`/api/workout-window/admin/ai-users/${resting}/toggle`, scene.root, { isActive: false });
    await api.query`delete from nectar.chains`;
    await chain([...[ada.id, resting, over, never].map((user) => ({ user })), { user: later, start: "20:00" }]);
    await api.query`delete from private.open_days where user_id = ${over}`;
    const { results } = await runAt(`${DATE}T13:30:00.000Z`);
    expect(results).toEqual({ checked: 1, checked_in: 0, notified: 0, errors: [] });
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
    await api.query`with squad as (
        insert into nectar.squads (date, user_1_id, user_2_id, user_3_id, team_color)
        values (${DATE}, ${one}, ${two}, ${bob.id}, 'red') returning id
      ) update nectar.chains set squad_id = squad.id from squad where user_id in (${one}, ${two}, ${bob.id})`;
    expect((await runAt(`${DATE}T11:30:00.000Z`)).results).toMatchObject({ checked_in: 2, notified: 3 });
    await runAt(`${DATE}T11:45:00.000Z`);
    const { notifications } = await state();
    const update = { user_id: bob.id, type: "battle_update", date: DATE };
    expect(notifications).toHaveLength(3);
    expect(notifications.filter(({ user_id }) => user_id === bob.id)).toEqual([update, update]);
    expect(notifications).toContainEqual({ user_id: ada.id, type: "baton_pass", date: DATE });
    const [note] = await sentNotifications(api, "baton_pass");
    const text = { title: "The baton is yours", body: `${note?.data.full_name} has checked in. You are next.` };
    const data = { date: DATE, checkin_id: expect.any(String), full_name: expect.stringMatching(/^\p{L}+ \p{L}+$/u) };
    expect(note).toEqual({ user_id: ada.id, ...text, data });
  });

  it("do not notify a next person who has checked in or whose window and grace are over", async () => {
    const [done, late, open] = [await api.person(), await api.person(), await api.person()];
    const [one = "", two = "", three = ""] = await synthetics(3);
    // The job did not run until noon. The late window and its grace of 15 minutes ended at 11:44.
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
    expect((await state()).notifications).toEqual([{ user_id: open.id, type: "baton_pass", date: DATE }]);
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
    await checkIn(api, { person: bob, date: DATE, team: "red", status: "pending" });
    await runAt(NOON);
    const rows = new Map((await state()).checkIns.map((row) => [row.user_id, row]));
    expect(rows.get(far)).toMatchObject({ chain_status: "broken", chips: 1, chip_breakdown: { chain: 0 } });
    expect(rows.get(kept)).toMatchObject({ chain_status: "continued", chips: 2 });
    // Both in one run: the previous player counts.
    expect(rows.get(awaited)).toMatchObject({ chain_status: "continued", chips: 2 });
  });

  it("earn the streak bonus from the seventh day", async () => {
    const [six = "", seven = "", gap = ""] = await synthetics(3);
    const past = (user: string, days: readonly number[]) =>
      api.query`
        insert into nectar.workout_checkins
          (user_id, date, activity_type, status, chain_status, battle_week_start, verified_at)
        select ${user}, ${DATE}::date - day, 'walk', 'verified', 'continued', '2026-11-16', now()
        from unnest(${days}::int[]) day`;
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
    await api.query`insert into nectar.battles (week_start_date, battle_status, winner, battle_result)
      values ('2026-11-16', 'completed', 'tie', '{}')`;
    await runAt(`${DATE}T13:05:00.000Z`);
    const rows = await api.query`select battle_week_start::text as week from nectar.workout_checkins`;
    expect(rows).toEqual([{ week: "2026-11-23" }]);
  });
});
