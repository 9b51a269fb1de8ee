import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { buildExport } from "#functions/workers/exports/build";
import type { Services } from "#http/services/services";
import type { PrivateFiles } from "#providers/private-files";
import { useApi } from "#tests/api";
import { dying, expireAllClaims } from "#tests/claims";
import { downloadExport, exportOf } from "#tests/exports";
import { beginUpload, storedKeys, unfinishedUploads, useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const SECRET = "maintenance";
const store = await useFileStore();
const api = useApi({ environment: { ...store, MAINTENANCE_CRON_SECRET: SECRET } });
const ada = beforeTests(() => api.person());
const BUDGET_MS = 60_000;
/** Four of them need two parts of an upload. */
const IMAGE_BYTES = 3_000_000;

beforeAll(() => giveBackgrounds(ada, 4));

async function giveBackgrounds(person: Person, count: number): Promise<void> {
  await api.post("/api/journal", person, { title: "A walk", content: "To the lake" }).created();
  for (let made = 0; made < count; made += 1) {
    const { file_key } = await api.one<{ file_key: string }>`
      insert into nectar.entry_backgrounds (user_id, quality) values (${person.id}, 'hd') returning file_key`;
    await filesOf().upload(file_key, randomBytes(IMAGE_BYTES), "image/png");
  }
}

function filesOf({ privateFiles }: Services = api.services): PrivateFiles {
  if (privateFiles === null) throw new Error("There is no store.");
  return privateFiles;
}

async function newExport(person: Person): Promise<string> {
  const { id } = await api.one<{ id: string }>`insert into nectar.exports (user_id) values (${person.id}) returning id`;
  await api.query`select private.add_work('export', ${id})`;
  return id;
}

/** Builds an export in a process that dies in its nth transaction. @returns whether it died */
async function dies(id: string, n: number): Promise<boolean> {
  let begun = 0;
  try {
    await buildExport(
      dying(api.services, () => ++begun >= n),
      id,
      BUDGET_MS,
    );
    return false;
  } catch (error) {
    expect(error).toMatchObject({ message: "The process died." });
    await expireAllClaims(api);
    return true;
  }
}

async function finished(id: string) {
  await buildExport(api.services, id, BUDGET_MS);
  const row = await api.one<{ status: string }>`select status from nectar.exports where id = ${id}`;
  const notified = await api.query`
    delete from nectar.notifications where type = 'export_ready' and data ->> 'export_id' = ${id} returning id`;
  return { ...row, notified: notified.length };
}

const housekeeping = async () => {
  await api.query`update private.stored_files_to_remove set remove_after = now()`;
  await api.send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": SECRET } });
};

/** What a process leaves in the store when it is killed during an upload. */
async function leaveParts({ id }: Person, exportId: string): Promise<void> {
  await beginUpload(store, `exports/${id}/${exportId}.zip`);
  expect(await unfinishedUploads(store)).toHaveLength(1);
}

describe("an export whose process is killed", () => {
  it("is built again, with one notification, whenever it was killed", async () => {
    let n = 1;
    for (let died = true; died; n += 6) {
      const id = await newExport(ada);
      died = await dies(id, n);
      const notified = died ? 1 : 0;
      if (!died) await api.query`delete from nectar.notifications where type = 'export_ready'`;
      expect({ n, ...(await finished(id)) }).toEqual({ n, status: "ready", notified });
    }
    expect(n).toBeGreaterThan(25);
    const { data, files } = await exportOf(api, ada);
    expect(data("entries")).toHaveLength(1);
    expect(Object.keys(files).filter((path) => path.startsWith("files/backgrounds/"))).toHaveLength(4);
    expect(await unfinishedUploads(store)).toEqual([]);
  });

  it("is built by the job, and leaves no part in the store", async () => {
    const id = await newExport(ada);
    await leaveParts(ada, id);
    const { body } = await api.send("POST", "/api/user/cron/exports", { headers: { "x-cron-secret": SECRET } });
    expect(body.results).toEqual({ resumed: 1 });
    await api.idle();
    await downloadExport(api, ada, id);
    expect(await unfinishedUploads(store)).toEqual([]);
  });

  it("fails after five attempts, leaves nothing in the store, and another one can be made", async () => {
    const cleo = await api.person();
    const id = await newExport(cleo);
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await dies(id, 9)).toBe(true);
    await leaveParts(cleo, id);
    await buildExport(api.services, id, BUDGET_MS);
    expect((await api.get(`/api/user/exports/${id}`, cleo).ok()).export.status).toBe("failed");
    await housekeeping();
    expect(await storedKeys(store.S3_ENDPOINT, `exports/${cleo.id}/`)).toEqual([]);
    expect(await unfinishedUploads(store)).toEqual([]);
    await exportOf(api, cleo);
  });
});

it("an export whose time is up fails with its task, and leaves no part in the store", async () => {
  const id = await newExport(ada);
  await expect(buildExport(api.services, id, 0)).rejects.toThrow("time was up");
  expect(await unfinishedUploads(store)).toEqual([]);
  expect(await finished(id)).toEqual({ status: "ready", notified: 1 });
});

it("an export whose account is deleted meanwhile ends, and leaves nothing in the store", async () => {
  const dan = await api.person();
  await giveBackgrounds(dan, 4);
  const id = await newExport(dan);
  const files = filesOf();
  const deleted = {
    ...files,
    async download(...file: Parameters<PrivateFiles["download"]>) {
      await api.query`delete from auth.users where id = ${dan.id}`;
      return files.download(...file);
    },
  };
  expect(await buildExport({ ...api.services, privateFiles: deleted }, id, BUDGET_MS)).toEqual({
    status: "not pending",
  });
  await leaveParts(dan, id);
  await housekeeping();
  expect(await storedKeys(store.S3_ENDPOINT, `exports/${dan.id}/`)).toEqual([]);
  expect(await unfinishedUploads(store)).toEqual([]);
});

it("a list whose rest was deleted after its first page was read is whole", async () => {
  const eve = await api.person();
  await api.query`insert into nectar.goals (user_id, title) select ${eve.id}, n::text from generate_series(1, 11) n`;
  const { database } = api.services;
  const deletesGoalsAfterAPage: typeof database.asUser = async (userId, work, purpose) => {
    const read = await database.asUser(userId, work, purpose);
    // Only the goals need a second page.
    if (z.looseObject({ next: z.string() }).safeParse(read).success) {
      await api.query`delete from nectar.goals where user_id = ${userId}`;
    }
    return read;
  };
  const id = await newExport(eve);
  await buildExport({ ...api.services, database: { ...database, asUser: deletesGoalsAfterAPage } }, id, BUDGET_MS);
  expect((await downloadExport(api, eve, id)).data("goals")).toHaveLength(10);
});

it("an export that another process has begun meanwhile is not made ready, and nothing is stored", async () => {
  const id = await newExport(ada);
  const files = filesOf();
  const begun = {
    ...files,
    async abortUploads(key: string) {
      await files.abortUploads(key);
      await api.query`select private.add_work('export', ${id})`;
    },
  };
  expect(await buildExport({ ...api.services, privateFiles: begun }, id, BUDGET_MS)).toEqual({ status: "begun again" });
  await api.idle();
  expect(await finished(id)).toEqual({ status: "ready", notified: 1 });
  expect(await unfinishedUploads(store)).toEqual([]);
});
