import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays } from "#core/time/calendar-date";
import { executeBattle } from "#functions/game/battles/runs";
import { endDays } from "#functions/game/days/end-of-day";
import { LONG } from "#tests/long";
import { chainResultScene, DATES, FIRST, HOURS, WEEK } from "./chain-result-scene.ts";

/*
 * A check-in counts at once, and what it depends on becomes final later: the previous player may stay away, come late, be
 * verified or be rejected, and so may the same person's earlier days. After any history, the check-in equals a count from the
 * final facts alone.
 */
const scene = chainResultScene();
const { query, servicesAt, momentOf, checkIn, endOf, review, idOf, record, chainNotices, battleChips, onTime } = scene;

/** A step of a history; steps that are not possible at their time are skipped. */
interface Deed {
  readonly what: "check in" | "replace" | "review" | "end battle";
  readonly player: number;
  readonly day: number;
  readonly isOdd: boolean;
  readonly isEarly: boolean;
  readonly isLate: boolean;
  readonly status: "verified" | "rejected";
}

const someDeed: fc.Arbitrary<Deed> = fc.record({
  what: fc.oneof(
    { weight: 12, arbitrary: fc.constant("check in" as const) },
    { weight: 2, arbitrary: fc.constant("replace" as const) },
    { weight: 6, arbitrary: fc.constant("review" as const) },
    { weight: 1, arbitrary: fc.constant("end battle" as const) },
  ),
  player: fc.nat(3),
  day: fc.nat(9),
  isOdd: fc.boolean(),
  isEarly: fc.boolean(),
  isLate: fc.boolean(),
  status: fc.constantFrom("verified", "rejected"),
});

interface Row {
  readonly user_id: string;
  readonly date: string;
  readonly status: "verified" | "rejected";
  readonly chain_status: string;
  readonly chip_breakdown: Record<string, number>;
  readonly battle_week_start: string;
}

/** Rest days and absences of the four, from before the history on. They change the streak that a person sees, and nothing here. */
const someDaysOff = fc.array(
  fc.record({
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 2 }),
    leaves: fc.nat(9),
    days: fc.nat(4),
  }),
  { minLength: HOURS.length, maxLength: HOURS.length },
);
type DaysOff = typeof someDaysOff extends fc.Arbitrary<infer Value> ? Value : never;

async function takeOff(daysOff: DaysOff): Promise<void> {
  for (const [player, { weekdays, leaves, days }] of daysOff.entries()) {
    const hour = HOURS[player] ?? 0;
    const from = addDays(FIRST, leaves);
    await query(
      `insert into nectar.workout_windows (user_id, activity_type, window_start_time, window_end_time, timezone,
         effective_from, away, rest_days)
       values ($1, 'walk', make_time($2, 0, 0), make_time($2 + 2, 0, 0), 'UTC', $3, $4, $5)
       on conflict (user_id) do update set away = excluded.away, rest_days = excluded.rest_days`,
      [
        scene.people[player]?.id,
        hour,
        FIRST,
        `{[${from},${addDays(from, days)})}`,
        JSON.stringify([{ from: FIRST, weekdays }]),
      ],
    );
  }
}

const COLUMNS = "user_id, date::text, status, chain_status, chip_breakdown, battle_week_start::text";

/** Chain status and chips of check-ins, computed from all statuses by a separate implementation of the rules. */
function counted(rows: readonly Row[], earlyOf: ReadonlyMap<string, boolean>): Map<string, object> {
  const verified = new Set(
    rows.filter(({ status }) => status === "verified").map(({ user_id, date }) => user_id + date),
  );
  return new Map(
    rows.map(({ user_id, date, status }) => {
      const before = scene.people[scene.people.findIndex(({ id }) => id === user_id) - 1];
      const continues = before === undefined || verified.has(before.id + date);
      const isLongRow = [1, 2, 3, 4, 5, 6].every((days) => verified.has(user_id + addDays(date, -days)));
      const counts = status === "verified";
      const parts = {
        base: counts ? 1 : 0,
        chain: counts && continues ? 1 : 0,
        early: counts && earlyOf.get(user_id + date) === true ? 0.5 : 0,
        streak: counts && isLongRow ? 2 : 0,
      };
      const raw = parts.base + parts.chain + parts.early + parts.streak;
      const chip_breakdown = { ...parts, raw, earned: Math.floor(raw) };
      return [user_id + date, { chain_status: continues ? "continued" : "broken", chip_breakdown }];
    }),
  );
}

