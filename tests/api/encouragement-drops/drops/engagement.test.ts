import pg from "pg";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useApi } from "../../../support/api.ts";
import type { Person } from "../../../support/people.ts";
import { ENTRY_KINDS, HOUR_MS, type Scene, SECRET, sceneOf } from "../engaging.ts";
import { SYSTEM_USER } from "../sending.ts";

const api = useApi({
  environment: { ENCOURAGEMENT_DROPS_CRON_SECRET: SECRET, DROPS_CRON_SECRET: "a-secret-of-another-job" },
});
const MANUAL = "/api/encouragement-drops/admin/process-engagement";
let scene: Scene;
let sender: Person;
let recipient: Person;
let sentAt: Date;
/** Milliseconds after the drop. */
const later = (ms: number) => new Date(sentAt.getTime() + ms);

beforeAll(() => {
  scene = sceneOf(api);
});
beforeEach(async () => {
  await api.query("delete from nectar.encouragement_drops");
  sender = await api.person();
  recipient = await api.person();
  sentAt = new Date(Date.now() - 2 * HOUR_MS);
});

const badgeOf = async (person: Person) => (await api.get("/api/encouragement-drops/badge", person)).body.badge;

describe("who may look for engagement", () => {
  it("an admin by hand, and nobody else; a replay runs nothing", async () => {
    const admin = await api.person({ role: "admin" });
    await scene.dropAt(sender.id, recipient.id, sentAt);
    await scene.entryAt(recipient.id, later(1));
    expect((await api.post(MANUAL, sender)).status).toBe(403);
    expect((await api.post(MANUAL, undefined)).status).toBe(401);
    const first = await api.post(MANUAL, admin, {}, { "idempotency-key": "once" });
    expect(first.body).toEqual({
      success: true,
      message: "done",
      results: { checked: 1, engaged: 1, bonus_awarded: 2, badges_updated: 1, errors: [] },
    });
    const replay = await api.post(MANUAL, admin, {}, { "idempotency-key": "once" });
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(replay.body).toEqual(first.body);
    expect(await api.query("select from private.job_runs where job = 'engagement'")).toHaveLength(1);
  });

  it("an admin whose replay comes while the run takes its time is told that it still runs", async () => {
    const admin = await api.person({ role: "admin" });
    await scene.dropAt(sender.id, recipient.id, sentAt);
    const key = { "idempotency-key": "slow" };
    const begun = () => api.query("select from private.idempotency_keys where user_id = $1", [admin.id]);
    const blocker = new pg.Client({ connectionString: api.adminUrl });
    await blocker.connect();
    try {
      await blocker.query("begin");
      await blocker.query("lock table nectar.encouragement_drops in access exclusive mode");
      const first = api.post(MANUAL, admin, {}, key);
      await expect.poll(begun, { timeout: 10_000 }).toHaveLength(1);
      await api.query(
        "update private.idempotency_keys set created_at = now() - interval '200 seconds' where user_id = $1",
        [admin.id],
      );
      expect((await api.post(MANUAL, admin, {}, key)).body.code).toBe("idempotency.in_progress");
      await blocker.query("commit");
      expect((await first).body.results).toMatchObject({ checked: 1 });
    } finally {
      await blocker.end();
    }
  });
});

