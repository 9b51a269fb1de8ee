import { beforeAll, describe, expect, it } from "vitest";
import { fill, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { validRequest } from "#tests/valid-request";
import { useVendors } from "./vendors.ts";

const { push, environment } = await useVendors();
const api = useApi({ environment });
const closing = beforeTests(() => api.person({ role: "super_admin" }));
beforeAll(
  () => api.query`
    update nectar.accounts set erasure_requested_at = now(), erases_at = '2999-01-01T00:00Z'
    where user_id = ${closing.id}`,
);

/** Commands that a closing account may still run. */
const OPEN = [
  "DELETE /api/user/account",
  "POST /api/user/account/restore",
  "POST /api/user/exports",
  "DELETE /api/user/exports/{id}",
  // Reading that a GET cannot express.
  "POST /api/encouragement-drops/badges/bulk",
  "POST /api/invitations/preview",
  "POST /api/journal/audience-preview",
  "POST /api/notebooks/{id}/audience-preview",
];
/** They close or open the account, which the other tests must not see. */
const LEFT_OUT = OPEN.slice(0, 2);

const routes = signedInRoutes().map((route) => ({ ...route, name: `${route.method} ${route.path}` }));
const isOpen = ({ method, name }: (typeof routes)[number]) => method === "GET" || OPEN.includes(name);

async function send(route: (typeof routes)[number]) {
  const { body, headers } = await validRequest(route, push.service.newDevice);
  return api.send(route.method, fill(route.path), { as: closing, body, headers });
}

describe("a person whose account is closing", () => {
  it.each(routes.filter((route) => !isOpen(route)))("is refused $name", async (route) => {
    const { status, body } = await send(route);
    expect({ status, ...body }).toEqual({
      status: 403,
      error: expect.any(String),
      code: "account.closing",
      issues: [{ path: "erases_at", message: "2999-01-01T00:00:00.000Z" }],
    });
  });

  it.each(routes.filter((route) => isOpen(route) && !LEFT_OUT.includes(route.name)))(
    "is not refused $name",
    async (route) => {
      const { status, body } = await send(route);
      expect(body.code).not.toBe("account.closing");
      expect([401, 403]).not.toContain(status);
      if (route.method !== "GET") expect(status).not.toBe(400);
    },
  );

  it("may write to every route of the list", () => {
    expect(OPEN.filter((open) => !routes.some(({ name }) => name === open))).toEqual([]);
  });
});
