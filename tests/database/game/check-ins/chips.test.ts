import { expect, it } from "vitest";
import { useActing } from "../../support/acting.ts";

const acting = useActing();

// Counted by hand from the rule: 1, plus 1 for the chain, plus 0.5 for early, plus 2 for a streak; rounded down.
it.each([
  ["verified", "broken", false, false, [1, 0, 0, 0, 1, 1]],
  ["verified", "broken", true, false, [1, 0, 0.5, 0, 1.5, 1]],
  ["verified", "continued", false, false, [1, 1, 0, 0, 2, 2]],
  ["verified", "continued", true, false, [1, 1, 0.5, 0, 2.5, 2]],
  ["verified", "broken", false, true, [1, 0, 0, 2, 3, 3]],
  ["verified", "broken", true, true, [1, 0, 0.5, 2, 3.5, 3]],
  ["verified", "continued", false, true, [1, 1, 0, 2, 4, 4]],
  ["verified", "continued", true, true, [1, 1, 0.5, 2, 4.5, 4]],
  ["pending", "continued", true, true, [1, 1, 0.5, 2, 4.5, 4]],
  ["rejected", "continued", true, true, [0, 0, 0, 0, 0, 0]],
] as const)(
  "a check-in that is %s, %s, early %s, in a streak %s has its chips",
  async (status, chain, early, streak, of) => {
    const row = await acting.one`select private.chip_breakdown(${status}, ${chain}, ${early}, ${streak}) as breakdown`;
    const [base, chainChips, earlyChips, streakChips, raw, earned] = of;
    expect(row.breakdown).toEqual({
      base,
      chain: chainChips,
      early: earlyChips,
      streak: streakChips,
      raw,
      earned,
    });
  },
);

it.each([
  ["six days before", [1, 2, 3, 4, 5, 6], "verified", true],
  ["five days before", [1, 2, 3, 4, 5], "verified", false],
  ["a gap", [1, 2, 3, 5, 6, 7, 8, 9], "verified", false],
  ["a day that waits for an admin", [1, 2, 3, 4, 5, 6], "pending", false],
  ["nine days before", [1, 2, 3, 4, 5, 6, 7, 8, 9], "verified", true],
])("with %s a check-in is in a streak only when it is the seventh in a row", async (_, days, status, expected) => {
  const { admin } = acting;
  const { rows: made } = await admin.query("insert into auth.users (id) values (gen_random_uuid()) returning id");
  const [{ id }] = made;
  await admin.query(
    `insert into nectar.workout_checkins (user_id, date, activity_type, status, chain_status, battle_week_start, verified_at)
     select $1, date '2031-01-20' - day, 'walk', case day when 3 then $3 else 'verified' end::nectar.checkin_status,
       'continued', '2031-01-13', now()
     from unnest($2::int[]) day`,
    [id, days, status],
  );
  const { rows } = await admin.query("select private.has_streak($1, '2031-01-20') as found", [id]);
  expect(rows[0].found).toBe(expected);
});
