import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { GROUPS } from "#functions/groups";
import type { TestApi } from "./api.ts";
import { type Person, tokenFor } from "./people.ts";
import { fieldsOf, type RefusedBody, refusedBodies, sampleOf } from "./sample-body.ts";

/** A route of the reference that asks for an access token. */
export interface SignedInRoute {
  readonly method: string;
  /** Path with its parameters in braces. */
  readonly path: string;
  readonly parameters: readonly string[];
  /** Makes a body that passes validation; null when the route takes none, or a form. */
  readonly body: (() => object) | null;
  /** Names of the parameters of the query. */
  readonly queries: readonly string[];
  /** Bodies that are refused because of one field. */
  readonly refusedBodies: readonly RefusedBody[];
  /** Names of the fields that the body may have. */
  readonly fields: readonly string[];
  /** The size of the largest JSON body, as the reference names it. */
  readonly maxBody: string | null;
  /** Methods that the address takes. */
  readonly methods: readonly string[];
  /** Whether only admins get in. */
  readonly forAdmins: boolean;
  /** Whether the route says that something may be missing. */
  readonly missing: boolean;
  /** The statuses that the reference declares. */
  readonly responses: readonly string[];
}

const Operation = z.object({
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  parameters: z.array(z.object({ in: z.string(), name: z.string() })).optional(),
  requestBody: z
    .object({ required: z.boolean(), content: z.record(z.string(), z.object({ schema: z.unknown() })) })
    .optional(),
  responses: z.record(z.string(), z.object({ description: z.string().default("") })),
});
const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })
  .parse(JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")));

/** Every route of the reference with the kinds of sign-in that it takes; none is open. */
export function allRoutes(): { method: string; path: string; security: string[] }[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security = [] }]) => ({
      method: method.toUpperCase(),
      path,
      security: security.flatMap(Object.keys),
    })),
  );
}

/** Every route of the reference that asks for an access token. */
export function signedInRoutes(): SignedInRoute[] {
  return allRoutes()
    .filter(({ security }) => security.includes("bearer"))
    .map(({ method, path, security }) => {
      const operation = paths[path]?.[method.toLowerCase()];
      const schema = operation?.requestBody?.content["application/json"]?.schema;
      return {
        method,
        path,
        parameters: [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []),
        body: schema === undefined ? null : () => z.record(z.string(), z.unknown()).parse(sampleOf(schema)),
        queries: (operation?.parameters ?? []).flatMap((one) => (one.in === "query" ? [one.name] : [])),
        refusedBodies: schema === undefined ? [] : refusedBodies(schema),
        fields: schema === undefined ? [] : fieldsOf(schema),
        maxBody: /larger than (\d+ [KM]B)/.exec(operation?.responses["413"]?.description ?? "")?.[1] ?? null,
        methods: methodsAt(fill(path)),
        forAdmins: path.includes("/admin/") || security.includes("cron"),
        missing: operation?.responses["404"] !== undefined,
        responses: Object.keys(operation?.responses ?? {}),
      };
    });
}

/** The same questions for every route that asks for a token: who gets in, and which complaint comes first. */
export function describeAccess(api: TestApi, route: SignedInRoute): void {
  const { method, path, parameters, body, maxBody, forAdmins, missing } = route;
  const tooLarge = `${bodyOf(maxBody)} `;
  const malformed = fill(path, Object.fromEntries(parameters.map((name) => [name, "not-a-uuid"])));
  let ada: Person;
  beforeAll(async () => {
    // Who lacks the role of the route hears of nothing else.
    ada = await api.person(forAdmins ? { role: "super_admin" } : {});
  });

  /** Asks with a sound request but for what is given. */
  function ask(change: { as?: Person; path?: string; body?: unknown; headers?: Record<string, string> }) {
    return api.send(method, change.path ?? fill(path), { body: body?.(), ...change });
  }

  it("is 401 without a token, with another scheme and with a token that has expired", async () => {
    const { none, expired, "another scheme": basic } = await badAuthorizations(ada);
    for (const authorization of [none, basic, expired]) {
      const { status, body } = await ask({ headers: authorization == null ? {} : { authorization } });
      expect(status).toBe(401);
      expect(body.code).toMatch(/^auth\.(missing_token|invalid_token|invalid_cron_secret)$/);
    }
  });

  it("is 405 with the methods that it takes when asked by another one", async () => {
    const { status, headers } = await api.send("PATCH", fill(path), { as: ada, body: {} });
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe(route.methods.join(", "));
  });

  it.each(parameters)("is 400 when the path parameter %s is neither a UUID nor a date", async (name) => {
    for (const value of ["not-a-uuid", "123", `${randomUUID()}0`, "%20"]) {
      const answer = await ask({ as: ada, path: fill(path, { [name]: value }) });
      expect(answer.status, value).toBe(400);
      expect(answer.body).toMatchObject({ code: "request.invalid", issues: [{ path: name }] });
    }
  });

  if (parameters.length > 0) {
    it(missing ? "is 404 when nothing is there" : "answers when nothing is there", async () => {
      // 503: no file store is configured here.
      expect(missing ? [404] : [200, 503]).toContain((await ask({ as: ada })).status);
    });

    it("complains of the token before the path", async () => {
      expect((await ask({ path: malformed })).status).toBe(401);
    });
  }

  if (body !== null) {
    it("is 415 for another media type, 413 above the largest size, 400 for broken JSON", async () => {
      expect((await ask({ as: ada, headers: { "content-type": "text/plain" } })).status).toBe(415);
      for (const length of [{}, { "content-length": String(tooLarge.length) }]) {
        const answer = await ask({
          as: ada,
          body: tooLarge,
          headers: { "content-type": "application/json", ...length },
        });
        expect(answer.status).toBe(413);
        expect(answer.body.error).toContain(`larger than ${maxBody}`);
      }
      expect((await ask({ as: ada, body: bodyOf(maxBody) })).status).not.toBe(413);
      expect((await ask({ as: ada, body: "{" })).body.code).toBe("request.malformed_json");
    });

    it("complains of the token first, then of the body's form, then of what it says, then of what is missing", async () => {
      const text = { "content-type": "text/plain" };
      const statuses = {
        unsigned: (await ask({ path: malformed, body: "{", headers: text })).status,
        unsignedAndLarge: (await ask({ path: malformed, body: tooLarge })).status,
        otherType: (await ask({ as: ada, path: malformed, body: "{", headers: text })).status,
        large: (await ask({ as: ada, path: malformed, body: tooLarge })).status,
        invalidAndMissing: (await ask({ as: ada, body: [] })).status,
      };
      expect(statuses).toEqual({
        unsigned: 401,
        unsignedAndLarge: 401,
        otherType: 415,
        large: 413,
        invalidAndMissing: 400,
      });
    });
  }
}

