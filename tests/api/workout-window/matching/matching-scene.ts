import { useApi } from "#tests/api";
import { sentNotifications } from "#tests/notifications";
import type { Person } from "#tests/people";
import { CRON_SECRET, gameOf } from "../chain-scene.ts";

/** Matching over the API of a test file. */
export function matchingScene() {
  const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
  const game = gameOf(api);

  /** The neighbors of some people, by their indexes among them; null for a person without a row. */
  async function linksOf(date: string, people: readonly Person[]) {
    const rows = await game.rows(date);
    const indexOf = (id: string | null) => (id === null ? null : people.findIndex((person) => person.id === id));
    return people.map(({ id }) => {
      const row = rows.find(({ user_id }) => user_id === id);
      return row === undefined ? null : [indexOf(row.before_user_id), indexOf(row.after_user_id)];
    });
  }

  const rowOf = async (date: string, person: Person) =>
    (await game.rows(date)).find(({ user_id }) => user_id === person.id);
  const notificationsOf = async (person: Person) =>
    (await sentNotifications(api, "chain_update", person)).sort((one, other) => (one.title < other.title ? -1 : 1));

  /** Moves all notifications an hour back. */
  const anHourLater = () => api.query`update nectar.notifications set created_at = created_at - interval '1 hour'`;

  /** People of a city with windows at some hours, one after the other. */
  async function playersOf(city: string, hours: readonly number[]): Promise<Person[]> {
    const people: Person[] = [];
    for (const hour of hours) people.push(await game.player(city, hour));
    return people;
  }

  /** Removes people from the queue, so that only a run for all players matches them. */
  const removeFromQueue = (ids: readonly string[]) =>
    api.query`delete from private.players_to_match where user_id = any (${ids})`;

  /** Creates synthetic users in a city. */
  async function synthetic(city: string, count: number, coordinates = true): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const { id } = await api.person();
      ids.push(id);
      await api.query`update nectar.profiles set is_ai = true where id = ${id}`;
      await api.query(
        `insert into nectar.workout_windows (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
       values ($1, 'cardio', '18:00', '20:00', 'UTC', '2031-01-01')`,
        [id],
      );
      await api.query(
        "insert into nectar.user_locations (user_id, city, latitude, longitude) values ($1, $2, $3::numeric, $3::numeric)",
        [id, city, coordinates ? 1 : null],
      );
    }
    await removeFromQueue(ids);
    return ids;
  }

  /** Creates people with windows in a city without any request, so that they are not matched yet. */
  async function unmatched(city: string, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const { id } = await api.person();
      ids.push(id);
      await api.query`insert into nectar.user_locations (user_id, city) values (${id}, ${city})`;
      await api.query(
        `insert into nectar.workout_windows (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
       values ($1, 'walk', make_time($2, 0, 0), make_time($2 + 2, 0, 0), 'UTC', '2031-01-01')`,
        [id, (index * 3) % 21],
      );
    }
    await removeFromQueue(ids);
    return ids;
  }

  return { api, game, linksOf, rowOf, notificationsOf, anHourLater, playersOf, removeFromQueue, synthetic, unmatched };
}
