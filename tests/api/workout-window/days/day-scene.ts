import { beforeAll, beforeEach } from "vitest";
import { useApi } from "../../../support/api.ts";
import type { Person } from "../../../support/people.ts";
import { CRON_SECRET, GAME } from "../chain-scene.ts";

/** A Wednesday. */
export const DATE = "2026-11-18";

/** What the end of a day returns if there is nothing to do. */
export const NOTHING = { closed: 0, completed: 0, pending: 0, failed: 0, notified: 0, errors: [] };

/** The jobs of a day over the API of a test file, with people who are new in each test. */
export function dayScene() {
  const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
  let ada: Person;
  let ben: Person;
  let cleo: Person;
  let admin: Person;
  let superAdmin: Person;

  beforeAll(async () => {
    admin = await api.person({ role: "admin" });
    superAdmin = await api.person({ role: "super_admin" });
  });
  beforeEach(async () => {
    await api.query(
      `truncate nectar.battles, nectar.workout_checkins, nectar.chains, nectar.weekly_workout_stats,
       private.game_notices, nectar.notifications cascade`,
    );
    [ada, ben, cleo] = [await api.person(), await api.person(), await api.person()];
  });

  const run = (job: string) => api.post(`${GAME}/cron/${job}`, undefined, undefined, { "x-cron-secret": CRON_SECRET });
  const sent = (type: string) =>
    api.query<{ body: string; data: { date: string } }>(
      "select user_id, title, body, data from nectar.notifications where type::text = $1 order by user_id, data",
      [type],
    );
  const closed = () =>
    api.query("select user_id, date::text from nectar.chains where closed_at is not null order by date");

  return {
    api,
    run,
    sent,
    closed,
    get ada() {
      return ada;
    },
    get ben() {
      return ben;
    },
    get cleo() {
      return cleo;
    },
    get admin() {
      return admin;
    },
    get superAdmin() {
      return superAdmin;
    },
  };
}
