import type { TestApi } from "#tests/api";
import { asSuperuser, type Person } from "#tests/people";

/** The game's room, and the secret of its jobs in these tests. */
export const GAME = "/api/workout-window";
export const CRON_SECRET = "the-secret-of-the-game-0123456789";

export interface ChainRow {
  readonly user_id: string;
  readonly before_user_id: string | null;
  readonly after_user_id: string | null;
  readonly team_color: string;
  readonly squad_id: string | null;
  readonly area_key: string;
  readonly window_starts_at: Date;
}

/** Runs a job of the game, and waits until the tasks that it queued are done. */
export async function runGameJob(api: TestApi, name: string) {
  const response = await api.post(`${GAME}/cron/${name}`, undefined, undefined, { "x-cron-secret": CRON_SECRET });
  await api.idle();
  return response;
}

/** A player for each hour. */
export type Each<Hours extends readonly number[]> = { [Index in keyof Hours]: Person };

/** Makes a player for each hour, one after the other. */
export async function eachOf<Hours extends readonly number[]>(hours: Hours, make: (hour: number) => Promise<Person>) {
  const isFull = (players: readonly Person[]): players is Each<Hours> => players.length === hours.length;
  const players: Person[] = [];
  for (const hour of hours) players.push(await make(hour));
  if (!isFull(players)) throw new Error("Players are missing.");
  return players;
}

/** Players and their chains, over the API of a test. @param api made with the secret of the jobs */
export function gameOf(api: TestApi) {
  const setWindow = (person: Person, hour: number, timezone = "UTC") =>
    api.post(`${GAME}/setup`, person, {
      activityType: "walk",
      windowStartTime: time(hour),
      windowEndTime: time(hour + 2),
      timezone,
    });
  /** Creates a user who lives in a city, with a window of two hours from a full hour on. */
  async function player(city: string, hour: number, timezone?: string): Promise<Person> {
    const person = await api.person();
    await api.put(`${GAME}/update-location`, person, { city });
    await setWindow(person, hour, timezone);
    return person;
  }
  return {
    /** Runs the scheduled matching. */
    cron: (body?: object) =>
      api.send("POST", `${GAME}/cron/generate-chains`, { body, headers: { "x-cron-secret": CRON_SECRET } }),
    player,
    /** Creates users of a city whose windows start at some hours, one after the other. */
    players: <const Hours extends readonly number[]>(city: string, hours: Hours): Promise<Each<Hours>> =>
      eachOf(hours, (hour) => player(city, hour)),
    setWindow,
    async rows(date: string): Promise<ChainRow[]> {
      return asSuperuser(api.adminUrl, async (client) => {
        const { rows } = await client.query<ChainRow>(
          `select user_id, before_user_id, after_user_id, team_color, squad_id, area_key, window_starts_at
           from nectar.chains where date = $1 order by user_id`,
          [date],
        );
        return rows;
      });
    },
  };
}

function time(hour: number): string {
  return `${String(hour % 24).padStart(2, "0")}:00`;
}
