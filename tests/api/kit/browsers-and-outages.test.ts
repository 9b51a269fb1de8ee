import { describe, expect, it } from "vitest";
import { readConfig } from "#config/config";
import { routeToGroups } from "#functions/all";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { useApi } from "#tests/api";
import { TEST_JWT_SECRET, tokenFor } from "#tests/people";

const api = useApi({ environment: { APP_ORIGINS: "https://app.example, https://admin.example" } });

describe("a browser", () => {
  it("may call and read our headers from an allowed origin", async () => {
    for (const origin of ["https://app.example", "https://admin.example"]) {
      const { headers } = await api.send("GET", "/health", { headers: { origin } });
      expect(headers.get("access-control-allow-origin")).toBe(origin);
      expect(headers.get("access-control-expose-headers")).toContain("idempotent-replayed");
      expect(headers.get("access-control-expose-headers")).toContain("x-nectar-position");
      expect(headers.get("vary")).toBe("Origin");
    }
  });

  it("gets no permission from another origin, or without one", async () => {
    for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }, {}]) {
      const response = await api.send("GET", "/health", { headers });
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(response.headers.get("vary")).toBe("Origin");
    }
  });

  it("learns from a preflight what it may send", async () => {
    const fetch = routeToGroups(api.services);
    const asked = { "access-control-request-method": "PUT", "access-control-request-headers": "authorization" };
    const ask = (origin: string) =>
      fetch(new Request("http://nectar.test/api/journal", { method: "OPTIONS", headers: { ...asked, origin } }));
    const allowed = await ask("https://app.example");
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect(allowed.headers.get("access-control-allow-methods")).toContain("PUT");
    for (const header of [
      "authorization",
      "if-match",
      "if-none-match",
      "x-nectar-position",
      "baggage",
      "sentry-trace",
      "tracestate",
    ]) {
      expect(allowed.headers.get("access-control-allow-headers")).toContain(header);
    }
    expect((await ask("https://evil.example")).headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("without a database", () => {
  it("endpoints that need it respond with 503 and Retry-After, others work, and its address stays secret", async () => {
    const lines: string[] = [];
    const config = readConfig({
      DATABASE_URL: "postgres://nectar_api:hush@127.0.0.1:9/postgres",
      SUPABASE_URL: "http://127.0.0.1:9",
      SUPABASE_JWT_SECRET: TEST_JWT_SECRET,
      SUPABASE_JWT_ISSUER: "none",
    });
    const services = servicesFor(config, { logger: createLogger("info", { write: (line) => void lines.push(line) }) });
    const fetch = routeToGroups(services);
    const token = await tokenFor({ sub: "11111111-2222-4333-8444-555555555555" });
    const ask = (path: string) =>
      fetch(new Request(`http://nectar.test${path}`, { headers: { authorization: `Bearer ${token}` } }));

    const list = await ask("/api/journal");
    const text = await list.text();
    expect([list.status, list.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(JSON.parse(text)).toEqual({
      error: "The database cannot be reached; try again later.",
      code: "service.database_unavailable",
    });
    expect((await ask("/health")).status).toBe(200);
    expect((await ask("/api/moods")).status).toBe(200);
    expect(lines.join("")).toContain("ECONNREFUSED");
    expect(text + lines.join("")).not.toContain("hush");
    await services.database.close();
  });
});
