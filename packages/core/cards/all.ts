import { ACCOUNT_TABLES } from "./accounts.ts";
import { ASSISTANT_TABLES } from "./assistant.ts";
import { AUTH_TABLES } from "./auth.ts";
import type { Card, Exceptions, Kept, TableName } from "./card.ts";
import { COLUMNS } from "./columns.generated.ts";
import { DROP_TABLES } from "./drops.ts";
import { GAME_TABLES } from "./game.ts";
import { GROUP_TABLES } from "./groups.ts";
import { JOURNAL_TABLES } from "./journal.ts";
import { MESSAGE_TABLES } from "./messages.ts";
import { OPERATING_TABLES } from "./operating.ts";
import { SAFETY_TABLES } from "./safety.ts";
import { TONE_PACK_TABLES } from "./tone-packs.ts";
import { WELLBEING_TABLES } from "./wellness.ts";

/** The cards of all tables, by their names with the schema. Housekeeping deletes in this order. */
export const TABLES: Readonly<Record<string, Card>> = {
  ...ACCOUNT_TABLES,
  ...JOURNAL_TABLES,
  ...WELLBEING_TABLES,
  ...ASSISTANT_TABLES,
  ...GROUP_TABLES,
  ...DROP_TABLES,
  ...TONE_PACK_TABLES,
  ...SAFETY_TABLES,
  ...MESSAGE_TABLES,
  ...GAME_TABLES,
  ...OPERATING_TABLES,
  ...AUTH_TABLES,
} satisfies Readonly<Record<TableName, Card>>;

/** A column in a place of the export, such as `goals`. */
export interface ExportedColumn {
  readonly place: string;
  readonly column: string;
  /** The path of its field in a row of the place. */
  readonly field: string;
}

const columnsByTable: Readonly<Record<string, readonly string[]>> = COLUMNS;

/** The columns of a table that are exported, in the order of the table; one that is in several places is there for each. */
export function exportedColumns(table: string): ExportedColumn[] {
  const { exported = {}, left = {} } = TABLES[table] ?? {};
  const leftOut = Object.values(left).flat();
  const columns = (columnsByTable[table] ?? []).filter((column) => !leftOut.includes(column));
  return Object.entries(exported).flatMap(([place, how]) => {
    const { as = {}, without = [] }: Exceptions = how === "all" ? {} : how;
    return columns
      .filter((column) => !without.includes(column))
      .map((column) => ({ place, column, field: as[column] ?? column }));
  });
}

/** The periods after which rows of a table are deleted by their age. */
export function periodsOf(kept: Card["kept"]): readonly Kept[] {
  return kept === undefined || kept === "until done" ? [] : kept;
}
