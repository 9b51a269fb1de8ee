import { randomUUID } from "node:crypto";
import type { Tx } from "@nectar/database/database";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { executeBattle } from "../../../../functions/workout-window/battles/runs.ts";
import { recordCheckIn } from "../../../../functions/workout-window/check-ins/record.ts";
import { reviewCheckIn } from "../../../../functions/workout-window/check-ins/review.ts";
import { endDays } from "../../../../functions/workout-window/days/end-of-day.ts";
import { addDays } from "../../../../packages/core/calendar-date.ts";
import { useApi } from "../../../support/api.ts";
import type { Person } from "../../../support/people.ts";

/*
 * A check-in is judged when it comes, and what it depends on becomes final later: the person before may stay away, come
 * late, be verified or be rejected, and so may the days before of the same person. Whatever happens in whatever order, the
 * check-in ends up as a count from the final facts alone would have it.
 */

const api = useApi();
let client: pg.Client;
const query = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;

/** A Thursday: the ten dates are of two weeks, and there are streaks of seven days. */
const FIRST = "2026-11-12";
const WEEK = "2026-11-09";
const DATES = Array.from({ length: 10 }, (_, day) => addDays(FIRST, day));
/** The hours at which the windows of a chain of four open, in UTC. */
const HOURS = [6, 8, 10, 12] as const;
const REASON = "Looked at it again.";

let people: Person[];
let admin: Person;
beforeAll(async () => {
  client = new pg.Client({ connectionString: api.adminUrl });
  await client.connect();
  people = await Promise.all(HOURS.map(() => api.person()));
  admin = await api.person({ role: "admin" });
});
afterAll(() => client.end());

/** A chain of the four on each date, in the order of their windows. */
beforeEach(async () => {
  await query(
    "truncate nectar.workout_checkins, nectar.chains, nectar.battles, nectar.notifications, private.game_notices cascade",
  );
  await query(
    `insert into nectar.chains (date, user_id, before_user_id, after_user_id, team_color, area_key, activity_type, timezone,
       window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
     select d.date, p.id, ($1::uuid[])[p.place - 1], ($1::uuid[])[p.place + 1],
       (array['red', 'blue'])[1 + p.place % 2]::nectar.team_color, 'city:x', 'walk', 'UTC',
       make_time(h.hour, 0, 0), make_time(h.hour + 2, 0, 0),
       d.date::timestamp at time zone 'UTC' + make_interval(hours => h.hour),
       d.date::timestamp at time zone 'UTC' + make_interval(hours => h.hour + 2),
       (d.date + 1)::timestamp at time zone 'UTC'
     from unnest($1::uuid[]) with ordinality p (id, place)
     join unnest($2::int[]) with ordinality h (hour, place) using (place)
     cross join unnest($3::date[]) d (date)`,
    [people.map(({ id }) => id), HOURS, DATES],
  );
  await query(
    `insert into nectar.team_colors (user_id, week_start_date, color)
     select distinct c.user_id, date_trunc('week', c.date::timestamp)::date, c.team_color from nectar.chains c
     on conflict do nothing`,
  );
});

const servicesAt = (moment: Date) => ({ ...api.services, clock: { now: () => moment } });
const momentOf = (date: string, hours: number) => new Date(Date.parse(`${date}T00:00:00Z`) + hours * 3_600_000);

interface CheckInAs {
  readonly place: number;
  readonly date: string;
  /** Hours after midnight at which the photo is sent. */
  readonly sentAt: number;
  readonly isOdd: boolean;
}

let hashes = 0;
/** The command that writes a check-in, with what is known of a photo that was taken ten minutes or an hour into the window. */
async function checkIn({ place, date, sentAt, isOdd }: CheckInAs, isEarly = true) {
  const person = people[place];
  const hour = HOURS[place];
  if (person === undefined || hour === undefined) throw new RangeError("There are four people.");
  const services = servicesAt(momentOf(date, sentAt));
  const startsAt = momentOf(date, hour);
  const takenAt = new Date(startsAt.getTime() + (isEarly ? 10 : 60) * 60_000);
  const times = { start: "00:00", end: "02:00", timezone: "UTC" };
  const window = { date, times, takenAt, startsAt, endsAt: momentOf(date, hour + 2), minutesOff: 0 };
  hashes += 1;
  const perceptualHash = Array.from({ length: 4 }, (_, part) =>
    // Far apart from each other, so that none is known again.
    (((hashes * 40_503 + part * 7_919) * 2_654_435_761) % 65_536).toString(2).padStart(16, "0"),
  ).join("");
  const claims = { takenAt: null, takenOffset: "+00:00", isEdited: isOdd, isScreenshot: false };
  const photo = { jpeg: new Uint8Array(), perceptualHash, claims };
  const stored = { id: randomUUID(), path: "", url: "" };
  const evidence = { photo, window, takenAt, flags: isOdd ? (["edited"] as const) : [] };
  const body = { activityType: "walk", sent: { uploadedTo: "" } } as const;
  const request = { services, actor: { userId: person.id, email: null }, body };
  return services.database.asUser(person.id, (tx: Tx) => recordCheckIn(tx, request, evidence, stored));
}

