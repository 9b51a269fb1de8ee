import { type ApiResponse, clientOf, type Fetch } from "#tests/client";
import { tokenFor } from "#tests/people";

export type Send = (
  person: string,
  method: string,
  path: string,
  body?: object,
  personalToken?: string,
) => Promise<ApiResponse>;

/** Sends requests to the API's own entry point, with a real access token for each person or with a personal token. */
export function sendingTo(fetch: Fetch): Send {
  const client = clientOf(fetch);
  const tokens = new Map<string, string>();
  return async (person, method, path, body, personalToken) => {
    const token = tokens.get(person) ?? (await tokenFor({ sub: person }));
    tokens.set(person, token);
    return client.send(method, path, { as: { token: personalToken ?? token }, body });
  };
}
