import { readFileSync } from "node:fs";
import { MAX_PAGE_BYTES, sentBytes } from "@nectar/http/paging";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { fill } from "../../support/access-suite.ts";
import { useApi } from "../../support/api.ts";
import { useFileStore } from "../../support/file-store.ts";
import { beforeTests } from "../../support/prepare.ts";
import { PAGED } from "./scenes.ts";
import { FEW_ROWS, OWN_PAGES, WITHOUT_PAGES } from "./scenes-without-pages.ts";
import { type ListScene, rowsOf, type Stage, stageOf } from "./stage.ts";

const Cursor = z.object({ next_cursor: z.string().nullish(), nextCursor: z.string().nullish() });

const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string().transform((type) => [type]), z.array(z.string())]).default([]),
  get items() {
    return Schema.optional();
  },
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get anyOf() {
    return z.array(Schema).optional();
  },
});
type Schema = z.infer<typeof Schema>;
const Reference = z.object({
  components: z.object({ schemas: z.record(z.string(), Schema) }),
  paths: z.record(z.string(), z.looseObject({ get: z.looseObject({}).optional() })),
});
const Operation = z.object({
  parameters: z.array(z.object({ name: z.string() })).default([]),
  responses: z.record(
    z.string(),
    z.object({ content: z.object({ "application/json": z.object({ schema: Schema }).optional() }).optional() }),
  ),
});

const { paths, components } = Reference.parse(
  JSON.parse(readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8")),
);

/** Every GET of the reference whose response is or contains a list. */
const lists = Object.entries(paths).flatMap(([path, { get }]) => {
  if (get === undefined) return [];
  const { parameters, responses } = Operation.parse(get);
  const schema = responses["200"]?.content?.["application/json"]?.schema;
  if (schema === undefined || !holdsRows(schema, 0)) return [];
  return [{ path, isPaged: parameters.some(({ name }) => name === "cursor") }];
});

function holdsRows(schema: Schema, depth: number): boolean {
  const { type, items, properties } = resolved(schema);
  if (type.includes("array")) return depth === 1 || (items !== undefined && resolved(items).type.includes("object"));
  return depth < 3 && Object.values(properties ?? {}).some((property) => holdsRows(property, depth + 1));
}

/** The schema itself, without a reference to it and without null. */
function resolved(schema: Schema): Schema {
  const target = schema.$ref === undefined ? schema : components.schemas[schema.$ref.split("/").at(-1) ?? ""];
  const [only] = target?.anyOf?.filter(({ type }) => !type.includes("null")) ?? [];
  return only === undefined ? (target ?? schema) : resolved(only);
}

/** What a Lambda function may return, headers included. */
const MAX_RETURNED_BYTES = 6_291_556 - 10_000;

const api = useApi({ environment: { ...(await useFileStore()), SUPABASE_SECRET_KEY: "secret-key-of-the-tests" } });
const root = beforeTests(() => api.person({ role: "super_admin" }));
let stage: Stage;
beforeAll(() => {
  stage = stageOf(api);
});

describe("every list of the reference", () => {
  const without = (known: object, isPaged: boolean) =>
    lists.filter((list) => list.isPaged === isPaged && !(list.path in known)).map(({ path }) => path);

  it("with pages has a scene in tests/api/lists/scenes.ts: add one to PAGED for each of these", () => {
    expect(without({ ...PAGED, ...OWN_PAGES }, true)).toEqual([]);
  });

  it("without pages has a limit: add each of these to WITHOUT_PAGES, or to FEW_ROWS with the reason", () => {
    expect(without({ ...WITHOUT_PAGES, ...FEW_ROWS }, false)).toEqual([]);
  });

  it("that has a scene is in the reference", () => {
    const known = [
      ...Object.keys(PAGED),
      ...Object.keys(WITHOUT_PAGES),
      ...Object.keys(FEW_ROWS),
      ...Object.keys(OWN_PAGES),
    ];
    expect(known.filter((path) => !lists.some((list) => list.path === path))).toEqual([]);
  });
});

describe("a page", () => {
  it.each(lists.filter(({ isPaged }) => isPaged))("of nothing is refused at GET $path", async ({ path }) => {
    const filled = fill(path);
    await api.get(`${filled}${filled.includes("?") ? "&" : "?"}limit=0`, root).invalid("limit");
  });
});

describe.each(Object.entries(PAGED))("GET %s with the largest rows", (_, build) => {
  it("sends pages that Lambda can return, and every row once", async () => {
    for (const scene of await build(stage)) {
      const { pages, keys } = await walk(scene);
      for (const { bytes, rows } of pages) {
        // One row always fits, so there is room for one that is larger.
        expect(bytes).toBeLessThanOrEqual(rows === 1 ? MAX_RETURNED_BYTES : MAX_PAGE_BYTES);
      }
      expect(keys.length, "rows").toBe(scene.keys.length);
      const seen = new Set(keys);
      expect(scene.keys.filter((key) => !seen.has(key))).toEqual([]);
    }
  });
});

describe.each(Object.entries(WITHOUT_PAGES))("GET %s with the largest rows", (_, build) => {
  it("sends a response that Lambda can return", async () => {
    const { path, as } = await build(stage);
    const { status, text } = await api.get(path, as);
    expect(status).toBe(200);
    expect(sentBytes(text)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
  });
});

/** Reads a list with the maximum limit, page by page. @returns the size of each page, and the keys of all rows */
async function walk({ path, as, keyOf = (row) => row.id }: ListScene) {
  const pages: { bytes: number; rows: number }[] = [];
  const keys: unknown[] = [];
  const query = `${path}${path.includes("?") ? "&" : "?"}limit=1000000`;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: string = cursor === "" ? query : `${query}&cursor=${cursor}`;
    const { status, text, body } = await api.get(page, as);
    expect(status).toBe(200);
    const rows = rowsOf(body);
    pages.push({ bytes: sentBytes(text), rows: rows.length });
    keys.push(...rows.map(keyOf));
    const { next_cursor, nextCursor } = Cursor.parse(body);
    cursor = next_cursor ?? nextCursor ?? null;
  }
  return { pages, keys };
}
