import fc from "fast-check";
import { expect, it } from "vitest";
import { runImport } from "#functions/workers/imports/run";
import { useApi } from "#tests/api";
import { dying, expireAllClaims, whileOverlapping } from "#tests/claims";
import { useFileStore } from "#tests/file-store";
import { LONG } from "#tests/long";
import { beforeEachTest } from "#tests/prepare";
import { zipOf } from "#tests/zip";
import { importsOf } from "./import-scene.ts";

const SECRET = "a-secret-of-the-scheduler";
const api = useApi({ environment: { ...(await useFileStore()), MAINTENANCE_CRON_SECRET: SECRET } });
const { read, run, start, uploaded } = importsOf(api);
const ada = beforeEachTest(() => api.person());

const COUNT = 1_100;
/** Two journals, whose batches end in the middle of a file and at its end. */
const ARCHIVE = zipOf(
  [600, COUNT - 600].map((count, journal) => ({
    path: `Journal ${journal}.json`,
    content: JSON.stringify({
      entries: Array.from({ length: count }, (_, index) => ({
        uuid: `${journal}-${index}`,
        creationDate: "2019-06-02T10:00:00Z",
        timeZone: "UTC",
        text: index % 100 === 7 ? "" : `Entry ${index} of ${journal}`,
      })),
    }),
  })),
);
const FAILED = 11;

function files() {
  const { privateFiles } = api.services;
  if (privateFiles === null) throw new Error("There is a file store.");
  return privateFiles;
}

/** An import that runs, but no one works on it. */
async function startedOnly(): Promise<string> {
  const id = await uploaded(ada, "day_one", ARCHIVE);
  const { path } = await api.one<{ path: string }>`select path from nectar.journal_imports where id = ${id}`;
  const archive = await files().describe(path);
  await api.query`update nectar.journal_imports set status = 'running', version = ${archive?.version} where id = ${id}`;
  await api.query`select private.add_work('import', ${id})`;
  return id;
}

const BUDGET_MS = 60_000;

/** Works on an import until the process dies in its transaction of this number, the first of which claims it. */
function dies(id: string, transactionNumber: number): Promise<void> {
  let begun = 0;
  return diesOnce(id, () => {
    begun += 1;
    return Promise.resolve(begun >= transactionNumber);
  });
}

/**
 * Works on an import until the process dies in the first transaction that begins when a count has reached this one. The
 * number of transactions says less: on a slow machine a timer renews the claim in between.
 */
function diesAt(id: string, [count, reached]: readonly ["found" | "created", number]): Promise<void> {
  return diesOnce(id, async () => (await read(ada, id))[count] >= reached);
}

async function diesOnce(id: string, isTime: () => Promise<boolean>): Promise<void> {
  const services = dying(api.services, isTime);
  await expect(runImport(services, id, BUDGET_MS)).rejects.toThrow("The process died.");
  await expireAllClaims(api);
}

async function continueAll() {
  await api.send("POST", "/api/journal/imports/cron/continue", { headers: { "x-cron-secret": SECRET } }).ok();
  await api.idle();
}

/** Hours until the archive of Ada's import is removed, also if it was removed before; 0 if that is due. */
async function hoursUntilRemoval(): Promise<number> {
  const { hours } = await api.one<{ hours: number }>`
    select greatest(0, round(extract(epoch from remove_after - now()) / 3600))::int as hours
    from private.stored_files_to_remove where path like ${`imports/${ada.id}/%`}`;
  return hours;
}

async function countEntries() {
  return api.one<{ entries: number; contents: number; titles: number; notebooks: number }>`
    select count(*)::int as entries, count(c.entry_id)::int as contents, count(distinct e.title || n.name)::int as titles,
      count(distinct n.id)::int as notebooks
    from nectar.journal_entries e
    left join nectar.journal_entry_contents c on c.entry_id = e.id
    left join nectar.notebooks n on n.id = e.notebook_id
    where e.user_id = ${ada.id}`;
}

const ALL = { entries: COUNT - FAILED, contents: COUNT - FAILED, titles: COUNT - FAILED, notebooks: 2 };

it("an import that is killed anywhere, any number of times, creates every entry once", () =>
  fc.assert(
    fc
      .asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }), async (deaths) => {
        const id = await startedOnly();
        for (const death of deaths) await dies(id, death);
        await continueAll();
        const counts = { found: COUNT, created: COUNT - FAILED, skipped: 0, failed: FAILED };
        expect(await read(ada, id)).toMatchObject({ status: "done", ...counts });
        expect(await countEntries()).toEqual(ALL);
      })
      .afterEach(async () => {
        await api.query`delete from nectar.journal_entries where user_id = ${ada.id}`;
        await api.query`delete from private.imported_entries where user_id = ${ada.id}`;
        await api.query`delete from nectar.notebooks where user_id = ${ada.id}`;
        await api.query`delete from private.quota_uses where user_id = ${ada.id}`;
      }),
    { numRuns: LONG ? 100 : 2 },
  ));

it("an import shows how far it is: first what it found, then what it created", async () => {
  const id = await startedOnly();
  await diesAt(id, ["found", 1_000]);
  expect(await read(ada, id)).toMatchObject({ status: "running", found: 1_000, created: 0 });
  await diesAt(id, ["created", 990]);
  expect(await read(ada, id)).toMatchObject({ status: "running", found: COUNT, created: 990, failed: 10 });
  await continueAll();
  expect(await read(ada, id)).toMatchObject({ status: "done", created: COUNT - FAILED, failed: FAILED });
});

