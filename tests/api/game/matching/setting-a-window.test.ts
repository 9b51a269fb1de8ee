import { describe, expect, it } from "vitest";
import { localDayEnd, windowInstants } from "#core/game/time";
import type { Person } from "#tests/people";
import { GAME } from "../chain-scene.ts";
import { matchingScene } from "./matching-scene.ts";

const { api, game, linksOf, rowOf, notificationsOf, anHourLater } = matchingScene();
/** A Wednesday. */
const TODAY = "2031-05-14";
const TOMORROW = "2031-05-15";

describe("setting a window", () => {
  it("matches today and tomorrow immediately with players of the same city, ignoring case and spaces", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const [ada] = await game.players("Ulm", [6]);
    const [ben] = await game.players("  uLM ", [9]);
    const [eve] = await game.players("Aalen", [12]);
    for (const date of [TODAY, TOMORROW]) {
      expect(await linksOf(date, [ada, ben, eve])).toEqual(["-1", "0-", "--"]);
    }
    // Tomorrow is like today.
    for (const person of [ada, ben]) {
      expect((await notificationsOf(person)).map(({ data }) => data.date)).toEqual([TODAY]);
    }
    expect(await notificationsOf(eve)).toEqual([]);
  });

  it("notifies players when they first have neighbors, and of changes of a date unless it is like the one before", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const [ada, ben] = await game.players("Essen", [6, 9]);
    const titles = async (person: Person) => (await notificationsOf(person)).map(({ title }) => title);
    const first = `Your chain of ${TODAY}`;
    // Ada had no neighbors before Ben, so today is new for her.
    for (const person of [ada, ben]) expect(await titles(person)).toEqual([first]);
    await anHourLater();
    await game.players("Essen", [12]);
    for (const date of [TODAY, TOMORROW]) await game.cron({ date });
    // The three of them are a squad.
    const changed = (date: string) => `Your chain or squad of ${date} has changed`;
    for (const person of [ada, ben]) expect(await titles(person)).toEqual([first, changed(TODAY)]);
    // Ben's window of today is over, so only tomorrow changes; what is told of it is taken back when it is like today again.
    api.at(`${TODAY}T12:30:00Z`);
    const guest = await game.player("Essen", 11);
    expect(await titles(ben)).toEqual([first, changed(TODAY), changed(TOMORROW)]);
    await anHourLater();
    await api.put(`${GAME}/update-location`, guest, { city: "Trier" }).ok();
    expect(await titles(ben)).toEqual([first, changed(TODAY), changed(TOMORROW), changed(TOMORROW)]);
  });

  it("moves a player to the new city and links their former neighbors", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const [first, middle, last] = await game.players("Bonn", [6, 9, 12]);
    const [other] = await game.players("Trier", [15]);
    await api.put(`${GAME}/update-location`, middle, { city: "Trier" }).ok();
    expect(await linksOf(TODAY, [first, middle, last, other])).toEqual(["-2", "-3", "0-", "1-"]);
    expect((await rowOf(TODAY, middle))?.area_key).toBe("city:utc:trier");
  });

  it("compares windows as instants, also on the date on which clocks change", async () => {
    api.at("2031-03-29T12:00:00Z");
    const early = await game.player("Anywhere", 1, "Europe/Berlin");
    const late = await game.player("Anywhere", 3, "Europe/Berlin");
    // Clocks skip from 02:00 to 03:00: two real hours after 01:00 is 04:00.
    expect(await linksOf("2031-03-30", [early, late])).toEqual(["--", "--"]);
    await game.cron({ date: "2031-03-31" });
    expect(await linksOf("2031-03-31", [early, late])).toEqual(["-1", "0-"]);
  });

  it("stores the end of the local day, also of one whose midnight comes twice", async () => {
    api.at("2031-10-31T11:00:00Z");
    const date = "2031-11-01";
    const person = await game.player("Somewhere else", 6, "America/Havana");
    const row = await api.one`select window_ends_at, day_ends_at from nectar.chains
      where user_id = ${person.id} and date = ${date}`;
    const times = { start: "06:00", end: "08:00", timezone: "America/Havana" };
    const day_ends_at = new Date("2031-11-02T04:00:00.000Z");
    expect(row).toEqual({ window_ends_at: windowInstants(times, date).endsAt, day_ends_at });
    expect(localDayEnd(date, times)).toEqual(day_ends_at);
  });

  it("does not change players whose window has opened or who have checked in, nor the links to them", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const people = await game.players("Kiel", [6, 10, 14]);
    const before = (await game.rows(TODAY)).filter(({ user_id }) => people.some(({ id }) => id === user_id));
    const [, , evening] = people;
    await api.query`insert into nectar.workout_checkins (user_id, date, activity_type, chain_status, battle_week_start)
      values (${evening.id}, ${TODAY}, 'walk', 'continued', '2031-05-12')`;
    api.at(`${TODAY}T06:30:00Z`);
    // 08:00 would be closer to both, but the first window has opened; 17:00 follows a player who has checked in.
    const [eight, late] = await game.players("Kiel", [8, 17]);
    const now = await game.rows(TODAY);
    expect(now.filter(({ user_id }) => before.some((row) => row.user_id === user_id))).toEqual(before);
    expect(await linksOf(TODAY, [...people, eight, late])).toEqual(["-1", "02", "1-", "-4", "3-"]);
    expect(await linksOf(TOMORROW, [...people, eight, late])).toEqual(["-3", "32", "14", "01", "2-"]);
  });

  it("changes an open window from tomorrow, and a later one immediately", async () => {
    api.at(`${TODAY}T06:30:00Z`);
    const [ada, ben] = await game.players("Jena", [6, 12]);
    await game.setWindow(ada, 20);
    await game.setWindow(ben, 17);
    const starts = async (date: string) =>
      Promise.all([ada, ben].map(async (person) => (await rowOf(date, person))?.window_starts_at.toISOString()));
    expect(await starts(TODAY)).toEqual([`${TODAY}T06:00:00.000Z`, `${TODAY}T17:00:00.000Z`]);
    expect(await starts(TOMORROW)).toEqual([`${TOMORROW}T20:00:00.000Z`, `${TOMORROW}T17:00:00.000Z`]);
    expect(await linksOf(TOMORROW, [ada, ben])).toEqual(["1-", "-0"]);
  });
});
