import type { TestApi } from "./api.ts";
import type { Person } from "./people.ts";

/** Puts up to three people into a squad of a date, as matching does. Windows are of no interest here. @returns its id */
export async function formSquad(
  api: TestApi,
  date: string,
  people: readonly [Person, Person?, Person?],
): Promise<string> {
  const [first, second, third] = people.map((person) => person?.id ?? null);
  const squad = await api.one<{ id: string }>`
    insert into nectar.squads (date, user_1_id, user_2_id, user_3_id, team_color)
    values (${date}, ${first}, ${second}, ${third}, 'red') returning id`;
  await api.query`
    insert into nectar.chains (date, user_id, team_color, squad_id, area_key, activity_type, timezone, window_start_time,
      window_end_time, window_starts_at, window_ends_at, day_ends_at)
    select ${date}, p, 'red', ${squad.id}, 'city:ulm', 'walk', 'UTC', '06:00', '08:00',
      ${date}::date + interval '6 hours', ${date}::date + interval '8 hours', ${date}::date + interval '1 day'
    from unnest(${[first, second, third]}::uuid[]) p where p is not null
    on conflict (date, user_id) do update set squad_id = excluded.squad_id`;
  return squad.id;
}
