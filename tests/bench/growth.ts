import * as z from "zod";
import { addDays, utcDate } from "#core/time/calendar-date";
import { encodeCursor } from "#http/response/paging";
import type { TestDatabase } from "#local/database/test-cluster";
import { query, tokenFor } from "#tests/people";
import { personWithNumber, VIEWERS } from "./data.ts";
import { environmentOf, largeDatabase, smallDatabase } from "./databases.ts";
import { alternate, type Figure, figureOf, type Run, sized } from "./figures.ts";
import { LIST } from "./hot-reads.ts";
import { reading } from "./load.ts";
import { type BenchServer, startServer } from "./processes.ts";

const STATS = "/api/journal/stats";
/** Has few entries until the statistics are measured. */
const WRITER = personWithNumber(10);
const OF_YEAR = 2_000;
const OF_MONTH = 150;

/** A path that someone reads from a server. */
interface Read {
  readonly server: BenchServer;
  readonly path: string;
  readonly sub: string;
  /** A page or statistics of fewer entries would be faster. */
  readonly entries: number;
}

/** How much slower the list is among a thousand times as many, on pages far down, and with filters. */
export async function growthFigures(run: Run): Promise<Figure[]> {
  const { path } = LIST;
  const database = await largeDatabase(run);
  await using small = await startServer("api", environmentOf(await smallDatabase(run)));
  await using large = await startServer("api", environmentOf(database));
  const list = (server: BenchServer, sub: string): Read => ({ server, path, sub, entries: 20 });
  const figures: Figure[] = [];
  for (const [reader, sub] of [
    ["3 teams", VIEWERS.calm],
    ["500 teams", VIEWERS.busy],
  ] as const) {
    const name = `list, reader in ${reader}: 1,000,000 / 1,000 entries`;
    figures.push(await compare(run, name, 1.5, list(large, sub), list(small, sub)));
  }
  const first = list(large, VIEWERS.diarist);
  const deep = { ...first, path: `${path}&cursor=${await cursorAtDepth(database, sized(100_000))}` };
  figures.push(await compare(run, "page at depth 100,000 / first page", 1.2, deep, first));
  const plain = list(large, VIEWERS.busy);
  for (const [what, filter, entries, atMost] of [
    ["q, a common word", "&q=walk", 20, 4],
    ["q, a rare word", "&q=heron", 1, 5],
    ["q, a word that is nowhere", "&q=zeppelin", 0, 4],
    ["tag and mood", "&tag=tag3&mood=proud", 20, 2],
  ] as const) {
    const name = `list with ${what}, reader in 500 teams, 1,000,000 entries / the list`;
    const filtered = { ...plain, path: path + filter, entries: sized(entries, 0) };
    figures.push(await compare(run, name, atMost, filtered, plain));
  }
  return figures;
}

/** How much longer statistics of a year take than those of a month, and those among the entries of many others. */
export async function statsFigures(run: Run): Promise<Figure[]> {
  const databases = [await smallDatabase(run), await largeDatabase(run)] as const;
  for (const database of databases) await writeYear(database);
  await using small = await startServer("api", environmentOf(databases[0]));
  await using large = await startServer("api", environmentOf(databases[1]));
  const month = { server: large, path: STATS, sub: WRITER, entries: OF_MONTH };
  const year = { ...month, path: `${STATS}?from=${addDays(utcDate(new Date()), -364)}`, entries: OF_YEAR };
  const what = `statistics of a month of ${OF_MONTH} entries`;
  return [
    await compare(run, `statistics of a year of ${OF_YEAR} entries / ${what}, among 1,000,000`, 12, year, month),
    await compare(run, `${what}: among 1,000,000 / among 1,000`, 1.3, month, { ...month, server: small }),
  ];
}

async function compare(run: Run, name: string, atMost: number, ours: Read, theirs: Read): Promise<Figure> {
  run.note(name);
  const sides = [];
  for (const { server, path, sub, entries } of [ours, theirs]) {
    const token = await tokenFor({ sub });
    await requireEntries(server.url + path, token, entries);
    sides.push(async () => (await reading(server.url, path, token)).p50);
  }
  const [one, other] = await alternate(sides);
  return figureOf(name, { atMost }, one, other, "ms (p50)");
}

const Counted = z.union([
  z.object({ entries: z.array(z.unknown()).transform(({ length }) => length) }),
  z.object({ stats: z.object({ entries: z.int() }) }).transform(({ stats }) => stats),
]);

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
