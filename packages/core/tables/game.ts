import { KEPT_DAYS } from "../retention.ts";
import { aboutNoOne, type Card, LEFT } from "./card.ts";

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
    chosen: {
      insert: "activity_type custom_activity effective_from timezone window_end_time window_start_time",
      update:
        "activity_type away custom_activity effective_from previous_activity_type previous_custom_activity previous_timezone previous_window_end_time previous_window_start_time rest_days timezone window_end_time window_start_time",
    },
    service: { select: "*" },
    exported: {
      "workout_window.window":
        "id user_id activity_type custom_activity window_start_time window_end_time timezone away rest_days effective_from created_at updated_at previous_activity_type>previous.activity_type previous_custom_activity>previous.custom_activity previous_window_start_time>previous.window_start_time previous_window_end_time>previous.window_end_time previous_timezone>previous.timezone",
    },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.user_locations": {
    about: MATCHES,
    users: { select: "owner", insert: "signed in", update: "owner" },
    chosen: {
      insert: "city country ip_address latitude longitude region timezone",
      update: "city country ip_address latitude longitude region timezone updated_at",
    },
    service: { select: "*" },
    exported: {
      "workout_window.location":
        "user_id ip_address latitude longitude city region country timezone updated_at>last_updated",
    },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.workout_checkins": {
    about: CHECK_INS,
    users: { select: "signed in" },
    service: { select: "*" },
    exported: {
      workout_checkins:
        "id user_id chain_id date activity_type photo_timestamp status battle_chips_earned chip_breakdown chain_status team_color battle_week_start review_reason>review.reason reviewed_at>review.decided_at created_at",
    },
    left: {
      [LEFT.derived]: "has_streak is_early",
      [LEFT.game]: "is_counted verified_at",
      [LEFT.others]: "reviewed_by",
    },
    erased: "by cascade",
    cleared: "reviewed_by",
    grows: "with time",
  },
  "nectar.workout_checkin_photos": {
    about: CHECK_INS,
    users: { select: "owner" },
    service: { select: "*" },
    exported: { workout_checkins: "checkin_id>id user_id location_lat location_lng flags" },
    left: {
      "The file is in the export itself.": "photo_key file_id",
      [LEFT.derived]: "perceptual_hash hash_bands taken_offset",
      [LEFT.internal]: "hidden_at",
    },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.weekly_workout_stats": {
    about: MATCHES,
    users: { select: "owner" },
    exported: {
      weekly_stats:
        "week_start_date>weekStartDate team_color>teamColor days_planned>daysPlanned completed_count>completedCount failed_count>failedCount pending_count>pendingCount completion_rate>completionRate chips_earned>chipsEarned updated_at>updatedAt",
    },
    left: { [LEFT.derived]: "user_id", [LEFT.internal]: "is_over" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.chains": {
    about: MATCHES,
    users: { select: "signed in" },
    service: { select: "*" },
    left: {
      [LEFT.derived]:
        "id user_id date activity_type custom_activity team_color timezone window_start_time window_end_time window_starts_at window_ends_at day_ends_at area_key created_at",
      [LEFT.others]: "before_user_id after_user_id squad_id",
    },
    erased: "by cascade",
    cleared: "before_user_id after_user_id",
    grows: "with time",
  },
  "nectar.squads": {
    about: MATCHES,
    users: { select: "signed in" },
    service: { select: "*" },
    left: { [LEFT.game]: "id date team_color created_at", [LEFT.others]: "user_1_id user_2_id user_3_id" },
    erased: "kept",
    stays: "Squads of past dates, with the other members only",
    cleared: "user_1_id user_2_id user_3_id",
    grows: "with time",
  },
  "nectar.team_colors": {
    about: MATCHES,
    users: { select: "signed in" },
    service: { select: "*" },
    left: { [LEFT.derived]: "user_id week_start_date color" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.mosaic_sections": {
    about: MATCHES,
    users: { select: "signed in" },
    service: { select: "*" },
    left: { [LEFT.derived]: "date position user_id team_color status" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.synthetic_users": {
    about: MATCHES,
    users: { select: "super admins" },
    service: { select: "*" },
    left: {
      "A synthetic user is no person.":
        "user_id activity_type check_in_probability city region state timezone window_start window_end seed is_active created_at",
    },
    erased: "by cascade",
    grows: "with people",
  },
  "private.game_notices": {
    about: MATCHES,
    service: { select: "date", delete: "*" },
    left: { [LEFT.game]: "user_id kind date window_starts_at created_at" },
    erased: "by cascade",
    kept: [{ what: "Which notices of the game someone got", days: KEPT_DAYS.gameNotices, by: "end-of-day" }],
    grows: "with time, for jobs",
  },
  "private.open_days": {
    about: MATCHES,
    service: { select: "*" },
    left: { [LEFT.game]: "chain_id user_id day_ends_at" },
    erased: { by: "the trigger chains__sync_open_day" },
    grows: "with people",
  },
  "private.player_areas": {
    about: MATCHES,
    service: { select: "*" },
    left: { [LEFT.derived]: "user_id area_key" },
    erased: "by cascade",
    grows: "with people",
  },
  "private.players_to_match": {
    about: MATCHES,
    service: { select: "*", delete: "*" },
    left: { [LEFT.game]: "id user_id created_at" },
    erased: "by cascade",
    kept: "until done",
    grows: "with time, for jobs",
  },
  "nectar.battles": {
    ...aboutNoOne(
      "id week_start_date week_end_date battle_status winner battle_result daily_chips red_team_chips red_team_members red_team_robot_power blue_team_chips blue_team_members blue_team_robot_power created_at updated_at",
    ),
    users: { select: "signed in" },
    service: { select: "*" },
    grows: "few rows",
  },
  "nectar.mosaics": {
    ...aboutNoOne(
      "id date image_key digest seen_at total_participants completed_count failed_count pending_count created_at",
    ),
    users: { select: "signed in" },
    service: { select: "*" },
    grows: "few rows",
  },
  "private.battle_announcements": {
    ...aboutNoOne("week_start_date notified_up_to"),
    service: { select: "*" },
    grows: "few rows",
  },
} as const satisfies Readonly<Record<string, Card>>;
