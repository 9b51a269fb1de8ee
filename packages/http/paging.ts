import type { KeysetCursor } from "@nectar/database/keyset";
import { z } from "zod";

// PostgreSQL knows no year 0.
const Moment = z.iso.datetime({ precision: 3 }).refine((at) => !at.startsWith("0000"));
const CursorContent = z.tuple([Moment, z.guid()]);

/** How many rows a page has when nobody says, and at most. */
interface PageBounds {
  readonly usual: number;
  readonly largest: number;
}

/** The query field for the number of rows of a page; more than the largest, with however many digits, is lowered to it. */
export function limitField({ usual, largest }: PageBounds) {
  return z
    .string()
    .regex(/^\d+$/, "must be a whole number of at least 1")
    .transform(Number)
    .refine((limit) => limit >= 1, "must be a whole number of at least 1")
    .transform((limit) => Math.min(limit, largest))
    .default(usual)
    .meta({ type: "integer", minimum: 1, maximum: largest, default: usual });
}

/**
 * The query fields of a paged list.
 * @param bounds the usual and the largest number of rows; more is lowered to the largest
 */
export function pageFields(bounds: PageBounds = { usual: 100, largest: 500 }) {
  return {
    limit: limitField(bounds),
    cursor: z
      .string()
      .transform((text, context): KeysetCursor => {
        const cursor = decodeCursor(text);
        if (cursor === null) {
          context.addIssue({ code: "custom", message: "must be a next_cursor of this list" });
          return z.NEVER;
        }
        return cursor;
      })
      .optional()
      .meta({ type: "string", description: "next_cursor of the page before." }),
  };
}

/** The field that tells where the next page begins. */
export const NextCursor = z.string().nullable().meta({ description: "Pass it as cursor to read on; null at the end." });

/**
 * Cuts a page out of rows of which one more than `limit` was asked for.
 * @param place where a row stands in the order of the list
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  place: (row: Row) => KeysetCursor,
): { rows: readonly Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { rows: page, next_cursor: more ? encodeCursor(place(last)) : null };
}

/** Writes a cursor in its opaque form. */
export function encodeCursor(cursor: KeysetCursor): string {
  return Buffer.from(JSON.stringify([cursor.at, cursor.id])).toString("base64url");
}

/** Reads a cursor; null when it is none of ours. */
export function decodeCursor(text: string): KeysetCursor | null {
  try {
    const parsed = CursorContent.safeParse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
    return parsed.success ? { at: parsed.data[0], id: parsed.data[1] } : null;
  } catch {
    return null;
  }
}
