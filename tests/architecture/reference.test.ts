import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { readConfig } from "#config/config";
import { EARLY_MINUTES } from "#core/game/time";
import { allApps } from "#functions/all";
import { servicesFor } from "#http/services/services-for";
import { maxBytesOf } from "#tests/sample-body";
import { readOperations } from "#tools/reference/operations";

const Content = z.record(z.string(), z.object({ example: z.unknown().optional(), schema: z.unknown() }));
const Reference = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        parameters: z.array(z.object({ name: z.string(), description: z.string().optional() })).default([]),
        requestBody: z.object({ content: Content }).optional(),
        responses: z.record(
          z.string(),
          z.looseObject({ description: z.string().optional(), content: Content.optional() }),
        ),
      }),
    ),
  ),
});

const Components = z.object({
  components: z.object({
    schemas: z.record(
      z.string(),
      z.looseObject({ type: z.unknown().optional(), enum: z.array(z.unknown()).optional() }),
    ),
    responses: z.record(z.string(), z.unknown()),
  }),
});

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
const operations = Object.values(Reference.parse(read("openapi.json")).paths).flatMap((path) => Object.values(path));
const recorded = Object.keys(z.record(z.string(), z.unknown()).parse(read("tools/reference/examples.json")));

const withoutExample = (contents: readonly (z.output<typeof Content> | undefined)[]) =>
  contents.some((content) => Object.values(content ?? {}).some(({ example }) => example === undefined));

const Limit = z.object({ default: z.number(), maximum: z.number() });
const LISTS_OF_ADMINS = [
  "listAllDropTemplates",
  "listAuditEvents",
  "listCheckInsForReview",
  "listConversionRates",
  "listReceivedAppeals",
  "listReceivedEmails",
  "listReceivedReports",
  "listUsers",
];

const Listing = z.object({
  properties: z.record(z.string(), z.object({ type: z.unknown().optional() })).default({}),
});
/** Lists that are always short: part of the code, made by one person for one response, or of one day or week of the game. */
const UNPAGED = [
  "/api/admin/jobs",
  "/api/encouragement-drops/badge-definitions",
  "/api/encouragement-drops/leaderboard",
  "/api/journal/on-this-day",
  "/api/journal/tags",
  "/api/moods",
  "/api/payment/prices",
  "/api/pictures",
  "/api/workout-window/battle/week/{weekStartDate}",
  "/api/workout-window/calendar",
  "/api/workout-window/chain/{date}",
  "/api/workout-window/squad/{date}",
  "/health/jobs",
];

const UnlimitedList = z.object({ type: z.literal("array"), maxItems: z.never().optional() });
const Named = z.object({ $ref: z.templateLiteral(["#/components/schemas/", z.string()]) });

/** A schema and all schemas in it, also the named ones. */
function schemasIn(schema: unknown, named: Readonly<Record<string, unknown>>): unknown[] {
  if (typeof schema !== "object" || schema === null) return [];
  const name = Named.safeParse(schema).data?.$ref.split("/").at(-1);
  const parts = name === undefined ? Object.values(schema) : [named[name]];
  return [schema, ...parts.flatMap((part) => schemasIn(part, named))];
}

/** A schema as generators of code see it. */
const Generated = z.looseObject({
  anyOf: z.array(z.object({ type: z.unknown().optional() })).optional(),
  const: z.union([z.string(), z.boolean()]).optional(),
  enum: z.array(z.unknown()).optional(),
});

/** What generators of Swift, Kotlin and Dart cannot read, with the path to it. */
function hardToGenerate(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { anyOf = [], const: constant, enum: values } = Generated.safeParse(value).data ?? {};
  const nested = Object.entries(value).flatMap(([key, child]) =>
    key === "example" || key === "examples" ? [] : hardToGenerate(child, `${path}/${key}`),
  );
  return [
    ...(anyOf.some(({ type }) => [type].flat().includes("null")) ? [`${path}: null in anyOf`] : []),
    ...(constant === undefined || values?.includes(constant) ? [] : [`${path}: const without enum`]),
    ...nested,
  ];
}

