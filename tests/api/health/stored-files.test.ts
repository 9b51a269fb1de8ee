import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { startFileStore } from "#local/stand-ins/file-store";
import { listenLocally } from "#local/support/listen";
import { useApi } from "#tests/api";

const SECRET = "a-secret-of-the-scheduler";
const folder = await mkdtemp(join(tmpdir(), "nectar-housekeeping-"));
const store = await startFileStore({ folder });
/** How many removals the store still does before all others fail. */
let removalsLeft = Number.POSITIVE_INFINITY;
const front = await listenLocally(
  createServer((incoming, outgoing) => {
    if (incoming.method === "POST") {
      if (removalsLeft === 0) {
        outgoing.writeHead(500, { connection: "close" }).end();
        return;
      }
      removalsLeft -= 1;
    }
    const { method, headers } = incoming;
    const onward = request(`${store.url}${incoming.url}`, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(onward);
  }),
  0,
  "The front of the store",
);
afterAll(async () => {
  await front.stop();
  await store.stop();
  await rm(folder, { recursive: true, force: true });
});

const api = useApi({
  environment: {
    MAINTENANCE_CRON_SECRET: SECRET,
    S3_BUCKET: store.bucket,
    S3_ENDPOINT: `http://127.0.0.1:${front.port}`,
    S3_ACCESS_KEY_ID: store.accessKeyId,
    S3_SECRET_ACCESS_KEY: store.secretAccessKey,
  },
});
const run = async () => {
  const body = await api.send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": SECRET } }).ok();
  return body.results;
};
/** Notes that files may be removed, as of some time ago. */
const note = (paths: readonly string[], age: string, to = "private") =>
  api.query`insert into private.stored_files_to_remove (store, path, remove_after)
    select ${to}, p, now() - ${age}::interval from unnest(${paths}::text[]) p`;
const noted = async () =>
  (await api.query`select path from private.stored_files_to_remove order by path`).map(({ path }) => path);
const upload = (path: string) => api.services.privateFiles?.upload(path, Buffer.from(path), "image/png");

beforeEach(async () => {
  removalsLeft = Number.POSITIVE_INFINITY;
  await api.query`truncate private.stored_files_to_remove`;
});

describe("the housekeeping of files that no row owns", () => {
  it("removes the files that are due, once, and no others", async () => {
    const [due, young, kept] = [`a/${randomUUID()}.png`, `a/${randomUUID()}.png`, `a/${randomUUID()}.png`];
    for (const path of [due, young, kept]) await upload(path);
    expect(await store.keys()).toHaveLength(3);
    await note([due], "1 second");
    await note([young], "-1 minute");
    expect(await run()).toMatchObject({ files: 1, files_left: 0 });
    expect(await noted()).toEqual([young]);
    const left = await store.keys();
    expect(left).toHaveLength(2);
    expect(left.some((name) => name.includes(due))).toBe(false);
    expect(await run()).toMatchObject({ files: 0, files_left: 0 });
  });

  it("accepts that a file is gone already, as after a crash", async () => {
    await note([`a/${randomUUID()}.png`], "1 second");
    expect(await run()).toMatchObject({ files: 1, files_left: 0 });
    expect(await noted()).toEqual([]);
  });

  it("removes in the next run what a failing store did not remove", async () => {
    const paths = Array.from({ length: 501 }, (_, index) => `middle/${String(index).padStart(3, "0")}.png`);
    await note(paths.slice(0, 500), "2 minutes");
    const last = paths[500] ?? "";
    await upload(last);
    await note([last], "1 minute");
    const before = (await store.keys()).length;
    removalsLeft = 1;
    expect(await run()).toMatchObject({ files: 500, files_left: 1 });
    expect(await noted()).toEqual([last]);
    expect(await store.keys()).toHaveLength(before);
    expect(api.logged()).toContain("files could not be removed");
    expect(api.logged()).not.toContain(last);

    removalsLeft = 1;
    expect(await run()).toMatchObject({ files: 1, files_left: 0 });
    expect(await noted()).toEqual([]);
    expect(await store.keys()).toHaveLength(before - 1);
  });

  it("counts the files of a store that is not configured, and removes those of the others", async () => {
    const [here, there] = [`a/${randomUUID()}.png`, `b/${randomUUID()}.png`];
    await note([here], "1 second");
    await note([there], "1 second", "tone-packs");
    expect(await run()).toMatchObject({ files: 1, files_left: 1 });
    expect(await noted()).toEqual([there]);
  });

  it("removes files that were expected and not kept within an hour", async () => {
    const ada = await api.person();
    const path = `a/${randomUUID()}.png`;
    const expectFile = () =>
      api.query(`select set_config('request.jwt.claims', $1, true), private.expect_file('private', $2)`, [
        JSON.stringify({ sub: ada.id }),
        path,
      ]);
    await expectFile();
    await expect(expectFile()).rejects.toMatchObject({ code: "23505" });
    expect(await run()).toMatchObject({ files: 0 });
    await api.query`update private.stored_files_to_remove set remove_after = remove_after - interval '59 minutes'`;
    expect(await run()).toMatchObject({ files: 0 });
    await api.query`update private.stored_files_to_remove set remove_after = remove_after - interval '1 minute'`;
    expect(await run()).toMatchObject({ files: 1 });
  });
});
