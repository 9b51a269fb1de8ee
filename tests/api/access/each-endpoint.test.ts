import { expect, it } from "vitest";
import { Turns } from "#http/services/turns";
import { fill, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { validRequest } from "#tests/valid-request";
import { useVendors } from "./vendors.ts";

const { push, environment } = await useVendors();
const api = useApi({ environment, turns: new Turns() });
const root = beforeTests(() => api.person({ role: "super_admin" }));

const signedIn = signedInRoutes();

it.each(signedIn)("$method $path refuses an unknown parameter and names those that exist", async (route) => {
  const { body, headers } = await validRequest(route, push.service.newDevice);
  const [path, query] = fill(route.path, {}, route.method).split("?");
  const address = `${path}?Unknown=1${query === undefined ? "" : `&${query}`}`;
  const refused = await api.send(route.method, address, { as: root, body, headers }).refused(400, "request.invalid");
  const { queries } = route;
  const known = queries.length === 0 ? "there are no parameters" : `there are ${queries.join(", ")}`;
  expect(refused.issues).toEqual([{ path: "Unknown", message: `is unknown: ${known}` }]);
});

/** Their responses are the same for everyone. */
const CONSTANT = ["GET /api/moods", "GET /api/notifications/push-key"];

it("while three transactions of a person run, everything else that asks the database for them is refused", async () => {
  const held = Promise.withResolvers<void>();
  const client = { signal: new AbortController().signal };
  const running = [1, 2, 3].map(() => api.services.turns.take(root.id, client, () => held.promise));
  // All at once, because each waits for two seconds.
  const responses = await Promise.all(
    signedIn.map(async (route) => {
      const { body, headers } = await validRequest(route, push.service.newDevice);
      const response = await api.send(route.method, fill(route.path, {}, route.method), { as: root, body, headers });
      return [`${route.method} ${route.path}`, response.status, response.body.code];
    }),
  );
  held.resolve();
  await Promise.all(running);
  const served = responses.filter(([, , code]) => code !== "quota.too_many_at_once");
  expect(served.map(([name, status]) => [name, status])).toEqual(CONSTANT.map((name) => [name, 200]));
});
