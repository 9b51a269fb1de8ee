import type pg from "pg";
import * as z from "zod";
import { cloneDatabase, type TestCluster, type TestDatabase } from "#local/database/test-cluster";
import { asSuperuser, tokenFor } from "#tests/people";
import { fillPeople } from "./data.ts";
import type { Figure } from "./figures.ts";
import { load } from "./load.ts";
import { compareLatencies } from "./load-figures.ts";
import { type BenchServer, startServer } from "./processes.ts";
import { environmentOf } from "./requests.ts";

type Note = (what: string) => void;
const ROOM = "/api/encouragement-drops";

/** How much slower badges are read with a thousand times as many users. */
export async function badgeFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const databases: TestDatabase[] = [];
  for (const people of [1_000, 1_000_000]) {
    note(`filling a database with the badges of ${people.toLocaleString("en")} people`);
    const database = await cloneDatabase(cluster, `bench_badges_${people}`);
    await asSuperuser(database.adminUrl, (client) => fillBadges(client, people));
    databases.push(database);
  }
  const [small, large] = databases;
  if (small === undefined || large === undefined) throw new Error("Two databases are compared.");
  const onSmall = await startServer("api", environmentOf(small));
  const onLarge = await startServer("api", environmentOf(large));
  try {
    const figures: Figure[] = [];
    for (const [what, path] of [
      ["leaderboard with my_rank", `${ROOM}/leaderboard`],
      ["badge", `${ROOM}/badge`],
    ] as const) {
      const name = `${what}: 1,000,000 / 1,000 badges`;
      note(name);
      figures.push(
        await compareLatencies({
          name,
          bar: { atMost: 1.5 },
          rounds: 7,
          ours: await reader(onLarge, large, path),
          theirs: await reader(onSmall, small, path),
        }),
      );
    }
    return figures;
  } finally {
    await Promise.all([onSmall.stop(), onLarge.stop()]);
  }
}

/** Loads a page as the user in the middle of the leaderboard, whose rank takes the most work. */
async function reader(server: BenchServer, database: TestDatabase, path: string) {
  const { rows } = await asSuperuser(database.adminUrl, (client) =>
    client.query(
      `select user_id as sub from nectar.user_badges where is_listed order by leaderboard_key, user_id
       offset (select count(*) / 2 from nectar.user_badges where is_listed) limit 1`,
    ),
  );
  const token = await tokenFor(z.object({ sub: z.string() }).parse(rows[0]));
  return () => load(server.url + path, { connections: 1, until: { seconds: 2 }, token });
}

async function fillBadges(client: pg.Client, people: number): Promise<void> {
  await fillPeople(client, people);
  // One of twenty users has sent nothing; the success rates of the others are between 0 and 1.
  await client.query(
    `insert into nectar.user_badges (user_id, level, total_drops_sent, engagement_increases)
     select id, 1, sent, sent * (n * 31 % 101) / 100
     from people cross join lateral (select (n::bigint * 7919 % 300)::int * (case when n % 20 = 0 then 0 else 1 end) as sent) counts`,
  );
  await client.query("select private.count_leaderboard(now())");
  await client.query("set session_replication_role = origin");
  await client.query("vacuum analyze");
}
