import { expect, it } from "vitest";
import type { Tx } from "#database/database";
import { listEntries } from "#functions/journal/entries";
import { EntryQuery } from "#functions/journal/schema";
import { beforeTests } from "#tests/prepare";
import { readWorld, WORLD } from "../../world/world.ts";
import { useActing } from "../support/acting.ts";
import { explainAs } from "./explained.ts";

const acting = useActing({ filling: WORLD });
/** The reader blocked someone who wrote 5,000 public entries on the last three days, and 20 others. */
const crowd = beforeTests(async () => {
  const gathered = await readWorld(acting.admin);
  const { rows } = await acting.admin.query<{ id: string }>(
    `insert into nectar.blocks (user_id, blocked_id)
     select $1, id from (select id from nectar.profiles where id <> $1 and not is_ai order by id limit 21) p
     returning blocked_id as id`,
    [gathered.reader],
  );
  const blocked = rows.map(({ id }) => id);
  await acting.admin.query(
    `insert into nectar.journal_entries (user_id, title, metadata_visibility, content_visibility, created_at)
     select $1, 'Much', 'public', 'public', now() + n * interval '50 seconds' from generate_series(1, 5000) n`,
    [blocked[0]],
  );
  await acting.admin.query("vacuum analyze");
  return { ...gathered, blocked };
});

it.each([
  ["all", "-created_at"],
  ["public", "-created_at"],
  ["public", "-entry_date"],
])(
  "a page is full and reads few rows, however much a blocked author has published: scope %s, sort %s",
  async (scope, sort) => {
    const list = async (tx: Tx) => {
      const { entries } = await listEntries(tx, EntryQuery.parse({ limit: "20", scope, sort }));
      expect(entries).toHaveLength(20);
      expect(entries.filter((entry) => crowd.blocked.includes(entry.user_id))).toEqual([]);
    };
    const walks = await explainAs(acting.adminUrl, crowd.reader, list);
    const read = walks.filter(({ table }) => table === "journal_entries").reduce((sum, { rows }) => sum + rows, 0);
    expect(read).toBeLessThan(2_000);
  },
);

it("the newest and the oldest public entries are all but those of blocked authors, in order", async () => {
  expect(await publicIds("newest", ["infinity", NO_ID, "-infinity"])).toEqual(
    await expected("created_at desc, id desc"),
  );
  expect(await publicIds("oldest", ["-infinity", NO_ID, "infinity"])).toEqual(await expected("created_at, id"));
});

it("by date, the latest and the earliest public entries are all but those of blocked authors, in order", async () => {
  expect(await publicIds("latest", ["infinity", "infinity", NO_ID, "-infinity"])).toEqual(
    await expected("entry_date desc, created_at desc, id desc"),
  );
  expect(await publicIds("earliest", ["-infinity", "-infinity", NO_ID, "infinity"])).toEqual(
    await expected("entry_date, created_at, id"),
  );
});

const NO_ID = "00000000-0000-0000-0000-000000000000";

async function publicIds(first: string, bounds: readonly string[]): Promise<string[]> {
  const parameters = bounds.map((_, index) => `$${index + 1}`).join(", ");
  const { rows } = await acting.run(
    { person: crowd.reader },
    `select unnest(private.${first}_visible_journal_entries('public', ${parameters}, 300)) as id`,
    bounds,
  );
  return rows.map(({ id }) => id);
}

async function expected(order: string): Promise<string[]> {
  const { rows } = await acting.admin.query<{ id: string }>(
    `select id from nectar.journal_entries
     where effective_metadata_visibility = 'public' and user_id <> all ($1)
     order by ${order} limit 300`,
    [crowd.blocked],
  );
  return rows.map(({ id }) => id);
}
