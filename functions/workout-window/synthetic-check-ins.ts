import { chipsFor, STREAK_DAYS } from "@nectar/core/game/chips";
import { drawnCheckIn } from "@nectar/core/game/synthetic";
import { isEarly } from "@nectar/core/game/time";
import type { Tx } from "@nectar/database/database";
import { type JobAnswer, runJob } from "@nectar/http/jobs";
import type { Services } from "@nectar/http/services";
import { deliverPushes } from "@nectar/notifications/deliver";
import { sql } from "kysely";

/** Turns that one transaction looks at. */
export const SLICE = 5_000;
/** Well below what the function may take. */
const BUDGET_SECONDS = 40;
/** How long the job may tell devices once it is done. */
const PUSH_BUDGET_MS = 5_000;
const MINUTE_MS = 60_000;

/**
 * Checks in every active synthetic user whose drawn moment of an open day has come, without a photo and verified at once.
 * Whether and when follows from user and date alone, and there is one check-in a date, so that a run that is repeated or
 * ends in the middle comes to the same. Tells the humans who come next and those of the squad.
 */
export async function checkInSyntheticUsers(services: Services): Promise<JobAnswer> {
  const told = new Set<string>();
  const answer = await runJob(
    services,
    { job: "synthetic-check-ins", key: "all", budgetSeconds: BUDGET_SECONDS },
    async ({ slice, outOfTime }) => {
      const rules = { now: services.clock.now(), graceMinutes: services.config.checkinGraceMinutes };
      const counts = { checked: 0, checked_in: 0, notified: 0 };
      const errors: string[] = [];
      let after: Place | null = null;
      do {
        if (outOfTime()) {
          errors.push("The time was up before every turn was looked at; the next run goes on.");
          break;
        }
        const previous: Place | null = after;
        const done: SliceResult = await slice((tx) => checkInSlice(tx, previous, rules));
        counts.checked += done.seen;
        counts.checked_in += done.checkedIn;
        counts.notified += done.told.length;
        for (const person of done.told) told.add(person);
        after = done.next;
      } while (after !== null);
      return { ...counts, errors };
    },
  );
  await deliverPushes(services, { recipients: [...told], budgetMs: PUSH_BUDGET_MS });
  return answer;
}

/** Where a slice ended: windows are taken in the order of their ends, so that whoever is before somebody is done first. */
interface Place {
  readonly window_ends_at: string;
  readonly chain_id: string;
}

interface SliceResult {
  readonly seen: number;
  readonly checkedIn: number;
  readonly told: readonly string[];
  /** Null when nothing is left. */
  readonly next: Place | null;
}

/** A date of a synthetic user who has not checked in. */
interface Turn extends Place {
  readonly user_id: string;
  readonly date: string;
  readonly window_starts_at: string;
  readonly check_in_probability: string;
  /** Verified days in a row up to yesterday, counted to as many as pay. */
  readonly days_before: number;
  readonly before_user_id: string | null;
  readonly before_ends_at: string | null;
  readonly before_checked_in: boolean;
}

interface Rules {
  readonly now: Date;
  readonly graceMinutes: number;
}

async function checkInSlice(tx: Tx, after: Place | null, rules: Rules): Promise<SliceResult> {
  const turns = await openTurns(tx, after, rules.now);
  const due = turns.flatMap((turn) => {
    const moment = momentOf(turn);
    return moment !== null && moment <= rules.now ? [{ turn, moment }] : [];
  });
  const last = turns.length < SLICE ? undefined : turns.at(-1);
  const told = due.length === 0 ? { checkedIn: 0, told: [] } : await write(tx, due, rules);
  return {
    ...told,
    seen: turns.length,
    next: last === undefined ? null : { window_ends_at: last.window_ends_at, chain_id: last.chain_id },
  };
}

async function openTurns(tx: Tx, after: Place | null, now: Date): Promise<readonly Turn[]> {
  const from =
    after === null
      ? sql`true`
      : sql`(c.window_ends_at, c.id) > (${after.window_ends_at}::timestamptz, ${after.chain_id}::uuid)`;
  const { rows } = await sql<Turn>`
    select c.id as chain_id, c.user_id, c.date, c.window_starts_at, c.window_ends_at, s.check_in_probability,
      streak.days as days_before, before.user_id as before_user_id, before.window_ends_at as before_ends_at,
      exists (
        select from workout_checkins k
        where k.user_id = before.user_id and k.date = c.date and k.status <> 'rejected'
      ) as before_checked_in
    from chains c
    join synthetic_users s on s.user_id = c.user_id and s.is_active
    left join chains before on before.user_id = c.before_user_id and before.date = c.date
    cross join lateral (
      select count(*)::integer as days
      from (
        select k.date, row_number() over (order by k.date desc)::integer as place
        from workout_checkins k
        where k.user_id = c.user_id and k.date < c.date and k.status = 'verified'
        order by k.date desc limit ${STREAK_DAYS - 1}
      ) days
      where days.date = c.date - days.place
    ) streak
    where c.closed_at is null and c.window_starts_at <= ${now.toISOString()}::timestamptz and ${from}
      -- The day of what has started is over within two: this is what the index of open days is read up to.
      and c.day_ends_at <= ${now.toISOString()}::timestamptz + interval '2 days'
      and not exists (select from workout_checkins k where k.user_id = c.user_id and k.date = c.date)
    order by c.window_ends_at, c.id limit ${SLICE}
  `.execute(tx);
  return rows;
}

