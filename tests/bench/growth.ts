import * as z from "zod";
import { addDays, utcDate } from "#core/time/calendar-date";
import { encodeCursor } from "#http/response/paging";
import type { TestDatabase } from "#local/database/test-cluster";
import { query, tokenFor } from "#tests/people";
import { personWithNumber, VIEWERS } from "./data.ts";
import { environmentOf, largeDatabase, smallDatabase } from "./databases.ts";
import { compare, type Figure, type Run, sized } from "./figures.ts";
import { latencyOf } from "./load.ts";
import { type BenchServer, startServer } from "./processes.ts";

const LIST = "/api/journal?limit=20";
const STATS = "/api/journal/stats";
/** Has few entries until the statistics are measured. */
const WRITER = personWithNumber(10);
const OF_YEAR = 2_000;
const OF_MONTH = 150;

interface Servers {
  readonly small: BenchServer;
  readonly large: BenchServer;
}

/** How much slower the list is with a thousand times as many entries of others, on pages far down, and with filters. */
export function growthFigures(run: Run): Promise<Figure[]> {
  return onBoth(run, async ({ small, large }, database) => {
    const figures: Figure[] = [];
    const compareLists = async (
      name: string,
      sub: string,
      atMost: number,
      url: string,
      other: string,
      entries = 20,
    ) => {
      run.note(name);
      const token = await tokenFor({ sub });
      await requireEntries(url, token, entries);
      await requireEntries(other, token, 20);
      const [ours, theirs] = [latencyOf(url, token), latencyOf(other, token)];
      figures.push(await compare({ name, bar: { atMost }, rounds: 5, unit: "ms (p50)", ours, theirs }));
    };
    for (const [reader, sub] of [
      ["3 teams", VIEWERS.calm],
      ["500 teams", VIEWERS.busy],
    ] as const) {
      const name = `list, reader in ${reader}: 1,000,000 / 1,000 entries`;
      await compareLists(name, sub, 1.5, large.url + LIST, small.url + LIST);
    }
    const first = large.url + LIST;
    const deep = `${first}&cursor=${await cursorAtDepth(database, sized(100_000))}`;
    await compareLists("page at depth 100,000 / first page", VIEWERS.diarist, 1.2, deep, first);
    for (const [what, filter, entries, atMost] of [
      ["q, a common word", "&q=walk", 20, 4],
      ["q, a rare word", "&q=heron", 1, 5],
      ["q, a word that is nowhere", "&q=zeppelin", 0, 4],
      ["tag", "&tag=tag3", 20, 2],
      ["mood", "&mood=glad", 20, 2],
      ["tag and mood", "&tag=tag3&mood=proud", 20, 2],
    ] as const) {
      const name = `list with ${what}, reader in 500 teams, 1,000,000 entries / the list`;
      await compareLists(name, VIEWERS.busy, atMost, first + filter, first, sized(entries, 0));
    }
    return figures;
  });
}

/** How much longer statistics of a year take than those of a month, and those among the entries of many others. */
export function statsFigures(run: Run): Promise<Figure[]> {
  return onBoth(run, async ({ small, large }, ...databases) => {
    run.note("statistics");
    for (const database of databases) await writeYear(database);
    const token = await tokenFor({ sub: WRITER });
    const year = `${large.url}${STATS}?from=${addDays(utcDate(new Date()), -364)}`;
    await requireEntries(large.url + STATS, token, OF_MONTH);
    await requireEntries(year, token, OF_YEAR);
    const month = latencyOf(large.url + STATS, token);
    return [
      await compare({
        name: `statistics of a year of ${OF_YEAR} entries / a month of ${OF_MONTH}, among 1,000,000`,
        bar: { atMost: 8 },
        rounds: 5,
        ours: latencyOf(year, token),
        theirs: month,
      }),
      await compare({
        name: `statistics of a month of ${OF_MONTH} entries: among 1,000,000 / among 1,000`,
        bar: { atMost: 1.3 },
        rounds: 5,
        ours: month,
        theirs: latencyOf(small.url + STATS, token),
      }),
    ];
  });
}

async function onBoth(
  run: Run,
  work: (servers: Servers, large: TestDatabase, small: TestDatabase) => Promise<Figure[]>,
): Promise<Figure[]> {
  const [smallOne, largeOne] = [await smallDatabase(run), await largeDatabase(run)];
  await using small = await startServer("api", environmentOf(smallOne));
  await using large = await startServer("api", environmentOf(largeOne));
  return await work({ small, large }, largeOne, smallOne);
}

const Counted = z.union([
  z.object({ entries: z.array(z.unknown()).transform(({ length }) => length) }),
  z.object({ stats: z.object({ entries: z.int() }) }).transform(({ stats }) => stats),
]);

/** A page or statistics of fewer entries would be faster. */
async function requireEntries(url: string, token: string, expected: number): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const { entries } = Counted.parse(await response.json());
  if (entries < expected) throw new Error(`${url} has only ${entries} entries.`);
}

async function cursorAtDepth({ adminUrl }: TestDatabase, depth: number): Promise<string> {
  const [row] = await query<{ at: string; id: string }>(
    adminUrl,
    `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, id
     from nectar.journal_entries where user_id = $1
     order by created_at desc, id desc offset $2 limit 1`,
    [VIEWERS.diarist, depth],
  );
  if (row === undefined) throw new Error("The diarist has too few entries.");
  return encodeCursor(row);
}

/** Gives the writer a year of entries, the last 30 days as many as a month has. */
async function writeYear({ adminUrl }: TestDatabase): Promise<void> {
  await query(adminUrl, "delete from nectar.journal_entries where user_id = $1", [WRITER]);
  await query(
    adminUrl,
    `with entry as (
       insert into nectar.journal_entries (user_id, title, mood, mood_source, tags, entry_date, created_at)
       select $1, 'Entry ' || n, (array['calm', 'glad', 'tired', null])[1 + n % 4],
         case when n % 4 < 3 then 'user'::nectar.mood_source end, array['day', 'tag' || n % 30],
         d.date, d.date
       from generate_series(0, $2::int - 1) n
       cross join lateral (
         select (now() at time zone 'UTC')::date - case when n < $3 then n % 30 else 30 + n % 335 end as date
       ) d
       returning id, user_id
     )
     insert into nectar.journal_entry_contents (entry_id, user_id, content)
     select id, user_id, repeat('Along the lake and back. ', 12) from entry`,
    [WRITER, OF_YEAR, OF_MONTH],
  );
  await query(adminUrl, "vacuum analyze");
}
