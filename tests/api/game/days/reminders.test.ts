import { describe, expect, it } from "vitest";
import { gameOf } from "../chain-scene.ts";
import { DATE, dayScene } from "./day-scene.ts";

const { api, people, play, run, sent } = dayScene();
const game = gameOf(api);

describe("POST cron/reminders", () => {
  const reminded = async (moment: string) => {
    api.at(moment);
    return (await run("reminders").ok()).results?.reminded;
  };

  it("reminds once in the half hour before the window opens", async () => {
    await play(people.ada, { startsAt: `${DATE}T11:00:00Z`, timezone: "Europe/Berlin" });
    expect(await reminded(`${DATE}T10:29:59.999Z`)).toBe(0);
    expect(await reminded(`${DATE}T10:30:00Z`)).toBe(1);
    expect(await reminded(`${DATE}T10:35:00Z`)).toBe(0);
    const text = { title: "Your window opens soon", body: "It opens at 12:00." };
    const data = { date: DATE, window_start_time: "12:00" };
    expect(await sent("checkin_reminder")).toEqual([{ user_id: people.ada.id, ...text, data }]);
  });

  it("does not remind once the window is open, but does a millisecond before", async () => {
    await play(people.ada);
    expect(await reminded(`${DATE}T12:00:00Z`)).toBe(0);
    expect(await reminded(`${DATE}T11:59:59.999Z`)).toBe(1);
  });

  it("leaves out synthetic users and players who have checked in during the grace", async () => {
    await play(people.ada, { status: "verified" });
    await play(people.ben);
    await api.query`update nectar.profiles set is_ai = true where id = ${people.ben.id}`;
    expect(await reminded(`${DATE}T11:50:00Z`)).toBe(0);
  });

  it("reminds separately for each date", async () => {
    await play(people.ada);
    await play(people.ada, { date: "2026-11-19" });
    expect(await reminded(`${DATE}T11:45:00Z`)).toBe(1);
    expect(await reminded("2026-11-19T11:45:00Z")).toBe(1);
    expect((await sent("checkin_reminder")).map(({ data }) => data.date)).toEqual([DATE, "2026-11-19"]);
  });

  it("reminds once more if the window is moved to later on the same date", async () => {
    await api.query`truncate nectar.workout_windows cascade`;
    api.at("2026-11-17T20:00:00Z");
    await game.setWindow(people.ada, 10);
    await game.cron({ date: DATE });
    expect(await reminded(`${DATE}T09:35:00Z`)).toBe(1);
    api.at(`${DATE}T09:40:00Z`);
    await game.setWindow(people.ada, 18);
    expect((await game.rows(DATE))[0]?.window_starts_at).toEqual(new Date(`${DATE}T18:00:00Z`));
    expect(await reminded(`${DATE}T09:40:00Z`)).toBe(0);
    api.at(`${DATE}T17:35:00Z`);
    await Promise.all([run("reminders"), run("reminders")]);
    expect(await reminded(`${DATE}T17:35:00Z`)).toBe(0);
    const bodies = (await sent("checkin_reminder")).map(({ body }) => body);
    expect(bodies.toSorted()).toEqual(["It opens at 10:00.", "It opens at 18:00."]);
  });
});