/** Every route whose body may be left out. */
export function optionalBodies(): { readonly method: string; readonly path: string }[] {
  return allRoutes().filter(({ method, path }) => paths[path]?.[method.toLowerCase()]?.requestBody?.required === false);
}

/** A body of a size such as `64 KB`, nearly all of it in a field that no route knows. */
export function bodyOf(size: string | null): string {
  const [count, unit] = size?.split(" ") ?? [];
  const beside = JSON.stringify({ padding: "" }).length;
  return JSON.stringify({ padding: "x".repeat(Number(count) * (unit === "MB" ? 1024 * 1024 : 1024) - beside) });
}

/** Authorization headers that let nobody in; null is none at all. */
export async function badAuthorizations({ id, email, token }: Person): Promise<Record<string, string | null>> {
  const claims = { sub: id, email };
  const [header = "", payload = "", signature = ""] = token.split(".");
  const unsigned = Buffer.from('{"alg":"none"}').toString("base64url");
  const bearer = async (...given: Parameters<typeof tokenFor>) => `Bearer ${await tokenFor(...given)}`;
  return {
    none: null,
    empty: "",
    "no token after the scheme": "Bearer ",
    "another scheme": `Basic ${token}`,
    "the token alone": token,
    garbage: "Bearer garbage",
    "two tokens": `Bearer ${token} ${token}`,
    expired: await bearer(claims, { expiresAt: Math.floor(Date.now() / 1000) - 60 }),
    "of another secret": await bearer(claims, { secret: "another-secret-that-is-long-enough-0123456789" }),
    "for another audience": await bearer({ ...claims, aud: "somebody-else" }),
    "of the anon role": await bearer({ ...claims, role: "anon" }),
    "of the service role": await bearer({ ...claims, role: "service_role" }),
    "without a subject": await bearer({ email }),
    "whose subject is no UUID": await bearer({ ...claims, sub: "ada" }),
    "not valid yet": await bearer({ ...claims, nbf: Math.floor(Date.now() / 1000) + 120 }),
    unsigned: `Bearer ${unsigned}.${payload}.`,
    "with an altered payload": `Bearer ${header}.${payload.slice(0, -2)}AA.${signature}`,
  };
}

/** A Monday on which nothing happened. */
const QUIET_DAY = "2001-01-01";

/** The queries of GET routes that need one. */
export const QUERIES: Readonly<Record<string, string>> = {
  "/api/users": "?q=person",
  "/api/pictures": `?entry_id=${randomUUID()}`,
};

/** A path with its parameters and query filled in, with ids and dates of nothing unless given. */
export function fill(path: string, values: Record<string, string> = {}, method = "GET"): string {
  const filled = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => values[name] ?? (/date$/i.test(name) ? QUIET_DAY : randomUUID()),
  );
  return filled + (method === "GET" ? (QUERIES[path] ?? "") : "");
}

/** The methods of every path of the reference that an address fits, in the order of the Allow header. */
function methodsAt(address: string): string[] {
  const taken = new Set(
    Object.entries(paths)
      .filter(([path]) => groupOf(path) === groupOf(address))
      .filter(([path]) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?]+")}(\\?|$)`).test(address))
      .flatMap(([, operations]) => Object.keys(operations).map((method) => method.toUpperCase())),
  );
  return ["GET", "POST", "PUT", "DELETE"].filter((method) => taken.has(method));
}

/** The prefix of the group that gets a request to this address. */
function groupOf(address: string): string | undefined {
  const path = address.replace(/\?.*/, "");
  const prefixes = GROUPS.flatMap(({ paths }) => paths).filter((prefix) => `${path}/`.startsWith(`${prefix}/`));
  return prefixes.sort((one, other) => other.length - one.length)[0];
}
