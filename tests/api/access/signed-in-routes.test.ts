import { describe, expect, it } from "vitest";
import { allRoutes, badAuthorizations, describeAccess, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";

const api = useApi();

/** Operations that anyone may call. */
const OPEN = [
  "GET /health",
  "GET /health/ready",
  "GET /health/jobs",
  "POST /api/auth/verify",
  "POST /api/payment/webhook",
  // Signed by the token in the link.
  "GET /api/email/unsubscribe",
  "POST /api/email/unsubscribe",
  "POST /api/email/webhook",
];

it("every other endpoint needs a token or a cron secret", () => {
  const open = allRoutes().filter(({ security }) => security.length === 0);
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual(OPEN);
});

it("nothing but a good token lets anyone in", async () => {
  const headers = await badAuthorizations(await api.person());
  for (const [name, authorization] of Object.entries(headers)) {
    const response = await api.send("GET", "/api/journal", {
      headers: authorization === null ? {} : { authorization },
    });
    expect([name, response.status]).toEqual([name, 401]);
    expect(response.body.code, name).toMatch(/^auth\.(missing_token|invalid_token)$/);
  }
});

describe.each(signedInRoutes())("$method $path", (route) => describeAccess(api, route));
