import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { addDays } from "#core/time/calendar-date";
import type { Tx } from "#database/database";
import { recordCheckIn } from "#functions/game/check-ins/record";
import { reviewCheckIn } from "#functions/game/check-ins/review";
import { endDays } from "#functions/game/days/end-of-day";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";

/** A Thursday: the ten dates are of two weeks, and there are streaks of seven days. */
export const FIRST = "2026-11-12";
export const WEEK = "2026-11-09";
export const DATES = Array.from({ length: 10 }, (_, day) => addDays(FIRST, day));
/** The hours at which the windows of a chain of four open, in UTC. */
export const HOURS = [6, 8, 10, 12] as const;
const REASON = "Looked at it again.";

export interface CheckInAs {
  readonly player: number;
  readonly date: string;
  /** Hours after midnight at which the photo is sent. */
  readonly sentAt: number;
  readonly isOdd: boolean;
}

/** A chain of four on ten dates, over the API of a test file. */
export function chainResultScene() {
  const api = useApi();
  let client: pg.Client;
  const query = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;

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
      "truncate nectar.workout_checkins, nectar.chains, private.open_days, nectar.battles, nectar.notifications, private.game_notices cascade",
    );
    await query(
      `insert into nectar.chains (date, user_id, before_user_id, after_user_id, team_color, area_key, activity_type, timezone,
       window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
     select d.date, p.id, ($1::uuid[])[p.player - 1], ($1::uuid[])[p.player + 1],
       (array['red', 'blue'])[1 + p.player % 2]::nectar.team_color, 'city:x', 'walk', 'UTC',
       make_time(h.hour, 0, 0), make_time(h.hour + 2, 0, 0),
       d.date::timestamp at time zone 'UTC' + make_interval(hours => h.hour),
       d.date::timestamp at time zone 'UTC' + make_interval(hours => h.hour + 2),
       (d.date + 1)::timestamp at time zone 'UTC'
     from unnest($1::uuid[]) with ordinality p (id, player)
     join unnest($2::int[]) with ordinality h (hour, player) using (player)
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

  let hashes = 0;
  /** The command that writes a check-in, with what is known of a photo that was taken ten minutes or an hour into the window. */
  async function checkIn({ player, date, sentAt, isOdd }: CheckInAs, isEarly = true) {
    const person = people[player];
    const hour = HOURS[player];
    if (person === undefined || hour === undefined) throw new RangeError("There are four people.");
    const services = servicesAt(momentOf(date, sentAt));
    const startsAt = momentOf(date, hour);
    const takenAt = new Date(startsAt.getTime() + (isEarly ? 10 : 60) * 60_000);
    const times = { start: "00:00", end: "02:00", timezone: "UTC" };
    const window = { date, times, takenAt, startsAt, endsAt: momentOf(date, hour + 2), minutesOff: 0, isOff: false };
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
    const request = { services, actor: { userId: person.id, email: null, issuedAt: null }, body };
    return services.database.asUser(person.id, (tx: Tx) => recordCheckIn(tx, request, evidence, stored));
  }

  const endOf = (date: string) => endDays.run(servicesAt(momentOf(date, 24)));
  const review = (id: string, status: "verified" | "rejected", moment: Date) =>
    api.database.asService((tx) =>
      reviewCheckIn(tx, admin.id, id, { status, reason: REASON }, { now: moment, graceMinutes: 15 }),
    );
  /** The check-in of a player on a date; undefined if there is none. */
  const record = async (player: number, date: string) => {
    const [row] = await query(
      `select status, chain_status, battle_chips_earned as chips, (chip_breakdown ->> 'chain')::int as chain
       from nectar.workout_checkins where user_id = $1 and date = $2`,
      [people[player]?.id, date],
    );
    return row;
  };
  const idOf = async (player: number, date: string): Promise<string> => {
    const text = "select id from nectar.workout_checkins where user_id = $1 and date = $2";
    return (await query(text, [people[player]?.id, date]))[0]?.id;
  };
  const chainNotices = async (player: number, date = FIRST) => {
    const rows = await query(
      `select type from nectar.notifications
       where user_id = $1 and data ->> 'date' = $2 and type in ('chain_broken', 'chain_restored') order by created_at, id`,
      [people[player]?.id, date],
    );
    return rows.map(({ type }) => type);
  };
  const battleChips = async (week = WEEK) => {
    const sums = "coalesce(sum(red_chips), 0)::int as red, coalesce(sum(blue_chips), 0)::int as blue";
    return (await query(`select ${sums} from private.battle_days($1)`, [week]))[0];
  };

  /** A check-in half an hour into the window. */
  const onTime = (player: number, isOdd = false): CheckInAs => {
    return { player, date: FIRST, sentAt: (HOURS[player] ?? 0) + 0.5, isOdd };
  };

  return {
    api,
    query,
    servicesAt,
    momentOf,
    checkIn,
    endOf,
    review,
    idOf,
    record,
    chainNotices,
    battleChips,
    onTime,
    get client() {
      return client;
    },
    get people() {
      return people;
    },
    get admin() {
      return admin;
    },
  };
}
