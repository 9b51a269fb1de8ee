import { aboutNobody, LEFT, type PersonalTable } from "./kinds.ts";

/** The game. */
export const GAME_TABLES = {
  "nectar.workout_windows": {
    exported: {
      "workout_window.window":
        "id user_id activity_type custom_activity window_start_time window_end_time timezone away effective_from created_at updated_at previous_activity_type>previous.activity_type previous_custom_activity>previous.custom_activity previous_window_start_time>previous.window_start_time previous_window_end_time>previous.window_end_time previous_timezone>previous.timezone",
    },
    erased: "by cascade",
  },
  "nectar.user_locations": {
    exported: {
      "workout_window.location":
        "user_id ip_address latitude longitude city region country timezone updated_at>last_updated",
    },
    erased: "by cascade",
  },
  "nectar.workout_checkins": {
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
  },
  "nectar.workout_checkin_photos": {
    exported: { workout_checkins: "checkin_id>id user_id location_lat location_lng flags" },
    left: {
      "The file is in the export itself.": "photo_key file_id",
      [LEFT.derived]: "perceptual_hash hash_bands taken_offset",
      [LEFT.internal]: "hidden_at",
    },
    erased: "by cascade",
  },
  "nectar.weekly_workout_stats": {
    exported: {
      weekly_stats:
        "week_start_date>weekStartDate team_color>teamColor days_planned>daysPlanned completed_count>completedCount failed_count>failedCount pending_count>pendingCount completion_rate>completionRate chips_earned>chipsEarned updated_at>updatedAt",
    },
    left: { [LEFT.derived]: "user_id", [LEFT.internal]: "is_over" },
    erased: "by cascade",
  },
  "nectar.chains": {
    left: {
      [LEFT.derived]:
        "id user_id date activity_type custom_activity team_color timezone window_start_time window_end_time window_starts_at window_ends_at day_ends_at area_key created_at",
      [LEFT.others]: "before_user_id after_user_id squad_id",
    },
    erased: "by cascade",
    cleared: "before_user_id after_user_id",
  },
  "nectar.squads": {
    left: { [LEFT.game]: "id date team_color created_at", [LEFT.others]: "user_1_id user_2_id user_3_id" },
    erased: { kept: "The squad of a date stays for its other members." },
    cleared: "user_1_id user_2_id user_3_id",
  },
  "nectar.team_colors": { left: { [LEFT.derived]: "user_id week_start_date color" }, erased: "by cascade" },
  "nectar.mosaic_sections": {
    left: { [LEFT.derived]: "date position user_id team_color status" },
    erased: "by cascade",
  },
  "nectar.synthetic_users": {
    left: {
      "A synthetic user is no person.":
        "user_id activity_type check_in_probability city region state timezone window_start window_end seed is_active created_at",
    },
    erased: "by cascade",
  },
  "private.game_notices": {
    left: { [LEFT.game]: "user_id kind date window_starts_at created_at" },
    erased: "by cascade",
  },
  "private.open_days": {
    left: { [LEFT.game]: "chain_id user_id day_ends_at" },
    erased: { by: "the trigger that follows the chains" },
  },
  "private.player_areas": { left: { [LEFT.derived]: "user_id area_key" }, erased: "by cascade" },
  "private.players_to_match": { left: { [LEFT.game]: "id user_id created_at" }, erased: "by cascade" },
  "nectar.battles": aboutNobody(
    "id week_start_date week_end_date battle_status winner battle_result daily_chips red_team_chips red_team_members red_team_robot_power blue_team_chips blue_team_members blue_team_robot_power created_at updated_at",
  ),
  "nectar.mosaics": aboutNobody(
    "id date image_key digest seen_at total_participants completed_count failed_count pending_count created_at",
  ),
  "private.battle_announcements": aboutNobody("week_start_date notified_up_to"),
} as const satisfies Readonly<Record<string, PersonalTable>>;
