import { KEPT_DAYS } from "../retention.ts";
import { ABOUT_NO_ONE, type Cards, LEFT } from "./card.ts";

const MATCHES = {
  what: "The game: window, location (also coordinates and IP address if the app sends them), matches, results",
  seenBy:
    "window and location: the person; others see name, activity, team and result, and the window of their neighbors",
};
const CHECK_INS = {
  what: "Check-ins with photo and the place where it was taken",
  seenBy:
    "result: everyone signed in; photo: the person, neighbors, squad and admins; place: the person and admins who review",
};

/** The workout game. */
export const GAME_TABLES = {
  "nectar.workout_windows": {
    about: MATCHES,
    users: { select: "owner", insert: "signed in", update: "owner" },
    exported: { "workout_window.window": "all" },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.user_locations": {
    about: MATCHES,
    users: { select: "owner", insert: "signed in", update: "owner" },
    exported: { "workout_window.location": { as: { updated_at: "last_updated" } } },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.workout_checkins": {
    about: CHECK_INS,
    users: { select: "signed in" },
    exported: { workout_checkins: { as: { review_reason: "review.reason", reviewed_at: "review.decided_at" } } },
    left: {
      [LEFT.derived]: ["has_streak", "is_early"],
      [LEFT.game]: ["is_counted", "verified_at"],
      [LEFT.others]: ["reviewed_by"],
    },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.workout_checkin_photos": {
    about: CHECK_INS,
    users: { select: "owner" },
    exported: { workout_checkins: { as: { checkin_id: "id" } } },
    left: {
      "The file is in the export itself.": ["photo_key", "file_id"],
      [LEFT.derived]: ["perceptual_hash", "hash_bands", "taken_offset"],
      [LEFT.internal]: ["hidden_at"],
    },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.weekly_workout_stats": {
    about: MATCHES,
    users: { select: "owner" },
    exported: {
      weekly_stats: {
        as: {
          week_start_date: "weekStartDate",
          team_color: "teamColor",
          days_planned: "daysPlanned",
          completed_count: "completedCount",
          failed_count: "failedCount",
          pending_count: "pendingCount",
          completion_rate: "completionRate",
          chips_earned: "chipsEarned",
          updated_at: "updatedAt",
        },
      },
    },
    left: { [LEFT.derived]: ["user_id"], [LEFT.internal]: ["is_over"] },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.chains": {
    about: MATCHES,
    users: { select: "signed in" },
    left: { [LEFT.others]: ["before_user_id", "after_user_id", "squad_id"], [LEFT.derived]: "the rest" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.squads": {
    about: MATCHES,
    users: { select: "signed in" },
    left: { [LEFT.others]: ["user_1_id", "user_2_id", "user_3_id"], [LEFT.game]: "the rest" },
    erased: "kept",
    stays: "Squads of past dates, with the other members only",
    grows: "with time",
  },
  "nectar.team_colors": {
    about: MATCHES,
    users: { select: "signed in" },
    left: LEFT.derived,
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.mosaic_sections": {
    about: MATCHES,
    users: { select: "signed in" },
    left: LEFT.derived,
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.synthetic_users": {
    about: MATCHES,
    users: { select: "super admins" },
    left: "A synthetic user is no person.",
    erased: "by cascade",
    grows: "with people",
  },
  "private.game_notices": {
    about: MATCHES,
    left: LEFT.game,
    erased: "by cascade",
    kept: [{ what: "Which notices of the game someone got", days: KEPT_DAYS.gameNotices, by: "end-of-day" }],
    grows: "with time, for jobs",
  },
  "private.open_days": {
    about: MATCHES,
    left: LEFT.game,
    erased: { by: "the trigger chains__sync_open_day" },
    grows: "with people",
  },
  "private.player_areas": {
    about: MATCHES,
    left: LEFT.derived,
    erased: "by cascade",
    grows: "with people",
  },
  "private.players_to_match": {
    about: MATCHES,
    left: LEFT.game,
    erased: "by cascade",
    kept: "until done",
    grows: "with time, for jobs",
  },
  "nectar.battles": {
    ...ABOUT_NO_ONE,
    users: { select: "signed in" },
    grows: "few rows",
  },
  "nectar.mosaics": {
    ...ABOUT_NO_ONE,
    users: { select: "signed in" },
    grows: "few rows",
  },
  "private.battle_announcements": {
    ...ABOUT_NO_ONE,
    grows: "few rows",
  },
} as const satisfies Cards;
