import { randomUUID } from "node:crypto";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../support/database.ts";
import { LONG } from "../../support/long.ts";

const urls = useDatabase();
let admin: pg.Client;
let other: pg.Client;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: urls.adminUrl });
  other = new pg.Client({ connectionString: urls.adminUrl });
  await Promise.all([admin.connect(), other.connect()]);
});
afterAll(() => Promise.all([admin.end(), other.end()]));

const ADVANCE = "select climbed from private.advance_badges($1, now())";

async function signUp(client: pg.Client): Promise<string> {
  const id = randomUUID();
  await client.query("insert into auth.users (id, email) values ($1, $2)", [id, `${id}@example.test`]);
  return id;
}

describe("levels", () => {
  const THRESHOLDS = [0, 6, 21, 51, 151, 501, 1501];
  const levelOf = (engaged: number) => THRESHOLDS.filter((threshold) => threshold <= engaged).length;
  const step = fc.record({ sent: fc.integer({ min: 0, max: 400 }), share: fc.integer({ min: 0, max: 100 }) });

  it(
    "follow from the counts, never fall, and each has one milestone",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          const id = await signUp(admin);
          let engaged = 0;
          let before = 1;
          for (const { sent, share } of steps) {
            const more = Math.floor((sent * share) / 100);
            engaged += more;
            const { rows } = await admin.query(ADVANCE, [JSON.stringify([{ user_id: id, sent, engaged: more }])]);
            const { rows: badges } = await admin.query("select level from nectar.user_badges where user_id = $1", [id]);
            const level = badges[0].level;
            expect(level).toBe(levelOf(engaged));
            expect(level).toBeGreaterThanOrEqual(before);
            expect(rows).toEqual([{ climbed: level > before }]);
            before = level;
          }
          const { rows } = await admin.query(
            "select level from nectar.badge_milestones where user_id = $1 order by level",
            [id],
          );
          expect(rows.map((row) => row.level)).toEqual(Array.from({ length: before }, (_, index) => index + 1));
        }),
        { numRuns: LONG ? 1_000 : 60 },
      );
    },
    LONG ? 600_000 : 60_000,
  );

  it("rise once, with one milestone and one notification, if two transactions pass a threshold at the same time", async () => {
    const id = await signUp(admin);
    const advance = (client: pg.Client) =>
      client.query(ADVANCE, [JSON.stringify([{ user_id: id, sent: 5, engaged: 5 }])]);
    await admin.query("begin");
    await advance(admin);
    const second = advance(other);
    await admin.query("commit");
    expect((await second).rows).toEqual([{ climbed: true }]);
    const { rows } = await admin.query(
      `select b.level, b.engagement_increases,
         (select count(*)::int from nectar.badge_milestones m where m.user_id = b.user_id) as milestones,
         (select count(*)::int from nectar.notifications n where n.user_id = b.user_id) as told
       from nectar.user_badges b where b.user_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ level: 2, engagement_increases: 10, milestones: 2, told: 1 }]);
  });
});

describe("a rank", () => {
  beforeEach(() => admin.query("delete from auth.users where id <> private.system_user_id()"));

  const index = fc.nat({ max: 30 });
  const command = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("join" as const), people: fc.integer({ min: 1, max: 8 }) }) },
    {
      weight: 8,
      // Few different values, so that ties are frequent.
      arbitrary: fc.record({
        kind: fc.constant("count" as const),
        who: index,
        sent: fc.integer({ min: 0, max: 4 }),
        missed: fc.integer({ min: 0, max: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("leave" as const), who: index }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("synthetic" as const), who: index }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("hide" as const), who: index }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("rebuild" as const), distance: fc.integer({ min: 1, max: 6 }) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("compact" as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("begin" as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("end" as const), commits: fc.boolean() }) },
  );

  it(
    "equals the count of people ahead after any history, also during an open transaction",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (history) => {
          await other.query("rollback");
          await admin.query("delete from auth.users where id <> private.system_user_id()");
          const people: string[] = [];
          let open = false;
          // Some people change in a transaction that stays open while the others go on and checkpoints are rebuilt.
          const held = new Set<string>();
          for (const one of history) {
            const who = "who" in one ? people[one.who % Math.max(people.length, 1)] : undefined;
            if (one.kind === "join") for (let n = 0; n < one.people; n += 1) people.push(await signUp(admin));
            if (one.kind === "rebuild") {
              await admin.query("select private.rebuild_leaderboard_checkpoints($1)", [one.distance]);
            }
            if (one.kind === "compact") await compact(admin);
            if (one.kind === "begin" && !open) {
              await other.query("begin");
              open = true;
            }
            if (one.kind === "end" && open) {
              await other.query(one.commits ? "commit" : "rollback");
              open = false;
              held.clear();
            }
            if (who !== undefined && one.kind === "count") {
              const inside = held.has(who) || (open && one.sent % 2 === 0);
              if (inside) held.add(who);
              await (inside ? other : admin).query(
                "update nectar.user_badges set engagement_increases = $2, total_drops_sent = $3 where user_id = $1",
                [who, one.sent, one.sent + one.missed],
              );
            }
            if (who !== undefined && !held.has(who) && one.kind === "leave") {
              await admin.query("delete from auth.users where id = $1", [who]);
              people.splice(people.indexOf(who), 1);
            }
            if (who !== undefined && !held.has(who) && one.kind === "synthetic") {
              await admin.query("update nectar.profiles set is_ai = not is_ai where id = $1", [who]);
            }
            if (who !== undefined && !held.has(who) && one.kind === "hide") {
              await admin.query(
                "update nectar.accounts set leaderboard_visible = not leaderboard_visible where user_id = $1",
                [who],
              );
            }
            expect(await wrongRanks(admin)).toEqual([]);
          }
          if (open) {
            expect(await wrongRanks(other)).toEqual([]);
            await other.query("commit");
          }
          expect(await wrongRanks(admin)).toEqual([]);
        }),
        { numRuns: LONG ? 500 : 60 },
      );
    },
    LONG ? 900_000 : 120_000,
  );

  it("is exact while people send, the log is compacted and the checkpoints are rebuilt, all at the same time", async () => {
    const people: string[] = [];
    for (let n = 0; n < 20; n += 1) people.push(await signUp(admin));
    const pool = new pg.Pool({ connectionString: urls.adminUrl, max: 4 });
    try {
      const send = async (offset: number) => {
        for (let n = 0; n < 60; n += 1) {
          const change = {
            user_id: people[(n * 7 + offset) % people.length],
            sent: 1,
            engaged: n % 3 === 0 ? 1 : 0,
          };
          await pool.query(ADVANCE, [JSON.stringify([change])]);
        }
      };
      const rebuild = async () => {
        for (let n = 0; n < 25; n += 1) await pool.query("select private.rebuild_leaderboard_checkpoints(3)");
      };
      const look = async () => {
        for (let n = 0; n < 40; n += 1) expect(await wrongRanks(admin)).toEqual([]);
      };
      const compactOften = async () => {
        for (let n = 0; n < 40; n += 1) await compact(pool);
      };
      await Promise.all([send(0), send(5), rebuild(), compactOften(), look()]);
      expect(await wrongRanks(admin)).toEqual([]);
    } finally {
      await pool.end();
    }
  });

  it("is rebuilt without losing changes of an open transaction", async () => {
    const [ada, bob] = [await signUp(admin), await signUp(admin)];
    await admin.query("select private.rebuild_leaderboard_checkpoints()");
    const send = "update nectar.user_badges set total_drops_sent = total_drops_sent + 1 where user_id = $1";
    await admin.query(send, [ada]);
    await other.query("begin");
    await other.query(send, [bob]);
    await admin.query("select private.rebuild_leaderboard_checkpoints()");
    await other.query("commit");
    const { rows } = await admin.query("select user_id from private.leaderboard_changes");
    expect(rows).toEqual([{ user_id: bob }]);
  });

  it("reads a short log, however many changes happen between two rebuilds", async () => {
    const ids = await signUpMany(500);
    // Something to rebuild for, also when so many newcomers had the checkpoints stored just now.
    await admin.query("insert into private.leaderboard_changes (user_id) values (gen_random_uuid())");
    await admin.query("select private.rebuild_leaderboard_checkpoints(8)");
    const checkpoints = "select leaderboard_key, user_id from private.leaderboard_checkpoints order by 1, 2";
    const before = await admin.query(checkpoints);
    expect(before.rows.length).toBeGreaterThan(40);
    for (let n = 0; n < 3_000; n += 1) {
      await admin.query(
        "update nectar.user_badges set engagement_increases = engagement_increases + 1 where user_id = $1",
        [ids[(n * 37) % ids.length]],
      );
    }
    // Not rebuilt, but up to date all the same.
    expect((await admin.query(checkpoints)).rows).toEqual(before.rows);
    const { rows } = await admin.query("select count(*)::int as length from private.leaderboard_changes");
    expect(rows[0].length).toBeLessThan(1_100);
    expect(await wrongRanks(admin)).toEqual([]);
    await admin.query("select private.rebuild_leaderboard_checkpoints(8)");
    expect((await admin.query(checkpoints)).rows).not.toEqual(before.rows);
  });
});

/** People with a hundred drops sent and no success, in one go. */
async function signUpMany(people: number): Promise<string[]> {
  await admin.query(
    "insert into auth.users (id, email) select gen_random_uuid(), n || '@example.test' from generate_series(1, $1::int) n",
    [people],
  );
  const { rows } = await admin.query<{ user_id: string }>(
    "update nectar.user_badges set total_drops_sent = 100 where not is_ai returning user_id",
  );
  return rows.map((row) => row.user_id);
}

/** Compacts the log into any number of checkpoints; the default minimum is for speed. */
async function compact(client: pg.Client | pg.Pool) {
  await client.query("select private.compact_leaderboard_changes(0)");
}

/** Whose rank is not the one that counting gives, as one connection sees the world; in one statement, so in one snapshot. */
async function wrongRanks(client: pg.Client) {
  const { rows } = await client.query(
    `select b.user_id, private.leaderboard_rank(b.user_id) as rank, counted.rank as counted
     from nectar.user_badges b
     left join (
       select user_id, rank() over (
         order by engagement_increases desc, success_rate desc, total_drops_sent desc, user_id
       ) as rank
       from nectar.user_badges join nectar.accounts using (user_id)
       where not is_ai and leaderboard_visible and total_drops_sent > 0
     ) counted using (user_id)
     where private.leaderboard_rank(b.user_id) is distinct from counted.rank`,
  );
  return rows;
}
