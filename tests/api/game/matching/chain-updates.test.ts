import { describe, expect, it } from "vitest";
import { addDays } from "#core/time/calendar-date";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { leaveQuota } from "#tests/quota";
import { CRON_SECRET, GAME, gameOf } from "../chain-scene.ts";

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
const game = gameOf(api);
const TODAY = "2031-05-14";

const moveTo = (person: Person, city: string) => api.put(`${GAME}/update-location`, person, { city });
const updatesOf = (person: Person, date = TODAY) =>
  api.query`select (data -> 'has_before')::boolean as has_before, read_at is null as unread, (select count(*)::int from private.push_deliveries d
    where d.notification_id = n.id) as pushes
    from nectar.notifications n
    where user_id = ${person.id} and type = 'chain_update' and data ->> 'date' = ${date} order by created_at, id`;

/** People of a city, one after the other, and a person elsewhere whose window is before theirs. */
async function crowdAndWanderer(city: string) {
  api.at(`${TODAY}T03:00:00Z`);
  const crowd = await game.players(city, [9, 12, 15]);
  const wanderer = await game.player(`${city} elsewhere`, 6);
  await api.query`delete from nectar.notifications`;
  return { crowd, wanderer };
}

describe("changes of window and location", () => {
  it("are limited to 20 per hour in total; requests that change nothing do not count", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const ada = await api.person();
    const used = async () =>
      (await api.one`select used from private.quota_uses where user_id = ${ada.id} and name = 'window_change'`).used;
    const rest = (weekdays: number[]) => api.put(`${GAME}/my-window/rest-days`, ada, { weekdays });
    const beActive = (isActive: boolean) => api.put(`${GAME}/my-window/active`, ada, { isActive });
    // One is used, in a period that does not end while the test runs.
    await leaveQuota(api.adminUrl, ada, "window_change", 19);
    await moveTo(ada, "Ulm");
    await game.setWindow(ada, 6);
    expect(await used()).toBe(3);
    await game.setWindow(ada, 6);
    await moveTo(ada, "Ulm");
    const elsewhere = { latitude: 48.4, longitude: 9.99, timezone: "Europe/Berlin" };
    await api.put(`${GAME}/update-location`, ada, elsewhere);
    await beActive(true);
    expect(await used()).toBe(3);
    await game.setWindow(ada, 9);
    await moveTo(ada, "Bonn");
    await beActive(false);
    await rest([7]);
    await rest([7]);
    expect(await used()).toBe(7);
    await leaveQuota(api.adminUrl, ada, "window_change", 0);
    const before = await api.get(`${GAME}/my-window`, ada);
    const changes = [game.setWindow(ada, 12), moveTo(ada, "Trier"), beActive(true), rest([6])];
    for (const { status, body, headers } of await Promise.all(changes)) {
      expect([status, body.code]).toEqual([429, "quota.exhausted"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    await game.setWindow(ada, 9).ok();
    expect((await api.get(`${GAME}/my-window`, ada)).body).toEqual(before.body);
  });
});

describe("chain_update", () => {
  it("is rewritten and unread again, without another push, when it changes within 15 minutes", async () => {
    const { crowd, wanderer } = await crowdAndWanderer("Aalen");
    const [first] = crowd;
    await api.query`insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
      values (${first.id}, 'https://push.example.test/1', repeat('p', 87), repeat('a', 22))`;
    for (let moves = 0; moves < 9; moves += 1) {
      await moveTo(wanderer, moves % 2 === 0 ? "Aalen" : "Aalen elsewhere");
      expect(await updatesOf(first)).toEqual([{ has_before: moves % 2 === 0, unread: true, pushes: 1 }]);
      await api.query`update nectar.notifications set read_at = now() where user_id = ${first.id}`;
    }
    await api.query`update nectar.notifications set created_at = created_at - interval '15 minutes'`;
    await moveTo(wanderer, "Aalen elsewhere");
    expect(await updatesOf(first)).toEqual([
      { has_before: true, unread: false, pushes: 1 },
      { has_before: false, unread: true, pushes: 1 },
    ]);
  });

  it("is sent when people are first matched and when their company changes, not on eight quiet days", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const crowd = await game.players("Horb", [9, 9, 9, 12]);
    const [first] = crowd;
    const datesTold = async () =>
      (
        await api.query<{ date: string; is_changed: boolean }>`
          select data ->> 'date' as date, (data -> 'is_changed')::boolean as is_changed from nectar.notifications
          where user_id = ${first.id} and type = 'chain_update' order by created_at, id`
      ).map(({ date, is_changed }) => [date, is_changed]);
    await api.query`delete from nectar.notifications`;
    // From Wednesday to Sunday: new weeks have new teams, and so new squads.
    for (let day = 0; day < 4; day += 1) {
      const date = addDays(TODAY, day);
      for (const hour of ["00", "06", "12"]) {
        api.at(`${date}T${hour}:00:00Z`);
        await game.cron().ok();
      }
    }
    expect(await datesTold()).toEqual([]);
    const saturday = addDays(TODAY, 3);
    api.at(`${saturday}T06:00:00Z`);
    const newcomer = await game.player("Horb", 15);
    const other = crowd[3];
    for (const person of [newcomer, other]) expect(await updatesOf(person, addDays(saturday, 1))).toEqual([]);
    expect([await updatesOf(other, saturday), await updatesOf(newcomer, saturday)]).toEqual([
      [{ has_before: true, unread: true, pushes: 0 }],
      [{ has_before: true, unread: true, pushes: 0 }],
    ]);
  });

  it("is sent once when many players change at the same time", async () => {
    const { crowd } = await crowdAndWanderer("Calw");
    const people = await Promise.all(Array.from({ length: 6 }, () => game.player("Calw elsewhere", 6)));
    await api.query`delete from nectar.notifications`;
    const responses = await Promise.all(
      ["Calw", "Calw elsewhere", "Calw"].flatMap((city) => people.map((person) => moveTo(person, city))),
    );
    for (const { status } of responses) expect(status).toBe(200);
    for (const person of [...crowd, ...people]) expect((await updatesOf(person)).length).toBeLessThanOrEqual(1);
    const [first] = crowd;
    const [row] = (await game.rows(TODAY)).filter(({ user_id }) => user_id === first.id);
    expect((await updatesOf(first)).map(({ has_before }) => has_before)).toEqual([row?.before_user_id !== null]);
  });
});
