import { routeToGroups } from "../../../functions/all.ts";
import type { Answer, TestApi } from "../../support/api.ts";
import { asSuperuser, type Person } from "../../support/people.ts";
import { checkAgainstReference } from "../../support/reference-check.ts";

/** The game's room, and the secret of its jobs in these tests. */
export const GAME = "/api/workout-window";
export const CRON_SECRET = "the-secret-of-the-game-0123456789";

/** A row of a chain as the tests compare it. */
export interface ChainRow {
  readonly user_id: string;
  readonly before_user_id: string | null;
  readonly after_user_id: string | null;
  readonly team_color: string;
  readonly squad_id: string | null;
  readonly area_key: string;
  readonly window_starts_at: Date;
}

/** The game over the database of a test, at moments of the test's choosing. */
export interface Game {
  /** Sets the clock. @param moment RFC 3339 */
  at(moment: string): void;
  send(method: string, path: string, as?: Person, body?: object, headers?: Record<string, string>): Promise<Answer>;
  /** Runs the scheduled matching. */
  cron(body?: object): Promise<Answer>;
  /** Somebody who lives in a city and sets a window of two hours from a full hour on. */
  player(city: string, hour: number, timezone?: string): Promise<Person>;
  setWindow(person: Person, hour: number, timezone?: string): Promise<Answer>;
  rows(date: string): Promise<ChainRow[]>;
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

/** The game as tests play it; @param api made with the secret of the jobs */
export function gameOf(api: TestApi): Game {
  let now = new Date();
  let fetch: ReturnType<typeof routeToGroups> | undefined;
  const query: Game["query"] = (text, values = []) =>
    asSuperuser(api.adminUrl, async (client) => (await client.query(text, values)).rows);
  const send: Game["send"] = async (method, path, as, body, headers) => {
    fetch ??= routeToGroups({ ...api.services, clock: { now: () => now } });
    const response = await fetch(
      new Request(`http://nectar.test${path}`, {
        method,
        headers: {
          ...(as === undefined ? {} : { authorization: `Bearer ${as.token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const answered: unknown = await response.json();
    checkAgainstReference(method, new URL(path, "http://nectar.test").pathname, response.status, answered);
    return { status: response.status, headers: response.headers, body: answered };
  };
  const setWindow: Game["setWindow"] = (person, hour, timezone = "UTC") =>
    send("POST", `${GAME}/setup`, person, {
      activityType: "walk",
      windowStartTime: time(hour),
      windowEndTime: time(hour + 2),
      timezone,
    });
  return {
    at(moment) {
      now = new Date(moment);
    },
    send,
    cron: (body) => send("POST", `${GAME}/cron/generate-chains`, undefined, body, { "x-cron-secret": CRON_SECRET }),
    async player(city, hour, timezone) {
      const person = await api.person();
      await send("PUT", `${GAME}/update-location`, person, { city });
      await setWindow(person, hour, timezone);
      return person;
    },
    setWindow,
    async rows(date) {
      return asSuperuser(api.adminUrl, async (client) => {
        const { rows } = await client.query<ChainRow>(
          `select user_id, before_user_id, after_user_id, team_color, squad_id, area_key, window_starts_at
           from nectar.chains where date = $1 order by user_id`,
          [date],
        );
        return rows;
      });
    },
    query,
  };
}

function time(hour: number): string {
  return `${String(hour % 24).padStart(2, "0")}:00`;
}
