import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "#database/database";
import { purchasePack } from "#functions/tone-packs/access";
import { cloneDatabase, type TestCluster, type TestDatabase } from "#local/database/test-cluster";
import { asSuperuser } from "#tests/people";
import { fillWallets, personWithNumber } from "./data.ts";
import type { Figure } from "./figures.ts";
import { alternate, median, medianRatio } from "./processes.ts";
import type { Note } from "./requests.ts";

const CLIENTS = 8;
const SECONDS = 4;
const ROUNDS = 5;
const BUYERS = 80_000;
const PRICE = 5;

/**
 * How many purchases of one pack by distinct buyers the server takes in a second, against pgbench's TPC-B on the same
 * server with the same number of clients: through the transaction that the API runs, and as bare calls of the SQL function
 * that decides. Each round sells a new pack to all buyers, so that none of them owns it already.
 * @throws Error if `pgbench` is not in the PATH; it comes with PostgreSQL's client programs
 */
export async function purchaseFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  note(`purchases, ${CLIENTS} clients`);
  const shop = await cloneDatabase(cluster, "bench_shop");
  await fillWallets(shop.adminUrl, BUYERS, 1_000_000);
  const bank = await cloneDatabase(cluster, "bench_bank");
  // With fewer branches than clients, TPC-B would measure how long they wait for each other.
  await pgbench(bank.adminUrl, ["--initialize", "--quiet", `--scale=${CLIENTS + 2}`]);
  const database = openDatabase({ url: shop.apiUrl, poolSize: CLIENTS });
  const folder = await mkdtemp(join(tmpdir(), "nectar-bench-"));
  try {
    const [tpcB = [], api = [], sql = []] = await alternate(ROUNDS, [
      () => pgbench(bank.adminUrl, [...RUN, "--builtin=tpcb-like"]),
      () => buyOverApi(shop, (buyer, packId) => database.asUser(buyer, (tx) => purchasePack(tx, packId, PRICE))),
      () => buyOverSql(shop, folder),
    ]);
    return [
      figure("purchases, distinct buyers, through the API's transaction / pgbench's TPC-B", api, tpcB, 0.35),
      figure("purchases, distinct buyers, the SQL function alone / pgbench's TPC-B", sql, tpcB, 0.65),
    ];
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const RUN = [`--client=${CLIENTS}`, `--jobs=1`, `--time=${SECONDS}`, "--no-vacuum"];

function figure(name: string, ours: readonly number[], theirs: readonly number[], atLeast: number): Figure {
  return {
    name,
    ratio: medianRatio(ours, theirs),
    bar: { atLeast },
    measured: `${median(ours).toFixed(0)} / ${median(theirs).toFixed(0)} a second, ${CLIENTS} clients`,
  };
}

/** Purchases a second over a pool of connections, each buyer once. */
async function buyOverApi(
  shop: TestDatabase,
  buy: (buyer: string, packId: string) => Promise<unknown>,
): Promise<number> {
  const packId = await offerPack(shop);
  let buyers = 1;
  const from = performance.now();
  const until = from + SECONDS * 1_000;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < until) {
        buyers += 1;
        await buy(personWithNumber(buyers), packId);
      }
    }),
  );
  const took = performance.now() - from;
  await requireSales(shop, packId, buyers - 1);
  return ((buyers - 1) / took) * 1_000;
}

/** Purchases a second with pgbench as the client; every client has buyers of its own. */
async function buyOverSql(shop: TestDatabase, folder: string): Promise<number> {
  const packId = await offerPack(shop);
  const script = join(folder, "purchase.sql");
  // The caller is set in an argument, which is evaluated before the call: planning a query around it would be measured too.
  await writeFile(
    script,
    `\\set sold :sold + 1
\\set buyer 2 + :client_id * ${Math.floor((BUYERS - 2) / CLIENTS)} + :sold
select private.purchase_tone_pack(
  '${packId}',
  ${PRICE} + 0 * length(
    set_config('request.jwt.claims', '{"sub":"00000000-0000-4000-9000-' || lpad(:buyer::text, 12, '0') || '"}', false)
  )
);
`,
  );
  const perSecond = await pgbench(shop.adminUrl, [...RUN, "--define=sold=0", `--file=${script}`], "nectar_user");
  await requireSales(shop, packId, 1);
  return perSecond;
}

/** Puts a new pack of the first person up for sale, after what autovacuum does: connections keep the plans for empty tables. */
function offerPack(shop: TestDatabase): Promise<string> {
  return asSuperuser(shop.adminUrl, async (client) => {
    await client.query("vacuum analyze");
    const { rows } = await client.query<{ id: string }>(
      `insert into nectar.tone_packs (owner_id, name, theme, is_public, price_drops)
       values ($1, 'Bench', 'origami', true, $2) returning id`,
      [personWithNumber(1), PRICE],
    );
    const [pack] = rows;
    if (pack === undefined) throw new Error("An insert gave no row.");
    return pack.id;
  });
}

/** Checks that every pack was sold and paid for. */
function requireSales(shop: TestDatabase, packId: string, atLeast: number): Promise<void> {
  return asSuperuser(shop.adminUrl, async (client) => {
    const { rows } = await client.query<{ sold: number; paid: number }>(
      `select (select count(*) from nectar.tone_pack_purchases where pack_id = $1)::int as sold,
              (select count(distinct user_id) from nectar.drop_transactions where item_id = $1 and amount = $2)::int as paid`,
      [packId, -PRICE],
    );
    const { sold = 0, paid = 0 } = rows[0] ?? {};
    if (sold < atLeast || sold !== paid) throw new Error(`${sold} sold and ${paid} paid of at least ${atLeast}`);
  });
}

/** Runs pgbench on a database, as its superuser or as a role of ours, and tells its transactions a second. */
async function pgbench(url: string, flags: readonly string[], role?: string): Promise<number> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const child = spawn("pgbench", flags, {
    env: {
      PATH: process.env.PATH,
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: pathname.slice(1),
      ...(role === undefined ? {} : { PGOPTIONS: `-c role=${role}` }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const failed = /number of failed transactions: (\d+)/.exec(said)?.[1] ?? "0";
  if (status !== 0 || failed !== "0") throw new Error(`pgbench ${flags.join(" ")}: ${said}`);
  return Number(/tps = ([\d.]+)/.exec(said)?.[1] ?? Number.NaN);
}
