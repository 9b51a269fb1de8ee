import { readConfig } from "#config/config";
import { addDays, utcDate, weekStart } from "#core/time/calendar-date";
import { executeBattle } from "#functions/game/battles/runs";
import { reviewCheckIn } from "#functions/game/check-ins/review";
import { Review } from "#functions/game/check-ins/schema";
import { dayMoment } from "#functions/game/day-state";
import { endDays } from "#functions/game/days/end-of-day";
import { countWeeks } from "#functions/game/days/weekly-stats";
import { generateForAllPlayers } from "#functions/game/matching/runs";
import { generateMosaic } from "#functions/game/mosaics/runs";
import { checkInSyntheticUsers } from "#functions/game/synthetic-users/check-ins";
import { createExport } from "#functions/user/exports/exports";
import { buildExport } from "#functions/workers/exports/build";
import { servicesWithLanes } from "#functions/workers/lanes";
import type { Services } from "#http/services/services";
import { examinePhoto } from "#providers/photos";
import { apiUrlOf } from "../database/api-login.ts";
import { LOCAL_API_PASSWORD } from "../settings/local-defaults.ts";
import { drawing } from "../stand-ins/drawing.ts";
import { type Connection, withConnection } from "../support/connection.ts";
import { type FlaggedCheckIn, game, personNamed } from "./data.ts";
import {
  backdateGame,
  readPendingCheckIn,
  writeCheckInPhoto,
  writeHumanCheckIns,
  writeRejectionAppeal,
} from "./game.ts";
import { writeSquadMessage } from "./messages.ts";
import { drawPictures } from "./pictures.ts";
import { stableId } from "./rows.ts";
import type { SeedTarget } from "./target.ts";

/** Today, and yesterday, which is still today in some time zones; older mosaics are drawn when the local page shows them. */
const DRAWN_DAYS = 2;
/** How long building the export of a demo person may take; it takes about a second. */
const EXPORT_BUDGET_MS = 60_000;

/**
 * Plays the game of the demo data from the Monday of last week until now, with the service's own jobs and a clock that is set
 * to the times at which they would have run: chains, check-ins, the end of each day, last week's battle and weekly statistics.
 * Some check-ins have flags, and an admin reviews them. If there is a file store, the mosaics of the last days, photos of
 * these check-ins and pictures of entries are drawn, and one person's data is exported. Playing again changes nothing.
 * @param apiPassword the password of `nectar_api`, if not the local stack's
 */
export async function playDemoGame(
  { adminUrl, supabaseUrl, files }: SeedTarget,
  apiPassword: string = LOCAL_API_PASSWORD,
): Promise<void> {
  const databaseUrl = apiUrlOf(adminUrl, apiPassword);
  const { services, close } = servicesWithLanes(
    readConfig({ ...files, DATABASE_URL: databaseUrl, SUPABASE_URL: supabaseUrl, LOG_LEVEL: "warn" }),
  );
  try {
    await withConnection(adminUrl, async (client) => {
      await play(services, client);
      await backdateGame(client);
      await drawPictures(services, client);
      await exportDemoData(services, client);
    });
  } finally {
    await close();
  }
}

/** Makes the export of a demo person, once; without a file store there is none. */
async function exportDemoData(services: Services, client: Connection): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    "select u.id from auth.users u where u.email = $1 and not exists (select from nectar.exports x where x.user_id = u.id)",
    [personNamed("demo").email],
  );
  for (const { id } of services.privateFiles === null ? [] : rows) {
    const created = await services.database.asUser(id, createExport);
    await buildExport(services, created.id, EXPORT_BUDGET_MS);
  }
}

async function play(services: Services, client: Connection): Promise<void> {
  const now = services.clock.now();
  const at = (moment: Date): Services => ({ ...services, clock: { now: () => moment } });
  const today = utcDate(now);
  const thisWeek = weekStart(today);
  const dates: string[] = [];
  for (let date = addDays(thisWeek, -7); date <= today; date = addDays(date, 1)) dates.push(date);
  for (const date of dates) {
    const [before, after] = [noonOf(addDays(date, -1)), earlier(noonOf(addDays(date, 2)), now)];
    await generateForAllPlayers(at(before), date);
    await checkInSyntheticUsers.run(at(after));
    const flagged = game.flaggedCheckIns.filter(({ daysAgo }) => addDays(today, -daysAgo) === date);
    await writeHumanCheckIns(client, date, after, flagged);
    for (const checkIn of flagged) await review(at(after), client, checkIn, date);
    await endDays.run(at(after));
    if (date !== addDays(thisWeek, -1)) continue;
    await executeBattle(at(after), addDays(thisWeek, -7));
    await countWeeks.run(at(after));
  }
  await writeSquadMessage(client, today);
  if (services.privateFiles === null) return;
  for (const date of dates.slice(-DRAWN_DAYS)) await generateMosaic(services, date);
}

/** Gives a pending check-in its photo, and reviews it unless it stays pending. */
async function review(services: Services, client: Connection, checkIn: FlaggedCheckIn, date: string): Promise<void> {
  const pending = await readPendingCheckIn(client, checkIn, date);
  if (pending === null) return;
  if (services.privateFiles !== null) {
    const fileId = stableId(`photo ${checkIn.person} ${date}`);
    const photo = await examinePhoto(await drawing(`photo of ${checkIn.person}, ${date}`), "png");
    await services.privateFiles.upload(`checkins/${pending.userId}/${fileId}.jpg`, photo.jpeg, "image/jpeg");
    await writeCheckInPhoto(client, pending, { fileId, perceptualHash: photo.perceptualHash, flag: checkIn.flag });
  }
  const { review, appeal } = checkIn;
  if (review === null) return;
  const moment = dayMoment({ now: services.clock.now(), services });
  await services.database.asService((tx) =>
    reviewCheckIn(tx, pending.adminId, pending.id, Review.parse(review), moment),
  );
  if (appeal !== undefined) await writeRejectionAppeal(client, pending, appeal);
}

function noonOf(date: string): Date {
  return new Date(`${date}T12:00:00Z`);
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}
