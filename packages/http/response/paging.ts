import { type SelectQueryBuilder, type Simplify, sql } from "kysely";
import * as z from "zod";
import { parsedJson } from "#core/text/json";
import { textProblem } from "#core/text/text";
import { afterCursor, type KeysetCursor } from "#database/keyset";

// PostgreSQL has no year 0.
const Moment = z.iso.datetime({ precision: 3 }).refine((at) => !at.startsWith("0000"));
/** 100 code points have at most 200 UTF-16 units. */
const Name = z
  .string()
  .max(200)
  .refine((name) => textProblem(name) === null);
/** Distinguishes the cursors of lists by name, whose names could be times. */
const BY_NAME = "name";
const ByName = z.tuple([Name, z.guid(), z.literal(BY_NAME)]).transform(([name, id]): NameCursor => ({ name, id }));

/** The maximum size of a page in bytes as they are sent. A Lambda function may return 6,291,556, headers included. */
export const MAX_PAGE_BYTES = 4_000_000;
/** Room for what a response contains besides its rows: counts, statistics, the cursor, a goal with its check-ins. */
const BYTES_BESIDE_ROWS = 50_000;
const COMMA_BYTES = 1;
/** The maximum size of a UTF-16 unit of a text as it is sent: six characters, of which one is a backslash. */
const MAX_BYTES_OF_A_UNIT = 7;
/** The maximum size of a number, true, false or null. */
const MAX_BYTES_OF_A_SCALAR = 25;
/** The quotes around a text, and what follows it: a colon or a comma. */
const BYTES_AROUND_A_TEXT = 5;
const SIGNED_URL_ROOM = "x".repeat(2_000);
const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = "\\".charCodeAt(0);

/**
 * The query fields of a paged list.
 * @param bounds the default and the maximum number of rows; a higher number is lowered to the maximum
 * @param parts what the part of a cursor may be; by default its cursors have none
 */
export function pageFields(
  { default: defaultLimit, max } = { default: 100, max: 500 },
  parts: z.ZodType<string> = z.never(),
) {
  return {
    limit: z
      .string()
      .regex(/^\d+$/, "must be a whole number of at least 1")
      .transform(Number)
      .refine((limit) => limit >= 1, "must be a whole number of at least 1")
      .transform((limit) => Math.min(limit, max))
      .default(defaultLimit)
      .meta({
        type: "integer",
        minimum: 1,
        maximum: max,
        description: "How many items a page has. Higher numbers are lowered to the maximum.",
      }),
    cursor: cursorField(
      z.tuple([Moment, z.guid(), parts.optional()]).transform(([at, id, part]): KeysetCursor => ({ at, id, part })),
    ),
  };
}

/** The query fields of a paged list that is ordered by name. */
export function pageByNameFields() {
  return { ...pageFields(), cursor: cursorField(ByName) };
}

/** The field of a cursor. @param content of the cursors of the list: those of other lists are refused */
function cursorField<Cursor>(content: z.ZodType<Cursor>) {
  return z
    .string()
    .transform((text, context): Cursor => {
      const cursor = content.safeParse(readCursor(text));
      if (cursor.success) return cursor.data;
      context.addIssue({ code: "custom", message: "must be a cursor that this list returned" });
      return z.NEVER;
    })
    .optional()
    .meta({ type: "string", description: "The cursor that the previous page returned." });
}

/** The query of a list without filters. */
export const PageQuery = z.object(pageFields());
export type PageQuery = z.output<typeof PageQuery>;

/** The query field of a filter that is `true` or `false`; without it, all rows are listed. */
export const FlagField = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .optional()
  .meta({ type: "string", enum: ["true", "false"] });

/** The query field of a list whose rows can be read or unread. */
export const UnreadField = z
  .stringbool({ truthy: ["true"], falsy: ["false"], case: "sensitive", error: "must be true or false" })
  .default(false)
  .meta({ type: "boolean", description: "true: only unread ones; false: all." });

/** The response field that says where the next page begins. */
export const NextCursor = z
  .string()
  .nullable()
  .meta({ description: "Send it as `cursor` to read the next page; null on the last page." });

/** The last row of the previous page of a list that is ordered by name. */
export interface NameCursor {
  readonly name: string;
  readonly id: string;
}

/** A page of a list, and where the next one begins. */
export interface Page<Row> {
  readonly rows: Row[];
  readonly next_cursor: string | null;
}

