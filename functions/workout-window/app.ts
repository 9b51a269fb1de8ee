import { Uuid } from "@nectar/core/uuid";
import { endpoint, phasedEndpoint } from "@nectar/http/endpoint";
import { groupApp } from "@nectar/http/group-app";
import { admin, adminOrCron, superAdmin, user } from "@nectar/http/guards";
import { optionalBody } from "@nectar/http/inputs";
import { jobEndpoint, jobGuard } from "@nectar/http/job-endpoint";
import { MessageResponse } from "@nectar/http/message";
import type { Services } from "@nectar/http/services";
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
import { checkInPhases } from "./check-ins/check-in.ts";
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
  const grace = services.config.checkinGraceMinutes;
  return groupApp(services, [
    endpoint(
      "POST /api/workout-window/setup",
      {
        id: "setWorkoutWindow",
        summary: "Set or change one's window",
        description:
          "Your first window counts from the day whose window is open or opens next; a change after today's window has opened counts from tomorrow. Today and tomorrow are matched again. You can change window and place 20 times an hour.",
        guard: user,
        body: WindowSetup,
        response: WindowSetResponse,
        errors: ["quota.exhausted"],
      },
      async ({ afterCommit, tx, actor, body, now }) => {
        const window = await setWindow(tx, actor.userId, body, now);
        afterCommit(() => rematchUsers(services, [actor.userId]));
        return { window, message: `The window counts from ${window.effective_from}.` };
      },
    ),
    endpoint(
      "GET /api/workout-window/my-window",
      {
        id: "readWorkoutWindow",
        summary: "Read one's window and location",
        description: "Either is null when it was never set.",
        guard: user,
        response: MyWindowResponse,
      },
      async ({ tx, actor }) => {
        return {
          window: await readWindow(tx, actor.userId),
          location: await readLocation(tx, actor.userId),
        };
      },
    ),
    endpoint(
      "PUT /api/workout-window/my-window/active",
      {
        id: "setPlayerActive",
        summary: "Leave the game or come back",
        description:
          "Counts from the next date whose window has not opened; a window that has opened can still be checked in for. While you are away you are in no chain, squad or mosaic and get no reminders. Repeating it changes nothing. Changes of your window, your place and this count together: 20 an hour.",
        guard: user,
        body: WindowActivity,
        response: WindowResponse,
        errors: ["game.no_window", "quota.exhausted"],
      },
      async ({ afterCommit, tx, actor, body, now }) => {
        const { isActive } = body;
        const { window, changed } = await setActive(tx, actor.userId, isActive, now);
        if (changed) afterCommit(() => rematchUsers(services, [actor.userId]));
        return { window };
      },
    ),
    endpoint(
      "PUT /api/workout-window/update-location",
      {
        id: "updateLocation",
        summary: "Say where one is",
        description:
          "Absent fields stay as they are, null clears. A change of your place matches today and tomorrow again. You can change window and place 20 times an hour.",
        guard: user,
        body: LocationUpdate,
        response: LocationSetResponse,
        errors: ["quota.exhausted"],
      },
      async ({ afterCommit, tx, actor, body }) => {
        const { location, moved } = await updateLocation(tx, actor.userId, body);
        if (moved) afterCommit(() => rematchUsers(services, [actor.userId]));
        return { location, message: "The location was saved." };
      },
    ),
    phasedEndpoint(
      "GET /api/workout-window/chain/:date",
      {
        id: "readChain",
        summary: "Read one's neighbours, team and squad of a date",
        description:
          "The date is a game date: the local date on which a window starts. Whoever is first or last has a null neighbour; 404 when one does not play on it. The check-ins are one's own and the neighbours'.",
        guard: user,
        params: DateParam.shape,
        response: ChainResponse,
        errors: ["game.no_chain"],
      },
      {
        before: ({ tx, actor, params }) => readChain(tx, actor.userId, params.date),
        during: async (_, { chain, checkIns }) => ({ chain, checkins: await presentCheckIns(services, checkIns) }),
      },
    ),
    phasedEndpoint(
      "GET /api/workout-window/squad/:date",
      {
        id: "readSquad",
        summary: "Read one's squad of a date",
        description:
          "404 without a squad: not everybody has one every day. A member is null after leaving until somebody is free.",
        guard: user,
        params: DateParam.shape,
        response: SquadResponse,
        errors: ["game.no_squad"],
      },
      {
        before: ({ tx, actor, params }) => readSquad(tx, actor.userId, params.date),
        during: async (_, { squad, checkIns }) => ({ squad, checkins: await presentCheckIns(services, checkIns) }),
      },
    ),
    endpoint(
      "GET /api/workout-window/team-stats/:date",
      {
        id: "readTeamStats",
        summary: "Read how both teams do on a date",
        description:
          "Failed are rejected check-ins and windows that passed, grace included, without one; who may still check in is pending. completionRate is 0 to 100 with one decimal.",
        guard: user,
        params: DateParam.shape,
        response: TeamStatsResponse,
      },
      ({ tx, params, now }) => readTeamStats(tx, params.date, now, grace),
    ),
    phasedEndpoint(
      "POST /api/workout-window/checkin/upload-url",
      {
        id: "createPhotoUpload",
        summary: "Get an address to upload a large photo to",
        description:
          "Send the photo there with PUT, in the type and size named here, within 15 minutes; then check in with photoKey within the hour. 20 a day.",
        guard: user,
        body: UploadRequest,
        status: 201,
        response: UploadResponse,
        errors: ["checkin.photo_too_large", "checkin.too_many_uploads", "provider.not_configured"],
      },
      {
        before: ({ tx, body }) => reserveUpload(tx, services, body),
        during: ({ body }, photoKey) => signUpload(services, photoKey, body),
      },
    ),
    phasedEndpoint(
      "POST /api/workout-window/checkin",
      {
        id: "createWorkoutCheckIn",
        summary: "Check in with a photo that was taken in one's window",
        description:
          "The moment in the photo decides, with 15 minutes of grace on both sides; you can send it until the end of the local day on which the window ended. A photo that looks odd is pending until an admin reviews it. A refused photo stores nothing, and you can try again: 30 of your photos are examined per UTC day. You can replace a rejected check-in with another photo while the day is open: the record stays, and its review is cleared. Upload a photo above about 4 MB through an upload address.",
        guard: user,
        body: checkInForm,
        status: 201,
        response: NewCheckInResponse,
        errors: [
          "checkin.unusable_photo",
          "checkin.no_photo_time",
          "checkin.outside_window",
          "checkin.too_late",
          "game.no_window",
          "checkin.photo_not_found",
          "checkin.already_checked_in",
          "quota.exhausted",
        ],
      },
      checkInPhases,
    ),
    phasedEndpoint(
      "GET /api/workout-window/checkin/:date",
      {
        id: "readWorkoutCheckIn",
        summary: "Read one's own check-in of a date",
        description:
          "Without a check-in: not_started before the window, pending until window and grace or the day are over, then failed, also when a photo of that time may still be sent.",
        guard: user,
        params: DateParam.shape,
        response: CheckInResponse,
      },
      {
        before: ({ tx, actor, params, now }) => readOwnCheckIn(tx, actor.userId, params.date, now, grace),
        during: async (_, { row, status }) => {
          const [checkin = null] = await presentCheckIns(services, row === null ? [] : [row]);
          return { checkin, status };
        },
      },
    ),
    phasedEndpoint(
      "GET /api/workout-window/checkins/:date",
      {
        id: "listWorkoutCheckIns",
        summary: "List everybody's check-ins of a date, newest first",
        description:
          "1,000 on a page unless limit says otherwise, at most 2,000: pass nextCursor as cursor to read on. The stats are over everybody who plays on that date.",
        guard: user,
        params: DateParam.shape,
        query: CheckInsQuery,
        response: CheckInsResponse,
      },
      {
        before: ({ tx, params, query, now }) => listCheckIns(tx, params.date, query, now, grace),
        during: async (_, { rows, stats, next_cursor }) => ({
          checkins: await presentCheckIns(services, rows),
          stats,
          nextCursor: next_cursor,
        }),
      },
    ),
    phasedEndpoint(
      "GET /api/workout-window/admin/checkins",
      {
        id: "listCheckInsForReview",
        summary: "List check-ins for review, newest first",
        description: "?status=pending are those that wait.",
        guard: admin,
        query: ReviewQuery,
        response: ReviewListResponse,
      },
      { during: ({ query }) => listReviews(services, query) },
    ),
    phasedEndpoint(
      "PUT /api/workout-window/admin/checkins/:id",
      {
        id: "reviewCheckIn",
        summary: "Verify or reject a check-in",
        description:
          "To reject, give a reason of 10 to 1,000 characters. The owner is notified. While the battle is open, the chips of this check-in and of the next person in the chain change with the decision; the chips of one that is verified after its battle count for the next battle.",
        guard: admin,
        params: { id: Uuid },
        body: Review,
        response: ReviewResponse,
        errors: ["checkin.not_found", "checkin.illegal_transition"],
      },
      {
        during: ({ actor, params, body }) => reviewCheckIn(services, actor.userId, params.id, body),
      },
    ),
    phasedEndpoint(
      "GET /api/workout-window/mosaic/:date",
      {
        id: "readMosaic",
        summary: "Read the mosaic of a date as it was drawn last",
        description:
          "One section for each participant; together they fill the image and never overlap. An answer holds at most 20,000 sections, fewer when their names are long: pass nextCursor as cursor to read on. The stats are over everybody.",
        guard: user,
        params: DateParam.shape,
        query: MosaicQuery,
        response: MosaicResponse,
        errors: ["game.no_mosaic"],
      },
      {
        before: ({ tx, params, query }) => readMosaic(tx, params.date, query),
        during: (_, page) => presentMosaic(services, page),
      },
    ),
    endpoint(
      "GET /api/workout-window/battle/week/:weekStartDate",
      {
        id: "readBattleWeek",
        summary: "Read the battle of a week, both teams and each day",
        description:
          "A week is named by its Monday. The running week is always there; 404 for one of the past that was never played. Chips count once a check-in is verified.",
        guard: user,
        params: WeekParam.shape,
        response: BattleWeekResponse,
        errors: ["game.not_a_monday", "game.future_week", "game.no_battle"],
      },
      ({ tx, params, now }) => readBattleWeek(tx, params.weekStartDate, now),
    ),
    endpoint(
      "GET /api/workout-window/battle/history",
      {
        id: "listBattles",
        summary: "List the battles that are over, newest first, and what one has to do with them",
        description:
          "battlesWon counts weeks that one's colour won; longestChain is the longest run of days with a verified check-in.",
        guard: user,
        query: HistoryQuery,
        response: BattleHistoryResponse,
      },
      ({ tx, actor, query }) => listBattles(tx, actor.userId, query),
    ),
    endpoint(
      "GET /api/workout-window/weekly-stats",
      {
        id: "listWeeklyStats",
        summary: "List your weeks, newest first",
        description:
          "A week is counted on the Monday after it, and again a week later. Pass nextCursor as cursor to read on.",
        guard: user,
        query: WeeklyStatsQuery,
        response: WeeklyStatsResponse,
      },
      ({ tx, actor, query }) => readWeeklyStats(tx, actor.userId, query),
    ),
    phasedEndpoint(
      "POST /api/workout-window/generate-chains",
      {
        id: "generateChains",
        summary: "Match the players of one's place, today or tomorrow",
        description: "What has begun stays as it is; where nothing has changed, nothing is done.",
        guard: user,
        body: optionalBody(GenerateChainsRequest),
        response: GenerateChainsResponse,
        errors: ["game.date_not_playable"],
      },
      {
        before: ({ tx, actor, body, now }) => dateToGenerate(tx, actor.userId, now, body.date),
        during: ({ actor }, date) => generateAround(services, actor.userId, date),
      },
    ),
    phasedEndpoint(
      `POST ${matchEverybody.schedule.path}`,
      {
        id: "runChainGeneration",
        summary: "Match everybody, today and tomorrow (UTC) or on one date (scheduled)",
        description:
          "Running it again changes nothing; what has begun stays as it is. A date: yesterday to a week ahead.",
        guard: jobGuard(matchEverybody.schedule),
        body: optionalBody(GenerateChainsRequest),
        response: ChainsJobResponse,
        errors: ["game.date_not_playable"],
      },
      { during: ({ body }) => generateForEverybody(services, body.date) },
    ),
    jobEndpoint(rematchNoted, {
      id: "runRematch",
      summary: "Match whoever changed something and could not be matched at once (scheduled)",
    }),
    phasedEndpoint(
      "POST /api/workout-window/mosaic/generate/:date",
      {
        id: "generateMosaic",
        summary: "Draw the mosaic of a date, again if there is one (admin or scheduler)",
        description:
          "Nobody played: an empty mosaic. The answer holds the first sections; the mosaic's own address pages.",
        guard: adminOrCron("WORKOUT_WINDOW_CRON_SECRET"),
        params: DateParam.shape,
        response: GenerateMosaicResponse,
        errors: ["provider.not_configured"],
      },
      {
        during: ({ params }) => generateMosaic(services, params.date),
      },
    ),
    phasedEndpoint(
      "POST /api/workout-window/battle/execute/:weekStartDate",
      {
        id: "executeBattle",
        summary: "End the battle of a week that has begun; one that is over keeps its result (admin or scheduler)",
        description:
          "The result follows from chips, members and the seed in it, so that anybody can work it out again. Chips that are verified later count for the next battle.",
        guard: adminOrCron("WORKOUT_WINDOW_CRON_SECRET"),
        params: WeekParam.shape,
        response: BattleExecutedResponse,
        errors: ["game.not_a_monday", "game.future_week", "game.no_battle"],
      },
      {
        during: ({ params }) => executeBattle(services, params.weekStartDate),
      },
    ),
    endpoint(
      "POST /api/workout-window/admin/ai-users/generate",
      {
        id: "generateSyntheticUsers",
        summary: "Make synthetic users, with account, profile, place and window",
        description:
          "Shares are dealt out exactly, whatever the number. The same seed, count and shares draw the same people. All are made or none, and they are matched for today and tomorrow at once; nobody can sign in as one.",
        guard: superAdmin,
        body: NewSyntheticUsers,
        status: 201,
        response: NewSyntheticUsersResponse,
      },
      async ({ afterCommit, tx, body, now }) => {
        const generated = await generateSyntheticUsers(tx, body, now);
        afterCommit(() =>
          rematchUsers(
            services,
            generated.users.map(({ id }) => id),
          ),
        );
        return generated;
      },
    ),
    endpoint(
      "GET /api/workout-window/admin/ai-users",
      {
        id: "listSyntheticUsers",
        summary: "List all synthetic users, newest first",
        description: "10,000 on a page: pass nextCursor as cursor to read on.",
        guard: superAdmin,
        query: SyntheticUsersQuery,
        response: SyntheticUsersResponse,
      },
      ({ tx, query }) => listSyntheticUsers(tx, query),
    ),
    endpoint(
      "DELETE /api/workout-window/admin/ai-users/:id",
      {
        id: "deleteSyntheticUser",
        summary: "Delete a synthetic user and everything of theirs",
        description:
          "Their check-ins go, and with them their chips of a battle that runs; one that is over keeps its result. Whoever was linked to them on a day that is not over is matched anew.",
        guard: superAdmin,
        params: { id: Uuid },
        response: MessageResponse,
        errors: ["synthetic_user.not_found"],
      },
      async ({ afterCommit, tx, params, now }) => {
        const linked = await deleteSyntheticUser(tx, params.id, now);
        afterCommit(() => rematchUsers(services, linked));
        return { message: "The synthetic user was deleted." };
      },
    ),
    endpoint(
      "PUT /api/workout-window/admin/ai-users/:id/toggle",
      {
        id: "toggleSyntheticUser",
        summary: "Let a synthetic user play or rest",
        description:
          "Whoever rests leaves the chains that have not begun and checks in no more; whoever plays again is matched at once.",
        guard: superAdmin,
        params: { id: Uuid },
        body: SyntheticToggle,
        response: SyntheticUserResponse,
        errors: ["synthetic_user.not_found"],
      },
      async ({ afterCommit, tx, params, body }) => {
        const { isActive } = body;
        const toggled = await toggleSyntheticUser(tx, params.id, isActive);
        afterCommit(() => rematchUsers(services, [params.id]));
        return { user: toggled };
      },
    ),
    endpoint(
      "GET /api/workout-window/admin/teams/:date",
      {
        id: "readTeamsOfDate",
        summary: "Read both teams of a date, people and synthetic users told apart",
        description:
          "Members come in the order in which their windows start, at most 1,500 on a page: pass nextCursor as cursor to read on; a squad comes with its first member. Counts are over everybody.",
        guard: superAdmin,
        params: DateParam.shape,
        query: AdminTeamsQuery,
        response: AdminTeamsResponse,
      },
      ({ tx, params, query, now }) => readAdminTeams(tx, params.date, query, now, grace),
    ),
    jobEndpoint(checkInSyntheticUsers, {
      id: "runSyntheticCheckIns",
      summary: "Check in synthetic users whose moment has come (scheduled)",
    }),
    jobEndpoint(endDays, { id: "runEndOfDay", summary: "End the days that are over where they are lived (scheduled)" }),
    jobEndpoint(remindPlayers, {
      id: "runCheckInReminders",
      summary: "Remind whoever's window opens within half an hour (scheduled)",
    }),
    jobEndpoint(drawMosaics, {
      id: "runMosaics",
      summary: "Draw today's and yesterday's mosaics as far as something changed (scheduled)",
      errors: ["provider.not_configured"],
    }),
    jobEndpoint(executeRunningBattle, { id: "runBattle", summary: "End the battle of the running week (scheduled)" }),
    jobEndpoint(countWeeks, {
      id: "runWeeklyStats",
      summary: "Work out everybody's numbers of the week that has ended (scheduled)",
    }),
  ]);
}
