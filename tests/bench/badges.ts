import type { TestDatabase } from "#local/database/test-cluster";
import { query, tokenFor } from "#tests/people";
import { fillPeople } from "./data.ts";
import { environmentOf, filledDatabase } from "./databases.ts";
import { compare, type Figure, type Run, sized } from "./figures.ts";
import { latencyOf } from "./load.ts";
import { startServer } from "./processes.ts";

const ROOM = "/api/encouragement-drops";

/** How much slower badges are read with a thousand times as many users. */
export async function badgeFigures(run: Run): Promise<Figure[]> {
  const small = await badgesOf(run, 1_000);
  const large = await badgesOf(run, sized(1_000_000, 1_000));
  await using onSmall = await startServer("api", environmentOf(small));
  await using onLarge = await startServer("api", environmentOf(large));
  const [few, many] = [await tokenOfMiddle(small), await tokenOfMiddle(large)];
  const figures: Figure[] = [];
  for (const [what, path] of [
    ["leaderboard with my_rank", `${ROOM}/leaderboard`],
    ["badge", `${ROOM}/badge`],
  ] as const) {
    const name = `${what}: 1,000,000 / 1,000 badges`;
    run.note(name);
    const [ours, theirs] = [latencyOf(onLarge.url + path, many), latencyOf(onSmall.url + path, few)];
    figures.push(await compare({ name, bar: { atMost: 1.5 }, rounds: 7, unit: "ms (p50)", ours, theirs }));
  }
  return figures;
}

/** One of twenty users has sent nothing; the success rates of the others are between 0 and 1. */
function badgesOf(run: Run, people: number): Promise<TestDatabase> {
  run.note(`filling a database with the badges of ${people} people`);
  return filledDatabase(run, `badges_${people}`, async (client) => {
    await fillPeople(client, people);
    await client.query(
      `insert into nectar.user_badges (user_id, level, total_drops_sent, engagement_increases)
       select id, 1, sent, sent * (n * 31 % 101) / 100
       from people
       cross join lateral (
         select (n::bigint * 7919 % 300)::int * (case when n % 20 = 0 then 0 else 1 end) as sent
       ) counts;
       select private.count_leaderboard(now())`,
    );
  });
}

/** The token of the user in the middle of the leaderboard, whose rank takes the most work. */
async function tokenOfMiddle({ adminUrl }: TestDatabase): Promise<string> {
  const [middle] = await query(
    adminUrl,
    `select user_id as sub from nectar.user_badges where is_listed order by leaderboard_key, user_id
     offset (select count(*) / 2 from nectar.user_badges where is_listed) limit 1`,
  );
  return tokenFor(middle ?? {});
}
