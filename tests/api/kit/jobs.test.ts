import { sql } from "kysely";
import pg from "pg";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "#core/errors";
import { openDatabase, type Tx } from "#database/database";
import { TAKEN_OVER } from "#http/jobs/claims";
import { type JobContext, type JobResults, type JobSchedule, job, OUT_OF_TIME, withinBudget } from "#http/jobs/jobs";
import type { Services } from "#http/services/services";
import { useApi } from "#tests/api";
import { expireAllClaims } from "#tests/claims";

const api = useApi();
const SCHEDULE: JobSchedule = {
  name: "a-job-of-a-test",
  path: "/health/cron/a-job-of-a-test",
  secret: "MAINTENANCE_CRON_SECRET",
  budgetSeconds: 40,
};
const KIND = `job ${SCHEDULE.name}`;
const jobOf = (work: (context: JobContext) => Promise<JobResults>) => job(SCHEDULE, work);
const runs = () =>
  api.query`select key, succeeded, results, finished_at >= started_at as finished
    from private.job_runs where job = ${SCHEDULE.name} order by started_at`;

/** Rows for batches to work on. */
beforeAll(async () => {
  await api.query`create table public.tasks (id integer primary key, done integer not null default 0)`;
  await api.query`grant select, update on public.tasks to nectar_service`;
});
beforeEach(async () => {
  await api.query`truncate public.tasks, private.job_runs, private.work`;
  await api.query`insert into public.tasks (id) select generate_series(1, 25)`;
});
const done = async () => (await api.one`select count(*)::integer as n from public.tasks where done = 1`).n;

const SIZE = 10;

/** Does the next ten tasks. */
async function doBatch(tx: Tx, after: number | null) {
  const { rows } = await sql<{ id: number }>`
    update public.tasks t set done = t.done + 1
    from (select id from public.tasks where id > ${after ?? 0} order by id limit ${SIZE}) next
    where t.id = next.id
    returning t.id
  `.execute(tx);
  const ids = rows.map(({ id }) => id);
  return { seen: ids.length, counts: { odd: ids.filter((id) => id % 2 === 1).length }, cursor: Math.max(...ids) };
}

/** Services whose clock advances by so many seconds each time it is read. */
function hurried(seconds: number) {
  let looks = 0;
  return { ...api.services, clock: { now: () => new Date(Date.now() + seconds * 1_000 * looks++) } };
}

