import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { storedKeys, useFailingFileStore, useFileStore } from "#tests/file-store";
import { beforeEachTest } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";
import { zipOf } from "#tests/zip";
import { importsOf } from "./import-scene.ts";

const SECRET = "a-secret-of-the-scheduler";
const api = useApi({ environment: { ...(await useFileStore()), MAINTENANCE_CRON_SECRET: SECRET } });
const broken = useApi({ environment: await useFailingFileStore() });
const { entriesOf, imported, read, run, start, uploaded } = importsOf(api);
const ada = beforeEachTest(() => api.person());

const NOTE = { path: "2026-05-01.md", content: "# A walk\n\nTo the lake." };
const archivesOf = (id: string) => storedKeys(api.services.config.s3?.endpoint, `imports/${id}/`);

const keepHouse = () => api.send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": SECRET } }).ok();

describe("an import", () => {
  it("waits for its archive, runs in the background, and creates private entries that no model reads", async () => {
    const id = await uploaded(ada, "markdown", zipOf([NOTE]));
    const zeros = { found: 0, created: 0, skipped: 0, failed: 0, problems: [] };
    const waiting = { id, source: "markdown", status: "waiting", dry_run: false, ...zeros };
    expect(await read(ada, id)).toEqual(waiting);
    const { import: started } = await start(ada, id).ok();
    expect(started).toEqual({ ...waiting, status: "running" });
    await api.idle();
    expect(await read(ada, id)).toEqual({ ...waiting, status: "done", found: 1, created: 1 });
    const day = { entry_date: "2026-05-01", created_at: "2026-05-01T12:00:00.000Z" };
    expect(await entriesOf(ada)).toMatchObject([
      {
        title: "A walk",
        content: "# A walk\n\nTo the lake.",
        ...{ ...day, updated_at: day.created_at },
        ...{ ai_excluded: true, inherit_visibility: false, mood: null, mood_source: null },
        ...{ metadata_visibility: "user", content_visibility: "user", effective_metadata_visibility: "user" },
      },
    ]);
  });

  it("is not started before the archive is uploaded, and can be started afterwards", async () => {
    const archive = zipOf([NOTE]);
    const body = { source: "markdown", size: archive.length } as const;
    const { import: created } = await api.post("/api/journal/imports", ada, body).created();
    await start(ada, created.id).refused(409, "import.not_uploaded");
    const headers = { "content-type": "application/zip" };
    expect((await fetch(created.upload_url, { method: "PUT", body: archive.slice(1), headers })).status).toBe(403);
    expect((await fetch(created.upload_url, { method: "PUT", body: archive, headers })).status).toBe(200);
    expect(await run(ada, created.id)).toMatchObject({ status: "done", created: 1 });
  });

  it("does not block others while it waits, but no second one runs at the same time", async () => {
    const first = await uploaded(ada, "markdown", zipOf([NOTE]));
    const second = await uploaded(ada, "markdown", zipOf([{ ...NOTE, path: "2026-05-02.md" }]));
    await api.query`update nectar.journal_imports set status = 'running', version = 'any' where id = ${first}`;
    await start(ada, second).refused(409, "import.in_progress");
    await start(ada, first).refused(409, "import.in_progress");
    await api.query`update nectar.journal_imports set status = 'waiting' where id = ${first}`;
    expect(await run(ada, second)).toMatchObject({ status: "done" });
    const ben = await api.person();
    expect(await imported(ben, "markdown", [NOTE])).toMatchObject({ created: 1 });
  });

  it("is started by one of two requests at the same time", async () => {
    const ids = [await uploaded(ada, "markdown", zipOf([NOTE])), await uploaded(ada, "markdown", zipOf([NOTE]))];
    const statuses = await Promise.all(ids.map(async (id) => (await start(ada, id)).status));
    // The first may have ended before the second is started.
    expect(statuses).toContain(200);
    await api.idle();
    expect(await entriesOf(ada)).toHaveLength(1);
  });

  it("creates nothing a second time, also after the entry was deleted", async () => {
    expect(await imported(ada, "markdown", [NOTE])).toMatchObject({ created: 1, skipped: 0 });
    expect(await imported(ada, "markdown", [NOTE])).toMatchObject({ found: 1, created: 0, skipped: 1 });
    const [entry] = await entriesOf(ada);
    await api.delete(`/api/journal/${entry?.id}`, ada).ok();
    await api.query`delete from nectar.journal_entries where id = ${entry?.id}`;
    expect(await imported(ada, "markdown", [NOTE])).toMatchObject({ created: 0, skipped: 1 });
    expect(await entriesOf(ada)).toEqual([]);
  });

  it("creates nothing as a dry run, and can be started for real without another upload", async () => {
    const paths = ["0/2026-05-01.md", "1/2026-05-01.md", "2/empty.md"];
    const files = paths.map((path) => ({ path, content: path.endsWith("empty.md") ? " " : NOTE.content }));
    const id = await uploaded(ada, "markdown", zipOf(files));
    const counts = { found: 3, created: 2, skipped: 0, failed: 1 };
    const problems = [{ path: "2/empty.md", code: "invalid_content", message: "The text must not be blank." }];
    const dry = await run(ada, id, true);
    expect(dry).toEqual({ id, source: "markdown", status: "done", dry_run: true, ...counts, problems });
    expect(await entriesOf(ada)).toEqual([]);
    expect(await run(ada, id, true)).toEqual(dry);
    expect(await run(ada, id)).toEqual({ ...dry, dry_run: false });
    expect(await entriesOf(ada)).toHaveLength(2);
    await start(ada, id).refused(409, "import.ended");
    expect(await archivesOf(ada.id)).toEqual([]);
  });

  it("fails as a whole, and creates nothing, if a part of the archive is damaged", async () => {
    const files = [NOTE, { path: "2026-05-02.md", content: "x".repeat(10_000), crc: 1 }];
    const id = await uploaded(ada, "markdown", zipOf(files));
    const failed = await run(ada, id, true);
    const problems = [{ path: "2026-05-02.md", code: "damaged" }];
    expect(failed).toMatchObject({ status: "failed", created: 0, problems });
    expect(await run(ada, id)).toEqual({ ...failed, dry_run: false });
    expect(await entriesOf(ada)).toEqual([]);
    expect(api.logged()).not.toContain("2026-05-02");
  });

  it("of another person does not exist", async () => {
    const id = await uploaded(ada, "markdown", zipOf([NOTE]));
    const ben = await api.person();
    await api.get(`/api/journal/imports/${id}`, ben).refused(404, "import.not_found");
    await start(ben, id).refused(404, "import.not_found");
  });

  it("may have 200 MB", async () => {
    await api.post("/api/journal/imports", ada, { source: "markdown", size: 200 * 1024 * 1024 }).created();
  });

  it("can be created 20 times and started 40 times a day, dry runs included", async () => {
    await leaveQuota(api.adminUrl, ada, "journal_import_start", 2);
    const id = await uploaded(ada, "markdown", zipOf([NOTE]));
    expect(await run(ada, id, true)).toMatchObject({ status: "done" });
    await api.query`update nectar.journal_imports set status = 'running', version = 'any' where id = ${id}`;
    await start(ada, id, true).refused(409, "import.in_progress");
    await api.query`update nectar.journal_imports set status = 'done' where id = ${id}`;
    expect(await run(ada, id)).toMatchObject({ status: "done", created: 1 });
    await start(ada, await uploaded(ada, "markdown", zipOf([NOTE]))).refused(429, "quota.exhausted");
    await leaveQuota(api.adminUrl, ada, "journal_import", 1);
    const create = () => api.post("/api/journal/imports", ada, { source: "markdown", size: 100 });
    await create().created();
    await create().refused(429, "quota.exhausted");
  });
});

