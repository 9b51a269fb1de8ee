import { tokenFor } from "../../support/people.ts";

/** An answer of the API with its text as it went over the wire. */
export interface RawResponse {
  readonly status: number;
  readonly text: string;
}

/** Sends one request as a person. */
export type Send = (person: string, method: string, path: string, body?: object) => Promise<RawResponse>;

/** Sends requests to the API's own entry point, with a real token for each person. */
export function clientOf(fetch: (request: Request) => Response | Promise<Response>): Send {
  const tokens = new Map<string, string>();
  return async (person, method, path, body) => {
    const token = tokens.get(person) ?? (await tokenFor({ sub: person }));
    tokens.set(person, token);
    const response = await fetch(
      new Request(`http://nectar.test${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, text: await response.text() };
  };
}