describe("a job", () => {
  it("responds with its counts and records them", async () => {
    const counting = jobOf(async () => ({ counted: 3 }));
    expect(await counting.run(api.services)).toEqual({ success: true, message: "done", results: { counted: 3 } });
    expect(await runs()).toEqual([{ key: "all", succeeded: true, results: { counted: 3 }, finished: true }]);
  });

  it("has one run at a time per key: a second run does nothing, says so, and is not recorded", async () => {
    const [started, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waiting = job(
      SCHEDULE,
      async ({ key }: JobContext<{ date: string }>) => {
        if (key !== "monday") return {};
        started.resolve();
        await release.promise;
        return {};
      },
      { key: (_, { date }) => date ?? "all" },
    );
    const first = waiting.run(api.services, { date: "monday" });
    await started.promise;
    expect(await waiting.run(api.services, { date: "monday" })).toEqual({ success: true, message: "already running" });
    expect((await waiting.run(api.services, { date: "tuesday" })).message).toBe("done");
    release.resolve();
    expect((await first).message).toBe("done");
    expect((await runs()).map(({ key }) => key).sort()).toEqual(["monday", "tuesday"]);
    expect((await waiting.run(api.services, { date: "tuesday" })).message).toBe("done");
  });

  it("records a run that fails, throws its error, and releases its claim", async () => {
    const failing = jobOf(() => Promise.reject(new AppError("provider.failed")));
    await expect(failing.run(api.services)).rejects.toMatchObject({ code: "provider.failed" });
    expect(await runs()).toEqual([{ key: "all", succeeded: false, results: {}, finished: true }]);
    expect((await jobOf(async () => ({})).run(api.services)).message).toBe("done");
  });

  it("has one `now` for the whole run, also for its key", async () => {
    const moments: Date[] = [];
    const dated = job(
      SCHEDULE,
      async ({ now, key }) => {
        moments.push(now);
        return { errors: [key] };
      },
      { key: (now) => now.toISOString() },
    );
    const { results } = await dated.run(hurried(10));
    expect(results).toEqual({ errors: moments.map((now) => now.toISOString()) });
  });
});

/** Gives the claim of the job to another process. */
const takeOver = () =>
  api.query`update private.work set claim = gen_random_uuid(), due_at = now() + '1 hour'
    where kind = ${KIND}`;
const claimEnd = async () => (await api.one`select due_at::text as at from private.work`).at;

describe("the claim of a run", () => {
  const claimSeconds = 0.3;

  it("is renewed while the run works, also after the database was away", async () => {
    const { database } = api.services;
    let away = 0;
    const asService: typeof database.asService = (work) =>
      away-- > 0 ? Promise.reject(new AppError("service.database_unavailable")) : database.asService(work);
    const renewed = jobOf(async () => {
      for (const failures of [0, 0, 2]) {
        const before = await claimEnd();
        away = failures;
        // A renewal that had begun before does not count: it does not find the database away.
        await expect.poll(() => away).toBeLessThan(0);
        await expect.poll(claimEnd).not.toBe(before);
      }
      return {};
    });
    const services = { ...api.services, database: { ...database, asService } };
    expect((await renewed.run(services, { claimSeconds })).message).toBe("done");
    expect(await api.query`select from private.work`).toEqual([]);
  });

  it("that another process has taken over stops the run after its batch, and is left to that process", async () => {
    const endless = jobOf(({ forEachBatch }) =>
      forEachBatch(1, async (tx) => {
        await takeOver();
        await sql`select pg_sleep(0.01)`.execute(tx);
        return { seen: 1, counts: {} };
      }),
    );
    const response = await endless.run(api.services, { claimSeconds });
    const results = { seen: expect.any(Number), errors: [TAKEN_OVER] };
    expect(response).toEqual({ success: true, message: "already running", results });
    expect(await runs()).toEqual([{ key: "all", succeeded: false, results, finished: true }]);
    expect(api.logged()).toContain(`"work":"${KIND}"`);
    expect((await endless.run(api.services)).message).toBe("already running");
  });

  it("that was taken over unnoticed leaves the success for the due time to the other run", async () => {
    const dueAt = new Date("2026-11-22T10:17:00Z");
    const late = jobOf(async () => {
      await takeOver();
      return { counted: 3 };
    });
    const response = { success: true, message: "already running", results: { counted: 3 } };
    expect(await late.run(api.services, { dueAt })).toEqual(response);
    await expireAllClaims(api);
    const other = jobOf(async () => ({}));
    expect((await other.run(api.services, { dueAt })).message).toBe("done");
    expect((await other.run(api.services, { dueAt })).message).toBe("already done");
    expect((await runs()).map(({ succeeded }) => succeeded)).toEqual([false, true]);
  });

  it("needs no connection beside that of the batch", async () => {
    const database = openDatabase({ url: api.apiUrl, poolSize: 1 });
    try {
      const services: Services = { ...api.services, database };
      const batching = jobOf(async ({ forEachBatch }) => {
        const before = await claimEnd();
        const counts = await forEachBatch(SIZE, doBatch);
        await expect.poll(claimEnd).not.toBe(before);
        return counts;
      });
      expect((await batching.run(services, { claimSeconds })).results).toEqual({ seen: 25, odd: 13 });
    } finally {
      await database.close();
    }
  });
});

describe("forEachBatch", () => {
  it("passes the cursor on until a batch is not full, and adds up what the batches saw and counted", async () => {
    const cursors: (number | null)[] = [];
    const batching = jobOf(({ forEachBatch }) =>
      forEachBatch(SIZE, (tx, after: number | null) => {
        cursors.push(after);
        return doBatch(tx, after);
      }),
    );
    expect((await batching.run(api.services)).results).toEqual({ seen: 25, odd: 13 });
    expect(cursors).toEqual([null, 10, 20]);
    expect(await done()).toBe(25);
  });

  it("runs one batch if there is nothing to do", async () => {
    await api.query`truncate public.tasks`;
    const batching = jobOf(({ forEachBatch }) => forEachBatch(SIZE, doBatch));
    expect((await batching.run(api.services)).results).toEqual({ seen: 0, odd: 0 });
  });

  it("stops at the budget and says so; the next run does the rest", async () => {
    // Each reading of the clock takes 25 of the 40 seconds: after two batches the budget is used up.
    const batching = jobOf(({ forEachBatch }) => forEachBatch(SIZE, doBatch));
    expect((await batching.run(hurried(25))).results).toEqual({ seen: 20, odd: 10, errors: [OUT_OF_TIME] });
    expect(await done()).toBe(20);
    expect((await runs()).at(-1)).toMatchObject({ succeeded: true, results: { errors: [OUT_OF_TIME] } });
    const { results } = await batching.run(api.services, { budgetSeconds: 0 });
    expect(results).toEqual({ seen: 10, odd: 5, errors: [OUT_OF_TIME] });
    expect((await batching.run(api.services)).results).toEqual({ seen: 25, odd: 13 });
  });

  it("says once that the time was up, beside other errors, and not if nothing is left to do", async () => {
    const twice = jobOf(async ({ forEachBatch, errors, outOfTime }) => {
      errors.push("One person could not be reached.");
      const { seen } = await forEachBatch(SIZE, doBatch);
      return { seen, stopped: outOfTime() ? 1 : 0, errors };
    });
    const errors = ["One person could not be reached.", OUT_OF_TIME];
    const { results } = await twice.run(api.services, { budgetSeconds: 0 });
    expect(results).toEqual({ seen: 10, stopped: 1, errors });
    await api.query`delete from public.tasks where id > 5`;
    const once = jobOf(({ forEachBatch }) => forEachBatch(SIZE, doBatch));
    expect((await once.run(api.services, { budgetSeconds: 0 })).results).toEqual({ seen: 5, odd: 3 });
  });

  it("keeps the batches before one that fails", async () => {
    const failing = jobOf(({ forEachBatch }) =>
      forEachBatch(SIZE, async (tx, after: number | null) => {
        const batch = await doBatch(tx, after);
        if (after === 10) throw new AppError("provider.failed");
        return batch;
      }),
    );
    await expect(failing.run(api.services)).rejects.toMatchObject({ code: "provider.failed" });
    expect(await done()).toBe(10);
    expect(await runs()).toMatchObject([{ succeeded: false }]);
  });

  it("repeats a batch that lost a deadlock, and counts it once", async () => {
    const other = new pg.Client({ connectionString: api.adminUrl });
    await other.connect();
    try {
      const cursors: (number | null)[] = [];
      let crossed: Promise<unknown> | undefined;
      const batching = jobOf(({ forEachBatch }) =>
        forEachBatch(SIZE, async (tx, after: number | null) => {
          cursors.push(after);
          // The run after the deadlock finds the other side done.
          await crossed;
          if (after === 10 && crossed === undefined) {
            // The other side has task 12 and waits for task 11, which this batch has; it may wait longer than the batch.
            await other.query(
              "begin; set local deadlock_timeout = '60s'; update public.tasks set done = 0 where id = 12",
            );
            await sql`update public.tasks set done = done where id = 11`.execute(tx);
            crossed = other.query("update public.tasks set done = 0 where id = 11").then(() => other.query("commit"));
          }
          return doBatch(tx, after);
        }),
      );
      expect((await batching.run(api.services)).results).toEqual({ seen: 25, odd: 13 });
      await crossed;
      expect(cursors).toEqual([null, 10, 10, 20]);
      expect(await done()).toBe(25);
    } finally {
      await other.end();
    }
  });

  it("fails after three lost deadlocks, and at once for another reason", async () => {
    let batches = 0;
    const failing = (message: string, sqlstate: string) =>
      jobOf(({ forEachBatch }) =>
        forEachBatch(SIZE, async (tx) => {
          batches += 1;
          await sql`
            do ${sql.lit(`begin raise exception '${message}' using errcode = '${sqlstate}'; end`)}
          `.execute(tx);
          return { seen: 0, counts: {} };
        }),
      );
    const busy = { code: "service.busy" };
    await expect(failing("serialization failure", "40001").run(api.services)).rejects.toMatchObject(busy);
    expect(batches).toBe(3);
    await expect(failing("lock not available", "55P03").run(api.services)).rejects.toMatchObject(busy);
    expect(batches).toBe(4);
  });
});

it("withinBudget stops at the budget and says so if something is left", async () => {
  const { forEachBatch, errors } = withinBudget(api.services, 0);
  expect(await forEachBatch(SIZE, doBatch)).toEqual({ seen: 10, odd: 5 });
  expect(errors).toEqual([OUT_OF_TIME]);
});
