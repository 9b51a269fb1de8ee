import { describe, expect, it } from "vitest";
import { allRoutes, describeAccess, signedInRoutes } from "../../support/access-suite.ts";
import { useApi } from "../../support/api.ts";

const api = useApi();

/** What the specification leaves open to everybody. */
const OPEN = [
  "GET /health",
  "GET /health/ready",
  "POST /api/auth/verify",
  "POST /api/payment/webhook",
  "POST /api/email/webhook",
];

it("asks for a token or a cron secret everywhere but where the specification leaves the door open", () => {
  const open = allRoutes().filter(({ security }) => security.length === 0);
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual(OPEN);
});

describe.each(signedInRoutes())("$method $path", (route) => describeAccess(api, route));