const endOf = (date: string) => endDays.run(servicesAt(momentOf(date, 24)));
const review = (id: string, status: "verified" | "rejected", moment: Date) =>
  reviewCheckIn(servicesAt(moment), admin.id, id, { status, reason: REASON });
const idOf = async (place: number, date: string): Promise<string> =>
  (await query("select id from nectar.workout_checkins where user_id = $1 and date = $2", [people[place]?.id, date]))[0]
    ?.id;
const record = async (place: number, date: string) =>
  (
    await query(
      "select status, chain_status, battle_chips_earned as chips, (chip_breakdown ->> 'chain')::int as chain from nectar.workout_checkins where user_id = $1 and date = $2",
      [people[place]?.id, date],
    )
  )[0];
const heard = async (place: number, date = FIRST) =>
  (
    await query(
      `select type from nectar.notifications
       where user_id = $1 and data ->> 'date' = $2 and type in ('chain_broken', 'chain_restored') order by created_at, id`,
      [people[place]?.id, date],
    )
  ).map(({ type }) => type);
const battleChips = async (week = WEEK) =>
  (
    await query(
      "select coalesce(sum(red_chips), 0)::int as red, coalesce(sum(blue_chips), 0)::int as blue from private.battle_days($1)",
      [week],
    )
  )[0];

const onTime = (place: number, isOdd = false): CheckInAs => ({
  place,
  date: FIRST,
  sentAt: (HOURS[place] ?? 0) + 0.5,
  isOdd,
});

