import { withConnection } from "@nectar/local/connection";
import { checkFiles, checkLedger, checkReferences, FILE_OWNERS } from "@nectar/recovery/checks";
import { findDrift } from "@nectar/recovery/drift";
import { expect, test } from "vitest";
import { useDatabase } from "../../support/database.ts";
import { beforeTests } from "../../support/prepare.ts";
import { useActing } from "../support/acting.ts";

const live = useActing();
const fresh = useDatabase();
const ada = beforeTests(() => live.person());

test("a database in order has no problems", async () => {
  expect(await checkLedger(live.admin)).toEqual([]);
  expect(await checkReferences(live.admin)).toEqual([]);
  expect(await checkFiles(live.admin, "private", [], [])).toEqual([]);
});

test("a balance that is not the sum of its movements is found", async () => {
  await live.admin.query("begin");
  await live.admin.query("update nectar.accounts set drops_balance = drops_balance + 1 where user_id = $1", [ada.id]);
  expect(await checkLedger(live.admin)).toEqual([`The balance of account ${ada.id} is not the sum of its movements.`]);
  await live.admin.query("rollback");
});

test("rows that refer to nothing are counted", async () => {
  await live.admin.query("begin; set local session_replication_role = replica");
  await live.admin.query("delete from nectar.profiles where id = $1", [ada.id]);
  expect(await checkReferences(live.admin)).toContain("1 rows refer to nothing (accounts_user_id_fkey).");
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

test("objects that the migrations do not make, or make otherwise, are named", () =>
  withConnection(fresh.adminUrl, async (migrated) => {
    await live.admin.query("begin");
    expect(await findDrift(live.admin, migrated)).toEqual([]);
    await live.admin.query(`
      create index by_hand on nectar.profiles (avatar_url);
      alter table nectar.accounts alter column timezone set default 'CET';
      create type private.by_hand as enum ('one');
      create sequence private.by_hand_seq;
      drop policy "a person sees their own account" on nectar.accounts;
      grant select on nectar.user_roles to public`);
    expect(await findDrift(live.admin, migrated)).toEqual([
      "The column nectar.accounts.timezone is not as the migrations make it.",
      "The database has the index nectar.by_hand, which the migrations do not make.",
      "The database lacks the policy a person sees their own account on nectar.accounts.",
      "The database has the sequence private.by_hand_seq, which the migrations do not make.",
      "The table nectar.user_roles is not as the migrations make it.",
      "The database has the type private.by_hand, which the migrations do not make.",
    ]);
    await live.admin.query("rollback");
  }));