function momentOf({ user_id, date, check_in_probability, window_starts_at, window_ends_at }: Turn): Date | null {
  return drawnCheckIn({
    userId: user_id,
    date,
    probability: Number(check_in_probability),
    startsAt: new Date(window_starts_at),
    endsAt: new Date(window_ends_at),
  });
}

interface DueTurn {
  readonly turn: Turn;
  readonly moment: Date;
}

/** Writes the check-ins, passes the batons and tells the squads in one statement; a check-in that is there already is left alone. */
async function write(tx: Tx, due: readonly DueTurn[], { now, graceMinutes }: Rules) {
  await holdAccounts(tx, due);
  const weeks = await battleWeeks(tx, due);
  const together = new Set(due.map(({ turn }) => keyOf(turn.user_id, turn.date)));
  const rows = due.map(({ turn, moment }) => {
    const continued = !isBroken(turn, moment, together, graceMinutes);
    const window = { startsAt: new Date(turn.window_starts_at), endsAt: new Date(turn.window_ends_at) };
    const breakdown = chipsFor({
      chainContinued: continued,
      early: isEarly(window, moment, graceMinutes),
      streakDays: turn.days_before + 1,
    });
    return {
      chain_id: turn.chain_id,
      moment: moment.toISOString(),
      chips: breakdown.earned,
      breakdown,
      chain_status: continued ? "continued" : "broken",
      week: weeks.get(turn.date),
    };
  });
  const written = await sql<{ recipient: string | null; is_news: boolean }>`
    -- Held until the end: a day that is being ended at this moment is waited for, and over then.
    with open as (
      select c.*, r.chips, r.breakdown, r.chain_status, r.week, r.moment
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
        chain_id uuid, moment timestamptz, chips integer, breakdown jsonb, chain_status text, week date
      )
      join chains c on c.id = r.chain_id
      where c.closed_at is null
      for share of c
    ), written as (
      insert into workout_checkins (
        user_id, chain_id, date, activity_type, status, battle_chips_earned, chip_breakdown, chain_status, team_color,
        battle_week_start, verified_at
      )
      select o.user_id, o.id, o.date, o.activity_type, 'verified', o.chips, o.breakdown, o.chain_status, o.team_color,
        o.week, o.moment
      from open o
      order by o.user_id, o.date
      on conflict (user_id, date) do nothing
      returning *
    ), told as (
      select k.*, c.after_user_id, c.squad_id, coalesce(p.full_name, 'Your neighbour') as name,
        jsonb_build_object('checkin_id', k.id, 'date', k.date) as data
      from written k
      join chains c on c.id = k.chain_id
      join profiles p on p.id = k.user_id
    ), news as (
      select t.after_user_id as recipient, 'baton_pass'::notification_type as kind, 'The baton is yours' as title,
        t.name || ' has checked in. You are next.' as body, t.data
      from told t
      join profiles p on p.id = t.after_user_id and not p.is_ai
      -- Nobody is next who is done, or whose window is over.
      join chains n on n.user_id = p.id and n.date = t.date
      where n.window_ends_at + make_interval(mins => ${graceMinutes}) >= ${now.toISOString()}::timestamptz
        and not exists (select from workout_checkins k where k.user_id = p.id and k.date = t.date)
      union all
      select p.id, 'battle_update', 'Chips for your team',
        t.name || ' brought ' || t.battle_chips_earned || ' for your team.',
        t.data || jsonb_build_object('week_start_date', t.battle_week_start)
      from told t
      join squads q on q.id = t.squad_id
      join profiles p on p.id in (q.user_1_id, q.user_2_id, q.user_3_id) and p.id <> t.user_id and not p.is_ai
    )
    select n.recipient, true as is_news, private.notify(n.recipient, n.kind, n.title, n.body, n.data) from news n
    union all
    select null, false, null from written
  `.execute(tx);
  return {
    checkedIn: written.rows.filter(({ is_news }) => !is_news).length,
    told: written.rows.flatMap(({ recipient }) => (recipient === null ? [] : [recipient])),
  };
}

/** Holds who checks in and who may be told of it before anything of theirs, as a deletion of an account goes. */
async function holdAccounts(tx: Tx, due: readonly DueTurn[]): Promise<void> {
  await sql`
    select private.hold_accounts(array(
      select o.id
      from chains c
      left join squads q on q.id = c.squad_id
      cross join lateral (values (c.user_id), (c.after_user_id), (q.user_1_id), (q.user_2_id), (q.user_3_id)) o (id)
      where c.id = any (${due.map(({ turn }) => turn.chain_id)}::uuid[]) and o.id is not null
    ))
  `.execute(tx);
}

/** The battle that each date's chips count for, oldest date first, as everybody locks battles. */
async function battleWeeks(tx: Tx, due: readonly DueTurn[]): Promise<ReadonlyMap<string, string>> {
  const dates = [...new Set(due.map(({ turn }) => turn.date))].toSorted();
  const { rows } = await sql<{ date: string; week: string }>`
    select d.date, private.join_battle(d.date) as week
    from unnest(${dates}::date[]) with ordinality d (date, place) order by d.place
  `.execute(tx);
  return new Map(rows.map(({ date, week }) => [date, week]));
}

/** Broken: somebody was before, whose window and grace had closed at that moment without a check-in. */
function isBroken(turn: Turn, moment: Date, together: ReadonlySet<string>, graceMinutes: number): boolean {
  if (turn.before_user_id === null || turn.before_ends_at === null || turn.before_checked_in) return false;
  if (together.has(keyOf(turn.before_user_id, turn.date))) return false;
  return Date.parse(turn.before_ends_at) + graceMinutes * MINUTE_MS < moment.getTime();
}

function keyOf(userId: string, date: string): string {
  return `${userId} ${date}`;
}
