import { drawnCheckIn } from "@nectar/core/game/synthetic";
import { isEarly } from "@nectar/core/game/time";
import type { Tx } from "@nectar/database/database";
import { all, one } from "@nectar/database/query";
import { job } from "@nectar/http/jobs";
import { deliverPushes } from "@nectar/notifications/deliver";
import { sql } from "kysely";
import { scheduleOf } from "../../schedules.ts";
import { type DayMoment, dayMoment } from "../day-state.ts";
import type { ActivityType } from "../schema.ts";

/** Turns that one transaction looks at. */
export const SLICE = 5_000;
/** Milliseconds for pushes to devices once the job is done. */
const PUSH_BUDGET_MS = 5_000;

/**
 * Checks in every active synthetic user whose drawn moment of an open day has come, without a photo and verified at once.
 * Whether and when follows from user and date alone, and there is one check-in a date, so that a run that is repeated or
 * ends in the middle comes to the same. Tells the humans who come next and those of the squad.
 */
export const checkInSyntheticUsers = job(
  scheduleOf("synthetic-check-ins"),
  async ({ services, now, errors, notified, forEachSlice }) => {
    const moment = dayMoment({ now, services });
    const { seen: checked, ...counts } = await forEachSlice(SLICE, (tx, after: Place | null) =>
      checkInSlice(tx, after, moment),
    );
    await deliverPushes(services, { recipients: [...notified], budgetMs: PUSH_BUDGET_MS });
    return { checked, ...counts, errors };
  },
);

/** Where a slice ended: windows are taken in the order of their ends, so that whoever is before somebody is done first. */
interface Place {
  readonly window_ends_at: string;
  readonly chain_id: string;
}

/** A date of a synthetic user who has not checked in. */
interface Turn extends Place {
  readonly user_id: string;
  readonly date: string;
  readonly activity_type: ActivityType;
  readonly window_starts_at: string;
  readonly check_in_probability: string;
}

async function checkInSlice(tx: Tx, after: Place | null, asOf: DayMoment) {
  const turns = await openTurns(tx, after, asOf.now);
  const due = turns.flatMap((turn) => {
    const moment = momentOf(turn);
    return moment !== null && moment <= asOf.now ? [{ turn, moment }] : [];
  });
  const { checkedIn, notified } = due.length === 0 ? { checkedIn: 0, notified: [] } : await write(tx, due, asOf);
  const last = turns.at(-1);
  return {
    seen: turns.length,
    counts: { checked_in: checkedIn, notified: notified.length },
    notified,
    ...(last === undefined ? {} : { cursor: last }),
  };
}

async function openTurns(tx: Tx, after: Place | null, now: Date): Promise<readonly Turn[]> {
  const from =
    after === null
      ? sql`true`
      : sql`(c.window_ends_at, c.id) > (${after.window_ends_at}::timestamptz, ${after.chain_id}::uuid)`;
  return all<Turn>(tx)`
    select c.id as chain_id, c.user_id, c.date, c.activity_type, c.window_starts_at, c.window_ends_at, s.check_in_probability
    from chains c
    join synthetic_users s on s.user_id = c.user_id and s.is_active
    where c.closed_at is null and c.window_starts_at <= ${now.toISOString()}::timestamptz and ${from}
      -- The day of what has started is over within two: this is what the index of open days is read up to.
      and c.day_ends_at <= ${now.toISOString()}::timestamptz + interval '2 days'
      and not exists (select from workout_checkins k where k.user_id = c.user_id and k.date = c.date)
    order by c.window_ends_at, c.id limit ${SLICE}
  `;
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

/** Writes the check-ins and notifies the next people and the squads; a check-in that is there already is left alone. */
async function write(tx: Tx, due: readonly DueTurn[], { now, graceMinutes }: DayMoment) {
  const checkIns = due.map(({ turn, moment }) => ({
    user_id: turn.user_id,
    date: turn.date,
    activity_type: turn.activity_type,
    status: "verified",
    is_early: isEarly(
      { startsAt: new Date(turn.window_starts_at), endsAt: new Date(turn.window_ends_at) },
      moment,
      graceMinutes,
    ),
    checked_in_at: moment,
  }));
  const { checked_in, notified } = await one<{ checked_in: number; notified: string[] }>(tx)`
    select cardinality(checkin_ids) as checked_in, notified
    from private.record_check_ins(
      ${JSON.stringify(checkIns)}::jsonb, ${now.toISOString()}::timestamptz, ${graceMinutes}::integer
    )
  `;
  return { checkedIn: checked_in, notified };
}
