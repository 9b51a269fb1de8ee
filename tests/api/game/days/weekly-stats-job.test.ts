import { describe, expect, it } from "vitest";
import type { Person } from "#tests/people";
import { checkIn } from "../game-days.ts";
import { dayScene } from "./day-scene.ts";

const { api, people, play, run } = dayScene();

describe("POST cron/weekly-stats", () => {
  /** Rows with planned, completed, failed and pending days, the rate of completion, and chips. */
  const stats = (week = "2026-11-09") =>
    api.query`select user_id, team_color, array[days_planned, completed_count, failed_count, pending_count,
        completion_rate::float, chips_earned] as numbers
      from nectar.weekly_workout_stats where week_start_date = ${week} order by user_id`;
  const row = (person: Person, team_color: string, numbers: readonly number[]) => {
    return { user_id: person.id, team_color, numbers };
  };
  const sorted = (rows: { user_id: string }[]) => rows.toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1));

  async function playWeek() {
    await play(people.ada, { date: "2026-11-09", status: "verified", chips: 2 });
    await play(people.ada, { date: "2026-11-10", status: "verified", chips: 3 });
    await play(people.ada, { date: "2026-11-15" });
    await play(people.ben, { date: "2026-11-11", team: "blue", status: "pending" });
    await play(people.ben, { date: "2026-11-12", team: "blue", status: "rejected" });
    await play(people.ben, { date: "2026-11-16", team: "blue", status: "verified" });
  }
  const expected = () =>
    sorted([row(people.ada, "red", [3, 2, 1, 0, 66.7, 5]), row(people.ben, "blue", [2, 0, 1, 1, 0, 0])]);

  it("counts the dates of the past week and none of the current one", async () => {
    await playWeek();
    api.at("2026-11-16T00:00:00Z");
    expect((await run("weekly-stats")).body.results).toEqual({ changed: 2, corrected: 0, errors: [] });
    expect(await stats()).toEqual(expected());
    expect(await stats("2026-11-16")).toEqual([]);
    expect((await run("weekly-stats")).body.results).toEqual({ changed: 0, corrected: 0, errors: [] });
  });

  it("corrects the week before it if check-ins were reviewed since", async () => {
    await playWeek();
    api.at("2026-11-16T00:00:00Z");
    await run("weekly-stats");
    await api.query`update nectar.workout_checkins set status = 'verified', verified_at = now()
      where user_id = ${people.ben.id} and date = '2026-11-11'`;
    api.at("2026-11-23T00:00:00Z");
    expect((await run("weekly-stats")).body.results).toEqual({ changed: 1, corrected: 1, errors: [] });
    expect(await stats()).toEqual(
      sorted([row(people.ada, "red", [3, 2, 1, 0, 66.7, 5]), row(people.ben, "blue", [2, 1, 1, 0, 50, 1])]),
    );
  });

  it("counts the week again when Sunday ends in the Americas", async () => {
    const startsAt = "2026-11-16T02:00:00Z";
    await play(people.ada, { date: "2026-11-15", startsAt, timezone: "America/Los_Angeles" });
    api.at("2026-11-16T00:00:00Z");
    await run("weekly-stats");
    expect(await stats()).toEqual([row(people.ada, "red", [1, 0, 0, 1, 0, 0])]);
    await checkIn(api, { person: people.ada, date: "2026-11-15", team: "red", chips: 2 });
    api.at("2026-11-16T08:00:00Z");
    expect((await run("end-of-day")).body.results).toMatchObject({ closed: 1, completed: 1 });
    expect(await stats()).toEqual([row(people.ada, "red", [1, 1, 0, 0, 100, 2])]);
  });

  it("counts a day as failed once it is over, even during the grace of its window", async () => {
    await play(people.ada, { date: "2026-11-15", startsAt: "2026-11-15T21:55:00Z" });
    api.at("2026-11-16T00:00:00Z");
    await run("weekly-stats");
    expect(await stats()).toEqual([row(people.ada, "red", [1, 0, 1, 0, 0, 0])]);
    api.at("2026-11-16T00:02:00Z");
    expect((await run("end-of-day")).body.results).toMatchObject({ closed: 1, failed: 1 });
    expect(await stats()).toEqual([row(people.ada, "red", [1, 0, 1, 0, 0, 0])]);
  });
});
