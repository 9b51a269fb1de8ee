/** Written by `npm run generate`. */

import type { ColumnType, Selectable } from "kysely";

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Json = JsonValue;

export type JsonArray = JsonValue[];

export type JsonObject = {
  [x: string]: JsonValue | undefined;
};

export type JsonPrimitive = boolean | number | string | null;

export type JsonValue = JsonArray | JsonObject | JsonPrimitive;

export type Numeric = ColumnType<string, number | string, number | string>;

export type ActivityType = "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";

export type AppealStatus = "open" | "upheld" | "reversed";

export type AssistantJob = "note_analysis" | "daily_drop";

export type AudienceReason = "private" | "explicit" | "inherited_from_notebook" | "not_inherited" | "share_void" | "limited_by_metadata" | "public" | "hidden_by_moderation";

export type AuditTarget = "account" | "appeal" | "battle" | "checkin" | "conversion_rate" | "drop_config" | "drop_template" | "drop_transaction" | "job" | "message" | "mosaic" | "report" | "synthetic_user" | "user";

export type BattleStatus = "pending" | "in_progress" | "completed";

export type BattleWinner = "red" | "blue" | "tie";

export type ChainStatus = "continued" | "broken";

export type CheckinStatus = "pending" | "verified" | "rejected";

export type DayState = "not_started" | "pending" | "completed" | "failed";

export type DropTransactionType = "signup_bonus" | "monthly_recurring" | "purchase" | "refund" | "admin_adjustment";

export type EmailDelivery = "sent" | "delivery_delayed" | "failed" | "suppressed" | "delivered" | "bounced" | "complained";

export type EmailState = "pending" | "sent" | "failed" | "suppressed";

export type EncouragementDropType = "encouragement" | "media" | "science_tidbit";

export type EngagementState = "open" | "engaged" | "expired" | "never";

export type ExportStatus = "pending" | "ready" | "failed" | "expired";

export type GoalCheckInStatus = "completed" | "partial" | "missed" | "skipped";

export type GoalStatus = "active" | "paused" | "completed" | "abandoned";

export type ImportSource = "nectar" | "day_one" | "markdown";

export type ImportStatus = "waiting" | "running" | "done" | "failed";

export type InvitationEmailStatus = "sent" | "suppressed" | "not_sent";

export type LedgerDifference = "balance" | "gap" | "negative" | "missing_signup_bonus" | "twice_in_a_month" | "purchase_without_pack" | "pack_without_purchase";

export type MediaType = "youtube" | "vimeo" | "spotify" | "soundcloud";

export type MemberRole = "admin" | "member";

export type ModerationDecision = "suspend" | "hide" | "warn" | "dismiss" | "reject";

export type ModerationState = "hidden";

export type MoodSource = "user" | "ai";

export type MosaicStatus = "completed" | "failed" | "pending";

export type NotificationType = "baton_pass" | "checkin_reminder" | "checkin_reviewed" | "chain_broken" | "chain_restored" | "chain_update" | "battle_update" | "battle_progress" | "battle_results" | "weekly_stats" | "drop_received" | "badge_earned" | "assistant_drop" | "member_added" | "invitation" | "moderation" | "export_ready" | "journal_reminder" | "team_message" | "organization_received" | "goal_update" | "comment" | "token_created";

export type OrganizationRole = "owner" | "admin" | "member" | "none";

export type PhotoFlag = "seen_before" | "edited" | "screenshot" | "late_upload" | "far_away" | "no_photo_time";

export type PushService = "web" | "fcm" | "apns";

export type ReportReason = "harassment" | "hate" | "sexual" | "violence" | "self_harm" | "spam" | "impersonation" | "illegal" | "other";

export type TeamColor = "red" | "blue";

export type TeamRole = "admin" | "member" | "organization_member" | "none";

export type ThingType = "entry" | "notebook" | "goal" | "goal_check_in" | "wellness_entry" | "picture" | "profile";

export type TokenScope = "journal:read" | "journal:write" | "goals:read" | "goals:write" | "wellness:read" | "wellness:write" | "drops:read" | "drops:write" | "game:read" | "game:write" | "profile:read" | "profile:write" | "notifications:read" | "notifications:write";

export type TokenUsageType = "tone_analysis" | "background_generation" | "tone_pack_image" | "assistant_drop" | "note_analysis";

export type TonePackTheme = "origami" | "animals" | "nature" | "abstract" | "geometric" | "minimalist" | "watercolor" | "line-art" | "icons" | "emojis" | "shapes" | "patterns";

export type UserRole = "user" | "admin" | "super_admin";

export type Visibility = "user" | "team" | "org" | "public";

export type VisibilityAxis = "metadata" | "content";

export type WellnessType = "satisfaction" | "action_note" | "sleep";

export interface Accounts {
  /** The pack whose images are shown on entries. Written only by private.activate_tone_pack and by what takes a pack away, which set updated_at too. */
  active_tone_pack_id: string | null;
  check_in_enabled: Generated<boolean>;
  /** In drops. Written only by private.post_drop_transaction and private.post_drop_transactions. */
  drops_balance: Generated<number>;
  email: string | null;
  /** When the account is due to be erased; until then the person may only read, export and restore it. null: it is not closing. Written, with the other columns of the erasure, only by private.request_erasure, private.restore_account and private.start_erasure. */
  erases_at: string | null;
  /** When the erasure began, after which the account cannot be restored. */
  erasing_since: string | null;
  /** How often a run has gone on with the erasure: accounts with fewer attempts come first. */
  erasure_attempts: Generated<number>;
  erasure_requested_at: string | null;
  /** Whether the subscription is active. Never written by a person. */
  is_premium: Generated<boolean>;
  leaderboard_visible: Generated<boolean>;
  preferences: Generated<Json>;
  read_notes_enabled: Generated<boolean>;
  /** Until then the person may read, and run only the commands that are open to suspended people. null, or in the past: not suspended. Written only by private.suspend_user. */
  suspended_until: string | null;
  /** IANA time zone. */
  timezone: Generated<string>;
  updated_at: Generated<string>;
  user_id: string;
  /** The transaction that last changed what the person sees of their profile itself, for its etag and the feed of changes. */
  version: Generated<string>;
}

export interface AuditEvents {
  /** The operation in the reference, such as updateUserRole. */
  action: string;
  actor_id: Generated<string>;
  /** The role before the change. */
  actor_role: Generated<UserRole>;
  /** Names of the fields that were set. */
  changed: Generated<string[]>;
  created_at: Generated<string>;
  id: Generated<string>;
  request_id: string | null;
  target_id: string | null;
  target_type: AuditTarget;
}

export interface BadgeDefinitions {
  color: string;
  emoji: string;
  level: number;
  min_consecutive_days: number | null;
  min_engagement_increases: number;
  min_success_rate: Numeric | null;
  name: string;
}

export interface BadgeMilestones {
  achieved_at: string;
  badge_name: string;
  id: Generated<string>;
  level: number;
  /** What counted at that time. */
  stats: Json;
  user_id: string;
}

export interface Battles {
  /** Powers, rounds and the seed from which the rounds follow. */
  battle_result: Json | null;
  battle_status: Generated<BattleStatus>;
  blue_team_chips: Generated<number>;
  blue_team_members: Generated<number>;
  blue_team_robot_power: Generated<number>;
  created_at: Generated<string>;
  /** The chips of both teams by the dates on which they were earned, of a battle that is over: objects with date, red and blue. */
  daily_chips: Json | null;
  id: Generated<string>;
  red_team_chips: Generated<number>;
  red_team_members: Generated<number>;
  red_team_robot_power: Generated<number>;
  updated_at: Generated<string>;
  week_end_date: Generated<string>;
  week_start_date: string;
  winner: BattleWinner | null;
}

