import { randomUUID } from "node:crypto";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openConnections } from "#local/support/connection";
import { useDatabase } from "#tests/database";
import { LONG } from "#tests/long";

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

  it("follow from the counts, never fall, and each has one milestone", async () => {
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
      { numRuns: LONG ? 1_000 : 20 },
    );
  });

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
  beforeEach(async () => {
    await other.query("rollback");
    await admin.query("delete from auth.users where id <> private.system_user_id()");
    await admin.query("delete from private.leaderboard_checkpoints");
  });

  const count = (client: pg.Client | pg.Pool, at = "now()") =>
    client.query(`select private.count_leaderboard(${at}, 3, 2)`);
  /** Few different values, so that ties are frequent. */
  const setCounts = (id: string | undefined, engaged: number, missed: number) =>
    admin.query("update nectar.user_badges set engagement_increases = $2, total_drops_sent = $3 where user_id = $1", [
      id,
      engaged,
      engaged + missed,
    ]);
  const command = fc.record({
    kind: fc.constantFrom("count", "count", "count", "leave", "synthetic", "hide"),
    who: fc.nat({ max: 30 }),
    engaged: fc.integer({ min: 0, max: 4 }),
    missed: fc.integer({ min: 0, max: 3 }),
  });

  it("equals the count of people ahead when they have been counted, after any history", () =>
    fc.assert(
      fc
        .asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (history) => {
          const people: string[] = [];
          for (let n = 0; n < 15; n += 1) people.push(await signUp(admin));
          for (const { kind, who, engaged, missed } of history) {
            const id = people[who % people.length];
            if (kind === "count") await setCounts(id, engaged, missed);
            if (kind === "leave") await admin.query("delete from auth.users where id = $1", [id]);
            if (kind === "synthetic") {
              await admin.query("update nectar.profiles set is_ai = not is_ai where id = $1", [id]);
            }
            if (kind === "hide") {
              await admin.query(
                "update nectar.accounts set leaderboard_visible = not leaderboard_visible where user_id = $1",
                [id],
              );
            }
          }
          await count(admin);
          expect(await wrongRanks(admin)).toEqual([]);
        })
        .beforeEach(() => admin.query("delete from auth.users where id <> private.system_user_id()")),
      { numRuns: LONG ? 500 : 10 },
    ));

  it("is counted now for the first ones, and as of the last count behind them", async () => {
    const people: string[] = [];
    for (let n = 0; n < 8; n += 1) people.push(await signUp(admin));
    for (const [index, id] of people.entries()) await setCounts(id, 100 - 10 * index, 0);
    await count(admin, "'2030-01-01T00:00Z'");
    const rankOf = async (index: number) =>
      (await admin.query("select rank::int, as_of from private.leaderboard_rank($1)", [people[index]])).rows[0];
    const then = new Date("2030-01-01T00:00Z");
    expect([await rankOf(2), await rankOf(3), await rankOf(4)]).toEqual([
      { rank: 3, as_of: null },
      { rank: 4, as_of: then },
      { rank: 5, as_of: then },
    ]);
    // The last one overtakes all others, and the one before falls behind.
    await setCounts(people[7], 200, 0);
    await setCounts(people[6], 1, 0);
    expect([await rankOf(7), await rankOf(2), await rankOf(4), await rankOf(6)]).toEqual([
      { rank: 1, as_of: null },
      { rank: 4, as_of: null },
      { rank: 5, as_of: then },
      { rank: 8, as_of: then },
    ]);
    await count(admin, "'2030-01-01T00:04Z'");
    expect([await rankOf(4), await rankOf(6)]).toEqual([
      { rank: 6, as_of: new Date("2030-01-01T00:04Z") },
      { rank: 8, as_of: new Date("2030-01-01T00:04Z") },
    ]);
    expect(await wrongRanks(admin)).toEqual([]);
  });

  it("is there while the leaderboard is counted by several at once", async () => {
    const people: string[] = [];
    for (let n = 0; n < 20; n += 1) people.push(await signUp(admin));
    for (const [index, id] of people.entries()) await setCounts(id, index % 5, 1);
    const pool = openConnections(urls.adminUrl, { max: 4 });
    try {
      const counting = Array.from({ length: 40 }, () => count(pool));
      for (let n = 0; n < 10; n += 1) expect(await wrongRanks(admin)).toEqual([]);
      await Promise.all(counting);
    } finally {
      await pool.end();
    }
  });
});

/** Whose rank is not the one that counting gives. */
async function wrongRanks(client: pg.Client) {
  const { rows } = await client.query(
    `select b.user_id, mine.rank, counted.rank as counted
     from nectar.user_badges b
     cross join private.leaderboard_rank(b.user_id) mine
     left join (
       select user_id, rank() over (
         order by engagement_increases desc, success_rate desc, total_drops_sent desc, user_id
       ) as rank
       from nectar.user_badges join nectar.accounts using (user_id)
       where not is_ai and leaderboard_visible and total_drops_sent > 0
     ) counted using (user_id)
     where mine.rank is distinct from counted.rank`,
  );
  return rows;
}
