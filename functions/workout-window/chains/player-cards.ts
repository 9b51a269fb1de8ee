import type { Tx } from "@nectar/database/database";
import { all } from "@nectar/database/query";
import type { PlayerCard } from "../schema.ts";

/** What players see of others who play on a date, with the window as it was matched. */
export async function readCards(
  tx: Tx,
  date: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, PlayerCard>> {
  const rows = await all<Omit<PlayerCard, "window"> & PlayerCard["window"]>(tx)`
    select p.id, p.full_name, p.avatar_url, p.is_ai, c.activity_type, c.custom_activity, c.timezone,
      to_char(c.window_start_time, 'HH24:MI') as "start", to_char(c.window_end_time, 'HH24:MI') as "end"
    from chains c
    join profiles p on p.id = c.user_id
    where c.date = ${date} and c.user_id = any (${[...userIds]}::uuid[])
  `;
  return new Map(
    rows.map(({ start, end, timezone, ...card }) => [card.id, { ...card, window: { start, end, timezone } }]),
  );
}
