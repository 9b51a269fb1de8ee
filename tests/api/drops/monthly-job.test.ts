import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { whileOverlapping } from "#tests/claims";
import { createCrowd } from "#tests/crowd";
import { asSuperuser } from "#tests/people";

const SECRET = "a-secret-of-the-scheduler";
const api = useApi({ environment: { DROPS_CRON_SECRET: SECRET } });
const run = () => api.send("POST", "/api/drops/cron/award-monthly-all", { headers: { "x-cron-secret": SECRET } });
const MONTH = "2031-05";

function createPeople(count: number) {
  return asSuperuser(api.adminUrl, (client) => createCrowd(client, count));
}

/** The result of a run: how many people have which balance, and whether balances and awards agree with the transactions. */
async function state() {
  const balances = await api.query`select drops_balance as balance, count(*)::int as people from nectar.accounts
    group by 1 order by 1`;
  const wrong = await api.query`select a.user_id from nectar.accounts a
    left join (select user_id, sum(amount) as sum from nectar.drop_transactions group by user_id) t using (user_id)
    where a.drops_balance <> coalesce(t.sum, 0)`;
  const awards = await api.one<{ awards: number; transactions: number }>(
    `select count(*)::int as awards, count(t.id)::int as transactions
     from nectar.monthly_drop_awards m left join nectar.drop_transactions t on t.id = m.transaction_id
       and t.user_id = m.user_id and t.amount = m.amount and t.type = 'monthly_recurring'`,
  );
  return { balances, wrong, ...awards };
}

beforeAll(() => api.at(`${MONTH}-18T12:00:00Z`));
beforeEach(async () => {
  await api.query`delete from auth.users`;
  await api.query`delete from private.job_runs`;
});

describe("the monthly drops of all users", () => {
  it("gives 30 or 250 to every human without an award of this month, and counts them", async () => {
    const [plain, premium, synthetic] = [await api.person(), await api.person(), await api.person()];
    const [early, rich] = [await api.person(), await api.person()];
    await api.query`update nectar.accounts set is_premium = true where user_id = ${premium.id}`;
    await api.query`update nectar.profiles set is_ai = true where id = ${synthetic.id}`;
    await api.post("/api/drops/award-monthly", early);
    await api.query`select private.post_drop_transaction(${rich.id}, 'refund', 2147483590, 'treasure', 'a test')`;
    expect(await run().ok()).toEqual({
      success: true,
      message: "done",
      results: { total: 4, awarded: 2, skipped: 1, failed: 1, errors: ["Some balances cannot hold more drops."] },
    });
    const balances = await api.query`select user_id, drops_balance from nectar.accounts`;
    expect(Object.fromEntries(balances.map((row) => [row.user_id, row.drops_balance]))).toEqual({
      [plain.id]: 80,
      [premium.id]: 300,
      [synthetic.id]: 50,
      [early.id]: 80,
      [rich.id]: 2_147_483_640,
    });
    expect(await state()).toMatchObject({ wrong: [], awards: 3, transactions: 3 });
    const job = await api.one`select key, succeeded, results from private.job_runs where job = 'monthly-drops'`;
    expect(job).toMatchObject({ key: MONTH, succeeded: true, results: { total: 4, awarded: 2 } });
    expect((await api.post("/api/drops/award-monthly", plain)).body.awarded).toBe(false);
  });

  it("changes nothing when it runs again", async () => {
    await createPeople(20);
    expect((await run()).body.results).toEqual({ total: 20, awarded: 20, skipped: 0, failed: 0, errors: [] });
    const first = await state();
    expect((await run()).body.results).toEqual({ total: 20, awarded: 0, skipped: 20, failed: 0, errors: [] });
    expect(await state()).toEqual(first);
    expect(first).toEqual({ balances: [{ balance: 80, people: 20 }], wrong: [], awards: 20, transactions: 20 });
  });

  it("gives every person one award while it runs several times and people claim theirs", async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => api.person()));
    const [jobs, own] = await Promise.all([
      whileOverlapping(api, () => Promise.all([run(), run(), run()])),
      Promise.all(people.map((person) => api.post("/api/drops/award-monthly", person))),
    ]);
    const byJob = jobs.reduce((sum, { body }) => sum + Number(body.results?.awarded ?? 0), 0);
    const byRequest = own.filter(({ body }) => body.awarded).length;
    expect(byJob + byRequest).toBe(30);
    expect(await state()).toEqual({ balances: [{ balance: 80, people: 30 }], wrong: [], awards: 30, transactions: 30 });
  });

  it("is completed by the next run if its connections are cut between two batches", async () => {
    await createPeople(10_500);
    await api.inTransaction(async ({ query }) => {
      // The last person's account is locked, so that the second batch waits after the first has committed.
      await query`select from nectar.accounts order by user_id desc limit 1 for update`;
      const first = run();
      await expect.poll(async () => (await state()).awards, { timeout: 60_000 }).toBe(10_000);
      await api.cutConnections();
      await first.refused(503);
    });
    expect(await state()).toMatchObject({ wrong: [], awards: 10_000, transactions: 10_000 });
    const results = { total: 10_500, awarded: 500, skipped: 10_000, failed: 0, errors: [] };
    expect((await run()).body.results).toEqual(results);
    const balances = [{ balance: 80, people: 10_500 }];
    expect(await state()).toEqual({ balances, wrong: [], awards: 10_500, transactions: 10_500 });
  });
});