export interface Blocks {
  blocked_id: string;
  created_at: Generated<string>;
  /** Whether the person could see the page of the other one when they made the block, and so their name; otherwise anyone could learn the name for an id. */
  is_named: Generated<boolean>;
  user_id: Generated<string>;
}

export interface Chains {
  activity_type: ActivityType;
  /** The available player whose window starts closest after this one ends. */
  after_user_id: string | null;
  /** Players of the same area are matched. It says where a person lives, so only the service reads it. */
  area_key: string;
  /** The available player whose window ends closest before this one starts. */
  before_user_id: string | null;
  created_at: Generated<string>;
  /** Set if and only if the activity is other. */
  custom_activity: string | null;
  date: string;
  /** The end of the local day on which the window ends: a photo may be uploaded until then. */
  day_ends_at: string;
  id: Generated<string>;
  squad_id: string | null;
  team_color: TeamColor;
  timezone: string;
  user_id: string;
  window_end_time: string;
  window_ends_at: string;
  window_start_time: string;
  /** The instant, with daylight saving of that date taken into account. */
  window_starts_at: string;
}

export interface ChosenSettings {
  journal_reminder: Json | null;
  push: Json;
  quiet_hours: Json | null;
  user_id: string;
}

export interface ConversionRates {
  created_at: Generated<string>;
  /** Null for the first rate, and when that person is gone. */
  created_by: Generated<string | null>;
  effective_date: Generated<string>;
  id: Generated<string>;
  rate: Numeric;
}

export interface DropObjects {
  created_at: string;
  drop: string;
  id: string;
  read_at: string | null;
  recipient_id: string;
}

export interface DropTemplates {
  content: string;
  created_at: Generated<string>;
  id: Generated<string>;
  is_approved: Generated<boolean>;
  media_type: MediaType | null;
  media_url: string | null;
  thumbnail_url: string | null;
  title: string;
  type: EncouragementDropType;
  updated_at: Generated<string>;
  /** How often it was sent. Written only by private.send_encouragement_drop. */
  usage_count: Generated<number>;
}

export interface DropTransactions {
  /** In drops; negative when the person pays. */
  amount: number;
  balance_after: number;
  created_at: Generated<string>;
  description: string;
  /** Names the business event, so that it can be booked only once per person. */
  event_key: string;
  id: Generated<string>;
  item_id: string | null;
  item_type: string | null;
  type: DropTransactionType;
  user_id: string;
}

export interface EncouragementAllowances {
  /** What was left of the drops earned the day before. */
  bonus_carried: Generated<number>;
  /** Drops earned on this day; the unused ones may be used on the next day. */
  bonus_earned: Generated<number>;
  custom_drops_used: Generated<number>;
  /** The rule when the row was last written. */
  daily_allowance: number;
  date: string;
  drops_used: Generated<number>;
  user_id: string;
}

export interface EncouragementConfig {
  bonus_drops_per_engagement: Generated<number>;
  daily_allowance: Generated<number>;
  engagement_window_hours: Generated<number>;
  id: Generated<boolean>;
  max_custom_drops_per_day: Generated<number>;
  updated_at: Generated<string>;
}

export interface EncouragementDrops {
  bonus_drops_awarded: Generated<number>;
  content: string;
  created_at: string;
  /** The UTC day of created_at. */
  date_sent: string;
  drop_type: Generated<EncouragementDropType>;
  engaged_at: string | null;
  /** open: may still count; engaged: did; expired: did not; never: from or to a user who is not human. */
  engagement: Generated<EngagementState>;
  /** Until then, inclusive, an entry of the recipient counts. */
  engagement_until: string;
  entry_id: string | null;
  goal_id: string | null;
  /** Since when the recipient does not see the drop, by a decision of an admin. */
  hidden_at: string | null;
  id: Generated<string>;
  /** Whether the words are the sender's own. */
  is_custom: boolean;
  media_type: MediaType | null;
  media_url: string | null;
  read_at: string | null;
  recipient_id: string;
  sender_id: string;
  template_id: string | null;
  thumbnail_url: string | null;
  title: string | null;
}

export interface EntryBackgrounds {
  created_at: Generated<string>;
  /** Null if it was drawn for text that is no entry. */
  entry_id: string | null;
  /** Path of the image in the private store. */
  file_key: Generated<string>;
  id: Generated<string>;
  quality: string;
  user_id: Generated<string>;
}

export interface EntryPictures {
  caption: string | null;
  created_at: Generated<string>;
  entry_id: string | null;
  file_key: Generated<string>;
  height: number;
  /** Also the name of the file. */
  id: string;
  position: number;
  /** Of both files. */
  size_bytes: number;
  /** The name of the file with the small picture. */
  thumbnail_id: string;
  thumbnail_key: Generated<string>;
  /** Set instead of entry_id while the entry is in the trash. */
  trashed_entry_id: string | null;
  user_id: Generated<string>;
  /** The transaction that last changed what a client sees of the picture itself, for its etag and the feed of changes. */
  version: Generated<string>;
  width: number;
}

export interface Exports {
  created_at: Generated<string>;
  expires_at: string | null;
  /** Path of the zip file in the private store, while the export is ready. */
  file_key: Generated<string>;
  id: Generated<string>;
  ready_at: string | null;
  sha256: string | null;
  size_bytes: number | null;
  status: Generated<ExportStatus>;
  user_id: Generated<string>;
}

export interface GoalCheckInContents {
  check_in_id: string;
  goal_id: string;
  notes: Generated<string>;
  user_id: Generated<string>;
}

export interface GoalCheckIns {
  /** By the calendar of the person's time zone. */
  check_in_date: string;
  created_at: Generated<string>;
  goal_id: string;
  id: Generated<string>;
  status: GoalCheckInStatus;
  user_id: Generated<string>;
  /** The transaction that last changed what a client sees of the check-in itself, for its etag and the feed of changes. */
  version: Generated<string>;
}

export interface GoalContents {
  /** Kept by trigger: all comments on the goal, also those that not everyone sees. */
  comment_count: Generated<number>;
  content_audience_id: string;
  description: Generated<string>;
  goal_id: string;
  metadata_audience_id: string;
  user_id: string;
}

export interface GoalPauses {
  created_at: Generated<string>;
  /** The day on which it was paused, or the day after it was completed or abandoned. */
  from_date: string;
  goal_id: string;
  id: Generated<string>;
  /** The day on which it became active again; null until then. */
  until_date: string | null;
  user_id: string;
}

export interface Goals {
  comments_enabled: Generated<boolean>;
  /** Who besides the owner sees the description and the notes of check-ins, given they see the goal; kept by trigger. */
  content_audience_id: Generated<string>;
  content_visibility: Generated<Visibility>;
  created_at: Generated<string>;
  /** Since when only the owner sees the goal, by a decision of an admin. */
  hidden_at: string | null;
  id: Generated<string>;
  longest_streak: Generated<number>;
  /** Who besides the owner sees the goal and its check-ins; kept by trigger. */
  metadata_audience_id: Generated<string>;
  metadata_visibility: Generated<Visibility>;
  org_id: string | null;
  /** The day of its creation in the time zone of its owner. */
  started_on: Generated<string>;
  status: Generated<GoalStatus>;
  /** The streak on the day of the last check-in; with the next two columns counted by private.recount_streaks. */
  streak: Generated<number>;
  /** The first due day after the last check-in: the streak has ended when it is over. */
  streak_ends_on: string | null;
  target_date: string | null;
  team_id: string | null;
  title: string;
  updated_at: Generated<string>;
  user_id: Generated<string>;
  /** The transaction that last changed what a client sees of the goal itself, for its etag and the feed of changes. */
  version: Generated<string>;
  /** The days on which it is due, ascending; 1 is Monday. Null: every day with a check-in. */
  weekdays: number[] | null;
}

