import { sql } from "kysely";
import { AppError } from "#core/errors";
import type { Tx } from "#database/database";
import { checkInput } from "#http/request/inputs";
import { readPage } from "#http/response/paging";
import {
  NewWellnessEntry,
  type VersionedWellnessEntry,
  WellnessEntry,
  type WellnessEntryUpdate,
  type WellnessQuery,
} from "./schema.ts";

const COLUMNS = [
  ...WellnessEntry.omit({ hours: true }).keyof().options,
  // A double returns two decimals unchanged.
  sql<number | null>`hours::double precision`.as("hours"),
];
/** The columns of an entry, and what its etag is computed from. */
export const VERSIONED = [...COLUMNS, "version"] as const;
const NO_FIELDS = { rating: null, content: null, hours: null, quality: null, notes: null };
const notFound = () => new AppError("wellness_entry.not_found");

/** A page of the caller's wellness entries, newest first. */
export async function listWellnessEntries(tx: Tx, userId: string, { type, cursor, limit }: WellnessQuery) {
  let list = tx.selectFrom("wellness_entries").select(COLUMNS).where("user_id", "=", userId);
  if (type !== undefined) list = list.where("type", "=", type);
  const page = await readPage(list, { cursor, limit });
  return { wellness_entries: page.rows, next_cursor: page.next_cursor };
}

/** Reads a wellness entry of the caller. @throws AppError 404 */
export async function readWellnessEntry(tx: Tx, id: string): Promise<VersionedWellnessEntry> {
  return tx.selectFrom("wellness_entries").select(VERSIONED).where("id", "=", id).executeTakeFirstOrThrow(notFound);
}

/** Creates a wellness entry of the caller. The column rounds hours half up to two decimals. */
export async function createWellnessEntry(tx: Tx, entry: NewWellnessEntry): Promise<VersionedWellnessEntry> {
  const row = { id: entry.id, ...columnsOf(entry) };
  return tx.insertInto("wellness_entries").values(row).returning(VERSIONED).executeTakeFirstOrThrow();
}

/**
 * Corrects a wellness entry of the caller.
 * @throws AppError 404, or 400 if the resulting entry lacks what its type requires, or has what belongs to another type
 */
export async function updateWellnessEntry(
  tx: Tx,
  id: string,
  change: WellnessEntryUpdate,
): Promise<VersionedWellnessEntry> {
  const before = await tx
    .selectFrom("wellness_entries")
    .select(COLUMNS)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const entry = checkInput(NewWellnessEntry, { ...before, id: undefined, ...given });
  const misplaced = Object.keys(given).filter((name) => given[name] !== null && !(name in entry));
  if (misplaced.length > 0) {
    const message = `does not belong to an entry of the type ${entry.type}`;
    throw new AppError("request.invalid", { issues: misplaced.map((path) => ({ path, message })) });
  }
  return tx
    .updateTable("wellness_entries")
    .set(columnsOf(entry))
    .where("id", "=", id)
    .returning(VERSIONED)
    .executeTakeFirstOrThrow(notFound);
}

/** Deletes a wellness entry of the caller. @throws AppError 404 */
export async function deleteWellnessEntry(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("wellness_entries").where("id", "=", id).returning("id").executeTakeFirstOrThrow(notFound);
}

/** The columns of an entry. Fields of other types are null. */
function columnsOf(entry: NewWellnessEntry) {
  if (entry.type === "action_note") return { ...NO_FIELDS, type: entry.type, content: entry.content };
  const notes = entry.notes || null;
  if (entry.type === "satisfaction") return { ...NO_FIELDS, type: entry.type, rating: entry.rating, notes };
  return { ...NO_FIELDS, type: entry.type, hours: entry.hours, quality: entry.quality ?? null, notes };
}
