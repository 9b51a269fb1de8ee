import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { purchasePack } from "#functions/tone-packs/access";
import type { TestDatabase } from "#local/database/test-cluster";
import { query } from "#tests/people";
import { fillPeople, personWithNumber } from "./data.ts";
import { CONNECTIONS, filledDatabase, servicesOn } from "./databases.ts";
import { alternate, type Figure, figureOf, type Run, sized } from "./figures.ts";

const SECONDS = sized(4);
const BUYERS = 80_000;
const PRICE = 5;

/**
 * How many purchases of one pack by distinct buyers the server takes in a second, against pgbench's TPC-B on the same
 * server with the same number of clients: through the transaction that the API runs, and as bare calls of the SQL function
 * that decides. Each round sells a new pack to all buyers, so that none of them owns it already.
 * @throws Error if `pgbench` is not in the PATH; it comes with PostgreSQL
 */
export async function purchaseFigures(run: Run): Promise<Figure[]> {
  run.note(`${CONNECTIONS} clients`);
  const shop = await filledDatabase(run, "shop", (client) => fillPeople(client, BUYERS, 1_000_000));
  const bank = await filledDatabase(run, "bank", async () => undefined);
  // With fewer branches than clients, TPC-B would measure how long they wait for each other.
  await pgbench(bank.adminUrl, ["--initialize", "--quiet", `--scale=${CONNECTIONS + 2}`]);
  await using services = servicesOn(shop);
  const buy = (buyer: string, packId: string) =>
    services.database.asUser(buyer, (tx) => purchasePack(tx, packId, PRICE));
  const [tpcB = [], api = [], sql = []] = await alternate(5, [
    () => pgbench(bank.adminUrl, [...RUN, "--builtin=tpcb-like"]),
    () => buyOverApi(shop, buy),
    () => buyOverSql(shop),
  ]);
  const what = "purchases by distinct buyers";
  return [
    figureOf(`${what} through the API's transaction / pgbench's TPC-B`, { atLeast: 0.35 }, api, tpcB, "a second"),
    figureOf(`${what}, the SQL function alone / pgbench's TPC-B`, { atLeast: 0.65 }, sql, tpcB, "a second"),
  ];
}

const RUN = [`--client=${CONNECTIONS}`, "--jobs=1", `--time=${SECONDS}`, "--no-vacuum"];

/** Purchases a second over a pool of connections, each buyer once. */
async function buyOverApi(
  shop: TestDatabase,
  buy: (buyer: string, packId: string) => Promise<unknown>,
): Promise<number> {
  const packId = await offerPack(shop);
  let buyers = 1;
  const from = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < from + SECONDS * 1_000) {
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
async function buyOverSql(shop: TestDatabase): Promise<number> {
  const packId = await offerPack(shop);
  const folder = await mkdtemp(join(tmpdir(), "nectar-bench-"));
  const script = join(folder, "purchase.sql");
  // The caller is set in an argument, which is evaluated before the call: planning a query around it would be measured too.
  await writeFile(
    script,
    `\\set sold :sold + 1
\\set buyer 2 + :client_id * ${Math.floor((BUYERS - 2) / CONNECTIONS)} + :sold
select private.purchase_tone_pack(
  '${packId}',
  ${PRICE} + 0 * length(
    set_config('request.jwt.claims', '{"sub":"00000000-0000-4000-9000-' || lpad(:buyer::text, 12, '0') || '"}', false)
  )
);
`,
  );
  const flags = [...RUN, "--define=sold=0", `--file=${script}`];
  const perSecond = await pgbench(shop.adminUrl, flags, "nectar_user").finally(() => rm(folder, { recursive: true }));
  await requireSales(shop, packId, 1);
  return perSecond;
}

/** Puts a new pack of the first person up for sale, after what autovacuum does: connections keep the plans for empty tables. */
async function offerPack({ adminUrl }: TestDatabase): Promise<string> {
  await query(adminUrl, "vacuum analyze");
  const [pack] = await query<{ id: string }>(
    adminUrl,
    `insert into nectar.tone_packs (owner_id, name, theme, is_public, price_drops)
     values ($1, 'Bench', 'origami', true, $2) returning id`,
    [personWithNumber(1), PRICE],
  );
  return pack?.id ?? "";
}

/** Checks that every pack was sold and paid for. */
async function requireSales({ adminUrl }: TestDatabase, packId: string, atLeast: number): Promise<void> {
  const [sales] = await query<{ sold: number; paid: number }>(
    adminUrl,
    `select (select count(*) from nectar.tone_pack_purchases where pack_id = $1)::int as sold,
       (select count(distinct user_id) from nectar.drop_transactions where item_id = $1 and amount = $2)::int as paid`,
    [packId, -PRICE],
  );
  if (sales === undefined || sales.sold < atLeast || sales.sold !== sales.paid) {
    throw new Error(`At least ${atLeast} were to be sold and paid: ${JSON.stringify(sales)}`);
  }
}

/** Runs pgbench on a database, as its superuser or as a role of ours. @returns its transactions a second */
async function pgbench(url: string, flags: readonly string[], role?: string): Promise<number> {
  const options = role === undefined ? {} : { PGOPTIONS: `-c role=${role}` };
  const child = spawn("sh", ["-c", 'exec pgbench "$@" 2>&1', "pgbench", ...flags, url], {
    env: { PATH: process.env.PATH, ...options },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = await text(child.stdout);
  const tps = /tps = ([\d.]+)/.exec(said)?.[1];
  const failed = /number of failed transactions: (\d+)/.exec(said)?.[1] ?? "0";
  const isDone = flags.includes("--initialize") ? said.includes("done in") : tps !== undefined && failed === "0";
  if (!isDone) throw new Error(`pgbench ${flags.join(" ")}: ${said}`);
  return Number(tps);
}