describe("the check-in of the next player", () => {
  it("loses the chain bonus if the day of the previous player ends without a check-in", async () => {
    // In the grace before the window, when the person before may still come.
    const { response } = await checkIn({ place: 1, date: FIRST, sentAt: 7.9, isOdd: false });
    expect(response).toMatchObject({ chainStatus: "continued", battleChipsEarned: 2 });
    expect(await battleChips()).toEqual({ red: 2, blue: 0 });
    const { results } = await endOf(FIRST);
    expect(results).toMatchObject({ closed: 4, notified: 2 });
    expect(await record(1, FIRST)).toEqual({ status: "verified", chain_status: "broken", chips: 1, chain: 0 });
    expect(await battleChips()).toEqual({ red: 1, blue: 0 });
    expect(await heard(1)).toEqual(["chain_broken"]);
  });

  it("gets it back if the previous player checks in late", async () => {
    const { response } = await checkIn({ place: 1, date: FIRST, sentAt: 9, isOdd: false });
    expect(response).toMatchObject({ chainStatus: "broken", battleChipsEarned: 1 });
    // An upload more than an hour later waits for an admin, and is no failure until that is decided.
    await checkIn({ place: 0, date: FIRST, sentAt: 20, isOdd: true });
    expect(await record(1, FIRST)).toMatchObject({ chain_status: "continued", chips: 2 });
    expect(await battleChips()).toEqual({ red: 2, blue: 0 });
    expect(await heard(1)).toEqual(["chain_restored"]);
    await endOf(FIRST);
    expect(await heard(1)).toEqual(["chain_restored"]);
  });

  it("changes with reviews of the previous check-in, also after the day", async () => {
    await checkIn(onTime(0, true));
    await checkIn(onTime(1));
    const id = await idOf(0, FIRST);
    await endOf(FIRST);
    const later = momentOf(FIRST, 30);
    const seen = [];
    for (const status of ["rejected", "verified", "rejected", "verified"] as const) {
      await review(id, status, later);
      seen.push([(await record(1, FIRST)).chain_status, (await battleChips()).red]);
    }
    expect(seen).toEqual([
      ["broken", 1],
      ["continued", 2],
      ["broken", 1],
      ["continued", 2],
    ]);
    expect(await heard(1)).toEqual(["chain_broken", "chain_restored", "chain_broken", "chain_restored"]);
  });

  it.each([
    ["the person before is", [0, 1]],
    ["the next person is", [1, 0]],
  ])("has the same result whichever of two is reviewed first: %s", async (_, order) => {
    for (const place of [0, 1]) await checkIn(onTime(place, true));
    const ids = [await idOf(0, FIRST), await idOf(1, FIRST)];
    for (const place of order)
      await review(ids[place] ?? "", place === 0 ? "rejected" : "verified", momentOf(FIRST, 20));
    expect(await record(1, FIRST)).toEqual({ status: "verified", chain_status: "broken", chips: 1, chain: 0 });
    expect(await battleChips()).toEqual({ red: 1, blue: 0 });
  });

  it("keeps chain and chips that a battle ended with, and notifies no one", async () => {
    await checkIn(onTime(0, true));
    await checkIn(onTime(1));
    await executeBattle(servicesAt(momentOf(FIRST, 12)), WEEK);
    const before = await battleChips();
    await review(await idOf(0, FIRST), "rejected", momentOf(FIRST, 13));
    await endOf(FIRST);
    expect(await record(1, FIRST)).toMatchObject({ chain_status: "continued", chips: 2 });
    expect(await battleChips()).toEqual(before);
    expect(await heard(1)).toEqual([]);
    // The next person of one who did not check in at all is still notified.
    expect(await heard(3)).toEqual(["chain_broken"]);
  });

  it("can be reviewed while the previous player starts the battle, without a deadlock", async () => {
    await checkIn(onTime(1, true));
    await query("insert into nectar.battles (week_start_date) values ($1)", [WEEK]);
    const id = await idOf(1, FIRST);
    const holder = new pg.Client({ connectionString: api.adminUrl });
    await holder.connect();
    try {
      await holder.query("begin; select from nectar.battles for update");
      const waiting = (count: number) =>
        vi.waitFor(
          async () => {
            const [row] = await query(
              "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
            );
            expect(row).toEqual({ count });
          },
          { timeout: 20_000 },
        );
      const late = checkIn({ place: 0, date: FIRST, sentAt: 20, isOdd: false });
      await waiting(1);
      const reviewed = review(id, "verified", momentOf(FIRST, 20));
      await waiting(2);
      await holder.query("commit");
      await Promise.all([late, reviewed]);
    } finally {
      await holder.end();
    }
    expect(await record(1, FIRST)).toEqual({ status: "verified", chain_status: "continued", chips: 2, chain: 1 });
    expect(await battleChips()).toEqual({ red: 2, blue: 2 });
  });

  it("has no chips while it is rejected, and its own again once verified", async () => {
    await checkIn(onTime(0));
    await review(await idOf(0, FIRST), "rejected", momentOf(FIRST, 9));
    const [row] = await query("select battle_chips_earned, chip_breakdown from nectar.workout_checkins");
    expect(row).toEqual({
      battle_chips_earned: 0,
      chip_breakdown: { base: 0, chain: 0, early: 0, streak: 0, raw: 0, earned: 0 },
    });
    await review(await idOf(0, FIRST), "verified", momentOf(FIRST, 10));
    expect(await record(0, FIRST)).toMatchObject({ chips: 2, chain: 1 });
  });
});

describe("a streak", () => {
  it("changes with reviews of earlier days", async () => {
    const week = DATES.slice(0, 8);
    for (const date of week) await checkIn({ ...onTime(0, date === DATES[3]), date });
    const streaks = async () =>
      (
        await query("select (chip_breakdown ->> 'streak')::int as streak from nectar.workout_checkins order by date")
      ).map(({ streak }) => streak);
    expect(await streaks()).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    await review(await idOf(0, DATES[3] ?? ""), "verified", momentOf(DATES[8] ?? "", 1));
    expect(await streaks()).toEqual([0, 0, 0, 0, 0, 0, 2, 2]);
    await review(await idOf(0, DATES[0] ?? ""), "rejected", momentOf(DATES[8] ?? "", 1));
    expect(await streaks()).toEqual([0, 0, 0, 0, 0, 0, 0, 2]);
  });
});

