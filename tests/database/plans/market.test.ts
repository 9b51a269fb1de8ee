import type pg from "pg";
import { describe, expect, it } from "vitest";
import type { Tx } from "#database/database";
import { listBackgrounds } from "#functions/assistant/tones/backgrounds";
import { BackgroundQuery } from "#functions/assistant/tones/schema";
import { listPacks, readActivePack, readPack } from "#functions/tone-packs/packs";
import { PageQuery } from "#http/response/paging";
import { supabaseImages } from "#providers/public-images";
import { beforeTests } from "#tests/prepare";
import { readWorld, WORLD } from "../../world/world.ts";
import { useActing } from "../support/acting.ts";
import { resetReadCounts } from "../support/read-counts.ts";
import { explainAs } from "./explained.ts";

const acting = useActing({ filling: WORLD });
const store = supabaseImages({ supabaseUrl: "http://127.0.0.1:9", secretKey: "none" });
const market = beforeTests(() => readWorld(acting.admin));

/** How many rows of a table a page of 20 may read. */
const FEW = 300;

/** Tables that are large here, so that the planner has a choice and a walk through all of them is a mistake. */
const LARGE = [
  "drop_transactions",
  "accounts",
  "entry_backgrounds",
  "journal_entries",
  "journal_entry_contents",
  "tone_packs",
  "tone_pack_images",
  "tone_pack_shares",
  "tone_pack_purchases",
];

const LISTS: readonly [name: string, work: (tx: Tx) => Promise<unknown>, indexes: readonly string[]][] = [
  ["the background of an entry", backgroundOf, ["entry_backgrounds_one_per_entry"]],
  ["tone packs", (tx) => packs(tx), ["tone_packs_own", "tone_packs_public"]],
  ["tone packs far down", nextPacks, ["tone_packs_public"]],
  ["one tone pack", (tx) => readPack(tx, store, market.reader, market.pack), []],
  ["the active tone pack", (tx) => readActivePack(tx, store, market.reader, "calm"), []],
];

describe("with the money, pictures and packs of 2,000 people", () => {
  it.each(LISTS)("%s: reads no large table as a whole, and few rows", async (_, work, indexes) => {
    const walks = await explainAs(acting.adminUrl, market.reader, work);
    expect(walks.filter(({ table, index }) => index === null && LARGE.includes(table))).toEqual([]);
    for (const table of new Set(walks.map((walk) => walk.table))) {
      const rows = walks.filter((walk) => walk.table === table).reduce((sum, walk) => sum + walk.rows, 0);
      expect(rows, `rows of ${table}`).toBeLessThan(FEW);
    }
    expect(walks.map(({ index }) => index)).toEqual(expect.arrayContaining([...indexes]));
  });

  it("no list of the reader is empty", async () => {
    await explainAs(acting.adminUrl, market.reader, async (tx) => {
      expect((await backgroundOf(tx)).rows).toHaveLength(1);
      const sections = await packs(tx);
      expect([sections.own, sections.purchased, sections.shared, sections.public].map((part) => part.length)).toEqual([
        4, 2, 1, 20,
      ]);
      expect(sections.public[0]?.images).toHaveLength(2);
      expect((await readActivePack(tx, store, market.reader, "calm")).image_url).toContain("calm");
    });
  });
});

function backgroundOf(tx: Tx) {
  return listBackgrounds(tx, market.reader, BackgroundQuery.parse({ entry_id: market.entry }));
}

function packs(tx: Tx, cursor?: string) {
  return listPacks(
    tx,
    store,
    market.reader,
    PageQuery.parse({ limit: "20", ...(cursor === undefined ? {} : { cursor }) }),
  );
}

async function nextPacks(tx: Tx) {
  const first = await packs(tx);
  expect(first.next_cursor).not.toBeNull();
  return packs(tx, first.next_cursor ?? "");
}

it("the award of a new month looks each person up, although statistics do not know the month", async () => {
  const award = async (month: string) => {
    for (let last: string | null = null, seen = 500; seen === 500; ) {
      const { rows }: pg.QueryResult<{ last_user: string; seen: number }> = await acting.admin.query(
        "select * from private.award_monthly_batch($1, $2, 500)",
        [month, last],
      );
      last = rows[0]?.last_user ?? null;
      seen = rows[0]?.seen ?? 0;
    }
  };
  await award("2027-01-01");
  await acting.admin.query("vacuum analyze");
  await resetReadCounts(acting.admin);
  await acting.admin.query("begin");
  await award("2027-02-01");
  await award("2027-02-01");
  const { rows } = await acting.admin.query(
    `select relname, seq_tup_read::int as walked, idx_tup_fetch::int as looked_up from pg_stat_xact_user_tables
     where relname in ('monthly_drop_awards', 'drop_transactions') order by relname desc`,
  );
  await acting.admin.query("rollback");
  expect(rows).toEqual([
    { relname: "monthly_drop_awards", walked: 0, looked_up: expect.toSatisfy((n: number) => n <= 6_000) },
    { relname: "drop_transactions", walked: 0, looked_up: expect.toSatisfy((n: number) => n <= 6_000) },
  ]);
});
