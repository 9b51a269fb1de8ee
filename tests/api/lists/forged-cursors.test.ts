import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { fill } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const Operation = z.object({ parameters: z.array(z.object({ name: z.string() })).default([]) });
const { paths } = z
  .object({ paths: z.record(z.string(), z.object({ get: Operation.optional() })) })
  .parse(JSON.parse(readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8")));
/** Cursors of changes are encrypted; tests/api/changes is about them. */
const ENCRYPTED = "/api/changes";
const LISTS = Object.entries(paths)
  .filter(([path, { get }]) => path !== ENCRYPTED && get?.parameters.some(({ name }) => name === "cursor"))
  .map(([path]) => path);

const AT = "2026-01-01T00:00:00.000Z";
const ID = "11111111-2222-4333-8444-555555555555";
const KINDS = {
  "by creation": [AT, ID],
  "by date": [AT, ID, "2026-01-01"],
  "by section": [AT, ID, "private"],
  "by name": ["Ada", ID, "name"],
} as const;
const FORGED: readonly unknown[] = [
  ["infinity", ID],
  ["-infinity", ID],
  ["12026-01-01T00:00:00.000Z", ID],
  ["2026-02-30T00:00:00.000Z", ID],
  ["2026-01-01", ID],
  [1e308, ID],
  [Number.MAX_SAFE_INTEGER, ID],
  [[AT], ID],
  [AT, "not-an-id"],
  [AT, 7],
  [AT, null],
  [AT, ID, "infinity"],
  [AT, ID, "2026-02-30"],
  [AT, ID, "1"],
  [AT, ID, 1e308],
  [AT, ID, null],
  [AT, ID, "2026-01-01", "2026-01-01"],
  ["Ada", ID],
  ["A\u0000da", ID, "name"],
  [AT],
  [],
  { at: AT, id: ID },
  AT,
  1e308,
  null,
];
/** Cursors of lists that are not ordered by creation alone. */
const TAKEN: Readonly<Record<string, readonly (keyof typeof KINDS)[]>> = {
  "/api/users": ["by name"],
  "/api/tone-packs": ["by creation", "by section"],
  "/api/journal?sort=entry_date": ["by date"],
};

const api = useApi();
const root = beforeTests(() => api.person({ role: "super_admin" }));

describe.each([...LISTS, "/api/journal?sort=entry_date"])("a cursor of GET %s", (list) => {
  const read = (content: unknown) => {
    const path = fill(list);
    const cursor = Buffer.from(JSON.stringify(content)).toString("base64url");
    return api.get(`${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`, root);
  };
  const taken = TAKEN[list] ?? ["by creation"];

  it("is refused if it was forged, or if a list of another kind returned it", async () => {
    const others = Object.entries(KINDS).filter(([kind]) => !taken.some((own) => own === kind));
    for (const content of [...FORGED, ...others.map(([, cursor]) => cursor)]) {
      const { status, body } = await read(content);
      const shown = JSON.stringify(content);
      expect.soft([shown, status]).toEqual([shown, 400]);
      expect.soft(body).toMatchObject({ issues: [expect.objectContaining({ path: "cursor" })] });
    }
  });

  it("is taken if a list of this kind could have returned it", async () => {
    // 404: nothing is there; 503: no file store is configured here.
    for (const kind of taken) expect([200, 404, 503]).toContain((await read(KINDS[kind])).status);
  });
});