/** Plays a history day by day: the steps of a day happen on it, including reviews of earlier days. */
async function play(deeds: readonly Deed[]) {
  const early = new Map<string, boolean>();
  /** The check-ins that the first battle ended with. */
  let frozen: Row[] = [];
  let ended = false;
  for (const [day, date] of DATES.entries()) {
    for (const deed of deeds.filter(({ day: of }) => of === day)) {
      const { what, player, isOdd, isEarly, isLate, status } = deed;
      const hour = HOURS[player] ?? 0;
      const id: string | undefined = await idOf(player, date);
      if (what === "check in" && id === undefined) {
        await checkIn({ player, date, sentAt: isLate ? 23 : hour + 1.1, isOdd }, isEarly);
        early.set(scene.people[player]?.id + date, isEarly);
      }
      if (what === "replace" && id !== undefined && (await record(player, date)).status === "rejected") {
        const kept = frozen.some((row) => row.user_id === scene.people[player]?.id && row.date === date);
        await checkIn({ player, date, sentAt: 23.5, isOdd }, isEarly);
        if (!kept) early.set(scene.people[player]?.id + date, isEarly);
      }
      if (what === "review") {
        // A check-in of any day so far.
        const rows = await query("select id, status from nectar.workout_checkins order by date desc, user_id limit 6");
        const row = rows[(player + (isOdd ? 3 : 0)) % Math.max(rows.length, 1)];
        if (row !== undefined && row.status !== status) await review(row.id, status, momentOf(date, 23.2));
      }
      if (what === "end battle" && !ended && day >= 2) {
        const battle = "from nectar.battles where week_start_date = $1 and battle_status = 'in_progress'";
        if ((await query(`select ${battle}`, [WEEK])).length === 0) continue;
        frozen = (await query(
          `select ${COLUMNS} from nectar.workout_checkins where battle_week_start = $1 and status = 'verified'`,
          [WEEK],
        )) as Row[];
        await executeBattle(servicesAt(momentOf(date, 23.3)), WEEK);
        ended = true;
      }
    }
    await endOf(date);
  }
  return { early, frozen };
}

/** Reviews all pending check-ins, and compares every check-in with a count from the facts. */
async function expectCounted({ early, frozen }: Awaited<ReturnType<typeof play>>) {
  const totals = await battleChips();
  const waiting = await query("select id from nectar.workout_checkins where status = 'pending' order by id");
  for (const [at, { id }] of waiting.entries()) {
    await review(id, at % 2 === 0 ? "verified" : "rejected", momentOf(addDays(FIRST, 11), 1));
  }
  const rows = (await query(`select ${COLUMNS} from nectar.workout_checkins order by date, user_id`)) as Row[];
  const expected = counted(rows, early);
  const kept = new Map(frozen.map((row) => [row.user_id + row.date, row]));
  for (const row of rows) {
    const key = row.user_id + row.date;
    const was = kept.get(key);
    const { status, chain_status, chip_breakdown } = row;
    if (was === undefined) {
      expect({ key, chain_status, chip_breakdown }).toEqual({ key, ...expected.get(key) });
      // The last notification agrees with the check-in.
      const notices = await chainNotices(
        scene.people.findIndex(({ id }) => id === row.user_id),
        row.date,
      );
      if (chain_status === "broken") expect([key, notices.at(-1)]).toEqual([key, "chain_broken"]);
      else expect([key, notices.at(-1)]).not.toEqual([key, "chain_broken"]);
    } else {
      expect({ key, chain_status }).toEqual({ key, chain_status: was.chain_status });
      if (status === "verified") expect({ key, chip_breakdown }).toEqual({ key, chip_breakdown: was.chip_breakdown });
    }
  }
  if (frozen.length > 0) expect(await battleChips()).toEqual(totals);
  for (const week of frozen.length > 0 ? ["2026-11-16"] : [WEEK, "2026-11-16"]) {
    const sum = (color: number) =>
      rows
        .filter(({ status, battle_week_start }) => status === "verified" && battle_week_start === week)
        .filter(({ user_id }) => scene.people.findIndex(({ id }) => id === user_id) % 2 === color)
        .reduce((chips, { chip_breakdown }) => chips + (chip_breakdown.earned ?? 0), 0);
    expect(await battleChips(week)).toEqual({ red: sum(1), blue: sum(0) });
  }
}

describe("once all results are final, every check-in equals a count from the facts", () => {
  it("after any history of check-ins, reviews and battles, with any days off", () =>
    fc.assert(
      fc
        .asyncProperty(fc.array(someDeed, { minLength: 60, maxLength: 120 }), someDaysOff, async (deeds, daysOff) => {
          await takeOff(daysOff);
          await expectCounted(await play(deeds));
        })
        .beforeEach(async () => {
          await query(
            `truncate nectar.workout_checkins, nectar.battles, nectar.notifications, private.game_notices cascade;
             insert into private.open_days select day_ends_at, user_id, id from nectar.chains on conflict do nothing`,
          );
        }),
      { numRuns: LONG ? 10_000 : 4 },
    ));

  it("also if check-ins, reviews and ends of days run in parallel", async () => {
    const early = new Map<string, boolean>();
    const dates = DATES.slice(0, 8);
    for (const [day, date] of dates.entries()) {
      for (const player of [0, 1, 2]) {
        await checkIn({ ...onTime(player, (day + player) % 2 === 0), date });
        early.set(scene.people[player]?.id + date, true);
      }
    }
    const end = momentOf(addDays(FIRST, 8), 0);
    for (const round of [0, 1, 2]) {
      const rows: { id: string; status: string }[] = await query(
        "select id, status from nectar.workout_checkins order by md5(id::text || $1::text)",
        [round],
      );
      const reviews = rows.map(({ id, status }, at) =>
        review(id, status === "rejected" || (status === "pending" && at % 3 > 0) ? "verified" : "rejected", end),
      );
      const last = dates.map(async (date, day) => {
        if (day % 3 !== round) return;
        await checkIn({ player: 3, date, sentAt: 13, isOdd: false });
        early.set(scene.people[3]?.id + date, true);
      });
      await Promise.all([...reviews, ...last, endDays.run(servicesAt(momentOf(dates[round] ?? "", 12)))]);
    }
    await endDays.run(servicesAt(end));
    await expectCounted({ early, frozen: [] });
  });
});
