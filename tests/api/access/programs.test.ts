import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { allRoutes, fill } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { tokenFor } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const CHIEF = "chief@example.test";
const api = useApi({ environment: { SUPER_ADMIN_EMAILS: CHIEF } });
/** All that an ordinary person may not do is open to them, but not to their programs. */
const root = beforeTests(() => api.person({ role: "super_admin" }));

const Scopes = z.object({ "x-scope": z.string().optional(), "x-scopes": z.array(z.string()).optional() });
const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), Scopes)) })
  .parse(JSON.parse(readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8")));

const routes = allRoutes()
  .filter(({ security }) => security.includes("bearer"))
  .map(({ method, path }) => {
    const { "x-scope": scope, "x-scopes": scopes } = paths[path]?.[method.toLowerCase()] ?? {};
    return { method, path, scope, scopes };
  });

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

/** Areas any of which opens an operation, which then shows only those. */
const AREAS_OF_PARTS: Readonly<Record<string, string | undefined>> = {
  "/api/today": "journal goals drops game notifications",
  "/api/changes": "journal goals wellness profile",
};

/** Posts that only compute. */
const COMPUTES = /audience-preview$|\/badges\/bulk$|\/analyze-tone$/;

it("the scope of an operation follows from its address and from whether it changes something", () => {
  for (const { method, path, scope, scopes } of routes) {
    const ofParts = AREAS_OF_PARTS[path]?.split(" ").map((area) => `${area}:read`);
    expect.soft(scopes?.toSorted(), `${method} ${path}`).toEqual(ofParts?.toSorted());
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
    const { code, error } = (
      await api.send(method, fill(path, {}, method), { headers, body: method === "GET" ? undefined : "{" })
    ).body;
    const area = granted.replace(/:.*/, "");
    const showsPart = AREAS_OF_PARTS[path]?.split(" ").includes(area) === true;
    const isOpen = showsPart || scope === granted || scope === granted.replace(":write", ":read");
    if (isOpen) expect.soft(code ?? "", `${method} ${path}`).not.toMatch(/^auth\.(?!unknown)/);
    else expect.soft(code, `${method} ${path}`).toBe("auth.scope_missing");
    if (!isOpen && scope !== undefined) expect.soft(error).toContain(scope);
  }
});

describe("a program of others", () => {
  const chief = beforeTests(() => api.person({ email: CHIEF }));
  /** The access token that Supabase's OAuth server gives to a program of a person. */
  const programOf = async (
    { id, email }: { readonly id: string; readonly email: string },
    client_id: unknown = "id",
  ) => ({
    token: await tokenFor({ sub: id, email, client_id }),
  });

  it.each([["an id"], [""], [null]])(
    "reads the profile of its person and nothing else, with client_id %j",
    async (id) => {
      const { token } = await programOf(root, id);
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      for (const { method, path } of routes) {
        const sent = api.send(method, fill(path), { headers, body: method === "GET" ? undefined : "{" });
        if (`${method} ${path}` === "GET /api/user/profile") await sent.ok();
        else
          expect
            .soft([(await sent).status, (await sent).body.code], `${method} ${path}`)
            .toEqual([403, "auth.scope_missing"]);
      }
      await api.post("/api/auth/verify", undefined, { token }).refused(401, "auth.invalid_token");
    },
  );

  it("of an admin has no role, and gives its person none", async () => {
    const program = await programOf(root);
    await api.get("/api/admin/users", program).refused(403, "auth.scope_missing");
    expect((await api.get("/api/user/profile", program).ok()).profile).toMatchObject({ id: root.id, role: "user" });
    expect((await api.get("/api/user/profile", await programOf(chief)).ok()).profile.role).toBe("user");
    expect(await api.query`select role from nectar.user_roles where user_id = ${chief.id}`).toEqual([]);
    expect((await api.get("/api/user/profile", chief).ok()).profile.role).toBe("super_admin");
  });

  it("erases no account and has no tokens, however fresh its own is", async () => {
    const ada = await api.person();
    const program = await programOf(ada);
    for (const when of ["scheduled", "now"]) {
      const erasing = api.send("DELETE", "/api/user/account", { as: program, body: { confirm: "DELETE", when } });
      await erasing.refused(403, "auth.scope_missing");
    }
    await api.post("/api/user/tokens", program, { name: "Mine", scopes: ["journal:read"] }).refused(403);
    await api.get("/api/user/tokens", program).refused(403, "auth.scope_missing");
    expect((await api.get("/api/user/account/erasure", ada).ok()).scheduled).toBeNull();
    expect((await api.get("/api/user/tokens", ada).ok()).tokens).toEqual([]);
  });

  it("of a deleted account is 401", async () => {
    const ada = await api.person();
    await api.query`delete from auth.users where id = ${ada.id}`;
    await api.get("/api/user/profile", await programOf(ada)).refused(401, "auth.unknown_account");
  });
});
