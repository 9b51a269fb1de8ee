import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { checkInsOf } from "../photo-scene.ts";

const api = useApi({ environment: await useFileStore() });
const { checkIn, notificationsOf, photoAt, unlinkedPlayers } = checkInsOf(api);
const DAY = "2026-03-04";

const link = async (first: Person, second: Person) => {
  await api.query`update nectar.chains set after_user_id = ${second.id} where user_id = ${first.id} and date = ${DAY}`;
  await api.query`update nectar.chains set before_user_id = ${first.id} where user_id = ${second.id} and date = ${DAY}`;
};
describe("the chain", () => {
  it("continues while the previous player may still check in, and breaks after their grace", async () => {
    const [ada, ben, cleo, dora] = await unlinkedPlayers(DAY, [4, 6, 6, 8]);
    await link(ada, ben);
    api.at(`${DAY}T06:15:00Z`);
    const inGrace = await checkIn(ben, await photoAt(`${DAY}T06:10:00Z`));
    expect(inGrace.body).toMatchObject({ chainStatus: "continued", nextUserNotified: false });
    await link(ada, cleo);
    api.at(`${DAY}T06:15:01Z`);
    await link(cleo, dora);
    const broken = await checkIn(cleo, await photoAt(`${DAY}T06:10:00Z`));
    const checkin = { chip_breakdown: { chain: 0, raw: 1.5 } };
    const outcome = { chainStatus: "broken", nextUserNotified: true, battleChipsEarned: 1, checkin };
    expect(broken.body).toMatchObject(outcome);
    expect(await notificationsOf(dora)).toEqual(["baton_pass"]);
  });

  it("notifies no next player who has checked in or whose window is over", async () => {
    const [ada, ben, cleo, dora] = await unlinkedPlayers(DAY, [4, 6, 4, 6]);
    await link(ada, ben);
    await link(cleo, dora);
    api.at(`${DAY}T06:40:00Z`);
    await checkIn(ben, await photoAt(`${DAY}T06:35:00Z`));
    const late = await checkIn(ada, await photoAt(`${DAY}T04:35:00Z`));
    expect(late.body).toMatchObject({ checkin: { status: "pending" }, nextUserNotified: false });
    api.at(`${DAY}T08:15:01Z`);
    const later = await checkIn(cleo, await photoAt(`${DAY}T04:36:00Z`));
    expect(later.body.nextUserNotified).toBe(false);
    expect([await notificationsOf(ben), await notificationsOf(dora)]).toEqual([[], []]);
  });

  it("notifies the squad of a verified check-in only, and no synthetic user", async () => {
    const [ada, ben, cleo, dora, eve] = await unlinkedPlayers(DAY, [6, 8, 8, 8, 4]);
    await link(ada, ben);
    await link(eve, ada);
    await api.query`update nectar.profiles set is_ai = true where id = ${ben.id}`;
    await api.query`with s as (insert into nectar.squads (date, user_1_id, user_2_id, user_3_id, team_color)
      values (${DAY}, ${ada.id}, ${ben.id}, ${cleo.id}, 'red') returning id)
      update nectar.chains set squad_id = s.id from s where date = ${DAY}
        and user_id in (${ada.id}, ${ben.id}, ${cleo.id})`;
    api.at(`${DAY}T06:20:00Z`);
    const fields = { latitude: "1", longitude: "2" };
    const { body } = await checkIn(ada, await photoAt(`${DAY}T06:10:00Z`), { fields });
    expect(body.nextUserNotified).toBe(false);
    expect(await notificationsOf(cleo)).toEqual(["battle_update"]);
    for (const person of [ben, dora]) expect(await notificationsOf(person)).toEqual([]);

    const seen = async (viewer: Person) => {
      const { body: list } = await api.get(`/api/workout-window/checkins/${DAY}?limit=2000`, viewer);
      const found = list.checkins.find(({ id }) => id === body.checkin.id);
      return [found?.photo_url !== null, found?.location_lat];
    };
    const admin = await api.person({ role: "admin" });
    for (const person of [ada, admin]) expect(await seen(person)).toEqual([true, 1]);
    for (const person of [ben, cleo, eve]) expect(await seen(person)).toEqual([true, null]);
    expect(await seen(dora)).toEqual([false, null]);
  });

  it.each([
    ["earns the streak bonus from the seventh verified day in a row", 6, "verified", 2],
    ["earns no streak bonus over a pending day", 10, "pending", 0],
    ["earns no streak bonus over a rejected day", 10, "rejected", 0],
  ])("%s", async (_, days, third, streak) => {
    const [ada] = await unlinkedPlayers(DAY, [6]);
    await api.query`
      insert into nectar.workout_checkins
        (user_id, date, activity_type, status, chain_status, battle_week_start, verified_at)
      select ${ada.id}, ${DAY}::date - d, 'walk', case d when 3 then ${third}::nectar.checkin_status else 'verified' end,
        'continued', date_trunc('week', ${DAY}::date - d)::date, now() from generate_series(1, ${days}::int) d`;
    api.at(`${DAY}T06:40:00Z`);
    const { checkin } = await checkIn(ada, await photoAt(`${DAY}T06:35:00Z`)).created();
    const total = 2 + streak;
    expect(checkin.chip_breakdown).toEqual({ base: 1, chain: 1, early: 0, streak, raw: total, earned: total });
  });
});
