import { randomBytes, randomUUID } from "node:crypto";
import type { Services } from "@nectar/http/services";
import type { PrivateFiles } from "@nectar/providers/private-files";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { buildExport } from "../../../../functions/tasks/exports/walker.ts";
import { useApi } from "../../../support/api.ts";
import { downloadExport, exportOf } from "../../../support/exports.ts";
import { storedKeys, useFileStore } from "../../../support/file-store.ts";
import type { Person } from "../../../support/people.ts";
import { beforeTests } from "../../../support/prepare.ts";

const SECRET = "maintenance";
const store = await useFileStore();
const api = useApi({ environment: { ...store, MAINTENANCE_CRON_SECRET: SECRET } });
const ada = beforeTests(() => api.person());
const BUDGET_MS = 60_000;
/** Four of them need two parts. */
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

/** Services whose process dies before or after the nth step that has an effect outside of it. */
function dyingAt(n: number): Services {
  const { database } = api.services;
  const files = filesOf();
  let steps = 0;
  const die = () => {
    steps += 1;
    if (steps === n) throw new Error("killed");
  };
  const step = async <Result>(work: () => Promise<Result>) => {
    die();
    const result = await work();
    die();
    return result;
  };
  return {
    ...api.services,
    database: { ...database, asService: (work) => step(() => database.asService(work)) },
    privateFiles: {
      ...files,
      createUpload: (key, type) => step(() => files.createUpload(key, type)),
      uploadPart: (...part) => step(() => files.uploadPart(...part)),
      completeUpload: (...parts) => step(() => files.completeUpload(...parts)),
    },
  };
}

/** An export that was asked for at a fixed time, so that the same data make the same file. */
async function newExport(person: Person): Promise<string> {
  const id = randomUUID();
  await api.query`insert into nectar.exports (id, user_id, created_at) values (${id}, ${person.id}, '2026-11-20T10:00Z')`;
  await api.query`insert into private.export_work (export_id) values (${id})`;
  return id;
}

/** Lets a worker end as a crash would, until another one may continue. @returns whether it died */
async function dies(id: string, n: number): Promise<boolean> {
  const died = await buildExport(dyingAt(n), id, BUDGET_MS).then(
    () => false,
    (error: unknown) => error instanceof Error && error.message === "killed",
  );
  await api.query`update private.export_work set claimed_until = null`;
  return died;
}

async function finished(id: string) {
  await buildExport(api.services, id, BUDGET_MS);
  const row = await api.one<{ status: string; sha256: string }>`
    select status, sha256 from nectar.exports where id = ${id}`;
  const notified = await api.query`
    delete from nectar.notifications where type = 'export_ready' and data ->> 'export_id' = ${id} returning id`;
  return { ...row, notified: notified.length };
}

const housekeeping = async () => {
  await api.query`update private.stored_files_to_remove set remove_after = now()`;
  await api.send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": SECRET } });
};

describe("an export whose worker is killed", () => {
  it("becomes the same file with one notification, whenever it was killed", async () => {
    const whole = await finished(await newExport(ada));
    expect(whole).toEqual({ status: "ready", sha256: expect.stringMatching(/^[0-9a-f]{64}$/), notified: 1 });
    let n = 1;
    for (let died = true; died; n += 1) {
      const id = await newExport(ada);
      died = await dies(id, n);
      await dies(id, n + 1);
      expect({ n, ...(await finished(id)) }).toEqual({ n, ...whole });
    }
    expect(n).toBeGreaterThan(20);
  });

  it("has what was written meanwhile or not, and is whole", async () => {
    const ben = await api.person();
    await giveBackgrounds(ben, 4);
    const id = await newExport(ben);
    await dies(id, 9);
    const [before] = await api.query<{ parts: number }>`
      select count(*)::int as parts from private.export_parts where export_id = ${id}`;
    expect(before).toEqual({ parts: 1 });
    await api.post("/api/journal", ben, { title: "Later", content: "Too late" }).created();
    await api.query`delete from nectar.entry_backgrounds where user_id = ${ben.id}`;
    expect(await finished(id)).toMatchObject({ status: "ready", notified: 1 });
    const { data } = await downloadExport(api, ben, id);
    expect(data("entries")).toHaveLength(1);
  });

  it("is continued by the job, and by the next task when its time is up", async () => {
    const id = await newExport(ada);
    await dies(id, 3);
    const { body } = await api.send("POST", "/api/user/cron/exports", { headers: { "x-cron-secret": SECRET } });
    expect(body.results).toEqual({ resumed: 1 });
    await api.idle();
    const another = await newExport(ada);
    expect(await buildExport(api.services, another, 0)).toEqual({ slices: 1 });
    await api.idle();
    expect(await api.query`select status from nectar.exports where id in (${id}, ${another})`).toEqual([
      { status: "ready" },
      { status: "ready" },
    ]);
  });

  it("fails after five attempts without a slice, leaves nothing in the store, and another one can be made", async () => {
    const cleo = await api.person();
    const id = await newExport(cleo);
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await dies(id, 5)).toBe(true);
    await buildExport(api.services, id, BUDGET_MS);
    expect((await api.get(`/api/user/exports/${id}`, cleo).ok()).export.status).toBe("failed");
    await housekeeping();
    expect(await storedKeys(store.S3_ENDPOINT, `exports/${cleo.id}/`)).toEqual([]);
    await exportOf(api, cleo);
  });
});

it("an export whose account is deleted meanwhile ends, and leaves no part in the store", async () => {
  const dan = await api.person();
  await giveBackgrounds(dan, 4);
  const id = await newExport(dan);
  await dies(id, 9);
  const { upload_id, key } = await api.one<{ upload_id: string; key: string }>`
    select w.upload_id, x.file_key as key from private.export_work w join nectar.exports x on x.id = w.export_id
    where x.id = ${id}`;
  await api.query`delete from auth.users where id = ${dan.id}`;
  expect(await buildExport(api.services, id, BUDGET_MS)).toEqual({ slices: 0 });
  await housekeeping();
  await expect(filesOf().uploadPart(key, upload_id, 2, new Uint8Array(1))).rejects.toMatchObject({
    code: "provider.failed",
  });
  expect(await storedKeys(store.S3_ENDPOINT, `exports/${dan.id}/`)).toEqual([]);
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

it("a worker that is too slow stops when another one has its export", async () => {
  const id = await newExport(ada);
  const files = filesOf();
  const slow = {
    ...api.services,
    privateFiles: {
      ...files,
      async uploadPart(...part: Parameters<PrivateFiles["uploadPart"]>) {
        const etag = await files.uploadPart(...part);
        await api.query`update private.export_work set claimed_until = null where export_id = ${id}`;
        await buildExport(api.services, id, BUDGET_MS);
        return etag;
      },
    },
  };
  expect(await buildExport(slow, id, BUDGET_MS)).toEqual({ slices: 0 });
  expect(await finished(id)).toMatchObject({ status: "ready", notified: 1 });
});
