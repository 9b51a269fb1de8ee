import type pg from "pg";
import { addDays } from "#core/time/calendar-date";
import { cloneDatabase, type TestDatabase } from "#local/database/test-cluster";
import { query, tokenFor } from "#tests/people";
import { fillEntries, fillGame, personWithNumber } from "./data.ts";
import { CONNECTIONS, environmentOf, filledDatabase } from "./databases.ts";
import { alternate, type Figure, figureOf, type Run, sized } from "./figures.ts";
import { HOT_WRITES, type HotWrite, newEntry, TEAMS, teamOf } from "./hot-writes.ts";
import { type LoadOptions, type LoadRequest, load } from "./load.ts";
import { startServer } from "./processes.ts";

const ROUNDS = 5;
/** So many people write in a round, each once. */
const WRITERS = sized(30, 10) * CONNECTIONS;
const ENTRIES = sized(100_000);
/** What people read before they write. */
const READ = "/api/drops/balance";
/** Days on which everyone has played already: for empty tables PostgreSQL makes plans that read them as a whole. */
const HISTORY_DAYS = 14;

/** The table of the smallest service that stores an entry, with four indexes. */
const ONE_TABLE = `
  create table public.bare_entries (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    title text not null,
    content text not null,
    mood text,
    tags text[] not null default '{}',
    created_at timestamptz not null default now()
  );
  create index on public.bare_entries (user_id, created_at desc, id desc);
  create index on public.bare_entries (created_at desc, id desc);
  create index on public.bare_entries (user_id, mood);
  insert into public.bare_entries (user_id, title, content, mood, tags, created_at)
  select e.user_id, e.title, c.content, e.mood, e.tags, e.created_at
  from nectar.journal_entries e join nectar.journal_entry_contents c on c.entry_id = e.id`;

/**
 * Compares hot writes with a bare transaction of the same writes behind node:http, without policies and triggers, and with
 * an insert into one table behind Fastify.
 */
export async function writeFigures(run: Run): Promise<Figure[]> {
  const database = await writersDatabase(run, (ROUNDS + 1) * WRITERS);
  const bareDatabase = await cloneDatabase({ ...run.cluster, template: database.name }, "bench_writes_bare");
  await query(bareDatabase.adminUrl, ONE_TABLE);
  const bareEnvironment = { ...environmentOf(bareDatabase), DATABASE_URL: bareDatabase.adminUrl };
  await using api = await startServer("api", { ...environmentOf(database), S3_BUCKET: "bench" }, "./no-photo-work.ts");
  await using bare = await startServer("bare", bareEnvironment);
  await using oneTable = await startServer("one table", bareEnvironment);
  const figures: Figure[] = [];
  for (const write of HOT_WRITES) {
    run.note(write.name);
    const sides = [writing(api.url, write), writing(oneTable.url, { path: "/", body: newEntry })];
    if (write.twin !== undefined) sides.push(writing(bare.url, write));
    const [ours, one, same] = await alternate(sides, ROUNDS);
    const compared = (other: string, theirs: number[] | undefined, atLeast: number) =>
      figures.push(figureOf(`${write.name} / ${other}`, { atLeast }, ours, theirs, "requests/s"));
    compared("an insert into one table with four indexes behind Fastify", one, write.ofOneTable);
    if (write.twin === undefined) continue;
    compared("a bare transaction of the same writes behind node:http", same, write.twin.atLeast);
    await requireSameRows(write.name, write.twin.tables, [database, bareDatabase]);
  }
  return figures;
}

/** A database of so many people who may write, and of their neighbors. */
export function writersDatabase(run: Run, people: number): Promise<TestDatabase> {
  return filledDatabase(run, "writes", (client) => fillWriters(client, people + 1));
}

/** People with a badge, two weeks of the game behind them and a window that has been open for an hour. They may send many drops. */
async function fillWriters(client: pg.ClientBase, people: number): Promise<void> {
  const opened = new Date(Date.now() - 3_600_000).toISOString();
  const date = opened.slice(0, 10);
  await fillEntries(client, { people, entries: ENTRIES, teams: TEAMS, diary: 0 });
  await fillGame(client, {
    date,
    start: opened.slice(11, 16),
    daysBefore: HISTORY_DAYS,
    checkedInUntil: addDays(date, -1),
  });
  await client.query(
    `insert into nectar.user_badges (user_id) select id from people;
     update nectar.encouragement_config set daily_allowance = 100, max_custom_drops_per_day = 100;
     insert into nectar.encouragement_drops
       (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until, engagement)
     select p.id, r.id, 'Well done', true, d.day, d.day, d.day + 1, 'expired'
     from people p join people r on r.n = p.n + 1 cross join (select '${addDays(date, -2)}'::date as day) d;
     insert into nectar.encouragement_allowances (user_id, date, daily_allowance, drops_used, custom_drops_used)
     select sender_id, date_sent, 5, 1, 1 from nectar.encouragement_drops;
     insert into nectar.notifications (user_id, type, created_at)
     select recipient_id, 'drop_received', created_at from nectar.encouragement_drops`,
  );
}

/** Each call lets the next people write. */
function writing(url: string, write: Pick<HotWrite, "path" | "body">): () => Promise<number> {
  let first = 1;
  return async () => {
    const requestsOf = await requestsOfWriters(write, first, WRITERS);
    first += WRITERS;
    // The service checks the signature of a token when it comes for the first time, and each person writes once.
    const requests = Array.from({ length: CONNECTIONS }, (_, connection) => requestsOf(connection)).flat();
    await Promise.all(requests.map(async ({ headers = {} }) => (await fetch(`${url}${READ}`, { headers })).text()));
    const { requestsPerSecond } = await load(url, {
      connections: CONNECTIONS,
      until: { requests: WRITERS },
      requestsOf,
    });
    return requestsPerSecond;
  };
}

/** One request of each of so many people, divided among the connections. */
export async function requestsOfWriters(
  { path, body }: Pick<HotWrite, "path" | "body">,
  first: number,
  count: number,
): Promise<LoadOptions["requestsOf"]> {
  const requests = await Promise.all(
    Array.from({ length: count }, async (_, index): Promise<LoadRequest> => {
      const content = body(first + index);
      const encoded = content instanceof FormData ? new Response(content) : Response.json(content);
      const authorization = `Bearer ${await tokenFor({ sub: personWithNumber(first + index) })}`;
      const headers = { authorization, "content-type": encoded.headers.get("content-type") ?? "" };
      const ofPerson = path.replace(":id", teamOf(first + index));
      return { method: "POST", path: ofPerson, headers, body: Buffer.from(await encoded.arrayBuffer()) };
    }),
  );
  const share = count / CONNECTIONS;
  return (connection) => requests.slice(connection * share, (connection + 1) * share);
}

async function requireSameRows(
  name: string,
  tables: readonly string[],
  databases: readonly TestDatabase[],
): Promise<void> {
  const columns = tables.map((table) => `(select count(*) from ${table}) as "${table}"`);
  const counts = await Promise.all(databases.map(({ adminUrl }) => query(adminUrl, `select ${columns.join()}`)));
  const texts = counts.map((count) => JSON.stringify(count));
  if (new Set(texts).size > 1) throw new Error(`${name} wrote other rows than the bare side: ${texts.join()}`);
}
