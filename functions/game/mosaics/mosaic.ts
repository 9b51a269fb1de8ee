import { AppError } from "#core/errors";
import { mosaicLayout, pieceAt } from "#core/game/mosaic";
import { PICTURE_URL_SECONDS } from "#core/limits";
import type { Tx } from "#database/database";
import { FIRST_PAGE } from "#database/keyset";
import { all } from "#database/query";
import { encodeCursor } from "#http/response/paging";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import type { MosaicQuery, MosaicResponse, Section } from "./schema.ts";

/**
 * Bytes of sections in a response; a function may send six megabytes. It sends its response as a string inside JSON, where
 * each quote and each backslash of a name is escaped once more.
 */
const MAX_PAGE_BYTES = 5_000_000;

/** A mosaic and one of its sections; null for a mosaic without sections. */
interface SectionRow {
  readonly image_key: string;
  readonly total_participants: number;
  readonly completed_count: number;
  readonly failed_count: number;
  readonly pending_count: number;
  readonly position: number | null;
  readonly user_id: string | null;
  readonly full_name: string | null;
  readonly status: Section["status"] | null;
  readonly team_color: Section["teamColor"] | null;
}

/** A page of a mosaic; the URL of its image is signed afterwards. */
interface MosaicPage {
  readonly imageKey: string;
  readonly mosaic: Omit<MosaicResponse["mosaic"], "imageUrl">;
  readonly nextCursor: string | null;
}

/** A page of the mosaic of a date as it was last drawn. @throws AppError 404 if it was not drawn */
export async function readMosaic(
  tx: Tx,
  date: string,
  { cursor, limit }: Partial<Pick<MosaicQuery, "cursor">> & Pick<MosaicQuery, "limit">,
): Promise<MosaicPage> {
  // One statement, so that a mosaic is never read with the sections of the one before it. The limit is beside the order, so
  // that sections are read by their index until the page is full.
  const rows = await all<SectionRow>(tx)`
    select m.image_key, m.total_participants, m.completed_count, m.failed_count, m.pending_count,
      s.position, s.user_id, s.full_name, s.status, s.team_color
    from mosaics m
    left join lateral (
      select s.position, s.user_id, p.full_name, s.status, s.team_color
      from mosaic_sections s
      join profiles p on p.id = s.user_id
      where s.date = m.date and s.user_id > ${cursor?.id ?? FIRST_PAGE.id}
      order by s.position
      limit ${limit + 1}
    ) s on true
    where m.date = ${date}
    order by s.position
  `;
  const [row] = rows;
  if (row === undefined) throw new AppError("game.no_mosaic");
  const sections = sectionsOf(rows.slice(0, limit), row.total_participants);
  const last = sections.at(-1)?.userId;
  const isEnd = last === undefined || last === rows.at(-1)?.user_id;
  const stats = {
    totalParticipants: row.total_participants,
    completed: row.completed_count,
    failed: row.failed_count,
    pending: row.pending_count,
  };
  // By user ids, so that a cursor still works after the mosaic was drawn again.
  const nextCursor = isEnd ? null : encodeCursor({ at: `${date}T00:00:00.000Z`, id: last });
  return { imageKey: row.image_key, mosaic: { date, sections, stats }, nextCursor };
}

/** The mosaic as it is sent. @throws AppError 503 if no file store is configured, `provider.failed` if the URL cannot be signed */
export async function presentMosaic(
  { privateFiles }: Services,
  { imageKey, mosaic, nextCursor }: MosaicPage,
): Promise<MosaicResponse> {
  const imageUrl = await configured(privateFiles).signedUrl(imageKey, PICTURE_URL_SECONDS);
  return { mosaic: { imageUrl, ...mosaic }, nextCursor };
}

/** Sections with their coordinates, as many as fit into a response. */
function sectionsOf(rows: readonly SectionRow[], participants: number): Section[] {
  const layout = mosaicLayout(participants);
  const sections: Section[] = [];
  let bytes = 0;
  for (const { position, user_id, full_name, status, team_color } of rows) {
    // The one row of a mosaic without sections.
    if (position === null || user_id === null || status === null || team_color === null) break;
    const coordinates = pieceAt(layout, position);
    const section = { userId: user_id, userName: full_name, status, coordinates, teamColor: team_color };
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(section)));
    if (bytes > MAX_PAGE_BYTES) break;
    sections.push(section);
  }
  return sections;
}
