import { beforeAll, describe, expect, it } from "vitest";
import { fill, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { validRequest } from "#tests/valid-request";
import { useVendors } from "./vendors.ts";

const { push, environment } = await useVendors();
const api = useApi({ environment });

const routes = signedInRoutes().map((route) => ({ ...route, name: `${route.method} ${route.path}` }));

async function send(route: (typeof routes)[number], as: { token: string }) {
  const { body, headers } = await validRequest(route, push.service.newDevice);
  return api.send(route.method, fill(route.path, {}, route.method), { as, body, headers });
}

/** Commands that suspended and closing accounts may still run, some of which read what a GET cannot express. */
const OPEN = [
  "DELETE /api/user/account",
  "POST /api/user/account/restore",
  "POST /api/user/exports",
  "DELETE /api/user/exports/{id}",
  "DELETE /api/user/tokens/{id}",
  // Ending what another user of the device would read.
  "DELETE /api/notifications/devices",
  "DELETE /api/notifications/devices/{id}",
  "POST /api/encouragement-drops/badges/bulk",
  "POST /api/invitations/preview",
  "POST /api/journal/audience-preview",
  "POST /api/goals/audience-preview",
  "POST /api/notebooks/{id}/audience-preview",
];

describe.each([
  {
    state: "suspended",
    end: (id: string) => api.query`select private.suspend_user(${id}, '2999-01-01T00:00Z')`,
    code: "auth.suspended",
    until: "suspended_until",
    open: [
      ...OPEN,
      "POST /api/blocks",
      "DELETE /api/blocks/{userId}",
      "POST /api/moderation-decisions/{id}/appeal",
      "POST /api/notifications/{id}/read",
      "POST /api/notifications/read-all",
      "POST /api/encouragement-drops/received/{id}/read",
      // Ending what costs money, or what another user of the device would read.
      "POST /api/payment/create-portal-session",
      "DELETE /api/notifications/push-subscriptions",
    ],
    leftOut: [],
  },
  {
    state: "closing",
    end: (id: string) => api.query`
      update nectar.accounts set erasure_requested_at = now(), erases_at = '2999-01-01T00:00Z' where user_id = ${id}`,
    code: "account.closing",
    until: "erases_at",
    open: OPEN,
    // They close or open the account, which the other tests must not see.
    leftOut: OPEN.slice(0, 2),
  },
])("a person whose account is $state", ({ end, code, until, open, leftOut }) => {
  const person = beforeTests(() => api.person({ role: "super_admin" }));
  beforeAll(() => end(person.id));
  const isOpen = ({ method, name }: (typeof routes)[number]) => method === "GET" || open.includes(name);

  it.each(routes.filter((route) => !isOpen(route)))("is refused $name", async (route) => {
    const { status, body } = await send(route, person);
    const issues = [{ path: until, message: "2999-01-01T00:00:00.000Z" }];
    expect({ status, ...body }).toEqual({ status: 403, error: expect.any(String), code, issues });
  });

  it.each(routes.filter((route) => isOpen(route) && !leftOut.includes(route.name)))(
    "is not refused $name",
    async (route) => {
      const { status, body } = await send(route, person);
      expect(body.code).not.toBe(code);
      expect([401, 403]).not.toContain(status);
      if (route.method !== "GET") expect(status).not.toBe(400);
    },
  );

  it("may write to every route of the list", () => {
    expect(open.filter((name) => !routes.some((route) => route.name === name))).toEqual([]);
  });
});

describe("the token of a deleted account", () => {
  const ghost = beforeTests(() => api.person({ role: "super_admin" }));
  beforeAll(() => api.query`delete from auth.users where id = ${ghost.id}`);
  /** Their responses are the same for everyone and need no database. */
  const constant = ["GET /api/moods", "GET /api/notifications/push-key"];

  it.each(routes.filter(({ name }) => !constant.includes(name)))("is 401 for $name", async (route) => {
    const { status, body } = await send(route, ghost);
    expect([status, body.code]).toEqual([401, "auth.unknown_account"]);
  });

  it("is 401 for POST /api/auth/verify", async () => {
    await api.post("/api/auth/verify", undefined, { token: ghost.token }).refused(401, "auth.unknown_account");
  });
});