export interface Invitations {
  created_at: Generated<string>;
  /** The only address that may use it; null for a link that anyone may use. */
  email: string | null;
  /** What became of its mail; not_sent until the provider has accepted it. */
  email_status: InvitationEmailStatus | null;
  expires_at: string;
  id: Generated<string>;
  invited_by: Generated<string>;
  max_uses: number;
  org_id: string;
  revoked_at: string | null;
  role: MemberRole;
  /** Teams of the organization that are joined too. A team that is deleted stays here, so that accepting can name it. */
  team_ids: string[];
  /** SHA-256 of the token. */
  token_hash: Buffer;
  uses: Generated<number>;
}

export interface JournalEntries {
  /** Whether no model may read the entry. */
  ai_excluded: Generated<boolean>;
  comments_enabled: Generated<boolean>;
  /** Who besides the author sees its text, given they see the entry; kept by trigger. */
  content_audience_id: Generated<string>;
  content_visibility: Generated<Visibility>;
  created_at: Generated<string>;
  effective_content_visibility: Generated<Visibility>;
  effective_metadata_visibility: Generated<Visibility>;
  /** The day that the entry is about, in the time zone of its author. */
  entry_date: Generated<string>;
  /** Since when only the author sees the entry, by a decision of an admin. */
  hidden_at: string | null;
  id: Generated<string>;
  /** Whether 'user' means what the notebook says (true) or private (false). */
  inherit_visibility: Generated<boolean>;
  /** Whether it came with an import, so that it counts for no engagement. */
  is_imported: Generated<boolean>;
  /** Who besides the author sees the entry; kept by trigger. */
  metadata_audience_id: Generated<string>;
  metadata_visibility: Generated<Visibility>;
  mood: string | null;
  mood_source: MoodSource | null;
  /** No foreign key, nor have team_id and org_id, so that deleting a notebook or group need not write all entries at once. The trigger checks new ones, and clears those that are gone. */
  notebook_id: string | null;
  org_id: string | null;
  tag_keys: Generated<string[]>;
  tags: Generated<string[]>;
  team_id: string | null;
  title: string;
  updated_at: Generated<string>;
  user_id: Generated<string>;
  /** The transaction that last changed what a client sees of the entry itself, for its etag and the feed of changes. */
  version: Generated<string>;
}

export interface JournalEntryContents {
  /** Kept by trigger: all comments on the entry, also those that not everyone sees. */
  comment_count: Generated<number>;
  content: string;
  content_audience_id: Generated<string>;
  entry_id: string;
  metadata_audience_id: Generated<string>;
  /** How many pictures the entry has; kept by trigger. */
  picture_count: Generated<number>;
  user_id: Generated<string>;
  words: Generated<number>;
}

export interface JournalImports {
  created: Generated<number>;
  created_at: Generated<string>;
  dry_run: Generated<boolean>;
  failed: Generated<number>;
  found: Generated<number>;
  id: string;
  /** Whether the whole archive was read without a problem, so that entries are being created. */
  is_checked: Generated<boolean>;
  /** The archive in the private store. */
  path: string;
  problems: Generated<Json>;
  size: number;
  skipped: Generated<number>;
  source: ImportSource;
  status: Generated<ImportStatus>;
  user_id: string;
  /** The ETag that the archive had when the import was started: what is uploaded afterwards is not imported. */
  version: string | null;
}

export interface MemberNames {
  /** As in the profile. */
  full_name: string;
  org_id: string;
  /** The name from this word on, as private.search_form writes it. Empty if the name has no word. */
  search_text: string;
  user_id: string;
  word_number: number;
}

export interface ModerationAppeals {
  answer: string | null;
  created_at: string;
  decided_at: string | null;
  decided_by: string | null;
  decision_id: string;
  id: Generated<string>;
  owner_id: string;
  reason: string;
  status: Generated<AppealStatus>;
}

export interface ModerationDecisions {
  decided_at: string;
  decided_by: string | null;
  decision: ModerationDecision;
  /** From the report that the admin decided about: the thing as it was then, also if its owner has deleted it since. */
  excerpt: string | null;
  id: Generated<string>;
  /** Whose the thing is; the sender of a drop or message, or the reported user. */
  owner_id: string;
  /** The path of a rejected photo that another one has replaced, kept for an appeal. */
  photo_key: string | null;
  reason: string;
  /** Since then the decision has no effect. */
  reversed_at: string | null;
  suspended_until: string | null;
  target_id: string;
  target_type: string;
}

export interface MonthlyDropAwards {
  amount: number;
  created_at: Generated<string>;
  /** First day of the month, by the UTC calendar. */
  month: string;
  /** The movement that gave the drops. */
  transaction_id: string;
  user_id: string;
}

export interface MosaicSections {
  date: string;
  position: number;
  status: MosaicStatus;
  team_color: TeamColor;
  user_id: string;
}

export interface Mosaics {
  completed_count: Generated<number>;
  created_at: Generated<string>;
  date: string;
  /** SHA-256 of everyone's state, to tell whether drawing it again would change anything. */
  digest: string;
  failed_count: Generated<number>;
  id: Generated<string>;
  /** The path of the picture in the private store. */
  image_key: string;
  pending_count: Generated<number>;
  /** When the states were read; a drawing never replaces one that read them later. */
  seen_at: string;
  total_participants: number;
}

export interface NoteAnalyses {
  analysis_date: string;
  created_at: Generated<string>;
  /** How many notes were read for it. */
  entry_count: number;
  id: Generated<string>;
  insights: Json;
  mood_trends: Json;
  patterns: Json;
  recommendations: string;
  summary: string;
  topics: Json;
  updated_at: Generated<string>;
  user_id: string;
}

export interface NoteAnalysisSources {
  analysis_id: string;
  /** No foreign key, so that the row stays while the entry is in the trash, from where it may return. */
  entry_id: string;
  user_id: string;
}

export interface NotebookContents {
  content_audience_id: string;
  metadata_audience_id: string;
  notebook_id: string;
  /** What a client puts into a new entry; null if there is none. */
  template: string | null;
  user_id: string;
}

export interface Notebooks {
  /** Whether no model may read new entries in it, unless their author says otherwise. */
  ai_excluded_default: Generated<boolean>;
  /** Who besides the author sees the template, given they see the notebook; kept by trigger. */
  content_audience_id: Generated<string>;
  content_visibility: Generated<Visibility>;
  created_at: Generated<string>;
  description: string | null;
  /** Since when only the author sees the notebook, by a decision of an admin. */
  hidden_at: string | null;
  id: Generated<string>;
  /** Who besides the author sees the notebook; kept by trigger. */
  metadata_audience_id: Generated<string>;
  metadata_visibility: Generated<Visibility>;
  name: string;
  org_id: string | null;
  team_id: string | null;
  updated_at: Generated<string>;
  user_id: Generated<string>;
  /** The transaction that last changed what a client sees of the notebook itself, for its etag and the feed of changes. */
  version: Generated<string>;
}

export interface NotificationSettings {
  /** What the person chose for single types of notifications: {type: whether it is pushed}. See private.push_setting. */
  push: Generated<Json>;
  quiet_end: string | null;
  quiet_start: string | null;
  /** The local date of the last reminder. Kept when the reminder changes, so that a date has one at most. */
  reminded_on: string | null;
  /** When the reminder job looks at the row next. The job computes it; triggers set it to -infinity when the reminder or the zone changes. */
  reminder_due_at: string | null;
  reminder_only_if_not_written: boolean | null;
  reminder_time: string | null;
  /** 1 is Monday. */
  reminder_weekdays: number[] | null;
  user_id: Generated<string>;
}

