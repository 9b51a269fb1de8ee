import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { whileOverlapping } from "#tests/claims";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { ENTRY_KINDS, HOUR_MS, SECRET, sceneOf } from "../engaging.ts";
import { SYSTEM_USER } from "../sending.ts";

const api = useApi({ environment: { ENCOURAGEMENT_DROPS_CRON_SECRET: SECRET } });
const MANUAL = "/api/encouragement-drops/admin/process-engagement";
const NOW = new Date("2031-05-18T12:00:00Z");
const scene = sceneOf(api);
/** When a drop is sent, two hours before the job runs. */
const SENT_AT = new Date(NOW.getTime() - 2 * HOUR_MS);
/** Milliseconds after the drop. */
const later = (ms: number) => new Date(SENT_AT.getTime() + ms);

beforeAll(() => api.at(NOW));
beforeEach(() => api.query`delete from nectar.encouragement_drops`);
const sender = beforeEachTest(() => api.person());
const recipient = beforeEachTest(() => api.person());

const badgeOf = async (person: Person) => (await api.get("/api/encouragement-drops/badge", person)).body.badge;

describe("a drop is engaged by", () => {
  it.each(ENTRY_KINDS)("an entry of the kind %s after the drop", async (kind) => {
    const drop = await scene.dropAt(sender.id, recipient.id, SENT_AT);
    await scene.entryAt(recipient.id, later(1), kind);
    expect((await scene.run()).body.results).toMatchObject({ checked: 1, engaged: 1, bonus_awarded: 2 });
    expect(await scene.drop(drop)).toEqual({ engagement: "engaged", has_time: true, bonus_drops_awarded: 2 });
    expect(await scene.earnedToday(sender.id)).toBe(2);
    expect((await api.get("/api/encouragement-drops/my-drops", sender)).body.total_available).toBe(7);
    const counts = { total_drops_sent: 1, engagement_increases: 1, success_rate: 100, bonus_drops_earned: 2 };
    expect(await badgeOf(sender)).toMatchObject(counts);
  });

  it("a wellness entry that is deleted afterwards", async () => {
    const drop = await scene.dropAt(sender.id, recipient.id, SENT_AT);
    await scene.entryAt(recipient.id, later(1), "sleep");
    const [entry] = (await api.get("/api/wellness-entries", recipient).ok()).wellness_entries;
    await scene.run();
    const badge = await badgeOf(sender);
    await api.delete(`/api/wellness-entries/${entry?.id}`, recipient).ok();
    await scene.run();
    expect(await scene.drop(drop)).toMatchObject({ engagement: "engaged", bonus_drops_awarded: 2 });
    expect(await badgeOf(sender)).toEqual(badge);
    expect(badge.engagement_increases).toBe(1);
  });

  it.each([
    ["a millisecond before the drop", -1, false],
    ["at the moment of the drop", 0, false],
    ["a millisecond after the drop", 1, true],
    ["a millisecond before the end of the window", HOUR_MS - 1, true],
    ["at the end of the window", HOUR_MS, true],
    ["a millisecond after the window", HOUR_MS + 1, false],
  ])("an entry %s: %j", async (_, ms, counts) => {
    const drop = await scene.dropAt(sender.id, recipient.id, SENT_AT, { windowMs: HOUR_MS });
    await scene.entryAt(recipient.id, later(ms));
    await scene.run();
    const bonus_drops_awarded = counts ? 2 : 0;
    const engagement = counts ? "engaged" : "expired";
    expect(await scene.drop(drop)).toEqual({ engagement, has_time: counts, bonus_drops_awarded });
    expect(await scene.earnedToday(sender.id)).toBe(bonus_drops_awarded);
  });

  it("an entry written after the drop and none written before, whatever day they are about", async () => {
    const drop = await scene.dropAt(sender.id, recipient.id, SENT_AT);
    await scene.entryAt(recipient.id, later(-24 * HOUR_MS));
    await api.query`update nectar.journal_entries set entry_date = private.today() where user_id = ${recipient.id}`;
    await scene.run();
    expect(await scene.drop(drop)).toMatchObject({ engagement: "open" });
    await scene.entryAt(recipient.id, later(1));
    await api.query`update nectar.journal_entries set entry_date = '1990-01-01' where user_id = ${recipient.id}`;
    await scene.run();
    expect(await scene.drop(drop)).toMatchObject({ engagement: "engaged" });
  });

  it("no entry of another user", async () => {
    const drop = await scene.dropAt(sender.id, recipient.id, SENT_AT);
    await scene.entryAt(sender.id, later(1));
    expect((await scene.run()).body.results).toMatchObject({ checked: 1, engaged: 0, badges_updated: 0 });
    expect(await scene.drop(drop)).toMatchObject({ engagement: "open" });
  });

  it("an entry within the window that was committed after it", async () => {
    const windowMs = 2 * HOUR_MS - 30_000;
    const drop = await scene.dropAt(sender.id, recipient.id, SENT_AT, { windowMs });
    await api.inTransaction(async ({ query }) => {
      await query`insert into nectar.journal_entries (user_id, title, created_at)
        values (${recipient.id}, 'x', ${later(windowMs).toISOString()})`;
      await scene.run();
      expect(await scene.drop(drop)).toMatchObject({ engagement: "open" });
      await query`commit`;
    });
    await scene.run();
    expect(await scene.drop(drop)).toMatchObject({ engagement: "engaged" });
  });
});

