import { createNectar, type Nectar, type NectarOptions } from "#client";
import { routeToGroups } from "#functions/all";
import type { TestApi } from "./api.ts";
import type { Person } from "./people.ts";

/** The published client over the API of a test, as a person. @param onSent may change or fail what comes back */
export function nectarOf(
  api: TestApi,
  person: Pick<Person, "token">,
  onSent: (response: Response, request: Request) => Response = (response) => response,
  options: Partial<NectarOptions> = {},
): Nectar {
  const respond = routeToGroups(api.services);
  return createNectar({
    baseUrl: "http://nectar.test",
    token: () => person.token,
    fetch: async (url, init) => {
      // Presigned addresses lead to the file store.
      if (!url.startsWith("http://nectar.test/")) return fetch(url, init);
      const request = new Request(url, init);
      return onSent(await respond(request), request);
    },
    ...options,
  });
}