export interface Notifications {
  /** The person whose action it is about; null if there is none, and for what admins decide. No notification comes from a person with a block between them and the recipient. Kept when that person's account is gone. */
  caused_by: string | null;
  created_at: Generated<string>;
  /** Ids that lead the app to what happened, and everything that the text of the notification says, which packages/core/people/notification-texts.ts makes from it. At most a kilobyte, so that it fits into a push message with its text. A name of a person is in full_name. */
  data: Generated<Json>;
  id: Generated<string>;
  read_at: string | null;
  /** The team, squad, entry or goal whose unread messages, comments or check-ins the notification counts. Not read from data, so that no index needs a new entry when the count grows. */
  room_id: string | null;
  type: NotificationType;
  user_id: string;
}

export interface OrganizationMembers {
  /** When the member first did something here as themselves: created the organization or a team, accepted the membership, shared an entry or a notebook. Null: they were added and have done nothing yet. Mail under the recipient policy `members` needs it. */
  acted_at: string | null;
  joined_at: Generated<string>;
  org_id: string;
  /** admin or member; organizations.owner_id says who the owner is. */
  role: Generated<MemberRole>;
  user_id: string;
}

export interface Organizations {
  created_at: Generated<string>;
  description: string | null;
  id: Generated<string>;
  /** Whether the owner has changed it, its members, teams or invitations since. An organization that was received and not used keeps no one from erasing their account. */
  is_used: Generated<boolean>;
  name: string;
  owner_id: Generated<string>;
  /** When the owner received it from another one; null: they created it, or got it back. */
  received_at: string | null;
  /** Who owned it before the owner received it. */
  received_from: string | null;
  settings: Generated<Json>;
  updated_at: Generated<string>;
}

export interface OwnProfiles {
  avatar_url: string | null;
  check_in_enabled: boolean;
  created_at: string;
  drops_balance: number;
  email: string | null;
  full_name: string | null;
  id: string;
  is_ai: boolean;
  is_premium: boolean;
  leaderboard_visible: boolean;
  preferences: Json;
  read_notes_enabled: boolean;
  role: UserRole;
  suspended_until: string | null;
  timezone: string;
  updated_at: string;
  version: string;
}

export interface PersonalTokens {
  created_at: Generated<string>;
  expires_at: string;
  /** The last four characters of the token. */
  hint: string;
  id: Generated<string>;
  /** Written at most once an hour. */
  last_used_at: string | null;
  name: string;
  scopes: TokenScope[];
  /** SHA-256 of the token. */
  token_hash: Buffer;
  user_id: string;
}

export interface Profiles {
  avatar_url: string | null;
  created_at: Generated<string>;
  full_name: string | null;
  id: string;
  is_ai: Generated<boolean>;
  updated_at: Generated<string>;
}

export interface PushSubscriptions {
  /** Bundle id of an app on iOS, the topic of its messages. */
  app: string | null;
  /** Secret of 16 bytes that messages to a browser are encrypted with, in base64url. */
  auth: string | null;
  created_at: Generated<string>;
  endpoint: string | null;
  id: Generated<string>;
  /** Public key of a browser: an uncompressed point of P-256 in base64url. */
  p256dh: string | null;
  /** When the device subscribed for the last time. */
  renewed_at: Generated<string>;
  service: Generated<PushService>;
  /** What FCM or APNs calls an app on a device. It never changes; a new token is a new row. */
  token: string | null;
  user_id: string;
}

export interface ReadableBadges {
  bonus_drops_earned: number;
  engagement_increases: number;
  last_sent_on: string | null;
  level: number;
  run_days: number;
  success_rate: number;
  total_drops_sent: number;
  user_id: string;
}

export interface ReadableDrops {
  bonus_drops_awarded: number;
  content: string;
  created_at: string;
  date_sent: string;
  drop_type: EncouragementDropType;
  engaged_at: string | null;
  engagement: string;
  entry_id: string | null;
  goal_id: string | null;
  id: string;
  is_custom: boolean;
  media_type: MediaType | null;
  media_url: string | null;
  read_at: string | null;
  recipient: Json;
  recipient_id: string;
  sender: Json;
  sender_id: string;
  template_id: string | null;
  thumbnail_url: string | null;
  title: string | null;
}

export interface ReadableEntries {
  ai_excluded: boolean;
  comment_count: number;
  comments_enabled: boolean;
  content: string | null;
  content_hidden: boolean;
  content_visibility: Visibility;
  created_at: string;
  effective_content_visibility: Visibility;
  effective_metadata_visibility: Visibility;
  entry_date: string;
  id: string;
  inherit_visibility: boolean;
  metadata_visibility: Visibility;
  moderation: ModerationState | null;
  mood: string | null;
  mood_source: MoodSource | null;
  notebook_id: string | null;
  org_id: string | null;
  picture_count: number;
  tags: string[];
  team_id: string | null;
  title: string;
  updated_at: string;
  user_id: string;
  version: string;
}

export interface ReadableGoalCheckIns {
  check_in_date: string;
  created_at: string;
  goal_id: string;
  id: string;
  notes: string | null;
  status: GoalCheckInStatus;
  user_id: string;
  version: string;
}

export interface ReadableGoals {
  avatar_url: string | null;
  comment_count: number;
  comments_enabled: boolean;
  content_hidden: boolean;
  content_visibility: Visibility;
  created_at: string;
  description: string | null;
  effective_content_visibility: Visibility;
  effective_metadata_visibility: Visibility;
  full_name: string | null;
  id: string;
  is_ai: boolean;
  longest_streak: number;
  metadata_visibility: Visibility;
  moderation: ModerationState | null;
  org_id: string | null;
  status: GoalStatus;
  streak: number;
  streak_ends_on: string | null;
  target_date: string | null;
  team_id: string | null;
  title: string;
  updated_at: string;
  user_id: string;
  version: string;
  weekdays: number[] | null;
}

export interface ReadableLocations {
  city: string | null;
  country: string | null;
  ip_address: string | null;
  last_updated: string;
  latitude: number | null;
  longitude: number | null;
  region: string | null;
  timezone: string | null;
  user_id: string;
}

export interface ReadableNotebooks {
  ai_excluded_default: boolean;
  content_hidden: boolean;
  content_visibility: Visibility;
  created_at: string;
  description: string | null;
  entry_count: number;
  id: string;
  metadata_visibility: Visibility;
  moderation: ModerationState | null;
  name: string;
  org_id: string | null;
  team_id: string | null;
  template: string | null;
  updated_at: string;
  user_id: string;
  version: string;
}

export interface Reports {
  created_at: Generated<string>;
  decided_at: string | null;
  decision_id: string | null;
  details: string | null;
  /** The beginning of the thing when it was reported, as far as the reporter could see it; null for a photo. */
  excerpt: string | null;
  id: Generated<string>;
  /** Whose the thing is; the sender of a drop or message, or the reported user. */
  owner_id: string;
  reason: ReportReason;
  reporter_id: string;
  status: Generated<string>;
  target_id: string;
  target_type: string;
}

export interface Squads {
  created_at: Generated<string>;
  date: string;
  id: Generated<string>;
  team_color: TeamColor;
  user_1_id: string | null;
  user_2_id: string | null;
  user_3_id: string | null;
}

export interface Subscriptions {
  created_at: Generated<string>;
  /** When the event with this status happened. */
  event_created: string;
  /** The event with this status. */
  event_id: string;
  /** Orders events of the same second; below 0, the event only said that there is a subscription. */
  event_rank: number;
  id: Generated<string>;
  /** When the newest invoice was created that an event was about; null if there was none. */
  invoice_created: string | null;
  payment_customer_id: string;
  payment_subscription_id: string;
  /** As the processor names it; active makes the person premium. */
  status: string;
  user_id: string;
}

export interface SyntheticUsers {
  activity_type: ActivityType;
  /** Share of days on which the window is used, 0 to 1. */
  check_in_probability: Generated<Numeric>;
  city: string;
  created_at: Generated<string>;
  is_active: Generated<boolean>;
  /** Part of the country by which shares are given, such as West Coast; not the state. */
  region: string;
  /** What the users of one call were drawn from; the same seed and shares draw the same users. */
  seed: string;
  state: string;
  timezone: string;
  user_id: string;
  window_end: string;
  window_start: string;
}

