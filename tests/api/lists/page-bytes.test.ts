import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { MAX_PAGE_BYTES, sentBytes } from "#http/response/paging";
import { fill } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { listsOfReference } from "#tests/lists-of-reference";
import { beforeTests } from "#tests/prepare";
import { PAGED } from "./scenes.ts";
import { WITHOUT_PAGES } from "./scenes-without-pages.ts";
import { type ListScene, rowsOf, type Stage, stageOf } from "./stage.ts";

const Cursor = z.object({ next_cursor: z.string().nullish(), nextCursor: z.string().nullish() });

const lists = listsOfReference();

/** What a Lambda function may return, headers included. */
const MAX_RETURNED_BYTES = 6_291_556 - 10_000;

const api = useApi({ environment: { ...(await useFileStore()), SUPABASE_SECRET_KEY: "secret-key-of-the-tests" } });
const root = beforeTests(() => api.person({ role: "super_admin" }));
let stage: Stage;
beforeAll(() => {
  stage = stageOf(api);
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
