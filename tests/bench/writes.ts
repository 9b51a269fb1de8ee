import type pg from "pg";
import { addDays } from "#core/time/calendar-date";
import type { TestDatabase } from "#local/database/test-cluster";
import { query, tokenFor } from "#tests/people";
import { fillEntries, personWithNumber } from "./data.ts";
import { CONNECTIONS, environmentOf, filledDatabase, onCopy } from "./databases.ts";
import { alternate, type Figure, figureOf, type Run, sized } from "./figures.ts";
import { fillGame } from "./game-data.ts";
import { HOT_WRITES, type HotWrite, newEntry, TEAMS, teamOf } from "./hot-writes.ts";
import { type LoadOptions, type LoadRequest, load } from "./load.ts";
import { ONE_TABLE } from "./one-table.ts";
import { startServer } from "./processes.ts";

const ROUNDS = 7;
/** So many people write in a round, each once. */
const WRITERS = sized(30, 10) * CONNECTIONS;
const ENTRIES = sized(100_000);
/** What people read before they write. */
const READ = "/api/drops/balance";
/** Days on which everyone has played already: for empty tables PostgreSQL makes plans that read them as a whole. */
const HISTORY_DAYS = 14;

/**
 * Compares hot writes with a bare transaction of the same writes behind node:http, without policies and triggers, and with
 * an insert into one table behind Fastify.
 */
export async function writeFigures(run: Run): Promise<Figure[]> {
  const database = await writersDatabase(run, (ROUNDS + 1) * WRITERS);
  return onCopy(run, database, async (bareDatabase) => {
    await query(bareDatabase.adminUrl, ONE_TABLE);
    const bareEnvironment = { ...environmentOf(bareDatabase), DATABASE_URL: bareDatabase.adminUrl };
    await using api = await startServer(
      "api",
      { ...environmentOf(database), S3_BUCKET: "bench" },
      "./no-photo-work.ts",
    );
    await using bare = await startServer("bare", bareEnvironment);
    await using oneTable = await startServer("one table", bareEnvironment);
    const figures: Figure[] = [];
    for (const write of HOT_WRITES) {
      run.note(write.name);
      const [ours = [], same = [], one = []] = await alternate(ROUNDS, [
        writing(api.url, write),
        writing(bare.url, write),
        writing(oneTable.url, { ...write, path: "/", body: newEntry }),
      ]);
      const compared = (other: string, atLeast: number, theirs: readonly number[]) =>
        figureOf(`${write.name} / ${other}`, { atLeast }, ours, theirs, "requests/s");
      figures.push(
        compared("a bare transaction of the same writes behind node:http", write.atLeast, same),
        compared("an insert into one table with four indexes behind Fastify", 0.35, one),
      );
      await requireSameRows(write, database, bareDatabase);
    }
    return figures;
  });
}

/** A database of so many people who may write, and of their neighbors. */
export function writersDatabase(run: Run, people: number): Promise<TestDatabase> {
  run.note("filling a database with people who write");
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

async function requireSameRows({ name, tables }: HotWrite, ...databases: readonly TestDatabase[]): Promise<void> {
  const columns = tables.map((table) => `(select count(*) from ${table}) as "${table}"`);
  const counts = await Promise.all(databases.map(({ adminUrl }) => query(adminUrl, `select ${columns.join()}`)));
  const texts = counts.map((count) => JSON.stringify(count));
  if (new Set(texts).size > 1) throw new Error(`${name} wrote other rows than the bare side: ${texts.join()}`);
}
