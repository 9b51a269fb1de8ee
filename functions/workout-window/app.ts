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
  CheckInId,
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
  SyntheticUserId,
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
        summary: "Set or change your window",
        description:
          "Your first window counts from the day whose window is open now or opens next. If you change it after today's window has opened, the change counts from tomorrow. Today and tomorrow are then matched again. You can change your window and location 20 times per hour in total.",
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
        summary: "Read your window and location",
        description: "Each is null if you never set it.",
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
          "The change counts from the next date whose window has not opened yet; you can still check in for a window that has opened. While you are away, you are in no chain, squad or mosaic and get no reminders. Sending the same value again changes nothing. It counts as a change of your window: 20 changes of window and location per hour in total.",
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
        summary: "Update your location",
        description:
          "Fields that you leave out stay as they are; null clears them. If city or region changes, today and tomorrow are matched again. You can change your window and location 20 times per hour in total; changes of the coordinates alone do not count.",
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
        summary: "Read your neighbors, team and squad of a date",
        description:
          "`beforeUser` and `afterUser` are null at the ends of the chain. 404 if you do not play on that date. `checkins` are yours and those of your neighbors.",
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
        summary: "Read your squad of a date",
        description:
          "404 if you have no squad: not every player has one every day. A member is null if they left and nobody has taken their place.",
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
        summary: "Read the results of both teams on a date",
        description: "",
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
        summary: "Get an address to upload a large photo",
        description:
          "Send the photo to `uploadUrl` with PUT within 15 minutes, with the type and size that you named here. Then check in with `photoKey` within one hour. You can request 20 addresses per UTC day.",
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
        summary: "Check in with a photo taken in your window",
        description:
          "The time in the photo decides: it must be in your window, or at most 15 minutes before or after it. You can send the photo until the end of the local day on which the window ended. A suspicious photo is pending until an admin reviews it. If a photo is not accepted, nothing is stored and you can try again; up to 30 of your photos are examined per UTC day. While the day is open, you can replace a rejected check-in with another photo: the check-in stays, and its review is cleared. Photos of more than about 4 MB need an upload address.",
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
        summary: "Read your check-in of a date",
        description:
          "If `status` is failed and you have no check-in, you may still be able to send a photo that was taken in time.",
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
        summary: "List all check-ins of a date",
        description: "Newest first. Send `nextCursor` as `cursor` to read the next page.",
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
        summary: "List check-ins for review (admin)",
        description: "Newest first. `?status=pending` returns those that wait for review.",
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
        summary: "Verify or reject a check-in (admin)",
        description:
          "To reject it, give a reason of 10 to 1,000 characters. The owner is notified. While the battle is open, the decision changes the chips of this check-in and of the next player in the chain. If a check-in is verified after its battle has ended, its chips count for the next battle.",
        guard: admin,
        params: { id: CheckInId },
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
        summary: "Read the latest mosaic of a date",
        description:
          "There is one section per participant; together they fill the image without overlapping. A page has at most 20,000 sections, or fewer if the names are long: send `nextCursor` as `cursor` to read the next page.",
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
        summary: "Read the battle of a week with both teams and each day",
        description:
          "Name the week by its Monday. The current week always has a battle; 404 for a past week without one. Chips count once their check-in is verified.",
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
        summary: "List the completed battles and your part in them",
        description: "Newest first.",
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
        summary: "List your results per week",
        description:
          "Newest first. A week is counted on the Monday after it, and again one week later. Send `nextCursor` as `cursor` to read the next page.",
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
        summary: "Match the players of your area for today or tomorrow",
        description: "Windows that have opened stay as they are. If nothing has changed, nothing is done.",
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
        summary: "Match all players for one date, or for today and tomorrow (scheduled)",
        description:
          "Dates are from yesterday to one week ahead, by the UTC calendar. Windows that have opened stay as they are. Running it again changes nothing.",
        guard: jobGuard(matchEverybody.schedule),
        body: optionalBody(GenerateChainsRequest),
        response: ChainsJobResponse,
        errors: ["game.date_not_playable"],
      },
      { during: ({ body }) => generateForEverybody(services, body.date) },
    ),
    jobEndpoint(rematchNoted, {
      id: "runRematch",
      summary: "Match the players whose changes could not be matched immediately (scheduled)",
    }),
    phasedEndpoint(
      "POST /api/workout-window/mosaic/generate/:date",
      {
        id: "generateMosaic",
        summary: "Draw the mosaic of a date, again if it exists (admin or scheduled)",
        description:
          "If nobody played, the mosaic is empty. The response has the first page of sections; read the others with GET on the mosaic.",
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
        summary: "End the battle of a week (admin or scheduled)",
        description:
          "The week must have begun. A battle that has already ended keeps its result. Anyone can recompute the result from the chips, the members and the seed in it. Chips that are verified later count for the next battle.",
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
        summary: "Create synthetic users with account, profile, location and window (super admin)",
        description:
          "The shares are met exactly, whatever the count. The same seed, count and shares draw the same users. Either all are created or none; they are matched for today and tomorrow immediately. Nobody can sign in as one of them.",
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
        summary: "List all synthetic users (super admin)",
        description: "Newest first, 10,000 per page. Send `nextCursor` as `cursor` to read the next page.",
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
        summary: "Delete a synthetic user and all their data (super admin)",
        description:
          "Their check-ins are deleted, and with them their chips in a running battle; completed battles keep their results. Players who were linked to them on a date that is not over are matched again.",
        guard: superAdmin,
        params: { id: SyntheticUserId },
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
        summary: "Activate or deactivate a synthetic user (super admin)",
        description:
          "A deactivated user leaves the chains of windows that have not opened and no longer checks in. An activated user is matched immediately.",
        guard: superAdmin,
        params: { id: SyntheticUserId },
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
        summary: "Read the members of both teams on a date (super admin)",
        description:
          "People and synthetic users are counted separately. Members are in the order in which their windows start, at most 1,500 per page: send `nextCursor` as `cursor` to read the next page.",
        guard: superAdmin,
        params: DateParam.shape,
        query: AdminTeamsQuery,
        response: AdminTeamsResponse,
      },
      ({ tx, params, query, now }) => readAdminTeams(tx, params.date, query, now, grace),
    ),
    jobEndpoint(checkInSyntheticUsers, {
      id: "runSyntheticCheckIns",
      summary: "Check in synthetic users whose time has come (scheduled)",
    }),
    jobEndpoint(endDays, {
      id: "runEndOfDay",
      summary: "Close the days that have ended in their time zone (scheduled)",
    }),
    jobEndpoint(remindPlayers, {
      id: "runCheckInReminders",
      summary: "Remind players whose window opens within 30 minutes (scheduled)",
    }),
    jobEndpoint(drawMosaics, {
      id: "runMosaics",
      summary: "Draw the mosaics of today and yesterday if something changed (scheduled)",
      errors: ["provider.not_configured"],
    }),
    jobEndpoint(executeRunningBattle, { id: "runBattle", summary: "End the battle of the current week (scheduled)" }),
    jobEndpoint(countWeeks, {
      id: "runWeeklyStats",
      summary: "Count the results of the past week for all players (scheduled)",
    }),
  ]);
}
