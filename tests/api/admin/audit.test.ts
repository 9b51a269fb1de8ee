import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { allApps } from "#functions/all";
import { storedResponse } from "#http/request/idempotency";
import { signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { type AuditedRequest, auditScenes, CANARY, refusedRequests } from "./audit-scenes.ts";

const CRON_SECRET = "a-cron-secret-of-the-audit-tests";
const api = useApi({ environment: { ...(await useFileStore()), WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
const root = beforeTests(() => api.person({ role: "super_admin" }));
const ada = beforeTests(() => api.person());
const scenes = auditScenes(api, root);
const routes = Object.keys(scenes);

const LIST = "/api/admin/audit";
const rowsOf = (as: Person) => api.query`
  select actor_id, actor_role::text, action, target_type, target_id, changed, request_id
  from nectar.audit_events where actor_id = ${as.id} order by created_at`;

function methodOf(route: string) {
  return route.slice(0, route.indexOf(" "));
}

async function prepare(route: string): Promise<AuditedRequest> {
  const scene = await scenes[route]?.();
  if (scene === undefined) throw new Error(`There is no scene of ${route}.`);
  return scene;
}

/** Sends a request by which an admin changes something. */
function send(
  route: string,
  { path, body }: { readonly path: string; readonly body?: object | undefined },
  as: Person,
  headers: Record<string, string> = {},
) {
  return api.send(methodOf(route), path, { as, body: body ?? (methodOf(route) === "POST" ? {} : undefined), headers });
}

it("all routes by which admins change something are tested here", () => {
  const audited = allApps(api.services).flatMap(({ app }) =>
    app.endpoints.filter(({ definition }) => definition.audit !== undefined),
  );
  const ofReference = signedInRoutes().filter(({ method, forAdmins }) => method !== "GET" && forAdmins);
  for (const endpoints of [audited, ofReference]) {
    const names = endpoints.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`);
    expect(routes.toSorted()).toEqual(names.toSorted());
  }
});

describe.each(routes)("%s", (route) => {
  it("leaves exactly one row in the audit log, with names of fields and without values", async () => {
    const admin = await api.person({ role: "super_admin" });
    const scene = await prepare(route);
    const requestId = randomUUID();
    const { status, body } = await send(route, scene, admin, { "x-request-id": requestId });
    expect([200, 201]).toContain(status);
    const [type, id] = scene.target;
    expect(await rowsOf(admin)).toEqual([
      {
        actor_id: admin.id,
        actor_role: "super_admin",
        action: expect.stringMatching(/^[A-Za-z]+$/),
        target_type: type,
        target_id: id === "the new id" ? storedResponse(status, body).resourceId : id,
        changed: scene.changed,
        request_id: requestId,
      },
    ]);
    const table = await api.one<{ text: string }>`select string_agg(e::text, ' ') as text from nectar.audit_events e`;
    expect(table.text).not.toContain(CANARY);
    expect(table.text).not.toContain("424242");
  });

  it("leaves no row if the caller is no admin", async () => {
    await send(route, await prepare(route), ada).refused(403, "auth.forbidden");
    expect(await rowsOf(ada)).toEqual([]);
  });

  it.runIf(methodOf(route) === "POST")("leaves one row for a request that is repeated with its key", async () => {
    const admin = await api.person({ role: "super_admin" });
    const scene = await prepare(route);
    const headers = { "idempotency-key": randomUUID() };
    const first = await send(route, scene, admin, headers);
    const again = await send(route, scene, admin, headers);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.text).toBe(first.text);
    expect(await rowsOf(admin)).toHaveLength(1);
  });
});

it("a request that fails leaves no row", async () => {
  const admin = await api.person({ role: "super_admin" });
  for (const [route, body] of refusedRequests(ada)) {
    const path = route.slice(methodOf(route).length + 1);
    const { status } = await send(route, { path, body }, admin);
    expect([400, 404, 409], route).toContain(status);
  }
  expect(await rowsOf(admin)).toEqual([]);
});

it("a request id that is no UUID is not in the audit log, because it could be any text", async () => {
  const admin = await api.person({ role: "super_admin" });
  const scene = await prepare("POST /api/admin/conversion/rates");
  await send("POST /api/admin/conversion/rates", scene, admin, { "x-request-id": CANARY });
  expect(await rowsOf(admin)).toMatchObject([{ action: "createConversionRate", request_id: null }]);
});

it("what the scheduler does is not in the audit log", async () => {
  const before = await api.query`select from nectar.audit_events`;
  const { path } = await prepare("POST /api/workout-window/mosaic/generate/:date");
  await api.post(path, undefined, {}, { "x-cron-secret": CRON_SECRET }).ok();
  expect(await api.query`select from nectar.audit_events`).toHaveLength(before.length);
});

it("a super admin who gives up their own role is recorded with it", async () => {
  const admin = await api.person({ role: "super_admin" });
  await api.put(`/api/admin/users/${admin.id}/role`, admin, { role: "user" }).ok();
  expect(await rowsOf(admin)).toMatchObject([{ actor_role: "super_admin", target_id: admin.id }]);
});

describe("GET /api/admin/audit", () => {
  let admin: Person;
  beforeEach(async () => {
    admin = await api.person({ role: "super_admin" });
  });
  const setRole = (id: string, role: string) => api.put(`/api/admin/users/${id}/role`, admin, { role }).ok();
  const read = async (search: string) => (await api.get(`${LIST}?${search}`, root).ok()).events;

  it("lists what admins changed, newest first, by actor, action and target", async () => {
    const [ben, cleo] = [await api.person(), await api.person()];
    await setRole(ben.id, "admin");
    await api.post("/api/admin/drops/adjust", admin, { user_id: ben.id, amount: 1, description: "Thanks" }).ok();
    await setRole(cleo.id, "admin");
    const all = await read(`actor_id=${admin.id}`);
    expect(all.map(({ action, target_id }) => [action, target_id])).toEqual([
      ["updateUserRole", cleo.id],
      ["adjustDrops", ben.id],
      ["updateUserRole", ben.id],
    ]);
    const [newest] = all;
    expect(newest).toMatchObject({ actor: { id: admin.id }, actor_role: "super_admin", target_type: "user" });
    expect(newest).toMatchObject({ changed: ["role"], request_id: expect.any(String) });
    expect(await read(`actor_id=${admin.id}&action=adjustDrops`)).toEqual([all[1]]);
    expect(await read(`target_id=${ben.id}`)).toEqual([all[1], all[2]]);
    expect(await read(`target_id=${randomUUID()}`)).toEqual([]);
  });

  it("keeps the rows of an account that is gone, without its name", async () => {
    const { id } = await api.person();
    await setRole(id, "admin");
    await api.query`delete from auth.users where id = ${admin.id}`;
    expect(await read(`actor_id=${admin.id}`)).toMatchObject([{ actor: null, target_id: id }]);
  });

  it("refuses filters that are not ids", async () => {
    await api.get(`${LIST}?actor_id=me&action=a%20b&target_id=1`, root).invalid("actor_id", "action", "target_id");
  });
});