/** What happens in a history; what cannot happen at its place is left out. */
interface Deed {
  readonly what: "check in" | "replace" | "review" | "end battle";
  readonly place: number;
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
  place: fc.nat(3),
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

const COLUMNS = "user_id, date::text, status, chain_status, chip_breakdown, battle_week_start::text";

/** What check-ins have to say, by their statuses alone: counted by hand from the rule. */
function counted(rows: readonly Row[], earlyOf: ReadonlyMap<string, boolean>): Map<string, object> {
  const verified = new Set(
    rows.filter(({ status }) => status === "verified").map(({ user_id, date }) => user_id + date),
  );
  return new Map(
    rows.map(({ user_id, date, status }) => {
      const before = people[people.findIndex(({ id }) => id === user_id) - 1];
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
      return [
        user_id + date,
        {
          chain_status: continues ? "continued" : "broken",
          chip_breakdown: { ...parts, raw, earned: Math.floor(raw) },
        },
      ];
    }),
  );
}

/** Plays a history day by day; what was drawn for a day happens on it, reviews of earlier days among it. */
async function play(deeds: readonly Deed[]) {
  const early = new Map<string, boolean>();
  /** The check-ins that the first battle ended with. */
  let frozen: Row[] = [];
  let ended = false;
  for (const [day, date] of DATES.entries()) {
    for (const deed of deeds.filter(({ day: of }) => of === day)) {
      const { what, place, isOdd, isEarly, isLate, status } = deed;
      const hour = HOURS[place] ?? 0;
      const id: string | undefined = await idOf(place, date);
      if (what === "check in" && id === undefined) {
        await checkIn({ place, date, sentAt: isLate ? 23 : hour + 1.1, isOdd }, isEarly);
        early.set(people[place]?.id + date, isEarly);
      }
      if (what === "replace" && id !== undefined && (await record(place, date)).status === "rejected") {
        const kept = frozen.some((row) => row.user_id === people[place]?.id && row.date === date);
        await checkIn({ place, date, sentAt: 23.5, isOdd }, isEarly);
        if (!kept) early.set(people[place]?.id + date, isEarly);
      }
      if (what === "review") {
        // One of any day so far.
        const rows = await query("select id, status from nectar.workout_checkins order by date desc, user_id limit 6");
        const row = rows[(place + (isOdd ? 3 : 0)) % Math.max(rows.length, 1)];
        if (row !== undefined && row.status !== status) await review(row.id, status, momentOf(date, 23.2));
      }
      if (what === "end battle" && !ended && day >= 2) {
        const running = await query(
          "select 1 from nectar.battles where week_start_date = $1 and battle_status = 'in_progress'",
          [WEEK],
        );
        if (running.length === 0) continue;
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

/** Decides about everything that waits, and compares every record with a count from the facts. */
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
      // The last notification agrees with the record.
      const told = await heard(
        people.findIndex(({ id }) => id === row.user_id),
        row.date,
      );
      if (chain_status === "broken") expect([key, told.at(-1)]).toEqual([key, "chain_broken"]);
      else expect([key, told.at(-1)]).not.toEqual([key, "chain_broken"]);
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
        .filter(({ user_id }) => people.findIndex(({ id }) => id === user_id) % 2 === color)
        .reduce((chips, { chip_breakdown }) => chips + (chip_breakdown.earned ?? 0), 0);
    expect(await battleChips(week)).toEqual({ red: sum(1), blue: sum(0) });
  }
}

describe("once all results are final, every check-in equals a count from the facts", () => {
  it(
    "after any history of check-ins, reviews and battles",
    () =>
      fc.assert(
        fc
          .asyncProperty(fc.array(someDeed, { minLength: 60, maxLength: 120 }), async (deeds) => {
            await expectCounted(await play(deeds));
          })
          .beforeEach(async () => {
            await query(
              `truncate nectar.workout_checkins, nectar.battles, nectar.notifications, private.game_notices cascade;
             update nectar.chains set closed_at = null`,
            );
          }),
        { numRuns: 8 },
      ),
    120_000,
  );

  it("also if check-ins, reviews and ends of days run in parallel", async () => {
    const early = new Map<string, boolean>();
    const dates = DATES.slice(0, 8);
    for (const [day, date] of dates.entries()) {
      for (const place of [0, 1, 2]) {
        await checkIn({ ...onTime(place, (day + place) % 2 === 0), date });
        early.set(people[place]?.id + date, true);
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
        await checkIn({ place: 3, date, sentAt: 13, isOdd: false });
        early.set(people[3]?.id + date, true);
      });
      await Promise.all([...reviews, ...last, endDays.run(servicesAt(momentOf(dates[round] ?? "", 12)))]);
    }
    await endDays.run(servicesAt(end));
    await expectCounted({ early, frozen: [] });
  });
});