describe("what counts as engagement", () => {
  it.each(ENTRY_KINDS)("an entry of the kind %s after the drop", async (kind) => {
    const drop = await scene.dropAt(sender.id, recipient.id, sentAt);
    await scene.entryAt(recipient.id, later(1), kind);
    expect((await scene.run()).body.results).toMatchObject({ checked: 1, engaged: 1, bonus_awarded: 2 });
    expect(await scene.drop(drop)).toEqual({ engagement: "engaged", has_time: true, bonus_drops_awarded: 2 });
    expect(await scene.earnedToday(sender.id)).toBe(2);
    expect((await api.get("/api/encouragement-drops/my-drops", sender)).body.total_available).toBe(7);
    expect(await badgeOf(sender)).toMatchObject({
      total_drops_sent: 1,
      engagement_increases: 1,
      success_rate: 100,
      bonus_drops_earned: 2,
    });
  });

  it.each([
    ["a millisecond before the drop", -1, false],
    ["at the moment of the drop", 0, false],
    ["a millisecond after the drop", 1, true],
    ["a millisecond before the end of the window", HOUR_MS - 1, true],
    ["at the end of the window", HOUR_MS, true],
    ["a millisecond after the window", HOUR_MS + 1, false],
  ])("an entry %s: %j", async (_, ms, counts) => {
    const drop = await scene.dropAt(sender.id, recipient.id, sentAt, { windowMs: HOUR_MS });
    await scene.entryAt(recipient.id, later(ms));
    await scene.run();
    expect(await scene.drop(drop)).toEqual(
      counts
        ? { engagement: "engaged", has_time: true, bonus_drops_awarded: 2 }
        : { engagement: "expired", has_time: false, bonus_drops_awarded: 0 },
    );
    expect(await scene.earnedToday(sender.id)).toBe(counts ? 2 : 0);
  });

  it("not an entry of somebody else", async () => {
    const drop = await scene.dropAt(sender.id, recipient.id, sentAt);
    await scene.entryAt(sender.id, later(1));
    expect((await scene.run()).body.results).toMatchObject({ checked: 1, engaged: 0, badges_updated: 0 });
    expect(await scene.drop(drop)).toMatchObject({ engagement: "open" });
  });

  it("an entry that comes while the drop is still open, at a later run", async () => {
    const drop = await scene.dropAt(sender.id, recipient.id, sentAt);
    await scene.run();
    expect(await scene.drop(drop)).toMatchObject({ engagement: "open" });
    await scene.entryAt(recipient.id, later(HOUR_MS));
    await scene.run();
    expect(await scene.drop(drop)).toMatchObject({ engagement: "engaged" });
  });

  it("an entry that was made in time and committed after the window was over", async () => {
    const windowMs = Date.now() - sentAt.getTime() - 30_000;
    const drop = await scene.dropAt(sender.id, recipient.id, sentAt, { windowMs });
    const writer = new pg.Client({ connectionString: api.adminUrl });
    await writer.connect();
    try {
      await writer.query("begin");
      await writer.query("insert into nectar.journal_entries (user_id, title, created_at) values ($1, 'x', $2)", [
        recipient.id,
        later(windowMs).toISOString(),
      ]);
      await scene.run();
      expect(await scene.drop(drop)).toMatchObject({ engagement: "open" });
      await writer.query("commit");
    } finally {
      await writer.end();
    }
    await scene.run();
    expect(await scene.drop(drop)).toMatchObject({ engagement: "engaged" });
  });
});

describe("who earns", () => {
  it("several senders of one recipient each, and one sender by each of several drops", async () => {
    const other = await api.person();
    await scene.dropAt(sender.id, recipient.id, sentAt);
    await scene.dropAt(sender.id, recipient.id, later(10));
    await scene.dropAt(other.id, recipient.id, later(20));
    await scene.entryAt(recipient.id, later(30));
    await scene.entryAt(recipient.id, later(40), "sleep");
    expect((await scene.run()).body.results).toEqual({
      checked: 3,
      engaged: 3,
      bonus_awarded: 6,
      badges_updated: 2,
      errors: [],
    });
    expect(await scene.earnedToday(sender.id)).toBe(4);
    expect(await scene.earnedToday(other.id)).toBe(2);
    expect(await badgeOf(sender)).toMatchObject({ engagement_increases: 2, bonus_drops_earned: 4 });
  });

  it("what the rules say at that time; nothing is given when the bonus is 0, but the success counts", async () => {
    await api.query("update nectar.encouragement_config set bonus_drops_per_engagement = 0");
    const drop = await scene.dropAt(sender.id, recipient.id, sentAt);
    await scene.entryAt(recipient.id, later(1));
    expect((await scene.run()).body.results).toMatchObject({ engaged: 1, bonus_awarded: 0, badges_updated: 1 });
    await api.query("update nectar.encouragement_config set bonus_drops_per_engagement = 2");
    expect(await scene.drop(drop)).toMatchObject({ engagement: "engaged", bonus_drops_awarded: 0 });
    expect(await badgeOf(sender)).toMatchObject({ engagement_increases: 1, bonus_drops_earned: 0 });
  });

  it("never the system user, never by a drop to a synthetic user, and never a synthetic user", async () => {
    await scene.dropAt(SYSTEM_USER, recipient.id, sentAt, { state: "never" });
    const synthetic = await api.person();
    await api.query("update nectar.profiles set is_ai = true where id = $1", [synthetic.id]);
    await scene.dropAt(sender.id, synthetic.id, sentAt, { state: "never" });
    const own = await scene.dropAt(synthetic.id, recipient.id, sentAt);
    await scene.entryAt(recipient.id, later(1));
    await scene.entryAt(synthetic.id, later(1));
    expect((await scene.run()).body.results).toEqual({
      checked: 1,
      engaged: 0,
      bonus_awarded: 0,
      badges_updated: 0,
      errors: [],
    });
    expect(await scene.drop(own)).toEqual({ engagement: "never", has_time: false, bonus_drops_awarded: 0 });
    expect((await scene.run()).body.results).toMatchObject({ checked: 0 });
    const rows = await api.query(
      "select user_id, total_drops_sent, engagement_increases from nectar.user_badges where user_id = any($1)",
      [[SYSTEM_USER, synthetic.id]],
    );
    expect(rows).toEqual(
      expect.arrayContaining([
        { user_id: SYSTEM_USER, total_drops_sent: 0, engagement_increases: 0 },
        { user_id: synthetic.id, total_drops_sent: 1, engagement_increases: 0 },
      ]),
    );
    expect(await badgeOf(sender)).toMatchObject({ total_drops_sent: 1, engagement_increases: 0 });
  });

  it("today, beside what was left of yesterday", async () => {
    await api.query(
      `insert into nectar.encouragement_allowances (user_id, date, daily_allowance, drops_used, bonus_earned)
       values ($1, (now() at time zone 'UTC')::date - 1, 5, 6, 4)`,
      [sender.id],
    );
    await scene.dropAt(sender.id, recipient.id, sentAt);
    await scene.entryAt(recipient.id, later(1));
    await scene.run();
    expect((await api.get("/api/encouragement-drops/my-drops", sender)).body).toMatchObject({
      bonus_drops_earned: 5,
      total_available: 10,
    });
  });
});

