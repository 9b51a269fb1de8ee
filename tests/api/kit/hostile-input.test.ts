import { describe, expect, it } from "vitest";
import * as z from "zod";
import { allApps } from "#functions/all";
import { bodyOf, fill, optionalBodies, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const CRON_SECRET = "the-secret-of-the-game";
const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
const ada = beforeTests(() => api.person());
const root = beforeTests(() => api.person({ role: "super_admin" }));

const json = { "content-type": "application/json" };
const send = (body: unknown, headers: Record<string, string> = json) =>
  api.send("POST", "/api/journal", { as: ada, body, headers });
const bytes = (...values: number[]) => new Uint8Array(values);
const entry = (title: string) => `{"title": ${title}, "content": "c"}`;
const nested = (depth: number) => `{"title":"t","content":"c","x":${"[".repeat(depth)}${"]".repeat(depth)}}`;

describe("a malformed body", () => {
  const bodies: [string, string | Uint8Array<ArrayBuffer>][] = [
    ["nothing at all", ""],
    ["half a document", '{"title": "t"'],
    ["a NUL inside text", entry('"a\\u0000b"')],
    ["a NUL inside a field name", '{"title":"t","content":"c","a\\u0000":1}'],
    ["a lone surrogate", entry('"a\\ud800b"')],
    ["invalid UTF-8", bytes(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d)],
    ["nesting 10,000 deep", nested(10_000)],
    ["nesting 65 deep", nested(65)],
    ["a __proto__ field", '{"title":"t","content":"c","__proto__":{"isAdmin":true}}'],
    ["a nested __proto__ field", '{"title":"t","content":"c","x":{"__proto__":1}}'],
  ];
  it.each(bodies)("is refused with 400: %s", async (_, body) => {
    await send(body).refused(400, "request.malformed_json");
  });

  it.each(["[]", "null", '"text"', "7", "true"])("is refused if it is not an object: %s", async (body) => {
    await send(body).refused(400, "request.invalid");
  });

  it("may be nested up to 64 levels deep", async () => {
    await send(nested(62)).created();
  });
});

describe("a text of nothing but combining marks, as long as a body may be", () => {
  // Normalizing it would take minutes, in which the process does nothing else.
  const marksFor = (maxBody: string | null) => "\u0301".repeat(bodyOf(maxBody).length / 2 - 1_000);
  const withBody = signedInRoutes().filter(({ body }) => body !== null);

  /** Those whose schema is not all that looks at a text, and two others. */
  const SENT = ["/api/journal", "/api/goals", "/api/pictures", "/api/wellness-entries", "/api/workout-window/setup"];

  it.each(withBody.filter(({ path }) => SENT.includes(path)))(
    "is 400 in every field of $method $path",
    async ({ method, path, body, maxBody, fields }) => {
      const marks = marksFor(maxBody);
      for (const field of fields) {
        for (const value of [marks, [marks]]) {
          await api.send(method, path, { as: ada, body: { ...body?.(), [field]: value } }).refused(400);
        }
      }
    },
  );

  it.each(withBody.filter(({ path }) => !SENT.includes(path)))(
    "is refused by the schema in every field of $method $path",
    ({ method, path, body, maxBody, fields }) => {
      const endpoints = allApps(api.services).flatMap(({ app }) => app.endpoints);
      const route = path.replaceAll(/\{(\w+)\}/g, ":$1");
      const schema = endpoints.find((one) => one.method === method && one.path === route)?.definition.body;
      if (!(schema instanceof z.ZodType)) throw new Error("The route takes no JSON.");
      expect(fields).not.toEqual([]);
      const marks = marksFor(maxBody);
      for (const field of fields) {
        for (const value of [marks, [marks]]) {
          expect(schema.safeParse({ ...body?.(), [field]: value }).success, field).toBe(false);
        }
      }
    },
  );

  it("is 400 in a query", async () => {
    const q = encodeURIComponent("\u0301".repeat(2_000));
    await api.get(`/api/journal?q=${q}`, ada).invalid("q");
    await api.get(`/api/journal?tag=${q}`, ada).invalid("tag");
    await api.get(`/api/tone-packs/active?mood=${q}`, ada).invalid("mood");
  });
});

describe("an error response to a large body", () => {
  const LENGTH = 50_000;
  const MAX_BYTES = 8_000;
  const withBody = signedInRoutes().filter(({ body }) => body !== null);
  /** Hostile values of about so many characters each. */
  const valuesOf = (length: number): readonly unknown[] => [
    Object.fromEntries(Array.from({ length: length / 16 }, (_, n) => [`key-${n}`, n])),
    { ["k".repeat(length)]: { deep: 1 } },
    Array.from({ length: length / 2 }, () => 0),
    "x".repeat(length),
  ];

  it.each(withBody)("is small: $method $path", async ({ method, path, fields, forAdmins }) => {
    const deep = `{"deep":${"[".repeat(LENGTH / 2)}${"]".repeat(LENGTH / 2)}}`;
    const [manyKeys] = valuesOf(LENGTH);
    const bodies = valuesOf(Math.floor(LENGTH / fields.length)).map((value) =>
      Object.fromEntries(fields.map((field) => [field, value])),
    );
    for (const body of [deep, manyKeys, ...bodies]) {
      const { status, text } = await api.send(method, fill(path), { as: forAdmins ? root : ada, body });
      expect(status).toBeLessThan(500);
      if (status >= 400) expect(text.length).toBeLessThan(MAX_BYTES);
    }
  });
});

it("a list that is too long is one problem, however many elements of it are wrong", async () => {
  const tags = Array.from({ length: 2_000 }, () => 0);
  await api.post("/api/journal", ada, { title: "t", content: "c", tags }).invalid("tags");
});

it.each([
  [400, "request.malformed_json", "{", {}],
  [413, "request.too_large", `${bodyOf("64 KB")} `, {}],
  [415, "request.unsupported_media_type", "{}", { "content-type": "text/plain" }],
] as const)("the body of a job that may have one is refused with %i %s", async (status, code, body, headers) => {
  const path = "/api/workout-window/cron/generate-chains";
  await api.send("POST", path, { body, headers: { "x-cron-secret": CRON_SECRET, ...headers } }).refused(status, code);
});

describe("the size and the media type of a body", () => {
  it.each([
    ["auth/verify", "16 KB"],
    ["email/webhook", "1 MB"],
    ["payment/webhook", "1 MB"],
  ])("is limited without a token as well: %s takes %s", async (path, size) => {
    const { status, body } = await api.send("POST", `/api/${path}`, { body: `${bodyOf(size)} ` });
    expect([status, body.code]).toEqual([413, "request.too_large"]);
    expect(body.error).toContain(size);
  });

  it("above 64 KB is 413 unless it is for texts, because small values take long to parse", async () => {
    const body = (values: number) => ({ title: "t", content: '"\\[,'.repeat(20_000), x: Array(values).fill(0) });
    await api.post("/api/journal", ada, body(32_000)).created();
    await api.post("/api/journal", ada, body(33_000)).refused(413, "request.too_large");
    const named = (names: number) =>
      Object.fromEntries(Array.from({ length: names }, (_, n) => [`"${"k".repeat(93)}${n + 1_000}`, 0]));
    await api.post("/api/journal", ada, { title: "t", content: "c".repeat(70_000), ...named(600) }).created();
    await api
      .post("/api/journal", ada, { title: "t", content: "c".repeat(70_000), ...named(700) })
      .refused(413, "request.too_large");
  });

  it("above one megabyte is 413, with or without its length in a header", async () => {
    const body = JSON.stringify({ title: "t", content: "x".repeat(1024 * 1024) });
    for (const length of [{}, { "content-length": "1048700" }]) {
      await send(body, { ...json, ...length }).refused(413, "request.too_large");
    }
  });

  it.each([
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["application/jsonp", 415],
    ["multipart/form-data", 415],
    ["application/json; charset=utf-8", 201],
    ["Application/JSON", 201],
    ["application/vnd.nectar+json", 201],
  ])("of type %s is %i", async (type, status) => {
    const response = await send(entry('"t"'), { "content-type": type });
    expect(response.status).toBe(status);
    if (status === 415) expect(response.text).toContain("send application/json.");
  });
});

describe("a body that may be left out", () => {
  it.each(optionalBodies())("is left out by $method $path with any media type and length", async ({ method, path }) => {
    for (const type of [{}, json, { "content-type": "text/plain" }]) {
      for (const length of [{}, { "content-length": "0" }, { "transfer-encoding": "chunked" }]) {
        const headers = { ...type, ...length, ...(path.includes("/cron/") && { "x-cron-secret": CRON_SECRET }) };
        const { status } = await api.send(method, fill(path), { as: root, headers });
        expect([200, 201, 404, 409]).toContain(status);
      }
    }
  });

  it("is among them where a job, a purchase or a preview has one", () => {
    expect(optionalBodies().length).toBeGreaterThan(7);
  });
});

describe("an unknown parameter of a query", () => {
  it("is 400 where it looks like another one, and `name[]` counts as `name`", async () => {
    await api.post("/api/journal", ada, { title: "t", content: "c", tags: ["red", "blue"] }).created();
    for (const name of ["tags", "Tag", "tag[0]", "__proto__"])
      await api.get(`/api/journal?${name}=red`, ada).invalid(name);
    const { entries } = await api.get("/api/journal?tag[]=red&tag%5B%5D=blue&tag=red", ada).ok();
    expect(entries).toHaveLength(1);
    expect((await api.get("/api/journal?tag[]=green", ada).ok()).entries).toEqual([]);
    await api.get("/api/journal?limit[]=1&limit=1", ada).invalid("limit");
  });

  it("is ignored at addresses that others were given", async () => {
    await api.get("/health?probe=1").ok();
    await api.get("/api/email/unsubscribe?utm_source=mail").invalid("token");
  });
});

describe("an invalid query", () => {
  it.each([
    ["a repeated parameter", "limit=1&limit=2", "limit"],
    ["invalid percent encoding", "q=%ff", "q"],
    ["half an escape", "q=%e0%a4", "q"],
    ["a NUL", "q=a%00b", "q"],
    ["a limit of zero", "limit=0", "limit"],
    ["a negative limit", "limit=-1", "limit"],
    ["a fraction", "limit=1.5", "limit"],
    ["no number", "limit=ten", "limit"],
    ["a cursor of ours that was changed", "cursor=WyJ4Il0", "cursor"],
    ["a cursor that we never sent", "cursor=%F0%9F%90%9D", "cursor"],
    ["an impossible date", "from=2026-02-30", "from"],
    ["an impossible time", "to=2026-01-01T25:00:00Z", "to"],
    ["the year 0", "from=0000-01-01", "from"],
    ["the last year", "to=9999-12-31", "to"],
    ["an unknown scope", "scope=everyone", "scope"],
    ["an unknown sort", "sort=title", "sort"],
    ["a malformed notebook", "notebook_id=7", "notebook_id"],
    ["a blank term", "q=%20", "q"],
  ])("is refused with 400: %s", async (_, query, path) => {
    const body = await api.get(`/api/journal?${query}`, ada).refused(400);
    expect(body.issues.map((issue) => issue.path)).toContain(path);
  });

  it("is refused with all problems at once", async () => {
    const { body } = await api.get("/api/journal?limit=0&scope=x&sort=y&from=z", ada);
    expect(new Set(body.issues.map((issue) => issue.path))).toEqual(new Set(["limit", "scope", "sort", "from"]));
  });
});

describe("a path", () => {
  it.each(["%00", "%ff", "..%2f..%2fetc", "1", "g0000000-0000-4000-8000-000000000000", "__proto__"])(
    "with an impossible id is 400 or 404, never 500: %s",
    async (id) => {
      const { status } = await api.get(`/api/journal/${id}`, ada);
      expect([400, 404]).toContain(status);
    },
  );

  it("of no group is 404 with our error body, also without a token", async () => {
    await api.get("/api/nothing/here").refused(404, "route.not_found");
  });

  it("is 405 for a method that it does not support and lists those it does, also without a token", async () => {
    const { status, headers } = await api.send("DELETE", "/api/journal");
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("GET, POST");
  });
});

describe("every response", () => {
  it("has the caller's request id if that is valid, and a new one otherwise", async () => {
    const mine = await api.send("GET", "/health", { headers: { "x-request-id": "abc-123" } });
    const odd = await api.send("GET", "/health", { headers: { "x-request-id": "a b\tc" } });
    expect(mine.headers.get("x-request-id")).toBe("abc-123");
    expect(odd.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("has security headers, timing and CORS headers, also if it is an error", async () => {
    for (const path of ["/health", "/api/journal", "/api/nothing"]) {
      const { headers } = await api.send("GET", path, { headers: { origin: "https://app.example" } });
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("strict-transport-security")).not.toBeNull();
      expect(headers.get("server-timing")).toMatch(/^total;dur=/);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("x-request-id")).not.toBeNull();
    }
  });
});