describe("the bonus", () => {
  it("is earned for each drop, by each sender of the same recipient", async () => {
    const other = await api.person();
    await scene.dropAt(sender.id, recipient.id, SENT_AT);
    await scene.dropAt(sender.id, recipient.id, later(10));
    await scene.dropAt(other.id, recipient.id, later(20));
    await scene.entryAt(recipient.id, later(30));
    await scene.entryAt(recipient.id, later(40), "sleep");
    const { results } = await scene.run().ok();
    expect(results).toEqual({ checked: 3, engaged: 3, bonus_awarded: 6, badges_updated: 2, errors: [] });
    expect(await scene.earnedToday(sender.id)).toBe(4);
    expect(await scene.earnedToday(other.id)).toBe(2);
    expect(await badgeOf(sender)).toMatchObject({ engagement_increases: 2, bonus_drops_earned: 4 });
  });

  it("follows the current rules; with a bonus of 0 the success still counts", async () => {
    await api.query`update nectar.encouragement_config set bonus_drops_per_engagement = 0`;
    const drop = await scene.dropAt(sender.id, recipient.id, SENT_AT);
    await scene.entryAt(recipient.id, later(1));
    expect((await scene.run()).body.results).toMatchObject({ engaged: 1, bonus_awarded: 0, badges_updated: 1 });
    await api.query`update nectar.encouragement_config set bonus_drops_per_engagement = 2`;
    expect(await scene.drop(drop)).toMatchObject({ engagement: "engaged", bonus_drops_awarded: 0 });
    expect(await badgeOf(sender)).toMatchObject({ engagement_increases: 1, bonus_drops_earned: 0 });
  });

  it("is not earned by the system user or synthetic users, or for drops to them", async () => {
    await scene.dropAt(SYSTEM_USER, recipient.id, SENT_AT, { state: "never" });
    const synthetic = await api.person();
    await api.query`update nectar.profiles set is_ai = true where id = ${synthetic.id}`;
    await scene.dropAt(sender.id, synthetic.id, SENT_AT, { state: "never" });
    const own = await scene.dropAt(synthetic.id, recipient.id, SENT_AT);
    await scene.entryAt(recipient.id, later(1));
    await scene.entryAt(synthetic.id, later(1));
    const { results } = await scene.run().ok();
    expect(results).toEqual({ checked: 1, engaged: 0, bonus_awarded: 0, badges_updated: 0, errors: [] });
    expect(await scene.drop(own)).toEqual({ engagement: "never", has_time: false, bonus_drops_awarded: 0 });
    expect((await scene.run()).body.results).toMatchObject({ checked: 0 });
    const rows = await api.query`select user_id, total_drops_sent, engagement_increases from nectar.user_badges
      where user_id = any(${[SYSTEM_USER, synthetic.id]}) order by total_drops_sent`;
    expect(rows).toEqual([
      { user_id: SYSTEM_USER, total_drops_sent: 0, engagement_increases: 0 },
      { user_id: synthetic.id, total_drops_sent: 1, engagement_increases: 0 },
    ]);
    expect(await badgeOf(sender)).toMatchObject({ total_drops_sent: 1, engagement_increases: 0 });
  });

  it("is added today to what is left of yesterday", async () => {
    await api.query`insert into nectar.encouragement_allowances
      (user_id, date, daily_allowance, drops_used, bonus_earned) values (${sender.id}, '2031-05-17', 5, 6, 4)`;
    await scene.dropAt(sender.id, recipient.id, SENT_AT);
    await scene.entryAt(recipient.id, later(1));
    await scene.run();
    expect((await api.get("/api/encouragement-drops/my-drops", sender)).body).toMatchObject({
      bonus_drops_earned: 5,
      total_available: 10,
    });
  });
});

