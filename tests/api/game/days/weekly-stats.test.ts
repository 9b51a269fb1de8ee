import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { sentNotifications } from "#tests/notifications";
import { beforeEachTest } from "#tests/prepare";
import { received, subscribe, usePush } from "../../notifications/notifying.ts";
import { CRON_SECRET, GAME } from "../chain-scene.ts";
import { checkIn, playDay } from "../game-days.ts";

const { service, environment } = await usePush();
const api = useApi({ environment: { ...environment, WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
const PATH = `${GAME}/weekly-stats`;
const run = (job: string) => api.post(`${GAME}/cron/${job}`, undefined, undefined, { "x-cron-secret": CRON_SECRET });

beforeEach(() =>
  api.query(
    `truncate nectar.workout_checkins, nectar.chains, private.open_days, nectar.weekly_workout_stats, nectar.team_colors, nectar.notifications,
       private.game_notices cascade`,
  ),
);
const ada = beforeEachTest(() => api.person());
const ben = beforeEachTest(() => api.person());

const sent = () => sentNotifications(api, "weekly_stats");

describe("GET /api/workout-window/weekly-stats", () => {
  it("lists your own weeks, newest first", async () => {
    await playDay(api, { person: ada, date: "2026-11-02", team: "blue", status: "verified", chips: 4 });
    await playDay(api, { person: ada, date: "2026-11-03", team: "blue" });
    await playDay(api, { person: ada, date: "2026-11-04", team: "blue", status: "pending" });
    await playDay(api, { person: ada, date: "2026-11-10", team: "red", status: "verified", chips: 2 });
    await playDay(api, { person: ben, date: "2026-11-10", team: "blue", status: "rejected" });
    api.at("2026-11-16T00:00:00.000Z");
    await run("weekly-stats");
    const newest = { weekStartDate: "2026-11-09", teamColor: "red", completionRate: 100, chipsEarned: 2 };
    const oldest = { weekStartDate: "2026-11-02", teamColor: "blue", completionRate: 33.3, chipsEarned: 4 };
    const updatedAt = "2026-11-16T00:00:00.000Z";
    expect((await api.get(PATH, ada).ok()).weeks).toEqual([
      { ...newest, daysPlanned: 1, completedCount: 1, failedCount: 0, pendingCount: 0, updatedAt },
      { ...oldest, daysPlanned: 3, completedCount: 1, failedCount: 1, pendingCount: 1, updatedAt },
    ]);
    expect((await api.get(PATH, ben)).body.weeks).toMatchObject([{ chipsEarned: 0, failedCount: 1 }]);
    expect((await api.get(PATH, await api.person())).body).toEqual({ weeks: [], nextCursor: null });
  });
});

describe("the notification weekly_stats", () => {
  it("is sent once per person and week, also if the job runs again or corrects the week", async () => {
    await playDay(api, { person: ada, date: "2026-11-09", team: "red", status: "verified", chips: 3 });
    await playDay(api, { person: ada, date: "2026-11-10", team: "red", status: "pending" });
    await playDay(api, { person: ben, date: "2026-11-11", team: "blue" });
    await api.query`update nectar.profiles set is_ai = true where id = ${ben.id}`;
    api.at("2026-11-16T00:00:00Z");
    await Promise.all([run("weekly-stats"), run("weekly-stats"), run("end-of-day")]);
    await run("weekly-stats");
    const first = {
      user_id: ada.id,
      title: "Your week",
      body: "You completed 1 of 2 days and earned 3 chips.",
      data: { week_start_date: "2026-11-09", days_planned: 2, completed_count: 1, chips_earned: 3 },
    };
    expect(await sent()).toEqual([first]);
    await api.query`update nectar.workout_checkins set status = 'verified', verified_at = now()
      where status = 'pending'`;
    await playDay(api, { person: ada, date: "2026-11-17", team: "red" });
    api.at("2026-11-23T00:00:00Z");
    expect((await run("weekly-stats")).body.results).toMatchObject({ corrected: 1 });
    const data = { week_start_date: "2026-11-16", days_planned: 1, completed_count: 0, chips_earned: 0 };
    const second = { ...first, body: "You completed 0 of 1 days and earned 0 chips.", data };
    expect(await sent()).toEqual([first, second]);
  });

  it("is sent when Sunday is over where the person lives", async () => {
    const timezone = "America/Los_Angeles";
    await playDay(api, { person: ada, date: "2026-11-14", team: "red", status: "verified", chips: 3 });
    // 18:00 to 20:00 there.
    const sunday = { person: ada, date: "2026-11-15", team: "red" } as const;
    await playDay(api, { ...sunday, startsAt: "2026-11-16T02:00:00Z", timezone });
    api.at("2026-11-16T00:00:00Z");
    await run("weekly-stats");
    expect((await api.get(PATH, ada).ok()).weeks).toMatchObject([{ completedCount: 1, pendingCount: 1 }]);
    expect(await sent()).toEqual([]);
    await checkIn(api, { ...sunday, chips: 2 });
    api.at("2026-11-16T07:59:59Z");
    await run("end-of-day");
    expect(await sent()).toEqual([]);
    api.at("2026-11-16T08:00:00Z");
    await run("end-of-day");
    await run("end-of-day");
    await run("weekly-stats");
    expect(await sent()).toMatchObject([{ body: "You completed 2 of 2 days and earned 5 chips." }]);
  });

  it("is pushed to the devices of those who switched it on", async () => {
    const [device, silent] = [await subscribe(api, service, ada), await subscribe(api, service, ben)];
    await api.put("/api/notifications/settings", ada, { push: { weekly_stats: true } }).ok();
    for (const person of [ada, ben]) await playDay(api, { person, date: "2026-11-09", team: "red" });
    api.at("2026-11-16T00:00:00Z");
    await run("weekly-stats");
    await api.idle();
    expect(await sent()).toHaveLength(2);
    expect(received(service, device)).toMatchObject([{ payload: { type: "weekly_stats" } }]);
    expect(received(service, silent)).toEqual([]);
  });
});
