import { createHash } from "node:crypto";
import { utcDate } from "@nectar/core/calendar-date";
import { AppError } from "@nectar/core/errors";
import { drawMosaic, type MosaicPiece, mosaicLayout } from "@nectar/core/game/mosaic";
import type { Tx } from "@nectar/database/database";
import { all, one } from "@nectar/database/query";
import { expectMosaic } from "@nectar/database/stored-files";
import { configured } from "@nectar/http/configured";
import { job } from "@nectar/http/jobs";
import { describeFailure } from "@nectar/http/logging";
import type { Services } from "@nectar/http/services";
import { encodePng } from "@nectar/providers/png";
import { sql } from "kysely";
import { scheduleOf } from "../../schedules.ts";
import { dayMoment, dayState } from "../day-state.ts";
import { presentMosaic, readMosaic } from "./mosaic.ts";
import { type GenerateMosaicResponse, MAX_SECTIONS } from "./schema.ts";

const HOUR_MS = 3_600_000;

/**
 * Draws the mosaic of a date, again if there is one. Several may do so at the same time: the one that has seen most stays.
 * @throws AppError 503 without a store, `provider.failed` when the image is not stored
 */
export async function generateMosaic(services: Services, date: string): Promise<GenerateMosaicResponse> {
  configured(services.privateFiles);
  await draw(services, await services.database.asService((tx) => participantsOf(tx, date, services)));
  const page = await services.database.asService((tx) => readMosaic(tx, date, { limit: MAX_SECTIONS }));
  return { ...(await presentMosaic(services, page)), message: "The mosaic was drawn." };
}

/**
 * Draws the mosaics of the dates that are today or were yesterday somewhere, as far as something has changed since they
 * were drawn: while somebody's day is open, and when it ends. Older ones follow when somebody in them was pending and no longer is.
 */
export const drawMosaics = job(scheduleOf("mosaics"), async ({ services, now, errors, transaction, outOfTime }) => {
  configured(services.privateFiles);
  const dates = await transaction((tx) => datesToDraw(tx, now));
  const counts = { dates: dates.length, drawn: 0 };
  for (const date of dates) {
    if (outOfTime()) break;
    try {
      const seen = await transaction((tx) => participantsOf(tx, date, services));
      if (seen.digest === seen.drawnDigest) continue;
      await draw(services, seen);
      counts.drawn += 1;
    } catch (error) {
      if (error instanceof AppError && error.code === "service.database_unavailable") throw error;
      services.logger.warn({ date, ...describeFailure(error) }, "a mosaic was not drawn");
      errors.push(`The mosaic of ${date} was not drawn; the next run tries again.`);
    }
  }
  return { ...counts, errors };
});

/** One object for all pieces that look the same: there may be a hundred thousand. */
const PIECES = {
  completed: piecesOf("completed"),
  failed: piecesOf("failed"),
  pending: piecesOf("pending"),
};

function piecesOf(status: MosaicPiece["status"]): Record<MosaicPiece["teamColor"], MosaicPiece> {
  return { red: { status, teamColor: "red" }, blue: { status, teamColor: "blue" } };
}

/** Everybody who plays on a date, and what became of their day by now. */
interface Participants {
  readonly date: string;
  readonly people: readonly string[];
  readonly pieces: readonly MosaicPiece[];
  /** When they were read, to the microsecond, by the clock of the database. */
  readonly seenAt: string;
  readonly digest: string;
  /** What the mosaic shows that there is; null when there is none. */
  readonly drawnDigest: string | null;
}

async function participantsOf(tx: Tx, date: string, services: Services): Promise<Participants> {
  // One reads a date after the other, and notes and reads the time only once it is its turn: whoever notes a later moment
  // has seen all that the one before has. Drawing and storing the image do not take turns.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mosaic of ${date}`}, 0))`.execute(tx);
  const moment = dayMoment({ now: services.clock.now(), services });
  const before = await one<{ seen_at: string; digest: string | null }>(tx)`
    select clock_timestamp()::text as seen_at, (select m.digest from mosaics m where m.date = ${date}) as digest
  `;
  const rows = await all<{ user_id: string; status: MosaicPiece["status"]; team_color: MosaicPiece["teamColor"] }>(tx)`
    select c.user_id, c.team_color,
      case ${dayState(moment)} when 'completed' then 'completed' when 'failed' then 'failed' else 'pending' end
        as status
    from chains c
    left join workout_checkins k on k.user_id = c.user_id and k.date = c.date
    where c.date = ${date}
    order by c.user_id
  `;
  const digest = createHash("sha256");
  for (const { user_id, status, team_color } of rows) digest.update(`${user_id} ${status} ${team_color}\n`);
  return {
    date,
    people: rows.map(({ user_id }) => user_id),
    pieces: rows.map(({ status, team_color }) => PIECES[status][team_color]),
    seenAt: before.seen_at,
    digest: digest.digest("hex"),
    drawnDigest: before.digest,
  };
}

/** Draws, stores the image, then writes its rows: a process that ends in between leaves a file that is removed later. */
async function draw({ database, privateFiles }: Services, seen: Participants): Promise<void> {
  const layout = mosaicLayout(seen.pieces.length);
  const png = await encodePng(drawMosaic(layout, seen.pieces), { width: layout.side, height: layout.side });
  const key = await database.asService((tx) => expectMosaic(tx, seen.date));
  await configured(privateFiles).upload(key, png, "image/png");
  await database.asService((tx) =>
    sql`
      select private.store_mosaic(
        ${seen.date}::date, ${key}, ${layout.side}, ${seen.digest}, ${seen.seenAt}::timestamptz,
        ${[...seen.people]}::uuid[], ${seen.pieces.map(({ status }) => status)}::nectar.mosaic_status[],
        ${seen.pieces.map(({ teamColor }) => teamColor)}::nectar.team_color[]
      )
    `.execute(tx),
  );
}

/**
 * Dates on which somebody plays, or played when they were drawn: from the oldest yesterday on earth to the newest today. Before
 * that a day changes by review alone, so those follow whose mosaic shows somebody as pending about whom it has been decided.
 */
async function datesToDraw(tx: Tx, now: Date): Promise<string[]> {
  const dateAt = (hours: number) => utcDate(new Date(now.getTime() + hours * HOUR_MS));
  const rows = await all<{ date: string }>(tx)`
    select d.date
    from (select ${dateAt(-12)}::date - 1 + place as date from generate_series(0, 3) place) d
    where d.date <= ${dateAt(14)}::date
      and (
        exists (select from chains c where c.date = d.date) or exists (select from mosaics m where m.date = d.date)
      )
    union
    select m.date
    from mosaics m
    where m.pending_count > 0 and m.date < ${dateAt(-12)}::date - 1
      and exists (
        select from mosaic_sections s
        where s.date = m.date and s.status = 'pending'
          and not exists (
            select from workout_checkins k where k.user_id = s.user_id and k.date = s.date and k.status = 'pending'
          )
      )
    order by date
  `;
  return rows.map(({ date }) => date);
}
