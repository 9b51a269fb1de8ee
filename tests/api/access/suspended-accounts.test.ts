import { beforeAll, describe, expect, it } from "vitest";
import { fill, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { validRequest } from "#tests/valid-request";
import { useVendors } from "./vendors.ts";

const { push, environment } = await useVendors();
const api = useApi({ environment });
const suspended = beforeTests(() => api.person({ role: "super_admin" }));
beforeAll(() => api.query`select private.suspend_user(${suspended.id}, '2999-01-01T00:00Z')`);

/** Commands that a suspended person may still run. */
const OPEN = [
  "POST /api/blocks",
  "DELETE /api/blocks/{userId}",
  "POST /api/moderation-decisions/{id}/appeal",
  "POST /api/user/exports",
  "DELETE /api/user/exports/{id}",
  // Reading that a GET cannot express, and marking as read.
  "POST /api/notifications/{id}/read",
  "POST /api/notifications/read-all",
  "POST /api/encouragement-drops/received/{id}/read",
  "POST /api/encouragement-drops/badges/bulk",
  "POST /api/invitations/preview",
  "POST /api/journal/audience-preview",
  "POST /api/notebooks/{id}/audience-preview",
  "DELETE /api/user/account",
  "POST /api/user/account/restore",
  // Ending what costs money, or what another user of the device would read.
  "POST /api/payment/create-portal-session",
  "DELETE /api/notifications/push-subscriptions",
];

const routes = signedInRoutes().map((route) => ({ ...route, name: `${route.method} ${route.path}` }));
const isOpen = ({ method, name }: (typeof routes)[number]) => method === "GET" || OPEN.includes(name);

async function send(route: (typeof routes)[number]) {
  const { body, headers } = await validRequest(route, push.service.newDevice);
  return api.send(route.method, fill(route.path), { as: suspended, body, headers });
}

describe("a suspended person", () => {
  it.each(routes.filter((route) => !isOpen(route)))("is refused $name", async (route) => {
    const { status, body } = await send(route);
    expect({ status, ...body }).toEqual({
      status: 403,
      error: expect.any(String),
      code: "auth.suspended",
      issues: [{ path: "suspended_until", message: "2999-01-01T00:00:00.000Z" }],
    });
  });

  it.each(routes.filter(isOpen))("is not refused $name", async (route) => {
    const { status, body } = await send(route);
    expect(body.code).not.toBe("auth.suspended");
    expect([401, 403]).not.toContain(status);
    if (route.method !== "GET") expect(status).not.toBe(400);
  });

  it("may write to every route of the list", () => {
    expect(OPEN.filter((open) => !routes.some(({ name }) => name === open))).toEqual([]);
  });
});
