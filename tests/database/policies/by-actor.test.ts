import { describe, expect, it } from "vitest";
import { TABLES } from "#core/cards/all";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";
import { setStage } from "../support/stage.ts";
import { accessOfCard } from "./access-of-cards.ts";
import { expectOutcomes } from "./matrix.ts";
import { ACCESS, COMMANDS } from "./table-access.ts";

const acting = useActing();
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));

it("every view that users may read has a statement, and every statement belongs to a view or a card", async () => {
  const views = await acting.query<{ name: string }>`select n.nspname || '.' || c.relname as name
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('nectar', 'private') and c.relkind in ('v', 'm', 'f')
      and has_any_column_privilege('nectar_user', c.oid, 'select, insert, update')`;
  const stated = Object.keys(ACCESS).filter((name) => TABLES[name] === undefined);
  expect(stated.toSorted()).toEqual(views.map(({ name }) => name).toSorted());
});

const commandsOf = (table: string) =>
  COMMANDS.filter((command) => (TABLES[table]?.users ?? ACCESS[table])?.[command] !== undefined);
const accessible = [...new Set([...Object.keys(TABLES), ...Object.keys(ACCESS)])].filter(
  (table) => commandsOf(table).length > 0,
);

describe.each(accessible)("%s", (table) => {
  it.each(commandsOf(table))("%s, as owner, mates, strangers and admins", async (command) => {
    const [statement, expected] = ACCESS[table]?.[command] ?? (await accessOfCard(acting, stage, table, command));
    await expectOutcomes(acting, stage, statement, expected);
  });
});
