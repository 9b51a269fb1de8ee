import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { allRoutes, fill } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const api = useApi();
/** All that an ordinary person may not do is open to them, but not to their programs. */
const root = beforeTests(() => api.person({ role: "super_admin" }));

const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), z.object({ "x-scope": z.string().optional() }))) })
  .parse(JSON.parse(readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8")));

const routes = allRoutes()
  .filter(({ security }) => security.includes("bearer"))
  .map(({ method, path }) => ({ method, path, scope: paths[path]?.[method.toLowerCase()]?.["x-scope"] }));

/** The area of what begins with a prefix; the longest one counts. Everything else is closed to programs. */
const AREAS: Readonly<Record<string, string | undefined>> = {
  "/api/journal": "journal",
  "/api/journal/imports": undefined,
  "/api/notebooks": "journal",
  "/api/pictures": "journal",
  "/api/ai": "journal",
  "/api/chat": "journal",
  "/api/moods": "journal",
  "/api/goals": "goals",
  "/api/wellness-entries": "wellness",
  "/api/drops": "drops",
  "/api/encouragement-drops": "drops",
  "/api/tone-packs": "drops",
  "/api/workout-window": "game",
  "/api/user/profile": "profile",
  "/api/notifications": "notifications",
};

/** Posts that only compute. */
const COMPUTES = /audience-preview$|\/badges\/bulk$|\/analyze-tone$/;

it("the scope of an operation follows from its address and from whether it changes something", () => {
  for (const { method, path, scope } of routes) {
    const [prefix = ""] = Object.keys(AREAS)
      .filter((start) => path === start || path.startsWith(`${start}/`))
      .toSorted((one, other) => other.length - one.length);
    const area = /\/(admin|cron|battle\/execute|mosaic\/generate)\b/.test(path) ? undefined : AREAS[prefix];
    const reads = method === "GET" || COMPUTES.test(path);
    expect.soft(scope, `${method} ${path}`).toBe(area && `${area}:${reads ? "read" : "write"}`);
  }
});

it.each(ENUMS.token_scope)("%s opens what the reference says, and is checked before the body", async (granted) => {
  const body = { name: "Program", scopes: [granted], expires_in_days: 1 };
  const { token } = await api.post("/api/user/tokens", root, body).created();
  const headers = { authorization: `Bearer ${token.secret}`, "content-type": "application/json" };
  for (const { method, path, scope } of routes) {
    const { code, error } = (await api.send(method, fill(path), { headers, body: method === "GET" ? undefined : "{" }))
      .body;
    const isOpen = scope === granted || scope === granted.replace(":write", ":read");
    if (isOpen) expect.soft(code ?? "", `${method} ${path}`).not.toMatch(/^auth\.(?!unknown)/);
    else expect.soft(code, `${method} ${path}`).toBe("auth.scope_missing");
    if (!isOpen && scope !== undefined) expect.soft(error).toContain(scope);
  }
});
