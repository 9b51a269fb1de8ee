import { ACCOUNT_TABLES } from "./accounts.ts";
import { ASSISTANT_TABLES } from "./assistant.ts";
import { AUTH_TABLES } from "./auth.ts";
import type { Card, Kept } from "./card.ts";
import { DROP_TABLES } from "./drops.ts";
import { GAME_TABLES } from "./game.ts";
import { GROUP_TABLES } from "./groups.ts";
import { JOURNAL_TABLES } from "./journal.ts";
import { MESSAGE_TABLES } from "./messages.ts";
import { OPERATING_TABLES } from "./operating.ts";
import { SAFETY_TABLES } from "./safety.ts";
import { TONE_PACK_TABLES } from "./tone-packs.ts";
import { WELLBEING_TABLES } from "./wellbeing.ts";

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
};

/** A column as a card names it, with the field of the export if that has another name. */
export interface CardColumn {
  readonly column: string;
  readonly field: string;
}

/** The columns of a list on a card, such as `user_id>id email`. */
export function columnsOf(list = ""): CardColumn[] {
  return list
    .split(" ")
    .filter((name) => name !== "")
    .map((name) => {
      const [column = "", field = column] = name.split(">");
      return { column, field };
    });
}

/** The periods after which rows of a table are deleted by their age. */
export function periodsOf(kept: Card["kept"]): readonly Kept[] {
  return kept === undefined || kept === "until done" ? [] : kept;
}
