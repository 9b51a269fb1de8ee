import { TABLES } from "#core/cards/all";
import type { Card, Command, Reach } from "#core/cards/card";
import { literal } from "../../world/samples.ts";
import type { Acting } from "../support/acting.ts";
import { named, type Stage } from "../support/stage.ts";
import { type Expected, only, REFUSED, signedIn } from "./matrix.ts";

/** What each role gets of the owner's rows: their number, or what is instead of it. */
const REACHES: Readonly<Partial<Record<Reach, (rows: number, others: number | string) => Expected>>> = {
  owner: (rows, others) => only({ owner: rows }, others),
  "signed in": (rows, others) => signedIn(rows, others),
  "super admins": (rows, others) => only({ superAdmin: rows }, others),
  "owner and super admins": (rows, others) => only({ owner: rows, superAdmin: rows }, others),
};

/** A statement and its outcome for each role, made from a card. */
export async function accessOfCard(
  acting: Acting,
  stage: Stage,
  table: string,
  command: Command,
): Promise<readonly [statement: string, expected: Expected]> {
  const card = TABLES[table];
  const reach = card?.users?.[command];
  const expect = reach === undefined ? undefined : REACHES[reach];
  if (card === undefined || expect === undefined) {
    throw new Error(
      `${command} on ${table} by "${reach}" needs a statement in tests/database/policies/table-access.ts.`,
    );
  }
  if (command === "insert") return [await insertOf(acting, table, card), expect(1, REFUSED)];
  const columns = await columnsOf(acting, table, command);
  const person = card.person ?? "user_id";
  const isOwned = (await columnsOf(acting, table, "select")).includes(person);
  const rows = isOwned ? `${table} where ${person} = :owner` : table;
  const { count } = await acting.one<{ count: number }>(named(stage, `select count(*)::int as count from ${rows}`));
  if (count === 0) throw new Error(`The stage has no row of the owner in ${table}.`);
  const where = isOwned ? ` where ${person} = :owner` : "";
  const statement = {
    select: `select from ${table}${where}`,
    update: `update ${table} set ${columns[0]} = ${columns[0]}${where}`,
    delete: `delete from ${table}${where}`,
  }[command];
  return [statement, expect(count, 0)];
}

/** Inserts the sample, as far as users may choose its values. */
async function insertOf(acting: Acting, table: string, { sample }: Card): Promise<string> {
  if (sample === undefined) throw new Error(`The card of ${table} has no sample.`);
  const columns = await columnsOf(acting, table, "insert");
  const chosen = Object.entries(sample).filter(([column]) => columns.includes(column));
  // The stage has the first row.
  const values = chosen.map(([, value]) => literal(typeof value === "string" ? value.replaceAll(":n", "2") : value));
  return `insert into ${table} (${chosen.map(([column]) => column).join(", ")}) values (${values.join(", ")})`;
}

/** The columns for which users have a privilege. */
async function columnsOf(acting: Acting, table: string, command: Command): Promise<string[]> {
  if (command === "delete") return [];
  const rows = await acting.query<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
      and has_column_privilege('nectar_user', attrelid, attnum, ${command})
    order by attnum`;
  return rows.map(({ name }) => name);
}
