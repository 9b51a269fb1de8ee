import type { Tx } from "@nectar/database/database";
import { all } from "@nectar/database/query";
import type { ActivityType, PlayerCard } from "../schema.ts";

/** What players see of people who play on a date: by the window as it was matched, whatever became of it since. */
export async function readCards(
  tx: Tx,
  date: string,
  userIds: readonly (string | null)[],
): Promise<ReadonlyMap<string, PlayerCard>> {
  const rows = await all<{
    id: string;
    full_name: string | null;
    avatar_url: string | null;
    is_ai: boolean;
    activity_type: ActivityType;
    custom_activity: string | null;
    timezone: string;
    start: string;
    end: string;
  }>(tx)`
    select p.id, p.full_name, p.avatar_url, p.is_ai, c.activity_type, c.custom_activity, c.timezone,
      to_char(c.window_start_time, 'HH24:MI') as "start", to_char(c.window_end_time, 'HH24:MI') as "end"
    from chains c
    join profiles p on p.id = c.user_id
    where c.date = ${date} and c.user_id = any (${userIds.filter((id) => id !== null)}::uuid[])
  `;
  return new Map(
    rows.map(({ id, full_name, avatar_url, is_ai, activity_type, custom_activity, timezone, start, end }) => [
      id,
      { id, full_name, avatar_url, is_ai, window: { start, end, timezone }, activity_type, custom_activity },
    ]),
  );
}