describe("housekeeping", () => {
  it("removes an archive a day after its upload, and the import cannot be started then", async () => {
    const id = await uploaded(ada, "markdown", zipOf([NOTE]));
    const later = (hours: number) =>
      api.query`update private.stored_files_to_remove set remove_after = remove_after - make_interval(hours => ${hours})
        where path like ${`imports/${ada.id}/%`}`;
    await later(23);
    await keepHouse();
    expect(await archivesOf(ada.id)).toHaveLength(1);
    await later(1);
    await keepHouse();
    expect(await archivesOf(ada.id)).toEqual([]);
    await start(ada, id).refused(409, "import.not_uploaded");
  });

  it("removes an import after 30 days, and its archive", async () => {
    const id = await uploaded(ada, "markdown", zipOf([NOTE]));
    await api.query`update nectar.journal_imports set created_at = now() - interval '31 days' where id = ${id}`;
    await keepHouse();
    await api.get(`/api/journal/imports/${id}`, ada).refused(404, "import.not_found");
    expect(await archivesOf(ada.id)).toEqual([]);
  });
});

it("a store that fails is reported when an address is requested, and when an import is started", async () => {
  const path = "/api/journal/imports";
  const ben = await broken.person();
  await broken.post(path, ben, { source: "markdown", size: 100 }).refused(500, "provider.failed");
  const { id } = await broken.one<{ id: string }>`select id from nectar.journal_imports where user_id = ${ben.id}`;
  await broken.post(`${path}/${id}/start`, ben, {}).refused(500, "provider.failed");
});
