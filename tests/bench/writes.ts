import type pg from "pg";
import { addDays } from "#core/time/calendar-date";
import { cloneDatabase, type TestCluster, type TestDatabase } from "#local/database/test-cluster";
import { asSuperuser, tokenFor } from "#tests/people";
import { fillWallets, personWithNumber } from "./data.ts";
import { copyDatabase } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { fillCheckIns, fillDaysBefore, fillGame } from "./game-data.ts";
import { HOT_WRITES, type HotWrite } from "./hot-writes.ts";
import { type Load, type LoadRequest, load } from "./load.ts";
import { compareRates } from "./load-figures.ts";
import { startServer } from "./processes.ts";
import { CONNECTIONS, environmentOf, type Note } from "./requests.ts";

const ROUNDS = 5;
/** So many people write in a round, each once. */
const WRITERS = 50 * CONNECTIONS;
/** Days on which everyone has played already. */
const HISTORY_DAYS = 14;

/** Compares hot writes with a bare transaction of the same writes behind node:http, without policies and triggers. */
export async function writeFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  note("filling two databases with people who write");
  const database = await cloneDatabase(cluster, "bench_writes");
  await fillWrites(database, (ROUNDS + 1) * WRITERS + 1);
  const bareDatabase = await copyDatabase(cluster, database, "bench_writes_bare");
  const api = await startServer("api", { ...environmentOf(database), S3_BUCKET: "bench" }, "./without-photo-work.ts");
  const bare = await startServer("bare", { ...environmentOf(bareDatabase), DATABASE_URL: bareDatabase.adminUrl });
  try {
    const figures: Figure[] = [];
    for (const write of HOT_WRITES) {
      const name = `${write.name} / a bare transaction of the same writes behind node:http`;
      note(name);
      const bar = { atLeast: write.atLeast };
      figures.push(
        await compareRates({
          name,
          bar,
          rounds: ROUNDS,
          ours: writing(api.url, write),
          theirs: writing(bare.url, write),
        }),
      );
      await requireSameRows(write, database, bareDatabase);
    }
    return figures;
  } finally {
    await Promise.all([api.stop(), bare.stop()]);
  }
}

/** People with a wallet, a badge, two weeks of the game behind them and a window that has been open for an hour. They may send many drops a day. */
async function fillWrites({ adminUrl }: TestDatabase, people: number): Promise<void> {
  await fillWallets(adminUrl, people, 50);
  const opened = new Date(Date.now() - 3_600_000).toISOString();
  await asSuperuser(adminUrl, async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query(
      `create temp table people as
       select id, row_number() over (order by id) as n from nectar.profiles where id <> private.system_user_id()`,
    );
    await client.query("insert into nectar.user_badges (user_id) select id from people");
    await client.query("update nectar.encouragement_config set daily_allowance = 100, max_custom_drops_per_day = 100");
    const date = opened.slice(0, 10);
    await fillGame(client, { date, start: opened.slice(11, 16) });
    // For empty tables PostgreSQL makes plans that read them as a whole, and keeps them.
    await fillDaysBefore(client, HISTORY_DAYS);
    await fillCheckIns(client, addDays(date, -1));
    await fillDrops(client, addDays(date, -2));
    await client.query("set session_replication_role = origin");
    await client.query("vacuum analyze");
  });
}

/** A drop of each person to the next one on a day, with its allowance and its notification. */
async function fillDrops(client: pg.Client, day: string): Promise<void> {
  await client.query(
    `insert into nectar.encouragement_drops
       (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until, engagement)
     select p.id, r.id, 'Well done', true, $1::date, $1::date, $1::date + 1, 'expired'
     from people p join people r on r.n = p.n + 1`,
    [day],
  );
  await client.query(
    `insert into nectar.encouragement_allowances (user_id, date, daily_allowance, drops_used, custom_drops_used)
     select sender_id, date_sent, 5, 1, 1 from nectar.encouragement_drops`,
  );
  await client.query(
    `insert into nectar.notifications (user_id, type, created_at)
     select recipient_id, 'drop_received', created_at from nectar.encouragement_drops`,
  );
}

/** Each call lets the next people write. */
function writing(url: string, { path, body }: HotWrite): () => Promise<Load> {
  let first = 1;
  return async () => {
    const requests = await Promise.all(
      Array.from({ length: WRITERS }, async (_, index): Promise<LoadRequest> => {
        const { type, bytes } = await body(first + index);
        const token = await tokenFor({ sub: personWithNumber(first + index) });
        const headers = { authorization: `Bearer ${token}`, "content-type": type };
        return { method: "POST", path, headers, body: bytes };
      }),
    );
    first += WRITERS;
    const share = WRITERS / CONNECTIONS;
    return load(url + path, {
      connections: CONNECTIONS,
      until: { requests: WRITERS },
      requestsOf: (connection) => requests.slice(connection * share, (connection + 1) * share),
    });
  };
}

async function requireSameRows(write: HotWrite, ...databases: readonly TestDatabase[]): Promise<void> {
  const counts = await Promise.all(
    databases.map(({ adminUrl }) =>
      asSuperuser(adminUrl, async (client) => {
        const columns = write.tables.map((table) => `(select count(*) from ${table}) as "${table}"`);
        return JSON.stringify((await client.query(`select ${columns.join()}`)).rows);
      }),
    ),
  );
  if (new Set(counts).size > 1) throw new Error(`${write.name} wrote other rows than the bare side: ${counts.join()}`);
}
