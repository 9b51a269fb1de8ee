import type { Tx } from "@nectar/database/database";
import { expect, it } from "vitest";
import { listEntries } from "../../../functions/journal/entries.ts";
import { EntryQuery } from "../../../functions/journal/schema.ts";
import { beforeTests } from "../../support/prepare.ts";
import { useActing } from "../support/acting.ts";
import { gatherCrowd } from "./crowd.ts";
import { explainAs } from "./explained.ts";

const acting = useActing();
/** The reader blocked someone who wrote 5,000 public entries on the last three days, and 20 others. */
const crowd = beforeTests(async () => {
  const gathered = await gatherCrowd(acting.admin);
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

it.each(["all", "public"])(
  "a page is full and reads few rows, however much a blocked author has published: scope %s",
  async (scope) => {
    const list = async (tx: Tx) => {
      const { entries } = await listEntries(tx, EntryQuery.parse({ limit: "20", scope }));
      expect(entries).toHaveLength(20);
      expect(entries.filter((entry) => crowd.blocked.includes(entry.user_id))).toEqual([]);
    };
    const walks = await explainAs(acting.adminUrl, crowd.reader, list);
    const read = walks.filter(({ table }) => table === "journal_entries").reduce((sum, { rows }) => sum + rows, 0);
    expect(read).toBeLessThan(2_000);
  },
);

it("the newest and the oldest public entries are all but those of blocked authors, in order", async () => {
  const ids = async (first: string, last: string) => {
    const rows = await acting.run(
      { person: crowd.reader },
      `select unnest(private.${first}_visible_journal_entries('public', $1, $2, $3, 300)) as id`,
      [`${first === "newest" ? "" : "-"}infinity`, "00000000-0000-0000-0000-000000000000", last],
    );
    return rows.rows.map(({ id }) => id);
  };
  const expected = (direction: string) =>
    acting.admin.query<{ id: string }>(
      `select id from nectar.journal_entries
       where effective_metadata_visibility = 'public' and user_id <> all ($1)
       order by created_at ${direction}, id ${direction} limit 300`,
      [crowd.blocked],
    );
  expect(await ids("newest", "-infinity")).toEqual((await expected("desc")).rows.map(({ id }) => id));
  expect(await ids("oldest", "infinity")).toEqual((await expected("asc")).rows.map(({ id }) => id));
});
