import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { makePack, refund } from "../tone-packs/making.ts";

const SECRET = "a-secret-of-the-scheduler";
const api = useApi({ environment: { DROPS_CRON_SECRET: SECRET } });
const boss = beforeTests(() => api.person({ role: "super_admin" }));
const seller = beforeTests(() => api.person());
const ada = beforeTests(() => api.person());

const reconcile = async () => (await api.get("/api/admin/drops/reconcile", boss).ok()).reconciliation;
const runJob = () => api.send("POST", "/api/drops/cron/reconcile", { headers: { "x-cron-secret": SECRET } });

describe("GET /api/admin/drops/reconcile", () => {
  it("returns the sums of everything that was ever booked", async () => {
    const before = await reconcile();
    const pack = await makePack(api, seller, { is_public: true, price_drops: 20 });
    const [buyer, gone] = [await api.person(), await api.person()];
    const { transaction } = await api.post(`/api/tone-packs/${pack.id}/purchase`, buyer).created();
    await api.post(`/api/tone-packs/${pack.id}/purchase`, gone).created();
    await refund(api, buyer.id, transaction);
    await api.post("/api/admin/drops/adjust", boss, { user_id: gone.id, amount: -5, description: "Test" }).ok();
    await api.query`delete from auth.users where id = ${gone.id}`;
    const at = new Date("2031-05-18T12:00:00.000Z");
    api.at(at.toISOString());
    expect(await reconcile()).toEqual({
      ok: true,
      checked_at: at.toISOString(),
      accounts: before.accounts + 1,
      movements: before.movements + 3,
      issued: before.issued + 100,
      spent: before.spent + 40,
      refunded: before.refunded + 20,
      adjusted: before.adjusted - 5,
      erased: before.erased + 25,
      circulating: before.circulating + 50,
      differences: [],
    });
  });

  it("is ok at every moment while people buy, claim and are deleted", async () => {
    const pack = await makePack(api, seller, { is_public: true, price_drops: 5 });
    let isOver = false;
    const traders = Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const person = await api.person();
        await api.post("/api/drops/award-monthly", person).ok();
        const { transaction } = await api.post(`/api/tone-packs/${pack.id}/purchase`, person).created();
        if (index % 3 === 0) await refund(api, person.id, transaction);
        if (index % 3 === 1) await api.query`delete from auth.users where id = ${person.id}`;
      }),
    ).finally(() => {
      isOver = true;
    });
    do expect(await reconcile()).toMatchObject({ ok: true, differences: [] });
    while (!isOver);
    await traders;
    expect(await reconcile()).toMatchObject({ ok: true, differences: [] });
  });
});

describe("the daily job", () => {
  beforeEach(() => api.query`delete from private.job_runs`);
  const lastRun = () => api.one`select succeeded, results from private.job_runs where job = 'drops-reconciliation'`;

  it("succeeds while everything adds up, with the numbers of accounts and movements", async () => {
    const { accounts, movements } = await reconcile();
    await runJob().ok();
    expect(await lastRun()).toEqual({ succeeded: true, results: { accounts, movements } });
  });

  it("fails if something differs, and logs the numbers of each kind only", async () => {
    await api.query`update nectar.accounts set drops_balance = drops_balance + 1 where user_id = ${ada.id}`;
    await runJob().refused(500);
    await api.query`update nectar.accounts set drops_balance = drops_balance - 1 where user_id = ${ada.id}`;
    expect(await lastRun()).toEqual({ succeeded: false, results: {} });
    expect(api.logged()).toContain('"differences":{"balance":1}');
    expect(api.logged()).not.toContain(ada.id);
    const { jobs } = await api.get("/api/admin/jobs", boss).ok();
    const job = jobs.find(({ name }) => name === "drops-reconciliation");
    expect(job).toMatchObject({ last_started_at: expect.any(String), last_succeeded_at: null, last_results: {} });
  });
});
