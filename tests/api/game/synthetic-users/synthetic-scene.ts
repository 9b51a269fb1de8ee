import { beforeEach } from "vitest";
import { drawnCheckIn } from "#core/game/synthetic";
import { checkInSyntheticUsers } from "#functions/game/synthetic-users/check-ins";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

/** A Saturday; its battle begins on Monday the 16th. */
export const DATE = "2026-11-21";
export const NOON = `${DATE}T12:00:00.000Z`;

/** A player in a chain; the window starts at 11:00 UTC by default. */
export interface Link {
  readonly user: string;
  readonly before?: string;
  readonly after?: string;
  readonly date?: string;
  readonly start?: string;
  readonly color?: "red" | "blue";
}

/** Synthetic users and their check-ins over the API of a test file. */
export function syntheticScene() {
  const api = useApi();
  const runAt = (moment: string) =>
    checkInSyntheticUsers.run({ ...api.services, clock: { now: () => new Date(moment) } });

  const root = beforeTests(() => api.person({ role: "super_admin" }));
  beforeEach(
    () => api.query`
      delete from auth.users where raw_app_meta_data ->> 'nectar' = 'synthetic';
      delete from nectar.workout_checkins; delete from nectar.chains; delete from nectar.squads;
      delete from nectar.battles; delete from nectar.notifications`,
  );

  async function synthetics(count: number, checkInProbability = 1): Promise<string[]> {
    const body = { count, config: { checkInProbability } };
    const { users } = await api.post("/api/workout-window/admin/ai-users/generate", root, body).created();
    await api.query`delete from nectar.chains; delete from nectar.squads`;
    return users.map(({ id }) => id);
  }

  /** Puts people into the chain of a date; windows are given by their start in UTC. */
  const chain = (links: readonly Link[]) =>
    api.query(
      `insert into nectar.chains (date, user_id, before_user_id, after_user_id, team_color, area_key, activity_type,
       timezone, window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
     select coalesce(l.date, $2::date), l.user, l.before, l.after, coalesce(l.color, 'red'), 'city:x', 'walk', 'UTC',
       l.start::time, l.start::time + interval '2 hours',
       (coalesce(l.date, $2::date) + l.start::time) at time zone 'UTC',
       (coalesce(l.date, $2::date) + l.start::time) at time zone 'UTC' + interval '2 hours',
       (coalesce(l.date, $2::date) + 1)::timestamp at time zone 'UTC'
     from jsonb_to_recordset($1) as l (
       "user" uuid, before uuid, after uuid, date date, start text, color nectar.team_color
     )`,
      [JSON.stringify(links.map((link) => ({ start: "11:00", ...link }))), DATE],
    );

  const drawn = (userId: string, probability = 1, start = "11:00") => {
    const startsAt = new Date(`${DATE}T${start}:00Z`);
    const endsAt = new Date(startsAt.getTime() + 7_200_000);
    return drawnCheckIn({ userId, date: DATE, probability, startsAt, endsAt });
  };

  /** Everything that a run writes. */
  async function state() {
    const checkIns = await api.query<{ user_id: string; chips: number }>(
      `select k.user_id, k.date, k.status, k.battle_chips_earned as chips, k.chip_breakdown, k.chain_status, k.team_color,
       k.battle_week_start, k.verified_at, k.photo_timestamp, k.chain_id = c.id as of_chain
     from nectar.workout_checkins k join nectar.chains c on c.user_id = k.user_id and c.date = k.date
     order by k.user_id, k.date`,
    );
    const notifications = await api.query`select user_id, type, data ->> 'date' as date from nectar.notifications
      where type in ('baton_pass', 'battle_update') order by 1, 2, 3`;
    const battles = await api.query`select week_start_date, battle_status from nectar.battles order by 1`;
    return { checkIns, notifications, battles };
  }

  return { api, root, runAt, synthetics, chain, drawn, state };
}
