import type { Tx } from "@nectar/database/database";
import { readPage } from "@nectar/http/paging";
import { sql } from "kysely";
import { type NewWellnessEntry, WellnessEntry, type WellnessQuery } from "./schema.ts";

const COLUMNS = [
  ...WellnessEntry.omit({ hours: true }).keyof().options,
  // A double returns two decimals unchanged.
  sql<number | null>`hours::double precision`.as("hours"),
];

/** A page of the caller's wellness entries, newest first. */
export async function listWellnessEntries(tx: Tx, userId: string, { type, cursor, limit }: WellnessQuery) {
  let list = tx.selectFrom("wellness_entries").select(COLUMNS).where("user_id", "=", userId);
  if (type !== undefined) list = list.where("type", "=", type);
  const page = await readPage(list, { cursor, limit });
  return { wellness_entries: page.rows, next_cursor: page.next_cursor };
}

/** Creates a wellness entry of the caller. The column rounds hours half up to two decimals. */
export async function createWellnessEntry(tx: Tx, entry: NewWellnessEntry): Promise<WellnessEntry> {
  return tx.insertInto("wellness_entries").values(columnsOf(entry)).returning(COLUMNS).executeTakeFirstOrThrow();
}

function columnsOf(entry: NewWellnessEntry) {
  if (entry.type === "action_note") return { type: entry.type, content: entry.content };
  const notes = entry.notes || null;
  if (entry.type === "satisfaction") return { type: entry.type, rating: entry.rating, notes };
  return { type: entry.type, hours: entry.hours, quality: entry.quality ?? null, notes };
}