it("an import whose time is up is queued again", async () => {
  const id = await startedOnly();
  let looks = 0;
  const clock = { now: () => new Date(looks++ <= 5 ? 0 : BUDGET_MS) };
  expect(await runImport({ ...api.services, clock }, id, BUDGET_MS)).toEqual({ status: "interrupted" });
  await api.idle();
  expect(await read(ada, id)).toMatchObject({ status: "done" });
  expect(await countEntries()).toEqual(ALL);
});

it("workers on an import that overlap create nothing twice", async () => {
  const id = await startedOnly();
  const work = () => runImport(api.services, id, BUDGET_MS);
  await whileOverlapping(api, () => Promise.all([work(), work(), work()]));
  // On a slow machine, each of them may have stopped because another had taken over.
  await continueAll();
  expect(await read(ada, id)).toMatchObject({ status: "done", created: COUNT - FAILED });
  expect(await countEntries()).toEqual(ALL);
});

it("an import that ends the process again and again fails after 20 starts", async () => {
  const id = await startedOnly();
  await api.query`update private.work set attempts = 19 where key = ${id}`;
  await dies(id, 4);
  await continueAll();
  expect(await read(ada, id)).toMatchObject({ status: "failed", problems: [{ path: null, code: "interrupted" }] });
  expect(await countEntries()).toMatchObject({ entries: 0 });
});

it("an import whose archive is gone fails", async () => {
  const id = await startedOnly();
  await api.query`update nectar.journal_imports set path = path || '.gone' where id = ${id}`;
  await continueAll();
  expect(await read(ada, id)).toMatchObject({ status: "failed", problems: [{ path: null, code: "archive_missing" }] });
});

it.each([
  ["before it is read", ["found", 0], 0],
  ["while it is read", ["found", 500], 0],
  ["while entries are created", ["created", 495], 495],
] as const)(
  "an import fails if its archive is replaced %s, and creates nothing of the other one",
  async (_, death, created) => {
    const id = await startedOnly();
    await diesAt(id, death);
    const { path } = await api.one<{ path: string }>`select path from nectar.journal_imports where id = ${id}`;
    await files().upload(path, ARCHIVE.toReversed(), "application/zip");
    await continueAll();
    const problems = [{ path: null, code: "archive_replaced" }];
    expect(await read(ada, id)).toMatchObject({ status: "failed", created, problems });
    expect(await countEntries()).toMatchObject({ entries: created });
  },
);

it("an import goes on after the store has failed", async () => {
  const id = await startedOnly();
  const downloadTo = () => Promise.reject(new Error("The store is away."));
  const services = { ...api.services, privateFiles: { ...files(), downloadTo } };
  await expect(runImport(services, id, BUDGET_MS)).rejects.toThrow("away");
  expect(await read(ada, id)).toMatchObject({ status: "running" });
  await continueAll();
  expect(await read(ada, id)).toMatchObject({ status: "done" });
});

it.each([
  ["suspended", "read", ["found", 500], 0],
  ["suspended", "imported", ["created", 990], 990],
  ["closing", "imported", ["created", 990], 990],
] as const)("an import ends if its person's account is %s while its archive is %s", async (what, _, death, created) => {
  const id = await startedOnly();
  await diesAt(id, death);
  if (what === "suspended") await api.query`select private.suspend_user(${ada.id}, '2999-01-01T00:00Z')`;
  else
    await api.query`update nectar.accounts set erasure_requested_at = now(), erases_at = now() where user_id = ${ada.id}`;
  await continueAll();
  const problems = [expect.objectContaining({ path: null, code: `account_${what}` })];
  expect(await read(ada, id)).toMatchObject({ status: "failed", created });
  expect((await read(ada, id)).problems.slice(-1)).toEqual(problems);
  expect(await countEntries()).toMatchObject({ entries: created });
  expect(await hoursUntilRemoval()).toBe(2);
});

it("an import of an account that is deleted meanwhile ends without a trace", async () => {
  const id = await startedOnly();
  await diesAt(id, ["created", 990]);
  await api.query`delete from auth.users where id = ${ada.id}`;
  await continueAll();
  expect(await countEntries()).toMatchObject({ entries: 0 });
  expect(await hoursUntilRemoval()).toBe(2);
});

it("an archive that is uploaded again after its import has ended is removed when its address has expired", async () => {
  const id = await uploaded(ada, "day_one", ARCHIVE);
  await run(ada, id);
  expect(await hoursUntilRemoval()).toBe(2);
  await api.query`update nectar.journal_imports set created_at = now() - interval '3 hours' where id = ${id}`;
  await api.query`delete from nectar.journal_imports where id = ${id}`;
  expect(await hoursUntilRemoval()).toBe(0);
});

it("an import that ends while it is started again is not started again", async () => {
  const id = await uploaded(ada, "day_one", ARCHIVE);
  await api.query`update nectar.journal_imports set status = 'running', version = 'any' where id = ${id}`;
  await api.inTransaction(async (client) => {
    await client.query`update nectar.journal_imports set status = 'done' where id = ${id}`;
    const starting = start(ada, id).refused(409, "import.ended");
    await api.untilWaiting(1, starting);
    await client.query`commit`;
    await starting;
  });
});

it("an import leaves a person's other entries alone, and skips what they have", async () => {
  const id = await uploaded(ada, "day_one", ARCHIVE);
  expect(await run(ada, id)).toMatchObject({ created: COUNT - FAILED });
  const again = await uploaded(ada, "day_one", ARCHIVE);
  expect(await run(ada, again)).toMatchObject({ found: COUNT, created: 0, skipped: COUNT - FAILED, failed: FAILED });
  expect(await countEntries()).toEqual(ALL);
});
