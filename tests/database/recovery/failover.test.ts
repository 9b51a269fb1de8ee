import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";

const COMPARE = readFileSync(new URL("../../../docs/two-machines/compare-writes.sql", import.meta.url), "utf8");
const live = useActing();
const ada = beforeTests(() => live.person());

test("acknowledged writes without a row are lost, and two rows of one write are doubled", async () => {
  await live.admin.query("begin");
  await live.admin.query("create temporary table acknowledged (kind text, id uuid) on commit drop");
  const write = async (title: string) => {
    const { rows } = await live.admin.query<{ id: string }>(
      `insert into nectar.journal_entries (user_id, title, metadata_audience_id, content_audience_id)
       values ($1, $2, $1, $1) returning id`,
      [ada.id, title],
    );
    return rows[0]?.id;
  };
  const acknowledge = (id: string | undefined) =>
    live.admin.query("insert into acknowledged values ('entry', $1)", [id]);
  const compared = async () => (await live.admin.query(COMPARE)).rows;
  await acknowledge(await write("one"));
  await acknowledge(await write("two"));
  expect(await compared()).toEqual([{ lost: 0, doubled: 0 }]);
  await acknowledge(randomUUID());
  await write("two");
  expect(await compared()).toEqual([{ lost: 1, doubled: 1 }]);
  await live.admin.query("rollback");
});
