import { createHash } from "node:crypto";
import { sql } from "kysely";
import { drawMosaic, type MosaicPiece, mosaicLayout } from "#core/game/mosaic";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { all, one } from "#database/query";
import { runAsService } from "#database/retry";
import { expectMosaic } from "#database/stored-files";
import { job } from "#http/jobs/jobs";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import { encodePng } from "#providers/png";
import { scheduleOf } from "../../schedules.ts";
import { dayMoment, dayState } from "../day-state.ts";
import { presentMosaic, readMosaic } from "./mosaic.ts";
import { type GenerateMosaicResponse, MAX_SECTIONS } from "./schema.ts";

/**
 * Draws the mosaic of a date, again if there is one. If several do so at the same time, the one that read last stays.
 * @throws AppError 503 if no file store is configured, `provider.failed` if the image cannot be stored
 */
export async function generateMosaic(services: Services, date: string): Promise<GenerateMosaicResponse> {
  configured(services.privateFiles);
  await draw(services, await services.database.asService((tx) => participantsOf(tx, date, services)));
  const page = await services.database.asService((tx) => readMosaic(tx, date, { limit: MAX_SECTIONS }));
  return { ...(await presentMosaic(services, page)), message: "The mosaic was drawn." };
}

/** Queues the dates whose mosaics may have changed; none without a file store. */
export const queueMosaics = job(scheduleOf("mosaics"), async ({ services, now, transaction }) => {
  if (services.privateFiles === null) return { queued: 0 };
  const dates = await transaction((tx) => datesToDraw(tx, now));
  await services.queue.send(dates.map((date) => ({ name: "mosaic", date })));
  return { queued: dates.length };
});

/** Draws the mosaic of a date if it has changed since it was drawn. */
export async function drawIfChanged(services: Services, date: string): Promise<{ drawn: number }> {
  const seen = await runAsService(services.database, (tx) => participantsOf(tx, date, services));
  if (seen.digest === seen.drawnDigest) return { drawn: 0 };
  await draw(services, seen);
  return { drawn: 1 };
}

/** A piece of the mosaic, and whose it is. */
interface Participant extends MosaicPiece {
  readonly user_id: string;
}

/** Everyone who plays on a date, with the state of their day. */
interface Participants {
  readonly date: string;
  readonly sections: readonly Participant[];
  /** When they were read, to the microsecond, by the clock of the database. */
  readonly seenAt: string;
  readonly digest: string;
  /** The digest of the mosaic that exists; null if there is none. */
  readonly drawnDigest: string | null;
}

async function participantsOf(tx: Tx, date: string, services: Services): Promise<Participants> {
  // Only one reads a date at a time, and takes the time once it has the lock: a later time has seen everything that an
  // earlier one has. Drawing and storing the image need no lock.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mosaic of ${date}`}, 0))`.execute(tx);
  const moment = dayMoment({ now: services.clock.now(), services });
  const before = await one<{ seen_at: string; digest: string | null }>(tx)`
    select clock_timestamp()::text as seen_at, (select m.digest from mosaics m where m.date = ${date}) as digest
  `;
  const sections = await all<Participant>(tx)`
    select c.user_id, c.team_color as "teamColor",
      case ${dayState(moment)} when 'completed' then 'completed' when 'failed' then 'failed' else 'pending' end as status
    from chains c
    left join workout_checkins k on k.user_id = c.user_id and k.date = c.date
    where c.date = ${date}
    order by c.user_id
  `;
  const digest = createHash("sha256");
  for (const { user_id, status, teamColor } of sections) digest.update(`${user_id} ${status} ${teamColor}\n`);
  return { date, sections, seenAt: before.seen_at, digest: digest.digest("hex"), drawnDigest: before.digest };
}

/** Draws the image, stores it, then writes its rows: a process that dies in between leaves a file that is removed later. */
async function draw(
  { database, privateFiles }: Services,
  { date, sections, seenAt, digest }: Participants,
): Promise<void> {
  const layout = mosaicLayout(sections.length);
  const png = await encodePng(drawMosaic(layout, sections), { width: layout.side, height: layout.side });
  const key = await database.asService((tx) => expectMosaic(tx, date));
  await configured(privateFiles).upload(key, png, "image/png");
  const mosaic = { image_key: key, digest, seen_at: seenAt, sections };
  await database.asService((tx) => call(tx, "store_mosaic", { date, mosaic }));
}

async function datesToDraw(tx: Tx, now: Date): Promise<string[]> {
  return call(tx, "mosaics_to_draw", { moment: now });
}