/** A row of a list that is ordered by creation. */
interface Created {
  readonly created_at: string;
  readonly id: string;
}

/** The cursor of a row of a list that is ordered by creation. */
export function byCreation({ created_at, id }: Created): KeysetCursor {
  return { at: created_at, id };
}

/**
 * Reads a page of a query, newest first.
 * @param query selects `created_at` and `id`, and has neither order nor limit
 * @param asSent what the response contains for a row, if that is larger than the row itself
 */
export async function readPage<Schema, Tables extends keyof Schema, Row extends Created>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  { cursor, limit }: { readonly cursor?: KeysetCursor | undefined; readonly limit: number },
  asSent?: (row: Created) => unknown,
): Promise<Page<Simplify<Row>>> {
  const rows = await query
    .where(afterCursor(["created_at", "id"], cursor))
    .orderBy(sql.ref("created_at"), "desc")
    .orderBy(sql.ref("id"), "desc")
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, byCreation, asSent);
}

/**
 * Cuts a page from rows, of which the query read one more than `limit`. It ends after `limit` rows, or before a row that
 * would make the response larger than `MAX_PAGE_BYTES`. One row always fits.
 * @param cursorOf the position of a row in the order of the list
 * @param asSent what the response contains for a row, if that is larger than the row itself
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => KeysetCursor | NameCursor,
  asSent: (row: Row) => unknown = (row) => row,
): Page<Row> {
  const page = rows.slice(0, countFitting(rows.slice(0, limit).map(asSent)));
  const last = page.at(-1);
  const more = rows.length > page.length && last !== undefined;
  return { rows: page, next_cursor: more ? encodeCursor(cursorOf(last)) : null };
}

/** For `pageOf`: a row that gets a signed URL of up to 2 KB after the page was cut. */
export function withSignedUrl<Row>(row: Row): readonly [Row, string] {
  return [row, SIGNED_URL_ROOM];
}

/** How many of the rows fit on one page; the first one always does. */
function countFitting(rows: readonly unknown[]): number {
  if (surelyFit(rows)) return rows.length;
  let bytes = BYTES_BESIDE_ROWS;
  for (const [index, row] of rows.entries()) {
    bytes += sentBytes(JSON.stringify(row)) + COMMA_BYTES;
    if (bytes > MAX_PAGE_BYTES && index > 0) return index;
  }
  return rows.length;
}

/**
 * Whether rows fit on one page, by the lengths of their texts. Most pages do. Writing their rows as JSON only to measure them
 * would take a tenth of the time of a request for 100 entries.
 */
function surelyFit(rows: readonly unknown[]): boolean {
  let maxBytes = BYTES_BESIDE_ROWS;
  return rows.every((row) => {
    maxBytes += maxSentBytes(row);
    return maxBytes <= MAX_PAGE_BYTES;
  });
}

/** The maximum size of a plain value as it is sent, with the comma after it. */
function maxSentBytes(value: unknown): number {
  if (typeof value === "string") return value.length * MAX_BYTES_OF_A_UNIT + BYTES_AROUND_A_TEXT;
  if (typeof value !== "object" || value === null) return MAX_BYTES_OF_A_SCALAR + COMMA_BYTES;
  let bytes = "{}".length + COMMA_BYTES;
  for (const [name, field] of Object.entries(value)) bytes += maxSentBytes(name) + maxSentBytes(field);
  return bytes;
}

/**
 * The bytes of JSON text as Lambda returns it: in UTF-8, inside a JSON string of its own, which escapes every quote and
 * every backslash once more.
 */
export function sentBytes(json: string): number {
  let escapes = 0;
  for (let index = 0; index < json.length; index += 1) {
    const unit = json.charCodeAt(index);
    if (unit === QUOTE || unit === BACKSLASH) escapes += 1;
  }
  return Buffer.byteLength(json) + escapes;
}

/** Writes a cursor in its opaque form. */
export function encodeCursor(cursor: KeysetCursor | NameCursor): string {
  return Buffer.from(JSON.stringify(cursorFields(cursor))).toString("base64url");
}

function cursorFields(cursor: KeysetCursor | NameCursor): readonly string[] {
  if ("name" in cursor) return [cursor.name, cursor.id, BY_NAME];
  return [cursor.at, cursor.id, ...(cursor.part === undefined ? [] : [cursor.part])];
}

/** The fields of a cursor; undefined if it is none. */
function readCursor(text: string): unknown {
  return parsedJson(Buffer.from(text, "base64url").toString("utf8"));
}
