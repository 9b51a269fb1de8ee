import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fill } from "#tests/access-suite";
import { type TestApi, useApi } from "#tests/api";
import { useFailingFileStore } from "#tests/file-store";
import { jpegWith } from "#tests/photos";

const DAY = "2026-03-04";
const failing = useApi({ environment: await useFailingFileStore() });
const without = useApi();

/** A person and what they have in the store. */
async function stored(api: TestApi) {
  const as = await api.person({ role: "super_admin" });
  const [exported, imported] = [randomUUID(), randomUUID()];
  await api.query`
    insert into nectar.exports (id, user_id, status, ready_at, expires_at, size_bytes, sha256)
    values (${exported}, ${as.id}, 'ready', now(), now() + interval '1 day', 1, repeat('0', 64))`;
  await api.query`
    insert into nectar.journal_imports (id, user_id, source, size, path)
    values (${imported}, ${as.id}, 'markdown', 1, 'imports/1.zip')`;
  await api.query`insert into nectar.entry_backgrounds (user_id, quality) values (${as.id}, 'standard')`;
  const { entry } = await api.post("/api/journal", as, { title: "Title", content: "Content" }).created();
  const picture = randomUUID();
  await api.query`
    insert into nectar.entry_pictures (id, thumbnail_id, user_id, entry_id, position, width, height, size_bytes)
    values (${picture}, ${randomUUID()}, ${as.id}, ${entry.id}, 0, 1, 1, 1)`;
  await api.query`
    insert into nectar.mosaics (date, image_key, total_participants, digest, seen_at)
    values (${DAY}, 'mosaics/1.png', 0, '1', now()) on conflict do nothing`;
  return { as, exported, imported, entry: entry.id, picture, date: DAY };
}

/** Operations that sign the address of a file, or ask the store. */
const CALLS = [
  { method: "GET", path: "/api/user/exports/{exported}" },
  { method: "GET", path: "/api/ai/backgrounds" },
  { method: "GET", path: "/api/journal/{entry}" },
  { method: "GET", path: "/api/pictures?entry_id={entry}" },
  { method: "PUT", path: "/api/pictures/{picture}", body: { position: 0 } },
  { method: "POST", path: "/api/pictures/upload-url", body: { content_type: "image/jpeg", size: 1 } },
  { method: "GET", path: "/api/workout-window/mosaic/{date}" },
  { method: "POST", path: "/api/workout-window/mosaic/generate/{date}" },
  { method: "POST", path: "/api/journal/imports", body: { source: "markdown", size: 1 } },
  { method: "POST", path: "/api/journal/imports/{imported}/start", body: {} },
];

describe.each([
  ["a store that fails", failing, 500, "provider.failed"],
  ["no store", without, 503, "provider.not_configured"],
] as const)("with %s", (_, api, status, code) => {
  it.each(CALLS)(`$method $path is ${status}`, async ({ method, path, body }) => {
    const { as, ...values } = await stored(api);
    await api.send(method, fill(path, values), { as, body }).refused(status, code);
  });
});

it.each([
  ["a store that fails", failing, 500, "provider.failed"],
  ["no store", without, 503, "provider.not_configured"],
] as const)("with %s a picture is not added", async (_, api, status, code) => {
  const { as, entry } = await stored(api);
  const form = new FormData();
  form.set("entry_id", entry);
  form.set("picture", new Blob([new Uint8Array(await jpegWith(null))]));
  await api.post("/api/pictures", as, form).refused(status, code);
});

it("without a store an export is not begun", async () => {
  const ada = await without.person();
  await without.post("/api/user/exports", ada).refused(503, "provider.not_configured");
  expect((await without.get("/api/user/exports", ada).ok()).exports).toEqual([]);
});
