import { describe, expect, it } from "vitest";
import { gameOf } from "../chain-scene.ts";
import { playDay } from "../game-days.ts";
import { DATE, dayScene } from "./day-scene.ts";

const { api, people, run, sent } = dayScene();
const game = gameOf(api);

describe("POST cron/reminders", () => {
  const reminded = async () => (await run("reminders")).body.results?.reminded;

  it("reminds once in the half hour before the window opens", async () => {
    await playDay(api, {
      person: people.ada,
      date: DATE,
      team: "red",
      startsAt: `${DATE}T11:00:00Z`,
      timezone: "Europe/Berlin",
    });
    api.at(`${DATE}T10:29:59.999Z`);
    expect(await reminded()).toBe(0);
    api.at(`${DATE}T10:30:00Z`);
    expect(await reminded()).toBe(1);
    api.at(`${DATE}T10:35:00Z`);
    expect(await reminded()).toBe(0);
    expect(await sent("checkin_reminder")).toEqual([
      {
        user_id: people.ada.id,
        title: "Your window opens soon",
        body: "It opens at 12:00.",
        data: { date: DATE, window_start_time: "12:00" },
      },
    ]);
  });

  it("does not remind once the window is open, but does a millisecond before", async () => {
    await playDay(api, { person: people.ada, date: DATE, team: "red" });
    api.at(`${DATE}T12:00:00Z`);
    expect(await reminded()).toBe(0);
    api.at(`${DATE}T11:59:59.999Z`);
    expect(await reminded()).toBe(1);
  });

  it("leaves out synthetic users and players who have checked in during the grace", async () => {
    await playDay(api, { person: people.ada, date: DATE, team: "red", status: "verified" });
    await playDay(api, { person: people.ben, date: DATE, team: "red" });
    await api.query`update nectar.profiles set is_ai = true where id = ${people.ben.id}`;
    api.at(`${DATE}T11:50:00Z`);
    expect(await reminded()).toBe(0);
  });

  it("reminds separately for each date", async () => {
    await playDay(api, { person: people.ada, date: DATE, team: "red" });
    await playDay(api, { person: people.ada, date: "2026-11-19", team: "red" });
    api.at(`${DATE}T11:45:00Z`);
    expect(await reminded()).toBe(1);
    api.at("2026-11-19T11:45:00Z");
    expect(await reminded()).toBe(1);
    expect((await sent("checkin_reminder")).map(({ data }) => data.date)).toEqual([DATE, "2026-11-19"]);
  });

  it("reminds once more if the window is moved to later on the same date", async () => {
    await api.query`truncate nectar.workout_windows cascade`;
    api.at("2026-11-17T20:00:00Z");
    await game.setWindow(people.ada, 10);
    await game.cron({ date: DATE });
    api.at(`${DATE}T09:35:00Z`);
    expect(await reminded()).toBe(1);
    api.at(`${DATE}T09:40:00Z`);
    await game.setWindow(people.ada, 18);
    expect((await game.rows(DATE))[0]?.window_starts_at).toEqual(new Date(`${DATE}T18:00:00Z`));
    expect(await reminded()).toBe(0);
    api.at(`${DATE}T17:35:00Z`);
    await Promise.all([run("reminders"), run("reminders")]);
    expect(await reminded()).toBe(0);
    expect((await sent("checkin_reminder")).map(({ body }) => body).toSorted()).toEqual([
      "It opens at 10:00.",
      "It opens at 18:00.",
    ]);
  });
});