describe("the reference for generators of code", () => {
  test("says null in the type, and has an enum beside every constant", () => {
    expect(hardToGenerate(read("openapi.json"), "")).toEqual([]);
    const choice = { anyOf: [{ type: ["string", "null"] }, { const: true }] };
    expect(hardToGenerate(choice, "")).toEqual([": null in anyOf", "/anyOf/1: const without enum"]);
  });

  test("has null among the values of every enum that may be null", () => {
    const document = JSON.stringify(read("openapi.json"));
    const enums = [...document.matchAll(/"type":\["string","null"\],"enum":(\[[^\]]*\])/g)].map(([, values]) => values);
    expect(enums.length).toBeGreaterThan(20);
    expect(enums.filter((values) => !values?.endsWith(",null]"))).toEqual([]);
  });

  test("has a name for the body of every success", () => {
    const bodies = operations.flatMap(({ operationId, responses }) =>
      [responses[200], responses[201]].flatMap((response) =>
        Object.values(response?.content ?? {}).map(({ schema }) => ({ operationId, schema })),
      ),
    );
    expect(bodies.length).toBeGreaterThan(240);
    const nameless = bodies.filter(({ schema }) => !Named.safeParse(schema).success);
    expect(nameless.map(({ operationId }) => operationId)).toEqual([]);
  });

  test("has the same schema or null under a name with OrNull", () => {
    const { schemas } = Components.parse(read("openapi.json")).components;
    const pairs = Object.entries(schemas).filter(([name]) => name.endsWith("OrNull"));
    expect(pairs.length).toBeGreaterThan(10);
    for (const [name, { type, enum: values, ...schema }] of pairs) {
      const { type: base, enum: baseValues, ...same } = schemas[name.replace(/OrNull$/, "")] ?? {};
      expect.soft({ name, type, values, schema }).toEqual({
        name,
        type: [base, "null"],
        values: baseValues && [...baseValues, null],
        schema: same,
      });
    }
  });

  test("documents what a write and a refusal send in headers", () => {
    const { responses } = Components.parse(read("openapi.json")).components;
    expect(responses).toMatchObject({
      TooManyRequests: { headers: { "retry-after": {} } },
      Unavailable: { headers: { "retry-after": {} } },
    });
    const headers = new Map(operations.map(({ operationId, responses }) => [operationId, responses]));
    const write = { headers: { "idempotent-replayed": {}, "x-nectar-position": {} } };
    expect(headers.get("createGoal")).toMatchObject({ 201: write });
    expect(headers.get("updateGoal")?.[200]).toHaveProperty(["headers", "x-nectar-position"]);
    expect(headers.get("updateGoal")?.[200]).not.toHaveProperty(["headers", "idempotent-replayed"]);
    expect(headers.get("listGoals")?.[200]).not.toHaveProperty("headers");
  });

  test("documents etags where they are sent and taken", () => {
    const etag = { headers: { etag: {} } };
    const named = (id: string) => operations.find(({ operationId }) => operationId === id);
    expect(named("readGoal")?.responses).toMatchObject({ 200: etag, 304: etag });
    expect(named("readGoal")?.responses[304]).not.toHaveProperty("content");
    expect(named("updateGoal")?.responses).toMatchObject({ 200: etag, 412: {} });
    expect(named("deleteGoal")?.responses).toMatchObject({ 412: {} });
    expect(named("readGoal")?.parameters.map(({ name }) => name)).toContain("If-None-Match");
    expect(named("deleteGoal")?.parameters.map(({ name }) => name)).toContain("If-Match");
  });
});

