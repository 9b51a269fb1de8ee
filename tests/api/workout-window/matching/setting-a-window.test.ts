import { describe, expect, it } from "vitest";
import { localDayEnd, windowInstants } from "#core/game/time";
import { addDays } from "#core/time/calendar-date";
import type { Person } from "#tests/people";
import { GAME } from "../chain-scene.ts";
import { matchingScene } from "./matching-scene.ts";

const { api, game, linksOf, rowOf, notificationsOf, anHourLater, playersOf } = matchingScene();
/** A Wednesday. */
const TODAY = "2031-05-14";
const TOMORROW = "2031-05-15";

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
    expect(await notificationsOf(ada)).toHaveLength(2);
    expect((await notificationsOf(ben)).map(({ data }) => data.date)).toEqual([TODAY, TOMORROW]);
    expect(await notificationsOf(eve)).toEqual([]);
  });

  it("notifies players when they first have neighbors, and of changes in the last 24 hours", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const [ada, ben] = await playersOf("Essen", [6, 9]);
    if (ada === undefined || ben === undefined) throw new Error("There are two.");
    const titles = async (person: Person) => (await notificationsOf(person)).map(({ title }) => title);
    const [first, second] = [`Your chain of ${TODAY}`, `Your chain of ${TOMORROW}`];
    // Ada had no neighbors before Ben, so she is notified of both dates as new.
    expect([await titles(ada), await titles(ben)]).toEqual([
      [first, second],
      [first, second],
    ]);
    // Six hours before today's window a change is notified, thirty hours before tomorrow's it is not.
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
    await api.put(`${GAME}/update-location`, middle, { city: "Trier" }).ok();
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
    // Clocks skip from 02:00 to 03:00: two real hours after 01:00 is 04:00.
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
  ])("stores the end of the local day: %s in %s", async (_, timezone, date, hour, dayEnd) => {
    api.at(`${addDays(date, -1)}T11:00:00Z`);
    const person = await game.player("Somewhere else", hour, timezone);
    const times = { start: `${hour < 10 ? "0" : ""}${hour}:00`, end: hour === 23 ? "01:00" : "08:00", timezone };
    const [row] = await api.query`select window_ends_at, day_ends_at from nectar.chains
      where user_id = ${person.id} and date = ${date}`;
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
    // 08:00 would be closer to both, but the first window has opened; 17:00 follows a player who has checked in.
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
