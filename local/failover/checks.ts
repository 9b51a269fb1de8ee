import type pg from "pg";
import type { Acknowledged, Kind } from "./requests.ts";

/** The table of each kind of write, and the columns that name its Idempotency-Key: no two rows have the same. */
const ROWS: Record<Kind, { table: string; once: string }> = {
  entry: { table: "nectar.journal_entries", once: "title" },
  drop: { table: "nectar.encouragement_drops", once: "content" },
  purchase: { table: "nectar.tone_pack_purchases", once: "user_id, pack_id" },
};

/** How many acknowledged writes have no row, and how many had their effect more than once. */
export async function compareWrites(client: pg.ClientBase, acknowledged: readonly Acknowledged[]) {
  let [lost, doubled] = [0, 0];
  for (const [kind, { table, once }] of Object.entries(ROWS)) {
    const ids = acknowledged.filter((row) => row.kind === kind).map(({ id }) => id);
    const { rows } = await client.query<{ lost: number; doubled: number }>(
      `select
         (select count(*)::int from unnest($1::uuid[]) id where id not in (select r.id from ${table} r)) as lost,
         (select count(*)::int from (select from ${table} group by ${once} having count(*) > 1) d)
           + cardinality($1::uuid[]) - (select count(distinct id)::int from unnest($1::uuid[]) id) as doubled`,
      [ids],
    );
    lost += rows[0]?.lost ?? 0;
    doubled += rows[0]?.doubled ?? 0;
  }
  return { lost, doubled };
}
