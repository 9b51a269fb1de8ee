import { describe, expect, it } from "vitest";
import { beforeTests } from "../../support/prepare.ts";
import { useActing } from "../support/acting.ts";
import { setStage } from "../support/stage.ts";
import { expectOutcomes } from "./matrix.ts";
import { TABLE_ACCESS } from "./table-access.ts";

const acting = useActing();
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));

it("every table is listed", async () => {
  const rows = await acting.query<{ name: string }>`select n.nspname || '.' || c.relname as name
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('nectar', 'private') and c.relkind in ('r', 'p', 'v', 'm', 'f')`;
  expect(Object.keys(TABLE_ACCESS).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

describe.each(Object.entries(TABLE_ACCESS))("%s", (table, access) => {
  it("grants users the listed commands and no others", async () => {
    const rows = await acting.query<{ command: string }>`select command
      from unnest(array['select', 'insert', 'update']) command
      where has_any_column_privilege('nectar_user', ${table}, command)
      union all
      select 'delete' where has_table_privilege('nectar_user', ${table}, 'delete')`;
    expect(rows.map(({ command }) => command)).toEqual(Object.keys(access));
  });

  it.each(Object.entries(access))("%s, as owner, mates, strangers and admins", async (_, [statement, expected]) => {
    await expectOutcomes(acting, stage, statement, expected);
  });
});