export interface TeamColors {
  color: TeamColor;
  user_id: string;
  week_start_date: string;
}

export interface TeamMembers {
  joined_at: Generated<string>;
  org_id: string;
  role: Generated<MemberRole>;
  team_id: string;
  user_id: string;
}

export interface TeamMessages {
  content: string;
  created_at: Generated<string>;
  /** No foreign key, and goal_id has none either: the comments on an entry stay while it is in the trash. Triggers delete them. */
  entry_id: string | null;
  goal_id: string | null;
  /** Set by a decision about a report: from then on only the sender and super admins see the message. */
  hidden_at: string | null;
  id: Generated<string>;
  room_id: Generated<string>;
  sender_id: Generated<string>;
  squad_id: string | null;
  team_id: string | null;
}

export interface Teams {
  admin_id: Generated<string>;
  created_at: Generated<string>;
  description: string | null;
  id: Generated<string>;
  name: string;
  org_id: string;
  settings: Generated<Json>;
  updated_at: Generated<string>;
}

export interface TokenUsage {
  /** Exact, from the price list at the time of the call. */
  cost_usd: Numeric;
  created_at: Generated<string>;
  /** Whether the model replied. A call without a reply sent a text as well, but counts in no sum. */
  has_reply: Generated<boolean>;
  id: Generated<string>;
  image_count: Generated<number>;
  image_quality: string | null;
  input_tokens: Generated<number>;
  model: string;
  output_tokens: Generated<number>;
  reference_id: string | null;
  /** What reference_id is the id of; the thing may be gone by now. */
  reference_type: string | null;
  usage_type: TokenUsageType;
  user_id: Generated<string>;
}

export interface TokenUsageMonth {
  month: string;
  total_tokens: number;
  total_cost_usd: number;
  drops_equivalent: number;
  breakdown: Json;
}

export interface TonePackImages {
  created_at: Generated<string>;
  /** Path in the public bucket tone-packs. */
  file_path: string;
  id: Generated<string>;
  owner_id: Generated<string>;
  pack_id: string;
  tone: string;
}

export interface TonePackPurchases {
  created_at: Generated<string>;
  id: Generated<string>;
  pack_id: string;
  price_drops: number;
  refunded_at: string | null;
  /** The movement of drops that paid for it. */
  transaction_id: string;
  user_id: string;
}

export interface TonePackShares {
  /** Whether the owner named an address. Such a share is a row of its own: otherwise sharing by user id would reveal whose address it is. */
  by_address: Generated<boolean>;
  created_at: Generated<string>;
  /** The address that the owner named; null in rows of versions before 0.3. */
  email: string | null;
  id: Generated<string>;
  owner_id: Generated<string>;
  pack_id: string;
  user_id: string;
}

export interface TonePacks {
  created_at: Generated<string>;
  /** Since this time only its buyers see the pack. */
  deleted_at: string | null;
  description: string | null;
  /** Since when only the owner sees the pack, by a decision of an admin. */
  hidden_at: string | null;
  id: Generated<string>;
  is_public: Generated<boolean>;
  name: string;
  owner_id: Generated<string>;
  /** What a new buyer pays, in drops. */
  price_drops: Generated<number>;
  theme: TonePackTheme;
  updated_at: Generated<string>;
}

export interface TrashedEntries {
  ai_excluded: boolean;
  background_created_at: string | null;
  /** Path of the background in the private store. */
  background_file: string | null;
  background_id: string | null;
  background_quality: string | null;
  comments_enabled: Generated<boolean>;
  content: string | null;
  content_visibility: Visibility;
  created_at: string;
  deleted_at: Generated<string>;
  /** The encouragement drops that were about the entry. */
  drop_ids: string[];
  entry_date: string;
  expires_at: Generated<string>;
  id: string;
  inherit_visibility: boolean;
  is_imported: Generated<boolean>;
  metadata_visibility: Visibility;
  mood: string | null;
  mood_source: MoodSource | null;
  /** No foreign key, and neither have the team and the organization: they may be gone when the entry returns. */
  notebook_id: string | null;
  org_id: string | null;
  tags: string[];
  team_id: string | null;
  title: string;
  updated_at: string;
  user_id: string;
}

export interface UserBadges {
  bonus_drops_earned: Generated<number>;
  engagement_increases: Generated<number>;
  /** As in the profile. */
  is_ai: Generated<boolean>;
  /** Whether the person wants not to be on the leaderboard, as in the account. */
  is_hidden: Generated<boolean>;
  is_listed: Generated<boolean>;
  last_sent_on: string | null;
  /** The order of the leaderboard as one number, smaller ahead: engagements, success rate, drops sent, all falling; a tie goes by user_id. */
  leaderboard_key: Generated<Numeric>;
  level: Generated<number>;
  /** Length of the run of UTC days with a drop sent that ends with last_sent_on. */
  run_days: Generated<number>;
  /** Engagements of a hundred drops sent, 0 to 100. */
  success_rate: Generated<Numeric>;
  total_drops_sent: Generated<number>;
  user_id: string;
}

export interface UserLocations {
  city: string | null;
  country: string | null;
  /** As the client reported it; nothing is looked up from it. */
  ip_address: string | null;
  latitude: Numeric | null;
  longitude: Numeric | null;
  region: string | null;
  timezone: string | null;
  updated_at: Generated<string>;
  user_id: Generated<string>;
}

export interface UserRoles {
  granted_at: Generated<string>;
  role: UserRole;
  user_id: string;
}

export interface WeeklyWorkoutStats {
  /** Chips of the week's check-ins, whichever battle they count for. */
  chips_earned: number;
  completed_count: number;
  completion_rate: Generated<Numeric>;
  days_planned: number;
  failed_count: number;
  /** Whether it was counted after the person's last day of the week, and they were notified. */
  is_over: Generated<boolean>;
  pending_count: number;
  team_color: TeamColor | null;
  updated_at: Generated<string>;
  user_id: string;
  week_start_date: string;
}

export interface WellnessEntries {
  content: string | null;
  created_at: Generated<string>;
  /** Hours slept, 0 to 24, rounded to two decimals. */
  hours: Numeric | null;
  id: Generated<string>;
  notes: string | null;
  /** Of the sleep, from 1 to 5. */
  quality: number | null;
  /** Satisfaction from 1 to 10. */
  rating: number | null;
  type: WellnessType;
  user_id: Generated<string>;
  /** The transaction that last changed what a client sees of the entry itself, for its etag and the feed of changes. */
  version: Generated<string>;
}

export interface WorkoutCheckinPhotos {
  checkin_id: string;
  /** Names the file; a check-in that replaces a rejected one has another. */
  file_id: string;
  /** Why an admin should look at it; empty if nothing is odd. */
  flags: Generated<string[]>;
  hash_bands: Generated<number[]>;
  /** Since when only the owner, super admins and admins who decide see the photo, by a decision of an admin. */
  hidden_at: string | null;
  location_lat: Numeric | null;
  location_lng: Numeric | null;
  /** dHash: the same picture in another size or quality differs in few bits. */
  perceptual_hash: string;
  /** The path of the photo in the private store. */
  photo_key: Generated<string>;
  /** Offset from UTC that the photo names, such as +02:00. */
  taken_offset: string | null;
  user_id: string;
}