describe("the job by hand", () => {
  const admin = beforeEachTest(() => api.person({ role: "admin" }));
  beforeEach(() => api.query`delete from private.job_runs`);

  it("is not run again for a replay", async () => {
    await scene.dropAt(sender.id, recipient.id, SENT_AT);
    await scene.entryAt(recipient.id, later(1));
    const first = await api.post(MANUAL, admin, {}, { "idempotency-key": "once" });
    expect(first.body).toEqual({
      success: true,
      message: "done",
      results: { checked: 1, engaged: 1, bonus_awarded: 2, badges_updated: 1, errors: [] },
    });
    const replay = await api.post(MANUAL, admin, {}, { "idempotency-key": "once" });
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(replay.body).toEqual(first.body);
    expect(await api.query`select from private.job_runs where job = 'engagement'`).toHaveLength(1);
  });

  it("is 409 for a replay while it still runs", async () => {
    await scene.dropAt(sender.id, recipient.id, SENT_AT);
    const key = { "idempotency-key": "slow" };
    const begun = () => api.query`select from private.idempotency_keys where user_id = ${admin.id}`;
    await api.inTransaction(async ({ query }) => {
      await query`lock table nectar.encouragement_drops in access exclusive mode`;
      const first = api.post(MANUAL, admin, {}, key);
      await expect.poll(begun, { timeout: 10_000 }).toHaveLength(1);
      await api.query`update private.idempotency_keys set created_at = now() - interval '200 seconds'
        where user_id = ${admin.id}`;
      await api.post(MANUAL, admin, {}, key).refused(409, "idempotency.in_progress");
      await query`commit`;
      expect((await first).body.results).toMatchObject({ checked: 1 });
    });
  });
});

describe("every success is paid once", () => {
  /** Ten senders with three drops each, all of them followed by an entry. */
  async function manySuccesses() {
    const senders = await Promise.all(Array.from({ length: 10 }, () => api.person()));
    for (const one of senders) for (const ms of [0, 1, 2]) await scene.dropAt(one.id, recipient.id, later(ms));
    await scene.entryAt(recipient.id, later(10));
    return senders;
  }

  async function expectPaidOnce(senders: readonly Person[]) {
    for (const one of senders) {
      expect(await scene.earnedToday(one.id)).toBe(6);
      expect(await badgeOf(one)).toMatchObject({ engagement_increases: 3, bonus_drops_earned: 6 });
    }
  }

  it("if the job runs twice", async () => {
    const senders = await manySuccesses();
    expect((await scene.run()).body.results).toMatchObject({ engaged: 30, bonus_awarded: 60, badges_updated: 10 });
    expect((await scene.run()).body.results).toMatchObject({ checked: 0, engaged: 0, bonus_awarded: 0 });
    await expectPaidOnce(senders);
  });

  it("if four jobs run at the same time", async () => {
    const senders = await manySuccesses();
    const four = () => Promise.all([scene.run(), scene.run(), scene.run(), scene.run()]);
    const runs = await whileOverlapping(api, four);
    expect(runs.every(({ body }) => body.success)).toBe(true);
    expect(runs.reduce((sum, { body }) => sum + Number(body.results?.bonus_awarded ?? 0), 0)).toBe(60);
    await expectPaidOnce(senders);
  });

  it("if four run at the same time in the same batch", async () => {
    const senders = await manySuccesses();
    const paid = await Promise.all(
      [1, 2, 3, 4].map(() => api.query`select bonus_awarded from private.process_engagement(${NOW}, null, null, 1000)`),
    );
    expect(paid.flat().reduce((sum, row) => sum + Number(row.bonus_awarded), 0)).toBe(60);
    await expectPaidOnce(senders);
  });

  it.each([
    ["if the job is cut off after the first batch", 1],
    ["if it takes many batches", 5],
  ])("%s", async (_, batches) => {
    const senders = await manySuccesses();
    const expired = await scene.dropAt(sender.id, recipient.id, later(-1_000), { windowMs: 500 });
    const waiting = await scene.dropAt(recipient.id, sender.id, SENT_AT);
    let [checked, engaged] = [0, 0];
    let after: unknown[] = [null, null];
    for (let n = 0; n < batches; n += 1) {
      const [done] = await api.query("select * from private.process_engagement($1, $2, $3, 7)", [NOW, ...after]);
      expect(done?.checked).toBe(n < 4 ? 7 : 4);
      checked += Number(done?.checked);
      engaged += Number(done?.engaged);
      after = [done?.last_sender, done?.last_drop];
    }
    expect(checked).toBe(batches === 1 ? 7 : 32);
    const { results } = (await scene.run()).body;
    expect(engaged + Number(results?.engaged)).toBe(30);
    if (batches === 5) expect(results).toMatchObject({ checked: 1, engaged: 0, bonus_awarded: 0 });
    await expectPaidOnce(senders);
    expect(await scene.drop(expired)).toMatchObject({ engagement: "expired" });
    expect(await scene.drop(waiting)).toMatchObject({ engagement: "open" });
  });

  it("if the job is killed during a batch", async () => {
    const senders = await manySuccesses();
    const blocked = senders.at(-1);
    if (blocked === undefined) throw new Error("There are ten senders.");
    await api.inTransaction(async ({ query }) => {
      // The badge of the last sender is locked, so the batch has closed its drops and paid when it is killed.
      await query`select from nectar.user_badges where user_id = ${blocked.id} for update`;
      const first = scene.run();
      await api.untilWaiting();
      await api.cutConnections();
      await first.refused(503);
    });
    expect(await scene.earnedToday(blocked.id)).toBe(0);
    expect((await scene.run()).body.results).toMatchObject({ engaged: 30, bonus_awarded: 60 });
    await expectPaidOnce(senders);
  });
});
