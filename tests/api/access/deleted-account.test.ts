import { beforeAll, describe, it } from "vitest";
import { fill, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { validRequest } from "#tests/valid-request";
import { useVendors } from "./vendors.ts";

const { push, environment } = await useVendors();
const api = useApi({ environment });
const ghost = beforeTests(() => api.person({ role: "super_admin" }));
beforeAll(() => api.query`delete from auth.users where id = ${ghost.id}`);

/** Their responses are the same for everyone and need no database. */
const CONSTANT = ["GET /api/moods", "GET /api/notifications/push-key"];
/** Queries that a route requires. */
const QUERIES: Readonly<Record<string, string>> = { "/api/users": "?q=ada" };
const routes = signedInRoutes().filter(({ method, path }) => !CONSTANT.includes(`${method} ${path}`));

describe("the token of a deleted account", () => {
  it.each(routes)("is 401 for $method $path", async (route) => {
    const { body, headers } = await validRequest(route, push.service.newDevice);
    const path = `${fill(route.path)}${QUERIES[route.path] ?? ""}`;
    await api.send(route.method, path, { as: ghost, body, headers }).refused(401, "auth.unknown_account");
  });

  it("is 401 for POST /api/auth/verify", async () => {
    await api.post("/api/auth/verify", undefined, { token: ghost.token }).refused(401, "auth.unknown_account");
  });
});
