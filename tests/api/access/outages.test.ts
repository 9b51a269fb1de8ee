import { generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "#config/config";
import { unsubscribeToken } from "#core/people/unsubscribe-token";
import { routeToGroups } from "#functions/all";
import { SCHEDULES } from "#functions/schedules";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { fill, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { clientOf } from "#tests/client";
import { TEST_JWT_SECRET, tokenFor } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { checkAgainstReference } from "#tests/reference-check";
import { validRequest } from "#tests/valid-request";
import { useVendors } from "./vendors.ts";

const { push, environment } = await useVendors();
const secret = "the-secret-of-all-jobs";
const secrets = Object.fromEntries(SCHEDULES.map((schedule) => [schedule.secret, secret]));
const config = readConfig({
  ...environment,
  ...secrets,
  DATABASE_URL: "postgres://nectar_api:hush@127.0.0.1:9/postgres",
  SUPABASE_URL: "http://127.0.0.1:9",
  SUPABASE_JWT_SECRET: TEST_JWT_SECRET,
  SUPABASE_JWT_ISSUER: "none",
});
const services = servicesFor(config, { logger: createLogger("info", { write: () => {} }) });
const away = clientOf(routeToGroups(services));
afterAll(() => services.database.close());

const routes = signedInRoutes().map((route) => ({ ...route, name: `${route.method} ${route.path}` }));

describe("without a database", () => {
  /** The same for everyone. */
  const constant = ["GET /api/moods", "GET /api/notifications/push-key"];
  const person = beforeTests(async () => ({ token: await tokenFor({ sub: "11111111-2222-4333-8444-555555555555" }) }));

  it.each(routes.filter(({ name }) => !constant.includes(name)))("$name is 503", async (route) => {
    const { body, headers } = await validRequest(route, push.service.newDevice);
    await away
      .send(route.method, fill(route.path, {}, route.method), { as: person, body, headers })
      .refused(503, "service.database_unavailable");
  });

  it.each(SCHEDULES)("the job $name is 503", async ({ path }) => {
    const headers = { "x-cron-secret": secret };
    await away.send("POST", path, { headers }).refused(503, "service.database_unavailable");
  });

  it("a server that can be reached is not ready", async () => {
    await away.get("/health/ready").refused(503, "service.database_unavailable");
    await away.get("/health/jobs").refused(503, "service.database_unavailable");
    await away.post("/api/auth/verify", undefined, person).refused(503, "service.database_unavailable");
    const token = unsubscribeToken("ada@nectar.test", environment.EMAIL_UNSUBSCRIBE_SECRET);
    await away.send("POST", `/api/email/unsubscribe?token=${token}`).refused(503, "service.database_unavailable");
  });
});

describe("without the keys of the issuer", () => {
  let signed: { token: string };
  beforeAll(async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const claims = { aud: "authenticated", role: "authenticated", sub: "11111111-2222-4333-8444-555555555555" };
    const unsigned = new SignJWT(claims).setProtectedHeader({ alg: "ES256" }).setExpirationTime("1h");
    signed = { token: await unsigned.sign(privateKey) };
  });

  it.each(routes)("$name is 503", async ({ method, path }) => {
    await away.send(method, fill(path), { as: signed }).refused(503, "service.identity_unavailable");
  });
});

describe("a server that is asked to stop", () => {
  it.each(["/health", "/health/ready"])("is 503 at GET %s", async (path) => {
    const stopping = clientOf(routeToGroups({ ...services, stopping: AbortSignal.abort() }));
    await stopping.get(path).refused(503, "service.stopping");
  });
});

describe("a body that breaks off", () => {
  const api = useApi({ environment: { ...environment, ...secrets } });
  const root = beforeTests(() => api.person({ role: "super_admin" }));
  const others = [
    "/api/auth/verify",
    "/api/payment/webhook",
    "/api/email/webhook",
    "/api/workout-window/cron/generate-chains",
  ].map((path) => ({ name: `POST ${path}`, method: "POST", path }));
  const withBody = routes.filter(({ body, path }) => body !== null || path === "/api/workout-window/checkin");

  it.each([...withBody, ...others])("is 400 for $name", async ({ method, path }) => {
    const type = path.endsWith("/checkin") ? "multipart/form-data; boundary=x" : "application/json";
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("The client is gone.")) });
    const headers = { authorization: `Bearer ${root.token}`, "content-type": type, "x-cron-secret": secret };
    const request = new Request(`http://nectar.test${fill(path)}`, { method, body, headers, duplex: "half" });
    const response = await routeToGroups(api.services)(request);
    const problem: unknown = await response.json();
    checkAgainstReference(method, fill(path), response.status, problem);
    expect(problem).toMatchObject({ code: "request.aborted" });
  });
});
