import { beforeAll, describe, expect, it } from "vitest";
import { useActing } from "../support/acting.ts";
import { type Stage, setStage } from "../support/stage.ts";
import { expectOutcomes } from "./matrix.ts";
import { TABLE_ACCESS } from "./table-access.ts";

const acting = useActing();
let stage: Stage;
beforeAll(async () => {
  stage = await setStage(acting.adminUrl, acting.admin);
});

it("every table is tried", async () => {
  const { rows } = await acting.admin.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('nectar', 'private') and c.relkind in ('r', 'p', 'v', 'm', 'f')`,
  );
  expect(Object.keys(TABLE_ACCESS).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

describe.each(Object.entries(TABLE_ACCESS))("%s", (_, access) => {
  it.each(["select", "insert", "update", "delete"] as const)(
    "%s, by owner, mates, strangers and admins",
    async (command) => {
      const [statement, expected] = access[command];
      await expectOutcomes(acting, stage, statement, expected);
    },
  );
});
