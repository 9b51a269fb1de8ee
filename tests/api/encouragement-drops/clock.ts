import { routeToGroups } from "../../../functions/all.ts";
import type { Answer, TestApi } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { checkAgainstReference } from "../../support/reference-check.ts";

/** The API of a test at moments of the test's choosing; tokens are still judged by the real clock. */
export interface HeldApi {
  /** Sets the clock. @param moment RFC 3339 */
  at(moment: string): void;
  get(path: string, as: Person): Promise<Answer>;
  post(path: string, as: Person, body?: object, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, as: Person, body: object): Promise<Answer>;
}

/** All groups over the same database, with a clock that the test holds. */
export function holdClock(api: TestApi): HeldApi {
  let now = new Date();
  let fetch: ReturnType<typeof routeToGroups> | undefined;
  async function send(method: string, path: string, as: Person, body?: object, headers?: Record<string, string>) {
    fetch ??= routeToGroups({ ...api.services, clock: { now: () => now } });
    const response = await fetch(
      new Request(`http://nectar.test${path}`, {
        method,
        headers: { authorization: `Bearer ${as.token}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const answered: unknown = await response.json();
    checkAgainstReference(method, new URL(path, "http://nectar.test").pathname, response.status, answered);
    return { status: response.status, headers: response.headers, body: answered };
  }
  return {
    at(moment) {
      now = new Date(moment);
    },
    get: (path, as) => send("GET", path, as),
    post: (path, as, body = {}, headers = {}) => send("POST", path, as, body, headers),
    put: (path, as, body) => send("PUT", path, as, body),
  };
}
