import fc from "fast-check";
import type pg from "pg";
import { describe, expect, it } from "vitest";
import { race } from "../concurrency/race.ts";
import { useActing } from "../support/acting.ts";

/*
 * How the players of a date are doing is not counted but read from what changed. Whatever is done to chains, check-ins and
 * accounts, by one or by several at a time, both have to be the same.
 */

const acting = useActing();
const DATES = ["2031-05-05", "2031-05-06"] as const;
const PEOPLE = 5;

const counted = async () =>
  (
    await acting.admin.query(
      `select date::text, team_color, k.status, case when k.id is null then c.window_ends_at end as window_ends_at,
         case when k.id is null then c.day_ends_at end as day_ends_at, count(*) as players,
         coalesce(sum(k.battle_chips_earned) filter (where k.status = 'verified'), 0) as chips
       from (select user_id, date, team_color, window_ends_at, day_ends_at from nectar.chains) c
       full join (select id, user_id, date, status, battle_chips_earned from nectar.workout_checkins) k
         using (user_id, date)
       group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    )
  ).rows;
const read = async () =>
  (
    await acting.admin.query(
      `select d.date::text, p.* from unnest($1::date[]) d (date), private.players_of_date(d.date) p
       order by 1, 2, 3, 4, 5`,
      [DATES],
    )
  ).rows;

/** Something that may happen to a person, or to all check-ins of a date. */
const someDeed = fc.record({
  what: fc.constantFrom("match", "match", "check in", "check in", "review all", "leave", "remove", "delete", "compact"),
  person: fc.nat(PEOPLE - 1),
  date: fc.constantFrom(...DATES),
  hour: fc.integer({ min: 10, max: 12 }),
  status: fc.constantFrom("pending", "verified", "rejected"),
});
type Deed = typeof someDeed extends fc.Arbitrary<infer Made> ? Made : never;

const match = (person: string, date: string, hour = 10) =>
  `insert into nectar.chains (date, user_id, team_color, area_key, activity_type, timezone, window_start_time,
     window_end_time, window_starts_at, window_ends_at, day_ends_at)
   select '${date}', id, (array['red', 'blue'])[1 + ascii(left(id::text, 1)) % 2]::nectar.team_color, 'city:ulm', 'walk',
     'UTC', '06:00', '08:00', '${date} 06:00Z', '${date} ${hour}:00Z', '${date} 23:59Z'
   from nectar.profiles where id = '${person}'
   on conflict (date, user_id) do update set window_ends_at = excluded.window_ends_at`;
const checkIn = (person: string, date: string, status = "verified") =>
  `insert into nectar.workout_checkins (user_id, chain_id, date, activity_type, status, chain_status, battle_week_start,
     verified_at)
   select id, (select c.id from nectar.chains c where c.user_id = p.id and c.date = '${date}'), '${date}', 'walk',
     '${status}', 'continued', '2031-05-05', now()
   from nectar.profiles p where id = '${person}'
   on conflict (user_id, date) do update set status = excluded.status`;

function statementOf({ what, date, hour, status }: Deed, person: string): string {
  switch (what) {
    case "match":
      return match(person, date, hour);
    case "check in":
      return checkIn(person, date, status);
    case "review all":
      return `update nectar.workout_checkins set status = '${status}' where date = '${date}'`;
    case "leave":
      return `delete from nectar.chains where user_id = '${person}' and date = '${date}'`;
    case "remove":
      return `delete from nectar.workout_checkins where user_id = '${person}' and date = '${date}'`;
    case "delete":
      return `delete from auth.users where id = '${person}'`;
    default:
      return `select private.compact_player_changes('${DATES[0]}')`;
  }
}

async function signUpPeople(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into auth.users (id, email)
     select id, id || '@example.test' from (select gen_random_uuid() as id from generate_series(1, ${PEOPLE})) new
     returning id`,
  );
  return rows.map(({ id }) => id);
}

describe("the counts of the players of a date", () => {
  it("are those of its chains and check-ins, whatever happens to them", () =>
    fc.assert(
      fc
        .asyncProperty(fc.array(someDeed, { minLength: 1, maxLength: 25 }), async (deeds) => {
          const people = await signUpPeople(acting.admin);
          for (const deed of deeds) await acting.admin.query(statementOf(deed, people[deed.person] ?? ""));
          expect(await read()).toEqual(await counted());
        })
        .beforeEach(() => acting.admin.query("truncate nectar.chains cascade")),
      { numRuns: 40 },
    ));

  it("are counted again when check-ins are truncated", async () => {
    const [person = ""] = await signUpPeople(acting.admin);
    await acting.admin.query(match(person, DATES[0]));
    await acting.admin.query(checkIn(person, DATES[0]));
    await acting.admin.query("truncate nectar.workout_checkins cascade");
    expect(await read()).toEqual(await counted());
  });

  it.each(["matched first", "checked in first"])(
    "include a player who is matched and checks in at once, %s",
    async (order) => {
      const [person = ""] = await signUpPeople(acting.admin);
      const matching = {
        by: "login role",
        statement: `select pg_advisory_xact_lock(private.matching_lock('${DATES[0]}')); ${match(person, DATES[0])}`,
      } as const;
      const checkingIn = { by: "login role", statement: checkIn(person, DATES[0]) } as const;
      const [first, second] = order === "matched first" ? [matching, checkingIn] : [checkingIn, matching];
      expect(await race(acting.adminUrl, acting.admin, first, second)).toMatchObject({ waited: true });
      expect(await read()).toEqual(await counted());
    },
  );
});

it("the members of a battle are those of its teams after players joined, left and were deleted", async () => {
  const week = "2031-05-05";
  const people = await signUpPeople(acting.admin);
  const members = async () =>
    (await acting.admin.query("select red_members, blue_members from private.battle_members($1)", [week])).rows;
  await acting.admin.query(
    `insert into nectar.team_colors (user_id, week_start_date, color)
     select id, $2, (array['red', 'red', 'red', 'blue', 'blue'])[n]::nectar.team_color
     from unnest($1::uuid[]) with ordinality p (id, n)`,
    [people, week],
  );
  expect(await members()).toEqual([{ red_members: 3, blue_members: 2 }]);
  await acting.admin.query("delete from nectar.team_colors where user_id = $1", [people[0]]);
  await acting.admin.query("delete from auth.users where id = $1", [people[4]]);
  expect(await members()).toEqual([{ red_members: 2, blue_members: 1 }]);
  await acting.admin.query("truncate nectar.workout_checkins cascade");
  expect(await members()).toEqual([{ red_members: 2, blue_members: 1 }]);
});
