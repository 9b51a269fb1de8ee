import { expect, test } from "vitest";
import { checkFiles, FILE_OWNERS, findBrokenReferences, findWrongBalances } from "#local/recovery/checks";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";

const live = useActing();
const ada = beforeTests(() => live.person());

test("a database in order has no problems", async () => {
  expect(await findWrongBalances(live.admin)).toEqual([]);
  expect(await findBrokenReferences(live.admin)).toEqual([]);
  expect(await checkFiles(live.admin, "private", [], [])).toEqual([]);
});

test("a balance that is not the sum of its movements is found", async () => {
  await live.admin.query("begin");
  await live.admin.query("update nectar.accounts set drops_balance = drops_balance + 1 where user_id = $1", [ada.id]);
  expect(await findWrongBalances(live.admin)).toEqual([
    `The balance of account ${ada.id} is not the sum of its movements.`,
  ]);
  await live.admin.query("rollback");
});

test("rows that refer to nothing are counted", async () => {
  await live.admin.query("begin; set local session_replication_role = replica");
  await live.admin.query("delete from nectar.profiles where id = $1", [ada.id]);
  expect(await findBrokenReferences(live.admin)).toContain("1 rows refer to nothing (accounts_user_id_fkey).");
  await live.admin.query("rollback");
});

test("rows without a file, and files that no row owns and housekeeping will not remove, are counted", async () => {
  await live.admin.query("begin");
  await live.admin.query(
    `insert into nectar.mosaics (date, image_key, total_participants, digest, seen_at)
     values ('2026-01-01', 'mosaics/one.png', 0, '', now()), ('2026-01-02', 'mosaics/two.png', 0, '', now())`,
  );
  await live.admin.query(
    "insert into private.stored_files_to_remove values ('private', 'noted.png', now()), ('tone-packs', 'a.png', now())",
  );
  const owned = ["mosaics/one.png", "mosaics/two.png"];
  const files = [...owned, "noted.png"];
  expect(await checkFiles(live.admin, "private", files, files)).toEqual([]);
  // Stored, and removed, while the rows were read.
  expect(await checkFiles(live.admin, "private", ["mosaics/one.png", "old.png"], [...files, "new.png"])).toEqual([]);
  const others = ["mosaics/one.png", "a.png", "b.png"];
  expect(await checkFiles(live.admin, "private", others, others)).toEqual([
    "1 rows have no file in the store private.",
    "2 files in the store private have no row.",
  ]);
  await live.admin.query("rollback");
});

test("every table whose rows own files is compared with the files", async () => {
  const { rows } = await live.admin.query<{ table: string }>(
    `select distinct tgrelid::regclass::text as table from pg_trigger
     where tgfoid = 'private.sync_file_of_row'::regproc`,
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { table } of rows) expect(FILE_OWNERS).toContain(table);
});
