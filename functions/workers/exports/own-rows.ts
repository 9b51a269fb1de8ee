import { type RawBuilder, sql } from "kysely";
import { exportedColumns, TABLES } from "#core/cards/all";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { cardOf } from "#database/profiles";
import { all } from "#database/query";
import { byCreation, PageQuery, pageOf, readPage } from "#http/response/paging";
import type { Comment } from "#messages/schema";
import { toReadCheckIn } from "../../game/check-ins/check-ins.ts";
import type { ReadRows } from "./content.ts";

/** Files that are loaded, and in memory, at the same time. */
export const FILES_AT_ONCE = "4";

/** The order of every list of an export. */
interface Created {
  readonly id: string;
  readonly created_at: string;
}

/**
 * Lists rows of the person that have no list in the API, newest first.
 * @param query selects `id` and `created_at`, and has neither order nor limit
 */
function rowsOf<Row extends Created>(query: (userId: string) => RawBuilder<unknown>, pageSize?: string): ReadRows<Row> {
  return async (tx, { userId }, text) => {
    const { cursor, limit } = pageAfter(text, pageSize);
    const rows = await all<Row>(tx)`
      select r.* from (${query(userId)}) r
      where ${afterCursor(["r.created_at", "r.id"], cursor)}
      order by r.created_at desc, r.id desc
      limit ${limit + 1}
    `;
    const page = pageOf(rows, limit, byCreation);
    return { rows: page.rows, next: page.next_cursor };
  };
}

/** A page of 100 rows. @param limit another number of rows */
export function pageAfter(cursor: string | undefined, limit = "100"): PageQuery {
  return PageQuery.parse({ limit, cursor });
}

/** The person's check-ins as the API shows them, with the path of each photo. */
export async function listCheckIns(tx: Tx, userId: string, query: PageQuery) {
  const own = tx.selectFrom("workout_checkins").select(["id", "created_at"]).where("user_id", "=", userId);
  const { rows, next_cursor } = await readPage(own, query);
  const seen = await call(tx, "seen_check_ins", { checkinIds: rows.map(({ id }) => id) });
  return { rows: seen.map(toReadCheckIn), next_cursor };
}

/** The lists of the cards whose rows are exported as they are stored, newest first. */
export const STORED_ROWS: readonly (readonly [name: string, read: ReadRows])[] = Object.entries(TABLES)
  .filter(([, { exportedAs }]) => exportedAs === "rows")
  .flatMap(([table, { person = "user_id" }]) =>
    [...Map.groupBy(exportedColumns(table), ({ place }) => place)].map(([place, columns]) => {
      const names = sql.join(columns.map(({ column }) => sql.ref(column)));
      const read = rowsOf((id) => sql`select ${names} from ${sql.table(table)} where ${sql.ref(person)} = ${id}`);
      return [place, read] as const;
    }),
  );

/** Backgrounds of entries, and of those in the trash. */
export const backgroundFiles = rowsOf<Created & { readonly file_key: string }>(
  (userId) => sql`
    select id, file_key, created_at from entry_backgrounds where user_id = ${userId}
    union all
    select background_id, background_file, background_created_at from trashed_entries
    where user_id = ${userId} and background_id is not null`,
  FILES_AT_ONCE,
);

/** Pictures of entries, and of those in the trash. */
export const pictureFiles = rowsOf<Created & { readonly file_key: string }>(
  (userId) => sql`select id, file_key, created_at from entry_pictures where user_id = ${userId}`,
  FILES_AT_ONCE,
);

/** Analyses, each with the entries that it read. */
export const noteAnalyses = rowsOf(
  (userId) => sql`
    select id, user_id, analysis_date, summary, mood_trends, topics, patterns, recommendations, insights, entry_count,
      created_at, updated_at,
      (
        select json_agg(json_build_object('id', e.id, 'title', e.title, 'created_at', private.rfc3339(e.created_at)))
        from note_analysis_sources s join journal_entries e on e.id = s.entry_id where s.analysis_id = a.id
      ) as sources
    from note_analyses a where user_id = ${userId}`,
);

/** The organizations that the person is a member of. */
export const organizations = rowsOf(
  (userId) => sql`
    select o.id, o.name, o.description, o.owner_id, o.settings, o.created_at, o.updated_at, m.role as my_role, m.joined_at
    from organization_members m join organizations o on o.id = m.org_id
    where m.user_id = ${userId}`,
);

/** The teams that the person is a member of. */
export const teams = rowsOf(
  (userId) => sql`
    select t.id, t.name, t.description, t.org_id, t.admin_id, t.settings, t.created_at, t.updated_at, m.role as my_role,
      m.joined_at
    from team_members m join teams t on t.id = m.team_id
    where m.user_id = ${userId}`,
);

/** The person's messages to teams and squads, and their comments. */
export const messages = rowsOf(
  (userId) => sql`
    select m.id, m.team_id, m.squad_id, m.entry_id, m.goal_id, ${cardOf("m.sender_id")} as sender, m.content, m.created_at
    from team_messages m where m.sender_id = ${userId}`,
);

/** Entries or goals of the person, each with the comments of others, newest first. */
export async function withComments<Row extends { readonly id: string }>(tx: Tx, userId: string, rows: readonly Row[]) {
  const comments = await all<Comment>(tx)`
    select m.id, m.entry_id, m.goal_id, ${cardOf("m.sender_id")} as author, m.content, m.created_at
    from team_messages m
    where m.room_id = any (${rows.map(({ id }) => id)}::uuid[]) and m.sender_id <> ${userId}
    order by m.created_at desc, m.id desc
  `;
  const byRoom = Map.groupBy(comments, ({ entry_id, goal_id }) => entry_id ?? goal_id);
  return rows.map((row) => ({ ...row, comments: byRoom.get(row.id) ?? [] }));
}

/** Images of the person's own tone packs. */
export const toneImages = rowsOf<
  Created & { readonly pack_id: string; readonly tone: string; readonly file_path: string }
>(
  (userId) => sql`
    select i.id, i.pack_id, i.tone, i.file_path, i.created_at from tone_pack_images i
    join tone_packs p on p.id = i.pack_id
    where p.owner_id = ${userId} and p.deleted_at is null`,
  FILES_AT_ONCE,
);