export interface WorkoutCheckins {
  activity_type: ActivityType;
  /** Counts for the battle only while the status is verified. */
  battle_chips_earned: Generated<number>;
  /** Monday of the battle that the chips count for: the week of the date, or a later one if that battle was over. */
  battle_week_start: string;
  chain_id: string | null;
  /** continued or broken, by the result of the previous person in the chain; follows it until a battle has ended with the chips of this check-in. */
  chain_status: ChainStatus;
  /** {base, chain, early, streak, raw, earned}: earned is raw rounded down. */
  chip_breakdown: Generated<Json>;
  created_at: Generated<string>;
  /** The game date: the local date on which the window began. */
  date: string;
  /** Whether it is at least the seventh verified day in a row; follows reviews of the days before as chain_status follows the previous person. */
  has_streak: Generated<boolean>;
  id: Generated<string>;
  /** Whether its battle had ended with its chips when it was rejected; if it is verified again, they stay there. */
  is_counted: Generated<boolean>;
  /** Whether it earned the early bonus. */
  is_early: Generated<boolean>;
  /** When the photo says that it was taken; null without a photo or without a time in it. */
  photo_timestamp: string | null;
  review_reason: string | null;
  /** When an admin last changed the status. */
  reviewed_at: string | null;
  reviewed_by: string | null;
  status: Generated<CheckinStatus>;
  team_color: TeamColor | null;
  user_id: string;
  /** When it was verified for the first time. */
  verified_at: string | null;
}

export interface WorkoutWindows {
  activity_type: ActivityType;
  /** The game dates on which the person does not play. Open at the end while they are away; all dates for a synthetic user that is switched off. */
  away: Generated<string>;
  created_at: Generated<string>;
  /** Set if and only if the activity is other. */
  custom_activity: string | null;
  /** The first game date on which these values count. Before it the previous values count or, without any, there is no window. */
  effective_from: string;
  id: Generated<string>;
  /** The values for game dates before effective_from, by the names of their columns and with times as HH:MM; null before the first change. One step back is enough because chains keep the window of their date. */
  previous: Json | null;
  /** From which game date on the person rests on which weekdays (1 is Monday): objects with from and weekdays, oldest first. */
  rest_days: Generated<Json>;
  /** IANA time zone. */
  timezone: string;
  updated_at: Generated<string>;
  user_id: Generated<string>;
  /** Before the start if the window crosses midnight. */
  window_end_time: string;
  window_start_time: string;
}

export interface PrivateAssistantTurns {
  /** Analyses that were stored that day; failed attempts are not counted here. */
  analyses: Generated<number>;
  /** Attempts of that day since the last success, counted when they begin. */
  attempts: number;
  /** Id of the claim, new each time. A claim ends the turn only while it is the claim of the turn. */
  claim: string | null;
  /** While it is claimed, when the claim expires; after a failure, when it may be claimed again. */
  claimed_until: string | null;
  /** By the UTC calendar. */
  day: string;
  finished_at: string | null;
  job: AssistantJob;
  /** Their private.notes_fingerprint at that time; another one makes another analysis due. */
  notes_fingerprint: Buffer | null;
  /** The notes that the last analysis of that day read were created after this. */
  notes_since: string | null;
  /** Their private.notes_version at that time. */
  notes_version: Numeric | null;
  user_id: string;
}

export interface PrivateAudienceMembers {
  audience_id: string;
  user_id: string;
}

export interface AxisAudience {
  set: Visibility;
  effective: Visibility;
  inherited_from: NamedNotebook | null;
  team: Named | null;
  organization: Named | null;
  people: number | null;
  approximate: boolean;
  reasons: AudienceReason[];
}

export interface PrivateBattleAnnouncements {
  notified_up_to: Generated<string>;
  week_start_date: string;
}

export interface Card {
  id: string;
  full_name: string | null;
  avatar_url: string | null;
  is_ai: boolean;
}

export interface ChainOfDay {
  team_color: TeamColor;
  before_user_id: string | null;
  after_user_id: string | null;
  squad: SquadOfDay | null;
  cards: PlayerCard[];
  check_ins: SeenCheckIn[];
}

export interface ChipParts {
  base: number;
  chain: number;
  early: number;
  streak: number;
  raw: number;
  earned: number;
}

export interface DaysInState {
  state: DayState;
  is_checked_in: boolean;
  days: number[];
}

export interface DropAllowance {
  daily_allowance: number;
  drops_used: number;
  bonus_drops_earned: number;
  custom_drops_used: number;
  max_custom_drops_per_day: number;
}

export interface DropSender {
  id: string;
  full_name: string | null;
  avatar_url: string | null;
  is_assistant: boolean;
}

export interface DueGoal {
  id: string;
  title: string;
  streak: GoalStreak;
  checked_in: boolean;
}

export interface PrivateEmailEvents {
  created_at: Generated<string>;
  id: string;
  is_verified: boolean;
  type: string;
}

export interface PrivateEmailMessages {
  created_at: string;
  /** The furthest delivery that an event reported. */
  delivery: EmailDelivery | null;
  /** When that happened, as the event says. */
  delivery_at: string | null;
  delivery_is_verified: Generated<boolean>;
  /** The fingerprint of an erased address, which still counts and finds bounces. */
  erased_hash: Buffer | null;
  id: Generated<string>;
  /** The provider's id of the mail. */
  provider_id: string | null;
  /** The address as the sender wrote it; `erased` once its account is erased. */
  recipient: string;
  /** See private.email_address_hash. */
  recipient_hash: Generated<Buffer>;
  /** Fingerprint of the Idempotency-Key and body that began it, until it is sent. */
  request: string | null;
  /** pending while it is sent to the provider; failed mails may have been sent after all, if the provider did not respond. */
  state: EmailState;
  subject: string;
  updated_at: string;
  user_id: string;
}

export interface PrivateEmailPolicy {
  is_only: Generated<boolean>;
  recipient_policy: Generated<string>;
}

export interface PrivateEmailReceived {
  body_html: string | null;
  body_text: string | null;
  /** When sender, recipients, subject and text were read from the provider; null before. */
  content_fetched_at: string | null;
  created_at: Generated<string>;
  event_id: string;
  id: Generated<string>;
  is_verified: boolean;
  provider_id: string | null;
  recipients: string[];
  /** As the event says, which is no proof. */
  sender: string;
  subject: string;
}

export interface PrivateEmailSuppressions {
  address_hash: Buffer;
  created_at: Generated<string>;
  /** The event of the provider; null for an address that was unsubscribed. */
  event_id: string | null;
  /** suppressed: the provider has the address on its own list. */
  reason: string;
}

export interface EntryAudience {
  metadata: AxisAudience;
  content: AxisAudience;
}

export interface PrivateEntryTimes {
  created_at: string;
  user_id: string;
}

export interface PrivateErasedTotals {
  /** What admins gave deleted accounts, less what they took. */
  adjusted: Generated<number>;
  /** The balances that deleted accounts had at their end. */
  balance: Generated<number>;
  id: Generated<boolean>;
  /** Signup bonuses and monthly drops that deleted accounts were given. */
  issued: Generated<number>;
  refunded: Generated<number>;
  /** What deleted accounts paid; not negative. */
  spent: Generated<number>;
}

export interface Erasure {
  preview: ErasurePreview;
  scheduled: ErasureTimes | null;
}

export interface ErasurePreview {
  entries: number;
  drops_balance: number;
  subscription_active: boolean;
  tone_packs_with_buyers: number;
  organizations_to_transfer: Named[];
  organizations_handed_back: Named[];
  organizations_removed: Named[];
  teams_handed_over: number;
}

export interface PrivateErasureReceipts {
  address: string;
  claimed_until: string | null;
  erased_at: string;
  first_tried_at: string | null;
  /** Also the id of the mail, by which the provider recognizes a repeated attempt. */
  id: Generated<string>;
}

export interface ErasureTimes {
  requested_at: string;
  erases_at: string;
}

export interface ExpectedFile {
  id: string;
  path: string;
}

export interface PrivateGameNotices {
  created_at: Generated<string>;
  /** The game date. */
  date: string;
  kind: NotificationType;
  user_id: string;
  /** The start of the window that a reminder was for: after a change of the window there is another reminder. */
  window_starts_at: string | null;
}

