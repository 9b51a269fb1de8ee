import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { compareWrites } from "#local/failover/checks";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";

const live = useActing();
const ada = beforeTests(() => live.person());

test("acknowledged writes without a row are lost, and two rows of one write are doubled", async () => {
  await live.admin.query("begin");
  const write = async (title: string) => {
    const { rows } = await live.admin.query<{ id: string }>(
      `insert into nectar.journal_entries (user_id, title, metadata_audience_id, content_audience_id)
       values ($1, $2, $1, $1) returning id`,
      [ada.id, title],
    );
    return { kind: "entry", id: rows[0]?.id ?? "" } as const;
  };
  const [one, two] = [await write("one"), await write("two")];
  expect(await compareWrites(live.admin, [one, two])).toEqual({ lost: 0, doubled: 0 });
  const gone = { kind: "drop", id: randomUUID() } as const;
  await write("two");
  expect(await compareWrites(live.admin, [one, two, gone])).toEqual({ lost: 1, doubled: 1 });
  await live.admin.query("rollback");
});
