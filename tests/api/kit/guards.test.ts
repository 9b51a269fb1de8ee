import { describe, expect, it } from "vitest";
import * as z from "zod";
import { admin, adminOrCron, cron, type Guard, superAdmin, user } from "#http/access/guards";
import { type Endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import type { Actor } from "#http/services/tokens";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const SECRET = "the secret of the scheduler";
const api = useApi({ environment: { MAINTENANCE_CRON_SECRET: SECRET } });
const unconfigured = useApi();

const response = z.object({ who: z.string().nullable() });

/** An app with one endpoint behind each guard. */
function guarded(services: typeof api.services) {
  const guards = {
    "/user": user,
    "/admin": admin,
    "/super-admin": superAdmin,
    "/cron": cron("MAINTENANCE_CRON_SECRET"),
    "/either": adminOrCron("MAINTENANCE_CRON_SECRET"),
  };
  const behind = ([path, guard]: [string, Guard<Actor | null>]): Endpoint =>
    endpointInSteps(
      `GET /${path.slice(1)}`,
      { id: "readCaller", summary: "Read who is calling", guard, response },
      async ({ actor }) => ({ who: actor?.userId ?? null }),
    );
  return groupApp(services, "guards", Object.entries(guards).map(behind));
}

interface Credentials {
  readonly as?: Person;
  readonly secret?: string;
}

async function ask(path: string, { as, secret }: Credentials = {}, services = api.services) {
  const response = await guarded(services).request(path, {
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as.token}` }),
      ...(secret === undefined ? {} : { "x-cron-secret": secret }),
    },
  });
  const body = z.object({ code: z.string().optional() }).parse(await response.json());
  return { status: response.status, code: body.code };
}
const member = beforeTests(() => api.person());
const administrator = beforeTests(() => api.person({ role: "admin" }));

describe("the scheduler's secret", () => {
  it("is accepted only by guards for the scheduler", async () => {
    const statuses = { "/cron": 200, "/either": 200, "/user": 401, "/admin": 401, "/super-admin": 401 };
    for (const [path, status] of Object.entries(statuses)) {
      expect((await ask(path, { secret: SECRET })).status, path).toBe(status);
    }
    expect((await ask("/either", { secret: SECRET, as: member })).status).toBe(200);
  });

  it.each(["", "wrong", `x${SECRET}`, SECRET.toUpperCase(), SECRET.slice(0, -1)])(
    "is refused if it is wrong: '%s'",
    async (secret) => {
      expect(await ask("/cron", { secret })).toEqual({ status: 401, code: "auth.invalid_cron_secret" });
      expect((await ask("/either", { secret })).status).toBe(401);
      expect((await ask("/either", { secret, as: administrator })).status).toBe(200);
      expect((await ask("/either", { secret, as: member })).status).toBe(403);
    },
  );

  it("is refused if none is configured", async () => {
    for (const secret of ["", "null", "undefined", SECRET]) {
      expect((await ask("/cron", { secret }, unconfigured.services)).status).toBe(401);
      expect((await ask("/either", { secret }, unconfigured.services)).status).toBe(401);
    }
  });
});