export interface GoalStreak {
  current: number;
  longest: number;
}

export interface Home {
  latitude: number;
  longitude: number;
}

export interface PrivateIdempotencyKeys {
  body: string | null;
  /** SHA-256 of the request body, to distinguish a retry from a reused key. */
  body_hash: string;
  created_at: Generated<string>;
  etag: string | null;
  /** False while a command of several transactions is running. If it never ends, a response that is stored by then counts. */
  is_final: Generated<boolean>;
  key: string;
  /** The row that the response contains; when it is deleted, the response is deleted too. */
  resource_id: string | null;
  route: string;
  status: number | null;
  user_id: Generated<string>;
}

export interface PrivateImportedEntries {
  /** SHA-256 of what identifies the entry in its source. */
  external_id: Buffer;
  source: ImportSource;
  user_id: string;
}

export interface InvitingOrganization {
  id: string;
  name: string;
  member_count: number;
}

export interface PrivateJobRuns {
  /** When the schedule wanted the run; null for a run that an operator started. A due time is served once, also if several schedulers ask for it. */
  due_at: string | null;
  finished_at: string | null;
  id: Generated<string>;
  job: string;
  key: string;
  results: Json | null;
  started_at: Generated<string>;
  succeeded: boolean | null;
}

export interface PrivateJobs {
  known_since: string;
  name: string;
}

export interface JournalOfDay {
  entries_today: number;
  current_streak: number;
  on_this_day: number;
}

export interface JournalStats {
  from: string;
  to: string;
  entries: number;
  words: number;
  days_written: number;
  current_streak: number;
  longest_streak: number;
  moods: MoodCount[];
  tags: TagCount[];
  by_day: WrittenDay[];
  by_weekday: WeekdayCount[];
  wellness: WellnessAverages;
}

export interface PrivateKeptSuspensions {
  /** See private.email_address_hash. */
  address_hash: Buffer;
  expires_at: string;
}

export interface PrivateLeaderboardCheckpoints {
  counted_at: string;
  leaderboard_key: Numeric;
  people_ahead: number;
  user_id: string;
}

export interface PrivateLoggedReads {
  created_at: Generated<string>;
  date: string;
  /** Refers to no entry, as goal_id to no goal, so that the row stays when the thing is deleted. */
  entry_id: string | null;
  goal_id: string | null;
  id: Generated<string>;
  /** Refers to no account, so that the row stays when the account of the reader is deleted. */
  reader_id: string;
  /** The author of the thing. */
  user_id: string;
}

export interface MatchedDay {
  date: string;
  window_start_time: string;
  window_end_time: string;
  timezone: string;
  window_starts_at: string;
}

export interface MatchedWindow {
  start: string;
  end: string;
  timezone: string;
}

export interface MoodCalendar {
  year: number;
  days: WrittenDay[];
}

export interface MoodCount {
  mood: string;
  count: number;
}

export interface Named {
  id: string;
  name: string;
}

export interface NamedNotebook {
  notebook_id: string;
  name: string;
}

export interface PrivateNextBadges {
  level: number;
  min_engagement_increases: number;
}

export interface NotebookPreview {
  approximate: boolean;
  entries: number;
  widened: number;
  narrowed: number;
  examples: PreviewExample[];
}

export interface PrivateNotes {
  created_at: string;
  id: string;
  mood: string | null;
  title: string;
  updated_at: string;
  user_id: string;
}

export interface NotificationPage {
  notifications: SentNotification[];
  unread_count: number;
}

export interface PrivateOpenDays {
  chain_id: string;
  day_ends_at: string;
  user_id: string;
}

export interface OwnDays {
  matched: WindowOfDay[];
  days: DaysInState[];
}

export interface OwnDrops {
  balance: number;
  allowance: DropAllowance;
  unread: number;
}

export interface OwnEntry {
  entry_date: string;
  written_at: number;
  tags: string[];
  tag_keys: string[];
  mood: string | null;
  words: number;
}

export interface PayingMovement {
  id: string;
  amount: number;
  balance_after: number;
  description: string;
  item_id: string;
  created_at: string;
}

export interface PrivatePaymentEvents {
  created: string;
  id: string;
  type: string;
}

export interface PrivatePlayerAreas {
  area_key: string;
  user_id: string;
}

export interface PlayerCard {
  id: string;
  full_name: string | null;
  avatar_url: string | null;
  is_ai: boolean;
  window: MatchedWindow;
  activity_type: ActivityType;
  custom_activity: string | null;
}

export interface PrivatePlayersToMatch {
  created_at: Generated<string>;
  id: Generated<number>;
  user_id: string;
}

export interface PreviewExample {
  entry_id: string;
  title: string;
  axis: VisibilityAxis;
  from: Visibility;
  to: Visibility;
}

export interface PrivatePushDeliveries {
  /** How often it was claimed; also distinguishes the current claim from an older one. */
  attempts: Generated<number>;
  created_at: Generated<string>;
  finished_at: string | null;
  /** When it may be claimed; while it is claimed, when the claim expires. */
  next_attempt_at: Generated<string>;
  notification_id: string;
  outcome: string | null;
  subscription_id: string;
  /** The end of the quiet hours that it waits or waited for; null if it fell into none. */
  waited_until: string | null;
}

export interface PrivatePushHolds {
  held_until: string;
  service: PushService;
}

export interface PrivateQuotaUses {
  name: string;
  period_start: string;
  used: number;
  user_id: string;
}

export interface ReceivedDrop {
  id: string;
  sender_id: string;
  sender: DropSender;
  recipient_id: string;
  drop_type: EncouragementDropType;
  is_custom: boolean;
  template_id: string | null;
  title: string | null;
  content: string;
  media_type: MediaType | null;
  media_url: string | null;
  thumbnail_url: string | null;
  date_sent: string;
  created_at: string;
  read_at: string | null;
  entry_id: string | null;
  goal_id: string | null;
}

export interface ReceivedInvitation {
  id: string;
  organization: InvitingOrganization;
  role: MemberRole;
  invited_by: Card;
  expires_at: string;
  created_at: string;
}

export interface Reconciliation {
  ok: boolean;
  accounts: number;
  movements: number;
  issued: number;
  spent: number;
  refunded: number;
  adjusted: number;
  erased: number;
  circulating: number;
  differences: ReconciliationDifference[];
}

export interface ReconciliationDifference {
  user_id: string;
  kind: LedgerDifference;
  expected: number;
  found: number;
}

export interface RecordedCheckIn {
  check_in: SeenCheckIn;
  is_next_notified: boolean;
}

export interface PrivateRemovedThings {
  id: string;
  removed_at: Generated<string>;
  type: ThingType;
  user_id: string;
  /** The transaction that deleted it. */
  version: Generated<string>;
}

export interface SeenAxes {
  metadata: boolean;
  content: boolean;
}

export interface SeenCheckIn {
  id: string;
  user_id: string;
  chain_id: string | null;
  date: string;
  activity_type: ActivityType;
  custom_activity: string | null;
  photo_timestamp: string | null;
  status: CheckinStatus;
  battle_chips_earned: number;
  chip_breakdown: ChipParts;
  chain_status: ChainStatus;
  team_color: TeamColor | null;
  battle_week_start: string;
  created_at: string;
  photo_key: string | null;
  location_lat: number | null;
  location_lng: number | null;
  flags: PhotoFlag[] | null;
  reviewed_at: string | null;
  review_reason: string | null;
}

export interface SeenPicture {
  id: string;
  entry_id: string;
  position: number;
  caption: string | null;
  width: number;
  height: number;
  size_bytes: number;
  file_key: string;
  thumbnail_key: string;
  created_at: string;
}

export interface SentDrop {
  drop: ReceivedDrop;
  allowance: DropAllowance;
  badge: Selectable<ReadableBadges>;
}

