import { useApi } from "#tests/api";
import { sentNotifications } from "#tests/notifications";
import type { Person } from "#tests/people";
import { CRON_SECRET, gameOf } from "../chain-scene.ts";

/** Matching over the API of a test file. */
export function matchingScene() {
  const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
  const game = gameOf(api);

  /** The neighbors of some people by their indexes among them, such as `0-` for one after the first and before no one. */
  async function linksOf(date: string, people: readonly Person[]) {
    const rows = await game.rows(date);
    const indexOf = (id: string | null) => (id === null ? "-" : people.findIndex((person) => person.id === id));
    return people.map(({ id }) => {
      const row = rows.find(({ user_id }) => user_id === id);
      return row === undefined ? "no row" : `${indexOf(row.before_user_id)}${indexOf(row.after_user_id)}`;
    });
  }

  const rowOf = async (date: string, person: Person) =>
    (await game.rows(date)).find(({ user_id }) => user_id === person.id);
  const notificationsOf = async (person: Person) =>
    (await sentNotifications(api, "chain_update", person)).sort((one, other) => (one.title < other.title ? -1 : 1));

  /** Moves all notifications an hour back. */
  const anHourLater = () => api.query`update nectar.notifications set created_at = created_at - interval '1 hour'`;

  /**
   * Creates someone with a window in a city without any request, so that only a run for all players matches them.
   * @returns the id
   */
  async function unmatchedPlayer(city: string, hour: number, { timezone = "UTC", activity = "walk" } = {}) {
    const { id } = await api.person();
    await api.query`insert into nectar.user_locations (user_id, city) values (${id}, ${city})`;
    await api.query`
      insert into nectar.workout_windows
        (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
      values (${id}, ${activity}, make_time(${hour}, 0, 0), make_time(${hour + 2}, 0, 0), ${timezone}, '2031-01-01')`;
    await api.query`delete from private.players_to_match where user_id = ${id}`;
    return id;
  }

  const many = async (count: number, make: (index: number) => Promise<string>) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push(await make(index));
    return ids;
  };
  const unmatched = (city: string, count: number) => many(count, (index) => unmatchedPlayer(city, (index * 3) % 21));

  /** Creates synthetic users in a city. */
  async function synthetic(city: string, count: number, coordinates = true): Promise<string[]> {
    const ids = await many(count, () => unmatchedPlayer(city, 18, { activity: "cardio" }));
    await api.query`update nectar.profiles set is_ai = true where id = any (${ids})`;
    if (coordinates) {
      await api.query`update nectar.user_locations set latitude = 1, longitude = 1 where user_id = any (${ids})`;
    }
    await api.query`delete from private.players_to_match where user_id = any (${ids})`;
    return ids;
  }

  return { api, game, linksOf, rowOf, notificationsOf, anHourLater, unmatchedPlayer, synthetic, unmatched };
}
