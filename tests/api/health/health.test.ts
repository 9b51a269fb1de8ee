import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";

/** A server that closes every connection. It listens before the environment is declared, which needs its port. */
const hangingUp = createServer((socket) => socket.destroy());
await once(hangingUp.listen(0, "127.0.0.1"), "listening");

const NOW = { status: "ok", timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) };

describe("with the database up", () => {
  const api = useApi();

  it.each(["/health", "/health/ready"] as const)("GET %s is ok, without any sign-in, or a good one", async (path) => {
    const before = Date.now();
    const body = await api.get(path).ok();
    expect(body).toEqual(NOW);
    expect(Date.parse(body.timestamp)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.timestamp)).toBeLessThanOrEqual(Date.now());
    await api.send("GET", path, { headers: { authorization: "Bearer garbage" } }).ok();
  });

  it("accepts only GET", async () => {
    const response = api.post("/health", undefined, {});
    await response.refused(405);
    expect((await response).headers.get("allow")).toBe("GET");
    await api.get("/health/unknown").refused(404, "route.not_found");
  });
});

describe("with the database down", () => {
  // Nothing listens on port 9.
  const api = useApi({
    environment: { DATABASE_URL: "postgres://nectar_api:very-secret-password@127.0.0.1:9/nowhere" },
  });

  it("GET /health is still ok", async () => {
    expect(await api.get("/health").ok()).toEqual(NOW);
  });

  it("GET /health/ready is 503 with Retry-After, and does not say where the database is", async () => {
    const { status, headers, body } = await api.get("/health/ready");
    expect(status).toBe(503);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
    expect(body).toEqual({ error: expect.any(String), code: "service.database_unavailable" });
    expect(`${JSON.stringify(body)} ${api.logged()}`).not.toMatch(/127\.0\.0\.1|very-secret-password|nowhere/);
  });

  it("an invalid token is 401 elsewhere", async () => {
    await api.get("/api/user/profile").refused(401);
  });
});

describe("with a database that closes every connection", () => {
  afterAll(() => void hangingUp.close());
  const api = useApi({
    environment: { DATABASE_URL: `postgres://nectar_api:x@127.0.0.1:${portOf(hangingUp)}/nowhere` },
  });

  it("GET /health/ready is 503", async () => {
    await api.get("/health/ready").refused(503);
  });
});

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port.");
  return address.port;
}