describe("the job pays once", () => {
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

  it("when it runs twice", async () => {
    const senders = await manySuccesses();
    expect((await scene.run()).body.results).toMatchObject({ engaged: 30, bonus_awarded: 60, badges_updated: 10 });
    expect((await scene.run()).body.results).toMatchObject({ checked: 0, engaged: 0, bonus_awarded: 0 });
    await expectPaidOnce(senders);
  });

  it("when four run at the same time", async () => {
    const senders = await manySuccesses();
    const runs = await Promise.all([scene.run(), scene.run(), scene.run(), scene.run()]);
    expect(runs.every(({ body }) => body.success)).toBe(true);
    expect(runs.reduce((sum, { body }) => sum + Number(body.results?.bonus_awarded ?? 0), 0)).toBe(60);
    await expectPaidOnce(senders);
  });

  it("when four go past the job's lock, straight to the database", async () => {
    const senders = await manySuccesses();
    const paid = await Promise.all(
      [1, 2, 3, 4].map(() =>
        api.query("select bonus_awarded from private.process_engagement(now(), null, null, 1000)"),
      ),
    );
    expect(paid.flat().reduce((sum, row) => sum + Number(row.bonus_awarded), 0)).toBe(60);
    await expectPaidOnce(senders);
  });

  it.each([
    ["when it ends after the first slice", 1],
    ["when it takes many slices, each of which goes on where the one before ended", 5],
  ])("%s", async (_, slices) => {
    const senders = await manySuccesses();
    const expired = await scene.dropAt(sender.id, recipient.id, later(-1_000), { windowMs: 500 });
    const waiting = await scene.dropAt(recipient.id, sender.id, sentAt);
    let [checked, engaged] = [0, 0];
    let after: unknown[] = [null, null];
    for (let n = 0; n < slices; n += 1) {
      const [done] = await api.query("select * from private.process_engagement(now(), $1, $2, 7)", after);
      expect(done?.checked).toBe(n < 4 ? 7 : 4);
      checked += Number(done?.checked);
      engaged += Number(done?.engaged);
      after = [done?.last_sender, done?.last_drop];
    }
    expect(checked).toBe(slices === 1 ? 7 : 32);
    const { results } = (await scene.run()).body;
    expect(engaged + Number(results?.engaged)).toBe(30);
    if (slices === 5) expect(results).toMatchObject({ checked: 1, engaged: 0, bonus_awarded: 0 });
    await expectPaidOnce(senders);
    expect(await scene.drop(expired)).toMatchObject({ engagement: "expired" });
    expect(await scene.drop(waiting)).toMatchObject({ engagement: "open" });
  });

  it("when it is killed in the middle", async () => {
    const senders = await manySuccesses();
    const blocked = senders.at(-1);
    if (blocked === undefined) throw new Error("There are ten senders.");
    const blocker = new pg.Client({ connectionString: api.adminUrl });
    await blocker.connect();
    try {
      // The badge of the last sender is locked, so that the slice has closed its drops and paid when the kill comes.
      await blocker.query("begin");
      await blocker.query("select from nectar.user_badges where user_id = $1 for update", [blocked.id]);
      const first = scene.run();
      await expect
        .poll(
          () => api.query("select from pg_stat_activity where wait_event_type = 'Lock' and usename = 'nectar_api'"),
          {
            timeout: 10_000,
          },
        )
        .not.toHaveLength(0);
      await api.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'nectar_api'",
      );
      expect((await first).status).toBe(503);
    } finally {
      await blocker.end();
    }
    expect(await scene.earnedToday(blocked.id)).toBe(0);
    expect((await scene.run()).body.results).toMatchObject({ engaged: 30, bonus_awarded: 60 });
    await expectPaidOnce(senders);
  });
});
