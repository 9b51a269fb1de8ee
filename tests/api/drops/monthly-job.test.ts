import pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "../../support/api.ts";

const SECRET = "a-secret-of-the-scheduler";
const api = useApi({ environment: { DROPS_CRON_SECRET: SECRET } });
const run = () => api.send("POST", "/api/drops/cron/award-monthly-all", { headers: { "x-cron-secret": SECRET } });
const thisMonth = () => new Date().toISOString().slice(0, 7);

/**
 * Many people, the way Auth makes them, in tables whose statistics are true. Of tables that were emptied and then looked at
 * the planner believes that they stay empty: even the checks of foreign keys then pick an index to walk through for each row.
 */
async function signUpMany(count: number) {
  const signUp = (first: number, last: number) =>
    api.query(
      "insert into auth.users (id, email) select gen_random_uuid(), n || '@example.test' from generate_series($1::int, $2) n",
      [first, last],
    );
  const lookAtTables = () =>
    api.query(
      "analyze auth.users, nectar.profiles, nectar.accounts, nectar.drop_transactions, nectar.monthly_drop_awards",
    );
  const few = Math.min(count, 500);
  await signUp(1, few);
  await lookAtTables();
  if (count > few) {
    await signUp(few + 1, count);
    await lookAtTables();
  }
}

/** What is left of a run: how many people have which balance, and whether the books agree. */
async function state() {
  const balances = await api.query(
    "select drops_balance as balance, count(*)::int as people from nectar.accounts group by 1 order by 1",
  );
  const wrong = await api.query(
    `select a.user_id from nectar.accounts a
     left join (select user_id, sum(amount) as sum from nectar.drop_transactions group by user_id) t using (user_id)
     where a.drops_balance <> coalesce(t.sum, 0)`,
  );
  const awards = await api.one<{ awards: number; movements: number }>(
    `select count(*)::int as awards, count(t.id)::int as movements
     from nectar.monthly_drop_awards m left join nectar.drop_transactions t on t.id = m.transaction_id
       and t.user_id = m.user_id and t.amount = m.amount and t.type = 'monthly_recurring'`,
  );
  return { balances, wrong, ...awards };
}

beforeEach(() => api.query("delete from auth.users"));

describe("the award for everybody", () => {
  it("gives 30 or 250 to every human who does not have it, and counts", async () => {
    const [plain, premium, synthetic, early, rich] = [
      await api.person(),
      await api.person(),
      await api.person(),
      await api.person(),
      await api.person(),
    ];
    await api.query("update nectar.accounts set is_premium = true where user_id = $1", [premium.id]);
    await api.query("update nectar.profiles set is_ai = true where id = $1", [synthetic.id]);
    await api.post("/api/drops/award-monthly", early);
    await api.query("select private.post_drop_transaction($1, 'refund', 2147483590, 'treasure', 'a test')", [rich.id]);
    const { status, body } = await run();
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: "done",
      results: { total: 4, awarded: 2, skipped: 1, failed: 1, errors: ["Some balances cannot hold more drops."] },
    });
    const balances = await api.query("select user_id, drops_balance from nectar.accounts");
    expect(Object.fromEntries(balances.map((row) => [row.user_id, row.drops_balance]))).toEqual({
      [plain.id]: 80,
      [premium.id]: 300,
      [synthetic.id]: 50,
      [early.id]: 80,
      [rich.id]: 2_147_483_640,
    });
    expect(await state()).toMatchObject({ wrong: [], awards: 3, movements: 3 });
    expect(
      await api.query("select key, succeeded, results from private.job_runs where job = 'monthly-drops'"),
    ).toMatchObject([{ key: thisMonth(), succeeded: true, results: { total: 4, awarded: 2 } }]);
    expect((await api.post("/api/drops/award-monthly", plain)).body.awarded).toBe(false);
  });

  it("changes nothing the second time", async () => {
    await signUpMany(20);
    expect((await run()).body.results).toEqual({ total: 20, awarded: 20, skipped: 0, failed: 0, errors: [] });
    const first = await state();
    expect((await run()).body.results).toEqual({ total: 20, awarded: 0, skipped: 20, failed: 0, errors: [] });
    expect(await state()).toEqual(first);
    expect(first).toEqual({ balances: [{ balance: 80, people: 20 }], wrong: [], awards: 20, movements: 20 });
  });

  it("gives everybody one award when it runs beside itself and beside people who ask themselves", async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => api.person()));
    const [jobs, own] = await Promise.all([
      Promise.all([run(), run(), run()]),
      Promise.all(people.map((person) => api.post("/api/drops/award-monthly", person))),
    ]);
    const byJob = jobs.reduce((sum, { body }) => sum + Number(body.results?.awarded ?? 0), 0);
    const byThemselves = own.filter(({ body }) => body.awarded).length;
    expect(byJob + byThemselves).toBe(30);
    expect(await state()).toEqual({ balances: [{ balance: 80, people: 30 }], wrong: [], awards: 30, movements: 30 });
  });

  it("is completed by the next run when its connections are cut between two slices", async () => {
    await signUpMany(10_500);
    const blocker = new pg.Client({ connectionString: api.adminUrl });
    await blocker.connect();
    try {
      // The last person's account is held, so that the second slice waits while the first is done.
      await blocker.query("begin");
      await blocker.query("select from nectar.accounts order by user_id desc limit 1 for update");
      const first = run();
      await expect.poll(async () => (await state()).awards, { timeout: 60_000 }).toBe(10_000);
      await api.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'nectar_api'",
      );
      expect((await first).status).toBe(503);
    } finally {
      await blocker.end();
    }
    expect(await state()).toMatchObject({ wrong: [], awards: 10_000, movements: 10_000 });
    expect((await run()).body.results).toEqual({
      total: 10_500,
      awarded: 500,
      skipped: 10_000,
      failed: 0,
      errors: [],
    });
    expect(await state()).toEqual({
      balances: [{ balance: 80, people: 10_500 }],
      wrong: [],
      awards: 10_500,
      movements: 10_500,
    });
  }, 120_000);
});