describe("the reference", () => {
  test("describes every parameter", () => {
    const bare = operations.flatMap(({ operationId, parameters }) =>
      parameters.flatMap(({ name, description }) => (description ? [] : [`${operationId} ${name}`])),
    );
    expect(bare).toEqual([]);
  });

  test("has as many operations as README.md says", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    expect(readme).toContain(` ${operations.length} operations `);
  });

  test("says the grace and the early bonus by their rules", () => {
    const { operations: all, schemas } = readOperations(read("openapi.json"));
    const text = JSON.stringify([all, [...Object.entries(schemas)]]);
    const config = readConfig({ DATABASE_URL: "postgres://unused", SUPABASE_URL: "http://unused.invalid" });
    const grace = `(${config.checkinGraceMinutes} minutes, unless the operator has set another time)`;
    expect(text.split(grace).length).toBeGreaterThan(2);
    expect(text).toContain(`in the first ${EARLY_MINUTES} minutes of the window`);
  });

  test("limits every list in a request, so that a long one is refused before its elements are looked at", () => {
    const { operations: all, schemas } = readOperations(read("openapi.json"));
    const unlimited = all.filter(({ body, parameters }) =>
      schemasIn([body?.schema, parameters.map(({ schema }) => schema)], schemas).some(
        (schema) => UnlimitedList.safeParse(schema).success,
      ),
    );
    expect(unlimited.map(({ id }) => id)).toEqual([]);
  });

  test("limits a body to 64 KB only if the longest texts fit in any spelling", () => {
    const tooSmall = operations.flatMap(({ operationId, requestBody, responses }) => {
      const maxKb = Number(/larger than (\d+) KB/.exec(responses[413]?.description ?? "")?.[1]);
      const schema = requestBody?.content["application/json"]?.schema;
      return schema !== undefined && maxBytesOf(schema) > maxKb * 1024 ? [operationId] : [];
    });
    // No token needs escapes, and no wellness entry has both of the longest texts.
    expect(tooSmall).toEqual(["verifyToken", "updateWellnessEntry"]);
  });

  test("shows the default of every parameter that has one", () => {
    // The apps are only read, never called, so any configuration will do.
    const config = readConfig({ DATABASE_URL: "postgres://unused", SUPABASE_URL: "http://unused.invalid" });
    const endpoints = allApps(servicesFor(config)).flatMap(({ app }) => app.endpoints);
    const { operations: documented } = readOperations(read("openapi.json"));
    const shown = documented.flatMap(({ id, parameters }) =>
      parameters.flatMap(({ name, schema }) => {
        const { default: value } = z.object({ default: z.unknown().optional() }).parse(schema);
        return value === undefined ? [] : [[`${id} ${name}`, value]];
      }),
    );
    const applied = endpoints.flatMap(({ definition: { id, query } }) =>
      Object.entries(query?.shape ?? {}).flatMap(([name, field]) => {
        const value = field.safeParse(undefined).data;
        return value === undefined ? [] : [[`${id} ${name}`, value]];
      }),
    );
    expect(applied.length).toBeGreaterThan(44);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(applied));
  });

  test("names the lists that are not of 100 items by default and 500 at most", () => {
    const { operations: documented } = readOperations(read("openapi.json"));
    const others = documented.flatMap(({ id, parameters }) =>
      parameters
        .filter(({ name }) => name === "limit")
        .map(({ schema }) => Limit.parse(schema))
        .filter((limit) => limit.default !== 100 || limit.maximum !== 500)
        .map((limit) => [id, `${limit.default} of ${limit.maximum}`]),
    );
    expect(Object.fromEntries(others)).toEqual({
      ...Object.fromEntries(LISTS_OF_ADMINS.map((id) => [id, "50 of 500"])),
      readLeaderboard: "50 of 100",
      listChanges: "100 of 200",
      // Clients read these lists whole.
      listWorkoutCheckIns: "1000 of 2000",
      listSyntheticUsers: "10000 of 10000",
      readMosaic: "20000 of 20000",
      readTeamsOfDate: "1500 of 1500",
    });
  });

  test("pages every list that may be long", () => {
    const lists = readOperations(read("openapi.json")).operations.flatMap(({ id, method, path, response }) => {
      const { properties } = Listing.parse(response);
      const isList = method === "GET" && Object.values(properties).some(({ type }) => type === "array");
      return isList ? [{ id, path, isPaged: "next_cursor" in properties || "nextCursor" in properties }] : [];
    });
    expect(lists.filter(({ isPaged }) => isPaged).length).toBeGreaterThan(35);
    const unpaged = lists.filter(({ path, isPaged }) => !isPaged && !UNPAGED.includes(path));
    expect(unpaged.map(({ id }) => id)).toEqual([]);
  });

  test("shows an example of every request body", () => {
    const missing = operations.filter(({ requestBody }) => withoutExample([requestBody?.content]));
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  });

  test("shows an example of every successful response", () => {
    const missing = operations.filter(({ responses }) =>
      withoutExample([responses[200]?.content, responses[201]?.content]),
    );
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  });

  test("has no example of an operation that does not exist", () => {
    const known = new Set(operations.map(({ operationId }) => operationId));
    expect(recorded.filter((id) => !known.has(id))).toEqual([]);
  });

  test("shows no address of a machine, no signature and no token", () => {
    const text = JSON.stringify(read("tools/reference/examples.json"));
    expect(text).not.toMatch(/127\.0\.0\.1|localhost|X-Amz|Bearer |eyJ[\w-]+\.eyJ/);
  });
});