export interface SentMessage {
  id: string;
  team_id: string | null;
  squad_id: string | null;
  entry_id: string | null;
  goal_id: string | null;
  sender: Card;
  content: string;
  created_at: string;
}

export interface SentNotification {
  id: string;
  type: NotificationType;
  data: Json;
  created_at: string;
  read_at: string | null;
}

export interface SquadOfDay {
  user_1_id: string | null;
  user_2_id: string | null;
  user_3_id: string | null;
  team_color: TeamColor;
}

export interface StartedCheckIn {
  home: Home | null;
  matched: MatchedDay[];
  checked_in: string[];
  wait_seconds: number;
  file: ExpectedFile;
}

export interface PrivateStoredFilesToRemove {
  /** When an upload was used. It is removed once more later, because its address can be used again. */
  claimed_at: string | null;
  path: string;
  remove_after: string;
  store: string;
}

export interface PrivateSubscriptionsToCancel {
  payment_subscription_id: string;
}

export interface TagCount {
  tag: string;
  count: number;
}

export interface Today {
  date: string;
  timezone: string;
  game: OwnDays | null;
  goals: DueGoal[] | null;
  journal: JournalOfDay | null;
  drops: OwnDrops | null;
  unread_notifications: number | null;
}

export interface TonePackPurchase {
  id: string;
  pack_id: string;
  user_id: string;
  price_drops: number;
  created_at: string;
}

export interface TonePackReceipt {
  purchase: TonePackPurchase;
  transaction: PayingMovement;
  balance: number;
}

export interface PrivateUnsettledShares {
  after_id: Generated<string>;
  /** With after_id: the last entry that was written. They are written newest first. */
  after_time: Generated<string>;
  /** Whose entries were shared with a deleted group. */
  author_ids: Generated<string[]>;
  group_id: string | null;
  id: Generated<string>;
  notebook_id: string | null;
  /** When its entries were last written. The sources take turns. */
  settled_at: Generated<string>;
  /** The teams of a deleted organization with entries, which went with it. */
  team_ids: Generated<string[]>;
  user_id: string | null;
  /** The audiences that may no longer see the entries. */
  withdrawn_from: Generated<string[]>;
}

export interface UserPage {
  id: string;
  full_name: string | null;
  avatar_url: string | null;
  is_ai: boolean;
  badge_level: number | null;
  shared_organizations: Named[];
}

export interface WeekdayCount {
  weekday: number;
  entries: number;
}

export interface WellnessAverages {
  satisfaction_average: number | null;
  sleep_hours_average: number | null;
}

export interface WindowOfDay {
  date: string;
  activity_type: ActivityType;
  window_starts_at: string;
  window_ends_at: string;
}

export interface PrivateWork {
  /** How often it was claimed since it was added, or since it last got on. */
  attempts: Generated<number>;
  /** Id of the claim, new each time; null while no one works on it. */
  claim: string | null;
  /** When it may be claimed; while it is claimed, when the claim expires. */
  due_at: string;
  key: string;
  kind: string;
}

export interface WrittenDay {
  date: string;
  entries: number;
  words: number;
  mood: string | null;
}

export interface DB {
  accounts: Accounts;
  audit_events: AuditEvents;
  badge_definitions: BadgeDefinitions;
  badge_milestones: BadgeMilestones;
  battles: Battles;
  blocks: Blocks;
  chains: Chains;
  chosen_settings: ChosenSettings;
  conversion_rates: ConversionRates;
  drop_objects: DropObjects;
  drop_templates: DropTemplates;
  drop_transactions: DropTransactions;
  encouragement_allowances: EncouragementAllowances;
  encouragement_config: EncouragementConfig;
  encouragement_drops: EncouragementDrops;
  entry_backgrounds: EntryBackgrounds;
  entry_pictures: EntryPictures;
  exports: Exports;
  goal_check_in_contents: GoalCheckInContents;
  goal_check_ins: GoalCheckIns;
  goal_contents: GoalContents;
  goal_pauses: GoalPauses;
  goals: Goals;
  invitations: Invitations;
  journal_entries: JournalEntries;
  journal_entry_contents: JournalEntryContents;
  journal_imports: JournalImports;
  member_names: MemberNames;
  moderation_appeals: ModerationAppeals;
  moderation_decisions: ModerationDecisions;
  monthly_drop_awards: MonthlyDropAwards;
  mosaic_sections: MosaicSections;
  mosaics: Mosaics;
  note_analyses: NoteAnalyses;
  note_analysis_sources: NoteAnalysisSources;
  notebook_contents: NotebookContents;
  notebooks: Notebooks;
  notification_settings: NotificationSettings;
  notifications: Notifications;
  organization_members: OrganizationMembers;
  organizations: Organizations;
  own_profiles: OwnProfiles;
  personal_tokens: PersonalTokens;
  profiles: Profiles;
  push_subscriptions: PushSubscriptions;
  readable_badges: ReadableBadges;
  readable_drops: ReadableDrops;
  readable_entries: ReadableEntries;
  readable_goal_check_ins: ReadableGoalCheckIns;
  readable_goals: ReadableGoals;
  readable_locations: ReadableLocations;
  readable_notebooks: ReadableNotebooks;
  reports: Reports;
  squads: Squads;
  subscriptions: Subscriptions;
  synthetic_users: SyntheticUsers;
  team_colors: TeamColors;
  team_members: TeamMembers;
  team_messages: TeamMessages;
  teams: Teams;
  token_usage: TokenUsage;
  tone_pack_images: TonePackImages;
  tone_pack_purchases: TonePackPurchases;
  tone_pack_shares: TonePackShares;
  tone_packs: TonePacks;
  trashed_entries: TrashedEntries;
  user_badges: UserBadges;
  user_locations: UserLocations;
  user_roles: UserRoles;
  weekly_workout_stats: WeeklyWorkoutStats;
  wellness_entries: WellnessEntries;
  workout_checkin_photos: WorkoutCheckinPhotos;
  workout_checkins: WorkoutCheckins;
  workout_windows: WorkoutWindows;
  "private.assistant_turns": PrivateAssistantTurns;
  "private.audience_members": PrivateAudienceMembers;
  "private.battle_announcements": PrivateBattleAnnouncements;
  "private.email_events": PrivateEmailEvents;
  "private.email_messages": PrivateEmailMessages;
  "private.email_policy": PrivateEmailPolicy;
  "private.email_received": PrivateEmailReceived;
  "private.email_suppressions": PrivateEmailSuppressions;
  "private.entry_times": PrivateEntryTimes;
  "private.erased_totals": PrivateErasedTotals;
  "private.erasure_receipts": PrivateErasureReceipts;
  "private.game_notices": PrivateGameNotices;
  "private.idempotency_keys": PrivateIdempotencyKeys;
  "private.imported_entries": PrivateImportedEntries;
  "private.job_runs": PrivateJobRuns;
  "private.jobs": PrivateJobs;
  "private.kept_suspensions": PrivateKeptSuspensions;
  "private.leaderboard_checkpoints": PrivateLeaderboardCheckpoints;
  "private.logged_reads": PrivateLoggedReads;
  "private.next_badges": PrivateNextBadges;
  "private.notes": PrivateNotes;
  "private.open_days": PrivateOpenDays;
  "private.payment_events": PrivatePaymentEvents;
  "private.player_areas": PrivatePlayerAreas;
  "private.players_to_match": PrivatePlayersToMatch;
  "private.push_deliveries": PrivatePushDeliveries;
  "private.push_holds": PrivatePushHolds;
  "private.quota_uses": PrivateQuotaUses;
  "private.removed_things": PrivateRemovedThings;
  "private.stored_files_to_remove": PrivateStoredFilesToRemove;
  "private.subscriptions_to_cancel": PrivateSubscriptionsToCancel;
  "private.unsettled_shares": PrivateUnsettledShares;
  "private.work": PrivateWork;
}
