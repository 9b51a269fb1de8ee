import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { admin, adminOrCron, cron, superAdmin, user } from "@nectar/http/guards";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { useApi } from "../../support/api.ts";
import { asSuperuser, type Person } from "../../support/people.ts";

const SECRET = "the secret of the scheduler";
const api = useApi({ environment: { MAINTENANCE_CRON_SECRET: SECRET } });
const unconfigured = useApi();

/** An app with one route behind each guard. */
function guarded(services: typeof api.services) {
  return createApp(services)
    .get("/user", user, (c) => answer(c, 200, { who: c.var.actor.userId }))
    .get("/admin", admin, (c) => answer(c, 200, { who: c.var.actor.userId }))
    .get("/super-admin", superAdmin, (c) => answer(c, 200, { who: c.var.actor.userId }))
    .get("/cron", cron("MAINTENANCE_CRON_SECRET"), (c) => answer(c, 200, {}))
    .get("/either", adminOrCron("MAINTENANCE_CRON_SECRET"), (c) => answer(c, 200, {}));
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

let member: Person;
let administrator: Person;
let boss: Person;
beforeAll(async () => {
  member = await api.person();
  administrator = await api.person({ role: "admin" });
  boss = await api.person({ role: "super_admin" });
});

describe("a guard", () => {
  it("lets in who may come in, and nobody else", async () => {
    const statuses = async (path: string) =>
      Promise.all([undefined, member, administrator, boss].map(async (as) => (await ask(path, as && { as })).status));
    expect(await statuses("/user")).toEqual([401, 200, 200, 200]);
    expect(await statuses("/admin")).toEqual([401, 403, 200, 200]);
    expect(await statuses("/super-admin")).toEqual([401, 403, 403, 200]);
    expect(await statuses("/cron")).toEqual([401, 401, 401, 401]);
    expect(await statuses("/either")).toEqual([401, 403, 200, 200]);
  });

  it("takes a role away at the next request", async () => {
    const former = await api.person({ role: "admin" });
    expect((await ask("/admin", { as: former })).status).toBe(200);
    await asSuperuser(api.adminUrl, (client) =>
      client.query("update nectar.user_roles set role = 'user' where user_id = $1", [former.id]),
    );
    expect((await ask("/admin", { as: former })).status).toBe(403);
  });
});

describe("the scheduler's secret", () => {
  it("opens its own doors only", async () => {
    expect((await ask("/cron", { secret: SECRET })).status).toBe(200);
    expect((await ask("/either", { secret: SECRET })).status).toBe(200);
    expect((await ask("/either", { secret: SECRET, as: member })).status).toBe(200);
    expect((await ask("/user", { secret: SECRET })).status).toBe(401);
    expect((await ask("/admin", { secret: SECRET })).status).toBe(401);
  });

  it.each(["", "wrong", `x${SECRET}`, SECRET.toUpperCase(), SECRET.slice(0, -1)])(
    "must be right: '%s'",
    async (secret) => {
      expect(await ask("/cron", { secret })).toEqual({ status: 401, code: "auth.invalid_cron_secret" });
      expect((await ask("/either", { secret })).status).toBe(401);
      expect((await ask("/either", { secret, as: administrator })).status).toBe(200);
      expect((await ask("/either", { secret, as: member })).status).toBe(403);
    },
  );

  it("fails closed where none is configured", async () => {
    for (const secret of ["", "null", "undefined", SECRET]) {
      expect((await ask("/cron", { secret }, unconfigured.services)).status).toBe(401);
      expect((await ask("/either", { secret }, unconfigured.services)).status).toBe(401);
    }
  });
});
