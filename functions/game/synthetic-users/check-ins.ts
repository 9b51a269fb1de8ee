import { drawnCheckIn } from "#core/game/synthetic";
import { isEarly } from "#core/game/time";
import { call, only, type Row } from "#database/call";
import type { Tx } from "#database/database";
import { job } from "#http/jobs/jobs";
import { wakePushes } from "#http/jobs/wake";
import { scheduleOf } from "../../schedules.ts";
import { type DayMoment, dayMoment } from "../day-state.ts";

/** Turns that one transaction looks at. */
export const BATCH = 5_000;

/**
 * Checks in every active synthetic user whose drawn time on an open date has come, without a photo and verified immediately.
 * User and date determine whether and when, and there is one check-in per date, so a run that is repeated or stops in the
 * middle has the same result. Notifies the people who are next, and those in the squads.
 */
export const checkInSyntheticUsers = job(
  scheduleOf("synthetic-check-ins"),
  async ({ services, now, errors, forEachBatch }) => {
    const moment = dayMoment({ now, services });
    const { seen: checked, ...counts } = await forEachBatch(BATCH, (tx, after: Cursor | null) =>
      checkInSlice(tx, after, moment),
    );
    await wakePushes(services);
    return { checked, ...counts, errors };
  },
);

/** The last turn of a batch. Turns are in the order in which windows end, so that a player comes after the previous one. */
interface Cursor {
  readonly window_ends_at: string;
  readonly chain_id: string;
}

const START: Cursor = { window_ends_at: "-infinity", chain_id: "00000000-0000-0000-0000-000000000000" };

/** An open date of a synthetic user who has not checked in. */
type Turn = Row<"open_synthetic_turns">;

async function checkInSlice(tx: Tx, after: Cursor | null, { now, graceMinutes }: DayMoment) {
  const { window_ends_at, chain_id } = after ?? START;
  const turns = await call(tx, "open_synthetic_turns", {
    moment: now,
    afterEnd: window_ends_at,
    afterChainId: chain_id,
    max: BATCH,
  });
  const checkIns = turns
    .map((turn) => checkInOf(turn, graceMinutes))
    .filter((checkIn) => checkIn !== null && checkIn.checked_in_at <= now);
  // A check-in that exists already is left alone.
  const { checkin_ids, notified } = only(await call(tx, "record_check_ins", { checkIns, moment: now, graceMinutes }));
  const last = turns.at(-1);
  return {
    seen: turns.length,
    counts: { checked_in: checkin_ids.length, notified },
    ...(last === undefined ? {} : { cursor: last }),
  };
}

/** The check-in of a turn, as `private.record_check_ins` takes it; null on a day without one. */
function checkInOf({ user_id, date, activity_type, ...turn }: Turn, graceMinutes: number) {
  const window = { startsAt: new Date(turn.window_starts_at), endsAt: new Date(turn.window_ends_at) };
  const probability = Number(turn.check_in_probability);
  const moment = drawnCheckIn({ userId: user_id, date, probability, ...window });
  if (moment === null) return null;
  const is_early = isEarly(window, moment, graceMinutes);
  return { user_id, date, activity_type, status: "verified", is_early, checked_in_at: moment };
}
