import { beforeEach } from "vitest";
import { useApi } from "#tests/api";
import { sentNotifications } from "#tests/notifications";
import type { Person } from "#tests/people";
import { castOf } from "../cast.ts";
import { CRON_SECRET, GAME } from "../chain-scene.ts";
import { playDay } from "../game-days.ts";

/** The Monday of the week that is played. */
export const WEEK = "2026-11-16";
export const SCHEDULER = { "x-cron-secret": CRON_SECRET };

/** Battles over the API of a test file, with people who are new in each test. */
export function battleScene() {
  const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
  const people = castOf(api);
  beforeEach(async () => {
    await api.query`truncate nectar.battles, nectar.workout_checkins, nectar.chains, private.open_days, nectar.team_colors cascade`;
    await api.query`delete from nectar.notifications`;
    api.at("2026-11-18T20:00:00Z");
  });

  const readWeek = (week = WEEK, as = people.ada) => api.get(`${GAME}/battle/week/${week}`, as);
  const execute = (week = WEEK, headers: Record<string, string> = SCHEDULER, as?: Person) =>
    api.post(`${GAME}/battle/execute/${week}`, as, undefined, headers);
  const sundayJob = () => api.post(`${GAME}/cron/battle`, undefined, undefined, SCHEDULER);
  const history = (as = people.ada, search = "") => api.get(`${GAME}/battle/history${search}`, as);
  const sent = () => sentNotifications(api, "battle_results");

  /** Red has Ada and Ben with 5 chips, blue has Cleo with 4. */
  async function play() {
    await playDay(api, { person: people.ada, date: "2026-11-16", team: "red", status: "verified", chips: 3 });
    await playDay(api, { person: people.ada, date: "2026-11-17", team: "red", status: "verified", chips: 2 });
    await playDay(api, { person: people.ben, date: "2026-11-17", team: "red", status: "rejected", chips: 4 });
    await playDay(api, { person: people.cleo, date: "2026-11-17", team: "blue", status: "verified", chips: 4 });
    await playDay(api, { person: people.cleo, date: "2026-11-18", team: "blue", status: "pending", chips: 4 });
  }

  return { api, people, readWeek, execute, sundayJob, history, sent, play };
}
