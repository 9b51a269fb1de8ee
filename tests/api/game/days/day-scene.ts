import { beforeEach } from "vitest";
import type { NotificationType } from "#core/people/notification-texts";
import { useApi } from "#tests/api";
import { sentNotifications } from "#tests/notifications";
import type { Person } from "#tests/people";
import { castOf } from "../cast.ts";
import { CRON_SECRET, GAME } from "../chain-scene.ts";
import { type PlayedDay, playDay } from "../game-days.ts";

/** A Wednesday. */
export const DATE = "2026-11-18";

export const NOTHING = { closed: 0, completed: 0, pending: 0, failed: 0, notified: 0, errors: [] };

/** The jobs of a day over the API of a test file, with people who are new in each test. */
export function dayScene() {
  const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
  const people = castOf(api);
  beforeEach(async () => {
    await api.query`truncate nectar.battles, nectar.workout_checkins, nectar.chains, private.open_days, nectar.weekly_workout_stats,
      private.game_notices, nectar.notifications cascade`;
  });

  const run = (job: string) => api.post(`${GAME}/cron/${job}`, undefined, undefined, { "x-cron-secret": CRON_SECRET });
  /** Writes a day of a player on the usual date, in the red team unless it is said. */
  const play = (person: Pick<Person, "id">, day: Partial<PlayedDay> = {}) =>
    playDay(api, { person, date: DATE, team: "red", ...day });
  const sent = <Type extends NotificationType>(type: Type) => sentNotifications(api, type);
  const closed = () =>
    api.query`select user_id, date::text from nectar.chains
      where id not in (select chain_id from private.open_days) order by date`;

  return { api, people, run, play, sent, closed };
}
