import { beforeAll, describe, expect, it } from "vitest";
import { readBadge } from "#functions/encouragement-drops/badges/badges";
import { readLeaderboard } from "#functions/encouragement-drops/badges/leaderboard";
import { useActing } from "../support/acting.ts";
import { explainAs } from "./explained.ts";

const acting = useActing();
let middle: string;
beforeAll(async () => {
  // Without triggers, which would sign up one after the other.
  await acting.admin.query("set session_replication_role = replica");
  await acting.admin.query(
    "create temp table people as select gen_random_uuid() as id, n from generate_series(1, 20000) n",
  );
  await acting.admin.query("insert into auth.users (id, email) select id, n || '@example.test' from people");
  await acting.admin.query("insert into nectar.profiles (id) select id from people");
  await acting.admin.query(
    "insert into nectar.user_badges (user_id, total_drops_sent) select id, 1 + n * 7919 % 300 from people",
  );
  await acting.admin.query("set session_replication_role = origin");
  await acting.admin.query("select private.count_leaderboard(now())");
  await acting.admin.query("vacuum analyze");
  // Eight ranks after a checkpoint: each row may cost a page of its own, whether the index alone will do or not.
  const { rows } = await acting.admin.query(
    "select user_id from nectar.user_badges where is_listed order by leaderboard_key, user_id offset 9968 limit 1",
  );
  middle = rows[0].user_id;
});

/** Pages of tables and indexes that a statement looks at, those of the functions that it calls included. */
async function pagesOf(statement: string): Promise<number> {
  const { rows } = await acting.admin.query(`explain (analyze, buffers, format json) ${statement}`, [middle]);
  const plan = rows[0]["QUERY PLAN"][0].Plan;
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

describe("with 20,000 badges", () => {
  it("the leaderboard reads its index in order and stops", async () => {
    const walks = await explainAs(acting.adminUrl, middle, async (tx) => {
      const { leaderboard, my_rank } = await readLeaderboard(tx, middle, { limit: 50, now: new Date() });
      expect([leaderboard.length, my_rank]).toEqual([50, 9_969]);
    });
    const badges = walks.filter(({ table }) => table === "user_badges");
    // PostgreSQL 15 reads the row after the last one as well.
    expect(badges.filter(({ index, rows }) => index === "user_badges_leaderboard" && rows >= 50)).toHaveLength(1);
    expect(badges.filter(({ index, rows }) => index === null || rows > 51)).toEqual([]);
    expect(walks.filter(({ table, index }) => table === "profiles" && index === null)).toEqual([]);
  });

  it("a badge is found by its id", async () => {
    const walks = await explainAs(acting.adminUrl, middle, (tx) => readBadge(tx, middle, new Date()));
    expect(walks.filter(({ table }) => table === "user_badges")).toEqual([
      { table: "user_badges", index: "user_badges_pkey", rows: 1 },
    ]);
  });

  it("a rank reads a few pages, where counting reads many", async () => {
    const rank = "select private.leaderboard_rank($1)";
    // The first calls plan, and from the sixth on a plan is kept for any person; whenever statistics are renewed meanwhile,
    // one of them plans again and reads the catalogue. What it takes is what the best of them took.
    const pages: number[] = [];
    for (let n = 0; n < 12; n += 1) pages.push(await pagesOf(rank));
    expect(Math.min(...pages)).toBeLessThan(30);
    const counted = `select count(*) from nectar.user_badges b where is_listed
      and (leaderboard_key, user_id) < (select m.leaderboard_key, m.user_id from nectar.user_badges m where m.user_id = $1)`;
    expect(await pagesOf(counted)).toBeGreaterThan(60);
  });
});
