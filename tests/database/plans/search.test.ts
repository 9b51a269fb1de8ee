import { describe, expect, it } from "vitest";
import type { Tx } from "#database/database";
import { listEntries } from "#functions/journal/entries";
import { EntryQuery } from "#functions/journal/schema";
import { beforeTests } from "#tests/prepare";
import { readWorld, WORLD } from "../../world/world.ts";
import { useActing } from "../support/acting.ts";
import { countPages, explainAs } from "./explained.ts";

const acting = useActing({ filling: WORLD });
/** 20,000 entries, of which the reader sees a sixth; no one else sees private ones. */
const crowd = beforeTests(async () => {
  const gathered = await readWorld(acting.admin);
  await acting.admin.query(
    `update nectar.journal_entry_contents c set content = 'A quixotic day.'
     from nectar.journal_entries e
     where e.id = c.entry_id and e.user_id <> $1 and e.effective_content_visibility = 'user' and e.title = 'Day 3'`,
    [gathered.reader],
  );
  await acting.admin.query(
    `update nectar.journal_entries set title = 'Zeppelin', tags = array['hidden tag'], mood = 'wistful', mood_source = 'ai'
     where user_id <> $1 and effective_metadata_visibility = 'user' and title = 'Day 4'`,
    [gathered.reader],
  );
  await acting.admin.query("vacuum analyze");
  return gathered;
});

/** At least so many entries contain each of the hidden words. */
const HIDDEN = 200;

/** Searches for what only hidden entries contain, beside searches as long for what no entry contains. */
const HIDDEN_AND_NOWHERE = [
  ["a word of a content", { q: "quixotic" }, { q: "quagmire" }],
  ["a word of a title", { q: "zeppelin" }, { q: "xenolith" }],
  ["a tag", { tag: ["hidden tag"] }, { tag: ["absent tag"] }],
  ["a mood", { mood: "wistful" }, { mood: "dreadful" }],
] as const;

describe("a search among 20,000 entries", () => {
  it("has hidden entries to find", async () => {
    const { rows } = await acting.admin.query(
      `select count(*) filter (where c.content like '%quixotic%')::int as contents,
         count(*) filter (where e.title = 'Zeppelin')::int as titles
       from nectar.journal_entries e join nectar.journal_entry_contents c on c.entry_id = e.id`,
    );
    expect(rows[0].contents).toBeGreaterThan(HIDDEN);
    expect(rows[0].titles).toBeGreaterThan(HIDDEN);
  });

  it.each(HIDDEN_AND_NOWHERE)(
    "%s: costs the same if only hidden entries have it as if none has",
    async (_, hidden, nowhere) => {
      const [ofHidden, ofNowhere] = [search(hidden), search(nowhere)];
      // The first run of each reads catalogs and fills caches.
      for (const work of [ofHidden, ofNowhere]) await countPages(acting.adminUrl, crowd.reader, work);
      expect(await explainAs(acting.adminUrl, crowd.reader, ofHidden)).toEqual(
        await explainAs(acting.adminUrl, crowd.reader, ofNowhere),
      );
      const difference = async () =>
        (await countPages(acting.adminUrl, crowd.reader, ofHidden)) -
        (await countPages(acting.adminUrl, crowd.reader, ofNowhere));
      // The keys of two words are in different parts of the index, which may cost a page more or less for some of them.
      // Polled, because autovacuum may change in between which pages need not be read.
      await expect.poll(async () => Math.abs(await difference())).toBeLessThan(HIDDEN / 10);
    },
  );

  it.each(HIDDEN_AND_NOWHERE)("%s: is looked up instead of walking through all visible entries", async (_, hidden) => {
    const walks = await explainAs(acting.adminUrl, crowd.reader, search(hidden));
    expect(walks.filter(({ table, index }) => index === null && table.startsWith("journal"))).toEqual([]);
    expect(walks.map(({ index }) => index)).toContain("journal_entries_search");
    const read = walks.filter(({ table }) => table.startsWith("journal")).reduce((sum, { rows }) => sum + rows, 0);
    expect(read).toBeLessThan(1_000);
  });
});

function search(query: Readonly<Record<string, string | readonly string[]>>) {
  return async (tx: Tx) => {
    expect(await listEntries(tx, EntryQuery.parse({ limit: "20", ...query }))).toMatchObject({ entries: [] });
  };
}
