import { AppError } from "@nectar/core/errors";
import { mosaicLayout, pieceAt } from "@nectar/core/game/mosaic";
import type { Tx } from "@nectar/database/database";
import { configured } from "@nectar/http/configured";
import type { Services } from "@nectar/http/services";
import { encodePosition, type MosaicAnswer, type MosaicQuery, type Section } from "./mosaic-schema.ts";

/** Shorter than the temporary credentials live that sign it. */
const URL_SECONDS = 60 * 60;
/**
 * Bytes of sections in an answer, of the six megabytes that a function may send. Names can be long, and full of quotes: a
 * function sends its answer as a string inside JSON, where each quote and each backslash is escaped once more.
 */
const LARGEST_PAGE_BYTES = 5_000_000;

interface MosaicRow {
  readonly image_key: string;
  readonly image_side: number;
  readonly total_participants: number;
  readonly completed_count: number;
  readonly failed_count: number;
  readonly pending_count: number;
}

interface SectionRow {
  readonly position: number;
  readonly user_id: string;
  readonly full_name: string | null;
  readonly status: Section["status"];
  readonly team_color: Section["teamColor"];
}

/** A page of a mosaic out of the database; the address of its image is signed afterwards. */
interface MosaicPage {
  readonly date: string;
  readonly row: MosaicRow;
  readonly sections: readonly Section[];
  readonly nextCursor: string | null;
}

/** A page of a date's mosaic, as it was drawn last. @throws AppError 404 when it was not */
export async function readMosaic(tx: Tx, date: string, { cursor, limit }: MosaicQuery): Promise<MosaicPage> {
  const row = await tx
    .selectFrom("mosaics")
    .select(["image_key", "image_side", "total_participants", "completed_count", "failed_count", "pending_count"])
    .where("date", "=", date)
    .executeTakeFirst();
  if (row === undefined) throw new AppError("game.no_mosaic", "There is no mosaic of this date.");
  const rows = await tx
    .selectFrom("mosaic_sections as s")
    .innerJoin("profiles as p", "p.id", "s.user_id")
    .select(["s.position", "s.user_id", "p.full_name", "s.status", "s.team_color"])
    .where("s.date", "=", date)
    .where("s.position", ">", cursor ?? -1)
    .orderBy("s.position")
    .limit(limit + 1)
    .execute();
  const { sections, last } = sectionsOf(rows.slice(0, limit), row.total_participants);
  return { date, row, sections, nextCursor: last === rows.at(-1)?.position ? null : encodePosition(last) };
}

/** The mosaic as it is sent. @throws AppError 503 without a store, `provider.failed` when an address cannot be signed */
export async function presentMosaic(
  { privateFiles }: Services,
  { date, row, sections, nextCursor }: MosaicPage,
): Promise<MosaicAnswer> {
  return {
    mosaic: {
      imageUrl: await configured(privateFiles).signedUrl(row.image_key, URL_SECONDS),
      date,
      sections: [...sections],
      stats: {
        totalParticipants: row.total_participants,
        completed: row.completed_count,
        failed: row.failed_count,
        pending: row.pending_count,
      },
    },
    nextCursor,
  };
}

/** Sections with their places, as many as an answer holds, and the position of the last. */
function sectionsOf(rows: readonly SectionRow[], participants: number): { sections: Section[]; last: number } {
  const layout = mosaicLayout(participants);
  const sections: Section[] = [];
  let last = -1;
  let bytes = 0;
  for (const { position, user_id, full_name, status, team_color } of rows) {
    const coordinates = pieceAt(layout, position);
    const section = { userId: user_id, userName: full_name, status, coordinates, teamColor: team_color };
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(section)));
    if (bytes > LARGEST_PAGE_BYTES) break;
    sections.push(section);
    last = position;
  }
  return { sections, last };
}
