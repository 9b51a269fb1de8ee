import * as z from "zod";
import { addDays, utcDate } from "#core/time/calendar-date";
import type { TestCluster, TestDatabase } from "#local/database/test-cluster";
import { asSuperuser, tokenFor } from "#tests/people";
import { largeDatabase, smallDatabase } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { load } from "./load.ts";
import { compareLatencies } from "./load-figures.ts";
import { startServer } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

/** Has written few entries in any bench database. */
const WRITER = "00000000-0000-4000-9000-000000000010";
const OF_YEAR = 2_000;
const OF_MONTH = 150;
const PATH = "/api/journal/stats";

const Stats = z.object({ stats: z.object({ entries: z.int() }) });

/** How much longer statistics of a year take than those of a month, and those among the entries of many others. */
export async function statsFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const databases = [await smallDatabase(cluster, note), await largeDatabase(cluster, note)] as const;
  for (const database of databases) await writeYear(database);
  const [small, large] = [
    await startServer("api", environmentOf(databases[0])),
    await startServer("api", environmentOf(databases[1])),
  ];
  const token = await tokenFor({ sub: WRITER });
  const year = `${PATH}?from=${addDays(utcDate(new Date()), -364)}`;
  const loading = (url: string) => () => load(url, { connections: 1, until: { seconds: 2 }, token });
  try {
    await requireEntries(large.url + PATH, token, OF_MONTH);
    await requireEntries(large.url + year, token, OF_YEAR);
    note("statistics");
    return [
      await compareLatencies({
        name: `statistics of a year of ${OF_YEAR} entries / a month of ${OF_MONTH}, among 1,000,000`,
        bar: { atMost: 8 },
        rounds: 5,
        ours: loading(large.url + year),
        theirs: loading(large.url + PATH),
      }),
      await compareLatencies({
        name: `statistics of a month of ${OF_MONTH} entries: among 1,000,000 / among 1,000`,
        bar: { atMost: 1.3 },
        rounds: 5,
        ours: loading(large.url + PATH),
        theirs: loading(small.url + PATH),
      }),
    ];
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
}

/** Gives the writer a year of entries, the last 30 days as many as a month has. */
async function writeYear(database: TestDatabase): Promise<void> {
  await asSuperuser(database.adminUrl, async (client) => {
    await client.query("delete from nectar.journal_entries where user_id = $1", [WRITER]);
    await client.query(
      `with entry as (
         insert into nectar.journal_entries (user_id, title, mood, tags, entry_date, created_at)
         select $1, 'Entry ' || n, (array['calm', 'glad', 'tired', null])[1 + n % 4], array['day', 'tag' || n % 30], d.date, d.date
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
    await client.query("vacuum analyze");
  });
}

async function requireEntries(url: string, token: string, expected: number): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const { stats } = Stats.parse(await response.json());
  if (stats.entries !== expected) throw new Error(`${url} counts ${stats.entries} entries instead of ${expected}.`);
}
