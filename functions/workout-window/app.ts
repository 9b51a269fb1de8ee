import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { cronOf, cronRoute } from "@nectar/http/cron-route";
import { describe } from "@nectar/http/describe";
import { admin, adminOrCron, superAdmin, user } from "@nectar/http/guards";
import { MessageResponse } from "@nectar/http/message";
import { respondInPhases, respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { idParam, json, param, query } from "@nectar/http/validate";
import { respondToAdminOrJob } from "./admin-or-job.ts";
import { listBattles, readBattleWeek } from "./battles/battle.ts";
import { executeBattle, executeRunningBattle } from "./battles/runs.ts";
import {
  BattleExecutedResponse,
  BattleHistoryResponse,
  BattleWeekResponse,
  HistoryQuery,
  WeekParam,
} from "./battles/schema.ts";
import { readAdminTeams } from "./chains/admin-teams.ts";
import { AdminTeamsQuery, AdminTeamsResponse } from "./chains/admin-teams-schema.ts";
import { readChain } from "./chains/chains.ts";
import { ChainResponse, SquadResponse, TeamStatsResponse } from "./chains/schema.ts";
import { readSquad } from "./chains/squads.ts";
import { readTeamStats } from "./chains/team-stats.ts";
import { checkIn } from "./check-ins/check-in.ts";
import { listCheckIns, presentCheckIns, readOwnCheckIn } from "./check-ins/check-ins.ts";
import { checkInForm } from "./check-ins/photo-form.ts";
import { listReviews, reviewCheckIn } from "./check-ins/review.ts";
import {
  CheckInResponse,
  CheckInsQuery,
  CheckInsResponse,
  NewCheckInResponse,
  Review,
  ReviewListResponse,
  ReviewQuery,
  ReviewResponse,
  UploadRequest,
  UploadResponse,
} from "./check-ins/schema.ts";
import { reserveUpload, signUpload } from "./check-ins/upload-url.ts";
import { endDays } from "./days/end-of-day.ts";
import { remindPlayers } from "./days/reminders.ts";
import { WeeklyStatsQuery, WeeklyStatsResponse } from "./days/schema.ts";
import { countWeeks, readWeeklyStats } from "./days/weekly-stats.ts";
import { rematchNoted, rematchUsers } from "./matching/rematch.ts";
import { dateToGenerate, generateAround, generateForEverybody, matchEverybody } from "./matching/runs.ts";
import { ChainsJobResponse, GenerateChainsRequest, GenerateChainsResponse } from "./matching/schema.ts";
import { presentMosaic, readMosaic } from "./mosaics/mosaic.ts";
import { drawMosaics, generateMosaic } from "./mosaics/runs.ts";
import { GenerateMosaicResponse, MosaicQuery, MosaicResponse } from "./mosaics/schema.ts";
import { DateParam } from "./schema.ts";
import { checkInSyntheticUsers } from "./synthetic-users/check-ins.ts";
import {
  NewSyntheticUsers,
  NewSyntheticUsersResponse,
  SyntheticToggle,
  SyntheticUserResponse,
  SyntheticUsersQuery,
  SyntheticUsersResponse,
} from "./synthetic-users/schema.ts";
import {
  deleteSyntheticUser,
  generateSyntheticUsers,
  listSyntheticUsers,
  toggleSyntheticUser,
} from "./synthetic-users/synthetic-users.ts";
import { readLocation, updateLocation } from "./windows/location.ts";
import {
  LocationSetResponse,
  LocationUpdate,
  MyWindowResponse,
  WindowActivity,
  WindowResponse,
  WindowSetResponse,
  WindowSetup,
} from "./windows/schema.ts";
import { readWindow, setActive, setWindow } from "./windows/windows.ts";

/** The daily game: windows, chains, squads, check-ins with photos, mosaics and battles. */
export function workoutWindowApp(services: Services) {
  return createApp(services)
    .post(
      "/api/workout-window/setup",
      describe({
        summary: "Set or change one's window",
        description:
          "Your first window counts from the day whose window is open or opens next; a change after today's window has opened counts from tomorrow. Today and tomorrow are matched again. You can change window and place 20 times an hour.",
        response: WindowSetResponse,
        errors: [409, 429],
      }),
      user,
      json(WindowSetup),
      async (c) => {
        const { userId } = c.var.actor;
        const response = await respondOnce(c, 200, async (tx) => {
          const window = await setWindow(tx, userId, c.req.valid("json"), services.clock.now());
          return { window, message: `The window counts from ${window.effective_from}.` };
        });
        await rematchUsers(services, [userId]);
        return response;
      },
    )
    .get(
      "/api/workout-window/my-window",
      describe({
        summary: "Read one's window and location",
        description: "Either is null when it was never set.",
        response: MyWindowResponse,
      }),
      user,
      async (c) => {
        const { userId } = c.var.actor;
        const mine = await c.var.asUser(async (tx) => ({
          window: await readWindow(tx, userId),
          location: await readLocation(tx, userId),
        }));
        return answer(c, 200, mine);
      },
    )
    .put(
      "/api/workout-window/my-window/active",
      describe({
        summary: "Leave the game or come back",
        description:
          "Counts from the next date whose window has not opened; a window that has opened can still be checked in for. While you are away you are in no chain, squad or mosaic and get no reminders. Repeating it changes nothing. Changes of your window, your place and this count together: 20 an hour.",
        response: WindowResponse,
        errors: [404, 429],
      }),
      user,
      json(WindowActivity),
      async (c) => {
        const { userId } = c.var.actor;
        const { isActive } = c.req.valid("json");
        const { window, changed } = await c.var.asUser((tx) => setActive(tx, userId, isActive, services.clock.now()));
        if (changed) await rematchUsers(services, [userId]);
        return answer(c, 200, { window });
      },
    )
    .put(
      "/api/workout-window/update-location",
      describe({
        summary: "Say where one is",
        description:
          "Absent fields stay as they are, null clears. A change of your place matches today and tomorrow again. You can change window and place 20 times an hour.",
        response: LocationSetResponse,
        errors: [429],
      }),
      user,
      json(LocationUpdate),
      async (c) => {
        const { userId } = c.var.actor;
        const { location, moved } = await c.var.asUser((tx) => updateLocation(tx, userId, c.req.valid("json")));
        if (moved) await rematchUsers(services, [userId]);
        return answer(c, 200, { location, message: "The location was saved." });
      },
    )
    .get(
      "/api/workout-window/chain/:date",
      describe({
        summary: "Read one's neighbours, team and squad of a date",
        description:
          "The date is a game date: the local date on which a window starts. Whoever is first or last has a null neighbour; 404 when one does not play on it. The check-ins are one's own and the neighbours'.",
        response: ChainResponse,
        errors: [404],
      }),
      user,
      param(DateParam),
      async (c) => {
        const { date } = c.req.valid("param");
        const { chain, checkIns } = await c.var.asUser((tx) => readChain(tx, c.var.actor.userId, date));
        return answer(c, 200, { chain, checkins: await presentCheckIns(services, checkIns) });
      },
    )
    .get(
      "/api/workout-window/squad/:date",
      describe({
        summary: "Read one's squad of a date",
        description:
          "404 without a squad: not everybody has one every day. A member is null after leaving until somebody is free.",
        response: SquadResponse,
        errors: [404],
      }),
      user,
      param(DateParam),
      async (c) => {
        const { date } = c.req.valid("param");
        const { squad, checkIns } = await c.var.asUser((tx) => readSquad(tx, c.var.actor.userId, date));
        return answer(c, 200, { squad, checkins: await presentCheckIns(services, checkIns) });
      },
    )
    .get(
      "/api/workout-window/team-stats/:date",
      describe({
        summary: "Read how both teams do on a date",
        description:
          "Failed are rejected check-ins and windows that passed, grace included, without one; who may still check in is pending. completionRate is 0 to 100 with one decimal.",
        response: TeamStatsResponse,
      }),
      user,
      param(DateParam),
      async (c) => {
        const { date } = c.req.valid("param");
        return answer(
          c,
          200,
          await c.var.asUser((tx) =>
            readTeamStats(tx, date, services.clock.now(), services.config.checkinGraceMinutes),
          ),
        );
      },
    )
    .post(
      "/api/workout-window/checkin/upload-url",
      describe({
        summary: "Get an address to upload a large photo to",
        description:
          "Send the photo there with PUT, in the type and size named here, within 15 minutes; then check in with photoKey within the hour. 20 a day.",
        status: 201,
        response: UploadResponse,
        errors: [409, 413, 429, 500, 503],
      }),
      user,
      json(UploadRequest),
      (c) =>
        respondInPhases(c, 201, {
          before: (tx) => reserveUpload(tx, services, c.req.valid("json")),
          during: (photoKey) => signUpload(services, photoKey, c.req.valid("json")),
          after: async (_tx, _photoKey, address) => address,
        }),
    )
    .post(
      "/api/workout-window/checkin",
      describe({
        summary: "Check in with a photo that was taken in one's window",
        description:
          "The moment in the photo decides, with 15 minutes of grace on both sides; you can send it until the end of the local day on which the window ended. A photo that looks odd is pending until an admin reviews it. A refused photo stores nothing, and you can try again: 30 of your photos are examined per UTC day. You can replace a rejected check-in with another photo while the day is open: the record stays, and its review is cleared. Upload a photo above about 4 MB through an upload address.",
        status: 201,
        response: NewCheckInResponse,
        errors: [404, 409, 429, 500, 503],
      }),
      user,
      checkInForm,
      (c) => checkIn(c, services, c.req.valid("form")),
    )
    .get(
      "/api/workout-window/checkin/:date",
      describe({
        summary: "Read one's own check-in of a date",
        description:
          "Without a check-in: not_started before the window, pending until window and grace or the day are over, then failed, also when a photo of that time may still be sent.",
        response: CheckInResponse,
        errors: [500],
      }),
      user,
      param(DateParam),
      async (c) => {
        const { userId } = c.var.actor;
        const { date } = c.req.valid("param");
        const grace = services.config.checkinGraceMinutes;
        const { row, status } = await c.var.asUser((tx) =>
          readOwnCheckIn(tx, userId, date, services.clock.now(), grace),
        );
        const [checkin = null] = await presentCheckIns(services, row === null ? [] : [row]);
        return answer(c, 200, { checkin, status });
      },
    )
    .get(
      "/api/workout-window/checkins/:date",
      describe({
        summary: "List everybody's check-ins of a date, newest first",
        description:
          "1,000 on a page unless limit says otherwise, at most 2,000: pass nextCursor as cursor to read on. The stats are over everybody who plays on that date.",
        response: CheckInsResponse,
        errors: [500],
      }),
      user,
      param(DateParam),
      query(CheckInsQuery),
      async (c) => {
        const { date } = c.req.valid("param");
        const page = await c.var.asUser((tx) =>
          listCheckIns(tx, date, c.req.valid("query"), services.clock.now(), services.config.checkinGraceMinutes),
        );
        const checkins = await presentCheckIns(services, page.rows);
        return answer(c, 200, { checkins, stats: page.stats, nextCursor: page.next_cursor });
      },
    )
    .get(
      "/api/workout-window/admin/checkins",
      describe({
        summary: "List check-ins for review, newest first",
        description: "?status=pending are those that wait.",
        response: ReviewListResponse,
        errors: [500],
      }),
      admin,
      query(ReviewQuery),
      async (c) => answer(c, 200, await listReviews(services, c.req.valid("query"))),
    )
    .put(
      "/api/workout-window/admin/checkins/:id",
      describe({
        summary: "Verify or reject a check-in",
        description:
          "To reject, give a reason of 10 to 1,000 characters. The owner is notified. While the battle is open, the chips of this check-in and of the next person in the chain change with the decision; the chips of one that is verified after its battle count for the next battle.",
        response: ReviewResponse,
        errors: [404, 409, 500],
      }),
      admin,
      json(Review),
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const { userId } = c.var.actor;
        return answer(c, 200, await reviewCheckIn(services, userId, id, c.req.valid("json")));
      },
    )
    .get(
      "/api/workout-window/mosaic/:date",
      describe({
        summary: "Read the mosaic of a date as it was drawn last",
        description:
          "One section for each participant; together they fill the image and never overlap. An answer holds at most 20,000 sections, fewer when their names are long: pass nextCursor as cursor to read on. The stats are over everybody.",
        response: MosaicResponse,
        errors: [404, 503],
      }),
      user,
      param(DateParam),
      query(MosaicQuery),
      async (c) => {
        const { date } = c.req.valid("param");
        const page = await c.var.asUser((tx) => readMosaic(tx, date, c.req.valid("query")));
        return answer(c, 200, await presentMosaic(services, page));
      },
    )
    .get(
      "/api/workout-window/battle/week/:weekStartDate",
      describe({
        summary: "Read the battle of a week, both teams and each day",
        description:
          "A week is named by its Monday. The running week is always there; 404 for one of the past that was never played. Chips count once a check-in is verified.",
        response: BattleWeekResponse,
        errors: [404],
      }),
      user,
      param(WeekParam),
      async (c) => {
        const { weekStartDate } = c.req.valid("param");
        return answer(c, 200, await c.var.asUser((tx) => readBattleWeek(tx, weekStartDate, services.clock.now())));
      },
    )
    .get(
      "/api/workout-window/battle/history",
      describe({
        summary: "List the battles that are over, newest first, and what one has to do with them",
        description:
          "battlesWon counts weeks that one's colour won; longestChain is the longest run of days with a verified check-in.",
        response: BattleHistoryResponse,
      }),
      user,
      query(HistoryQuery),
      async (c) =>
        answer(c, 200, await c.var.asUser((tx) => listBattles(tx, c.var.actor.userId, c.req.valid("query")))),
    )
    .get(
      "/api/workout-window/weekly-stats",
      describe({
        summary: "List your weeks, newest first",
        description:
          "A week is counted on the Monday after it, and again a week later. Pass nextCursor as cursor to read on.",
        response: WeeklyStatsResponse,
      }),
      user,
      query(WeeklyStatsQuery),
      async (c) =>
        answer(c, 200, await c.var.asUser((tx) => readWeeklyStats(tx, c.var.actor.userId, c.req.valid("query")))),
    )
    .post(
      "/api/workout-window/generate-chains",
      describe({
        summary: "Match the players of one's place, today or tomorrow",
        description: "What has begun stays as it is; where nothing has changed, nothing is done.",
        response: GenerateChainsResponse,
        errors: [409],
      }),
      user,
      json(GenerateChainsRequest, { mayBeAbsent: true }),
      (c) => {
        const { userId } = c.var.actor;
        return respondInPhases(c, 200, {
          before: (tx) => dateToGenerate(tx, userId, services.clock.now(), c.req.valid("json").date),
          during: (date) => generateAround(services, userId, date),
          after: async (_tx, _date, generated) => generated,
        });
      },
    )
    .post(
      matchEverybody.schedule.path,
      describe({
        summary: "Match everybody, today and tomorrow (UTC) or on one date (scheduled)",
        description:
          "Running it again changes nothing; what has begun stays as it is. A date: yesterday to a week ahead.",
        response: ChainsJobResponse,
      }),
      cronOf(matchEverybody.schedule),
      json(GenerateChainsRequest, { mayBeAbsent: true }),
      async (c) => answer(c, 200, await generateForEverybody(services, c.req.valid("json").date)),
    )
    .post(
      ...cronRoute(rematchNoted, {
        summary: "Match whoever changed something and could not be matched at once (scheduled)",
      }),
    )
    .post(
      "/api/workout-window/mosaic/generate/:date",
      describe({
        summary: "Draw the mosaic of a date, again if there is one (admin or scheduler)",
        description:
          "Nobody played: an empty mosaic. The answer holds the first sections; the mosaic's own address pages.",
        response: GenerateMosaicResponse,
        errors: [409, 503],
      }),
      adminOrCron("WORKOUT_WINDOW_CRON_SECRET"),
      param(DateParam),
      (c) => respondToAdminOrJob(c, () => generateMosaic(services, c.req.valid("param").date)),
    )
    .post(
      "/api/workout-window/battle/execute/:weekStartDate",
      describe({
        summary: "End the battle of a week that has begun; one that is over keeps its result (admin or scheduler)",
        description:
          "The result follows from chips, members and the seed in it, so that anybody can work it out again. Chips that are verified later count for the next battle.",
        response: BattleExecutedResponse,
        errors: [404, 409],
      }),
      adminOrCron("WORKOUT_WINDOW_CRON_SECRET"),
      param(WeekParam),
      (c) => respondToAdminOrJob(c, () => executeBattle(services, c.req.valid("param").weekStartDate)),
    )
    .post(
      "/api/workout-window/admin/ai-users/generate",
      describe({
        summary: "Make synthetic users, with account, profile, place and window",
        description:
          "Shares are dealt out exactly, whatever the number. The same seed, count and shares draw the same people. All are made or none, and they are matched for today and tomorrow at once; nobody can sign in as one.",
        status: 201,
        response: NewSyntheticUsersResponse,
        errors: [409],
      }),
      superAdmin,
      json(NewSyntheticUsers),
      async (c) => {
        const made: string[] = [];
        const response = await respondOnce(c, 201, async (tx) => {
          const answered = await generateSyntheticUsers(tx, c.req.valid("json"), services.clock.now());
          made.push(...answered.users.map(({ id }) => id));
          return answered;
        });
        await rematchUsers(services, made);
        return response;
      },
    )
    .get(
      "/api/workout-window/admin/ai-users",
      describe({
        summary: "List all synthetic users, newest first",
        description: "10,000 on a page: pass nextCursor as cursor to read on.",
        response: SyntheticUsersResponse,
      }),
      superAdmin,
      query(SyntheticUsersQuery),
      async (c) => answer(c, 200, await c.var.asUser((tx) => listSyntheticUsers(tx, c.req.valid("query")))),
    )
    .delete(
      "/api/workout-window/admin/ai-users/:id",
      describe({
        summary: "Delete a synthetic user and everything of theirs",
        description:
          "Their check-ins go, and with them their chips of a battle that runs; one that is over keeps its result. Whoever was linked to them on a day that is not over is matched anew.",
        response: MessageResponse,
        errors: [404],
      }),
      superAdmin,
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const linked = await c.var.asUser((tx) => deleteSyntheticUser(tx, id, services.clock.now()));
        await rematchUsers(services, linked);
        return answer(c, 200, { message: "The synthetic user was deleted." });
      },
    )
    .put(
      "/api/workout-window/admin/ai-users/:id/toggle",
      describe({
        summary: "Let a synthetic user play or rest",
        description:
          "Whoever rests leaves the chains that have not begun and checks in no more; whoever plays again is matched at once.",
        response: SyntheticUserResponse,
        errors: [404],
      }),
      superAdmin,
      json(SyntheticToggle),
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const { isActive } = c.req.valid("json");
        const toggled = await c.var.asUser((tx) => toggleSyntheticUser(tx, id, isActive));
        await rematchUsers(services, [id]);
        return answer(c, 200, { user: toggled });
      },
    )
    .get(
      "/api/workout-window/admin/teams/:date",
      describe({
        summary: "Read both teams of a date, people and synthetic users told apart",
        description:
          "Members come in the order in which their windows start, at most 1,500 on a page: pass nextCursor as cursor to read on; a squad comes with its first member. Counts are over everybody.",
        response: AdminTeamsResponse,
      }),
      superAdmin,
      param(DateParam),
      query(AdminTeamsQuery),
      async (c) => {
        const { date } = c.req.valid("param");
        const [now, grace] = [services.clock.now(), services.config.checkinGraceMinutes];
        return answer(c, 200, await c.var.asUser((tx) => readAdminTeams(tx, date, c.req.valid("query"), now, grace)));
      },
    )
    .post(
      ...cronRoute(checkInSyntheticUsers, { summary: "Check in synthetic users whose moment has come (scheduled)" }),
    )
    .post(...cronRoute(endDays, { summary: "End the days that are over where they are lived (scheduled)" }))
    .post(...cronRoute(remindPlayers, { summary: "Remind whoever's window opens within half an hour (scheduled)" }))
    .post(
      ...cronRoute(drawMosaics, {
        summary: "Draw today's and yesterday's mosaics as far as something changed (scheduled)",
        errors: [503],
      }),
    )
    .post(...cronRoute(executeRunningBattle, { summary: "End the battle of the running week (scheduled)" }))
    .post(
      ...cronRoute(countWeeks, {
        summary: "Work out everybody's numbers of the week that has ended (scheduled)",
      }),
    );
}
