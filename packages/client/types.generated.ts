// Written by `npm run generate` from openapi.json.

import type { CallOptions, LocalFile, Paged, Pages } from "./calls.ts";

export type AcceptInvitationInput = InvitationAcceptance;

export type AcceptInvitationResponse = {
  member: OrganizationMember;
  organization: {
    id: string;
    name: string;
  };
  /** Teams of the invitation that were deleted. */
  skipped_team_ids: Array<string>;
};

export type AcceptOrganizationMembershipInput = {
  /** The id of the organization. */
  id: string;
};

export type AcceptOrganizationMembershipResponse = {
  member: OrganizationMember;
};

export type ActivateTonePackInput = {
  /** The id of the tone pack. */
  id: string;
};

export type ActivateTonePackResponse = {
  message: string;
  active_tone_pack_id: string;
};

export type AddOrganizationMemberInput = {
  /** The id of the organization. */
  id: string;
} & (NewOrganizationMember);

export type AddOrganizationMemberResponse = {
  member: OrganizationMember;
};

export type AddTeamMemberInput = {
  /** The id of the team. */
  id: string;
} & (NewTeamMember);

export type AddTeamMemberResponse = {
  member: TeamMember;
};

export type AdjustDropsInput = DropsAdjustment;

export type AdjustDropsResponse = {
  transaction: DropTransaction;
  /** The user's balance in drops. */
  balance: number;
};

export type AdminCheckIn = {
  id: string;
  user_id: string;
  /** null if the player is in no chain on this date. */
  chain_id: string | null;
  date: string;
  activity_type: "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
  /** The name of the activity if activity_type is `other` and the window names it, else null. */
  custom_activity: string | null;
  /** A link that works for 15 minutes; null if there is no photo or you may not see it. */
  photo_url: string | null;
  /** When the photo was taken; null if it does not say so. */
  photo_timestamp: string | null;
  /** In degrees; null if it was not sent, or if you are neither the player nor an admin. */
  location_lat: number | null;
  /** In degrees; null if it was not sent, or if you are neither the player nor an admin. */
  location_lng: number | null;
  status: "pending" | "verified" | "rejected";
  /** Counts if the status is verified. If it is pending: what it would earn. If it is rejected: 0. */
  battle_chips_earned: number;
  chip_breakdown: ChipBreakdown;
  /** broken if the player before this one failed on this date, else continued. It may change with that player's result until the battle of these chips has ended. */
  chain_status: "continued" | "broken";
  /** null if the player is in no team on this date. */
  team_color: TeamColor | null;
  /** The Monday of the battle that the chips count for. */
  battle_week_start: string;
  /** Why an admin should look at it; empty if there is no reason. */
  flags: Array<"seen_before" | "edited" | "screenshot" | "late_upload" | "far_away" | "no_photo_time">;
  /** The last decision of an admin; null if there is none, or if you are neither the player nor an admin. */
  review: CheckInReviewed | null;
  created_at: string;
  user: {
    id: string;
    full_name: string | null;
    avatar_url: string | null;
    /** Whether this is a synthetic user. */
    is_ai: boolean;
  };
  /** Whole hours since the check-in was made. */
  age_hours: number;
  /** null if it was not reviewed. */
  reviewed_at: string | null;
  /** The admin; null if not reviewed, or if the account is gone. */
  reviewed_by: string | null;
  /** null if not reviewed, or if no reason was given. */
  review_reason: string | null;
};

export type AdminTeam = {
  members: Array<{
    userId: string;
    fullName: string | null;
    /** Whether this is a synthetic user. */
    isAi: boolean;
    /** null if the member has no squad on this date. */
    squadId: string | null;
    status: "not_started" | "pending" | "completed" | "failed";
  }>;
  /** A squad is on the same page as its first member. */
  squads: Array<{
    id: string;
    user1: PlayerCard | null;
    user2: PlayerCard | null;
    user3: PlayerCard | null;
  }>;
  /** Members who are people, over all pages. */
  realUsers: number;
  /** Members who are synthetic users, over all pages. */
  aiUsers: number;
};

export type AdminUser = {
  id: string;
  email: string | null;
  full_name: string | null;
  avatar_url: string | null;
  /** Whether this is a synthetic user. */
  is_ai: boolean;
  role: "user" | "admin" | "super_admin";
  /** Whether they have an active subscription. */
  is_premium: boolean;
  /** In drops. */
  drops_balance: number;
  created_at: string;
  /** The current UTC calendar month. */
  token_usage: TokenUsage;
};

export type AiUse = {
  at: string;
  usage_type: "tone_analysis" | "background_generation" | "tone_pack_image" | "assistant_drop" | "note_analysis";
  /** The name of the model. */
  model: string;
  /** The entry that the model read; null if it read several (see the sources of an analysis), a text or an analysis, or if the entry was deleted. */
  entry_id: string | null;
};

export type AnalysisSource = {
  id: string;
  title: string;
  created_at: string;
};

export type AnalyzeToneInput = ToneRequest;

export type AnalyzeToneResponse = ToneAnalysis;

export type Appeal = {
  id: string;
  /** open: not decided yet. upheld: the decision stays. reversed: its effect was taken back. */
  status: "open" | "upheld" | "reversed";
  reason: string;
  /** What the admin answered; null while the appeal is open. */
  answer: string | null;
  created_at: string;
  decided_at: string | null;
};

export type AppealDecision = {
  /** uphold: the decision stays. reverse: its effect is taken back, and its reports count as dismissed. */
  decision: "uphold" | "reverse";
  /** Why. The user who appeals reads it. */
  answer: string;
};

export type AssistantSettings = {
  /** Whether the assistant may read your journal entries. */
  read_notes_enabled: boolean;
  /** Whether the assistant may write to you. */
  check_in_enabled: boolean;
};

export type AssistantSettingsUpdate = {
  /** Whether the assistant may read your journal entries. */
  read_notes_enabled?: boolean;
  /** Whether the assistant may write to you. */
  check_in_enabled?: boolean;
};

export type AudiencePreview = {
  /** One of your entries, to preview an update; without it, a new entry. */
  entry_id?: string | null;
  /** One of your notebooks. */
  notebook_id?: string | null;
  /** Who may see everything but the content. Empty or null means `user`, only you. */
  metadata_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Who may see the content. Empty or null means `user`, only you. */
  content_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Required if a visibility is `team`. */
  team_id?: string | null;
  /** Required if a visibility is `org`. */
  org_id?: string | null;
  /** true: where a visibility is `user`, the visibility of the notebook applies. false: `user` means that only the author sees it. */
  inherit_visibility?: boolean;
};

export type AuditEvent = {
  id: string;
  at: string;
  /** Who made the change; null if the account is gone. */
  actor: Card | null;
  /** Their role before the change. */
  actor_role: "user" | "admin" | "super_admin";
  /** The id of the operation in this reference, or `bootstrapRole` for a first role by the environment. */
  action: string;
  /** What was changed. More kinds may be added. */
  target_type: "account" | "appeal" | "battle" | "checkin" | "conversion_rate" | "drop_config" | "drop_template" | "drop_transaction" | "job" | "message" | "mosaic" | "report" | "synthetic_user" | "user";
  /** null for several things at once, or for one without an id. */
  target_id: string | null;
  /** The names of the fields that were set, never their values. */
  changed: Array<string>;
  /** The `x-request-id` of the response; null if the caller sent one that is no UUID. */
  request_id: string | null;
};

export type AwardMonthlyDropsInput = Record<never, never>;

export type AwardMonthlyDropsResponse = {
  /** false if you already have the drops of this month. */
  awarded: boolean;
  /** Drops that you got by this call. */
  amount: number;
  /** Your balance in drops. */
  balance: number;
  /** The UTC calendar month, YYYY-MM. */
  month: string;
};

export type AxisAudience = {
  /** The visibility of the entry or goal itself. */
  set: Visibility;
  /** What applies, with the notebook considered. */
  effective: Visibility;
  /** The notebook whose visibility applies; null if its own does. */
  inherited_from: {
    notebook_id: string;
    name: string;
  } | null;
  /** The team that `effective` means. */
  team: {
    id: string;
    name: string;
  } | null;
  /** The organization that `effective` means. */
  organization: {
    id: string;
    name: string;
  } | null;
  /** How many people besides you can see it. Content is only seen by those who can see the metadata. Super admins, who can see everything, do not count. null: all signed-in users without a block between you. */
  people: number | null;
  /** More people can see it than `people` says; 10,000 are counted. */
  approximate: boolean;
  /** First where the visibility comes from. explicit: the entry or goal sets it; inherited_from_notebook: the entry says `user` and inherits; not_inherited: it says `user` and does not inherit; private: it says `user` and is in no notebook. Then what else decides. share_void: you are not in that team or organization; limited_by_metadata: some of those who could see the content cannot see the metadata; public: all signed-in users can see it; hidden_by_moderation: an admin has hidden it or the notebook. */
  reasons: Array<"private" | "explicit" | "inherited_from_notebook" | "not_inherited" | "share_void" | "limited_by_metadata" | "public" | "hidden_by_moderation">;
};

export type Background = {
  id: string;
  /** null if it was made for a text. */
  entry_id: string | null;
  /** A link that works for 1 hour. */
  image_url: string;
  quality: "standard" | "hd";
  created_at: string;
};

export type BackgroundRequest = {
  /** One of your entries. Send either entry_id or content. */
  entry_id?: string | null;
  /** A text that is not one of your entries. */
  content?: string | null;
  /** Replaces the title of the entry. */
  title?: string | null;
  /** Replaces the mood of the entry. */
  mood?: string | null;
  quality?: "standard" | "hd";
};

export type Badge = {
  user_id: string;
  level: number;
  /** The name of the level. */
  name: string;
  emoji: string;
  /** #RRGGBB. */
  color: string;
  total_drops_sent: number;
  /** Drops after which the recipient wrote a journal entry in time. */
  engagement_increases: number;
  /** Percentage of drops sent that led to an engagement, 0 to 100 with two decimals. */
  success_rate: number;
  /** Bonus drops of all time. */
  bonus_drops_earned: number;
  /** UTC days in a row on which a drop was sent, ending today or yesterday; else 0. */
  consecutive_days: number;
  progress: {
    /** The same number as engagement_increases. */
    current: number;
    /** Engagements that the next level requires; null at the top. */
    required: number | null;
    /** Engagements still missing; null at the top. */
    remaining: number | null;
    /** From this level to the next; 100 at the top. */
    percent: number;
    /** null at the top. */
    next_level: number | null;
    /** null at the top. */
    next_name: string | null;
  };
};

export type BadgeDefinition = {
  level: number;
  name: string;
  min_engagement_increases: number;
  /** null if this level requires none. */
  min_success_rate: number | null;
  /** null if this level requires none. */
  min_consecutive_days: number | null;
  emoji: string;
  /** #RRGGBB. */
  color: string;
};

export type BadgeMilestone = {
  id: string;
  user_id: string;
  level: number;
  badge_name: string;
  achieved_at: string;
  stats: {
    total_drops_sent: number;
    engagement_increases: number;
    success_rate: number;
    bonus_drops_earned: number;
    consecutive_days: number;
  };
};

export type BadgesRequest = {
  user_ids: Array<string>;
};

export type Battle = {
  id: string;
  /** The Monday of the week. */
  week_start_date: string;
  /** The Sunday of the week. */
  week_end_date: string;
  /** Chips of verified check-ins. */
  red_team_chips: number;
  blue_team_chips: number;
  red_team_robot_power: number;
  blue_team_robot_power: number;
  battle_status: "pending" | "in_progress" | "completed";
  /** null until the battle is completed. */
  winner: BattleWinner | null;
  /** null until the battle is completed. */
  battle_result: BattleResult | null;
  created_at: string;
  updated_at: string;
};

export type BattleProof = {
  /** How `seed` of a BattleResult says. */
  algorithm: "battle-1";
  weekStartDate: string;
  /** The SHA-256 hash of weekStartDate, in hexadecimal. */
  seed: string;
  red: {
    chips: number;
    members: number;
  };
  blue: {
    chips: number;
    members: number;
  };
  result: {
    winner: BattleWinner;
    powers: {
      red: number;
      blue: number;
      badGuy: number;
    };
    rounds: Array<{
      round: number;
      redDamage: number;
      blueDamage: number;
      badGuyDamage: number;
    }>;
  };
  /** The SHA-256 hash, in hexadecimal, of algorithm, weekStartDate, seed, red and blue as canonical JSON (RFC 8785). */
  digest: string;
};

export type BattleResult = {
  /** See `seed` for how the powers are calculated. */
  redRobotPower: number;
  blueRobotPower: number;
  badGuyPower: number;
  rounds: Array<{
    round: number;
    redDamage: number;
    blueDamage: number;
    badGuyDamage: number;
  }>;
  /** The result in one sentence. */
  finalOutcome: string;
  /** The SHA-256 hash of the Monday as YYYY-MM-DD, in hexadecimal. You can recompute the battle from it. Power of a robot: floor(chips * 10 + members * 5 + chips / members * 20); 0 if the team has no members. Power of the bad guy: floor((red + blue) / 2), at least 100. There are 3 + (byte 0 mod 3) rounds. The luck of round i is 9 + (byte i mod 3) tenths, the same for everyone. Damage of a robot in a round: floor(power * luck); of the bad guy: floor(power * luck / 2). The robot with more damage over all rounds wins; equal damage is a tie. */
  seed: string;
};

export type BattleTeam = {
  /** Chips of verified check-ins. */
  totalChips: number;
  robotPower: number;
  members: number;
};

export type BattleWinner = "red" | "blue" | "tie";

export type Block = {
  user_id: string;
  /** null unless you could read the page of the user when you blocked them. */
  full_name: string | null;
  created_at: string;
};

export type Card = {
  id: string;
  full_name: string | null;
  avatar_url: string | null;
  /** Whether this is a synthetic user. */
  is_ai: boolean;
};

export type Chain = {
  /** The player before you; null if you are first. */
  beforeUser: PlayerCard | null;
  /** You. */
  currentUser: PlayerCard;
  /** The player after you; null if you are last. */
  afterUser: PlayerCard | null;
  teamColor: TeamColor;
  /** null if you have no squad on this date. */
  squad: Squad | null;
};

export type ChainsJobResponse = {
  success: boolean;
  message: string;
  /** What the run counted, and short texts about what failed. */
  results?: Record<string, number | Array<string>>;
  /** By the UTC calendar. */
  today: string;
  /** By the UTC calendar. */
  tomorrow: string;
};

export type Change = EntryChange | NotebookChange | GoalChange | GoalCheckInChange | WellnessEntryChange | PictureChange | ProfileChange;

export type CheckInOfDate = {
  /** null if you have not checked in. */
  checkin: WorkoutCheckIn | null;
  /** With a check-in: completed if it is verified, failed if it is rejected, pending while it waits for review. Without one: not_started before the window, pending during window and grace, failed afterwards. */
  status: "not_started" | "pending" | "completed" | "failed";
};

export type CheckInReview = {
  status: "rejected" | "verified";
  /** Required to reject, with at least 10 characters; optional to verify. */
  reason?: string | null;
};

export type CheckInReviewed = {
  status: "verified" | "rejected";
  /** null if the admin gave none. */
  reason: string | null;
  decided_at: string;
};

export type CheckInsOfDate = {
  checkins: Array<WorkoutCheckIn>;
  /** Counts over all players of the date, with or without a check-in, on whatever page. */
  stats: {
    total: number;
    completed: number;
    failed: number;
  };
  /** Send it as `cursor` to read the next page; null on the last page. */
  nextCursor: string | null;
};

export type CheckInsToReview = {
  checkins: Array<AdminCheckIn>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  nextCursor: string | null;
};

export type ChipBreakdown = {
  /** 1 for the check-in. */
  base: number;
  /** 1 if the chain continues. */
  chain: number;
  /** 0.5 if the photo was taken in the first 30 minutes of the window, or in the grace before it (15 minutes, unless the operator has set another time). */
  early: number;
  /** 2 from the seventh verified game date in a row. */
  streak: number;
  /** The sum of the four parts. */
  raw: number;
  /** raw, rounded down. */
  earned: number;
};

export type Comment = {
  id: string;
  /** null for a comment on a goal. */
  entry_id: string | null;
  /** null for a comment on an entry. */
  goal_id: string | null;
  author: Card;
  content: string;
  created_at: string;
};

export type ContinueImportsInput = Record<never, never>;

export type ContinueImportsResponse = JobResponse;

export type ConversionRate = {
  id: string;
  /** Tokens per drop. */
  rate: number;
  /** The rate counts from this time. */
  effective_date: string;
  /** null for the first rate, or if the account is gone. */
  created_by: string | null;
  created_at: string;
};

export type CreateAppealInput = {
  /** The id of the decision. */
  id: string;
} & (NewAppeal);

export type CreateAppealResponse = {
  appeal: Appeal;
};

export type CreateBlockInput = {
  /** The id of the user to block. */
  user_id: string;
};

export type CreateBlockResponse = {
  block: Block;
};

export type CreateCheckoutSessionInput = NewCheckout;

export type CreateCheckoutSessionResponse = {
  /** The id of the session at the payment processor. */
  sessionId: string;
  /** Open this page to pay. */
  url: string;
};

export type CreateConversionRateInput = NewConversionRate;

export type CreateConversionRateResponse = {
  rate: ConversionRate;
};

export type CreateDeviceInput = {
  /** `fcm`: Firebase Cloud Messaging; `apns`: Apple Push Notification service. */
  service: "fcm" | "apns";
  /** The registration token of FCM, or the device token of APNs in hex. */
  token: string;
  /** The bundle id of the app, for `apns` only. If you leave it out, a new device gets the first app of the service, and a known device keeps its own. */
  app?: string;
};

export type CreateDeviceResponse = {
  device: Device;
};

export type CreatedInvitation = {
  id: string;
  org_id: string;
  kind: "email" | "link";
  email: string | null;
  role: "admin" | "member";
  team_ids: Array<string>;
  max_uses: number;
  uses: number;
  /** accepted: no use is left. */
  status: "pending" | "accepted" | "revoked" | "expired";
  /** suppressed: the address gets no mail from here. not_sent: the server sends no mail, sending failed, or you have sent too many. Null for a link. */
  email_status: "sent" | "suppressed" | "not_sent" | null;
  expires_at: string;
  invited_by: Card;
  created_at: string;
  /** Returned only once; null if an Idempotency-Key repeats a request. */
  token: string | null;
  /** The page of the app that accepts it; null if the server does not know the app, or if `token` is null. */
  url: string | null;
};

export type CreatedPersonalToken = {
  id: string;
  name: string;
  scopes: Array<"journal:read" | "journal:write" | "goals:read" | "goals:write" | "wellness:read" | "wellness:write" | "drops:read" | "drops:write" | "game:read" | "game:write" | "profile:read" | "profile:write" | "notifications:read" | "notifications:write">;
  /** The last four characters of the token. */
  hint: string;
  created_at: string;
  expires_at: string;
  /** Updated at most once an hour; null if it was never used. */
  last_used_at: string | null;
  /** The token to send. It is returned only here; null in the response to a repeated request. */
  secret: string | null;
};

export type CreateDropTemplateInput = NewDropTemplate;

export type CreateDropTemplateResponse = {
  template: DropTemplate;
};

export type CreateExportInput = Record<never, never>;

export type CreateExportResponse = {
  export: Export;
};

export type CreateGoalCheckInInput = {
  /** The id of the goal. */
  id: string;
} & ({
  /** An id of your choice, a UUID of version 4 or 7. If you created it with this id before, it is returned as it is with 200, and nothing is written. */
  checkInId?: string;
  status: "completed" | "partial" | "missed" | "skipped";
  notes?: string | null;
  /** By the calendar of your time zone: today, which is the default, or up to 7 days ago. */
  check_in_date?: string | null;
});

export type CreateGoalCheckInResponse = {
  check_in: GoalCheckIn;
};

export type CreateGoalCommentInput = {
  /** The id of the goal. */
  id: string;
} & (NewComment);

export type CreateGoalCommentResponse = {
  comment: Comment;
};

export type CreateGoalInput = NewGoal;

export type CreateGoalResponse = {
  goal: Goal;
};

export type CreateImportInput = NewImport;

export type CreateImportResponse = NewImportResponse;

export type CreateInvitationInput = {
  /** The id of the organization. */
  id: string;
} & (NewInvitation);

export type CreateInvitationResponse = {
  invitation: CreatedInvitation;
};

export type CreateJournalCommentInput = {
  /** The id of the entry. */
  id: string;
} & (NewComment);

export type CreateJournalCommentResponse = {
  comment: Comment;
};

export type CreateJournalEntryInput = NewEntry;

export type CreateJournalEntryResponse = {
  entry: Entry;
};

export type CreateNotebookInput = NewNotebook;

export type CreateNotebookResponse = {
  notebook: Notebook;
};

export type CreateOrganizationInput = NewOrganization;

export type CreateOrganizationResponse = {
  organization: Organization;
};

export type CreatePhotoUploadInput = UploadRequest;

export type CreatePhotoUploadResponse = UploadResponse;

export type CreatePictureInput = {
  /** One of your entries. */
  entry_id: string;
  /** JPEG, PNG, WebP or HEIC, at most 4 MB. Its metadata are not stored. */
  picture?: Blob | LocalFile;
  /** The key of a finished upload, instead of `picture`. */
  picture_key?: string;
  /** At most 500 characters. */
  caption?: string;
};

export type CreatePictureResponse = {
  picture: Picture;
};

export type CreatePictureUploadInput = PictureUploadRequest;

export type CreatePictureUploadResponse = PictureUpload;

export type CreatePortalSessionInput = NewPortal;

export type CreatePortalSessionResponse = {
  /** Open this page to manage the subscription. */
  url: string;
};

export type CreatePushSubscriptionInput = {
  /** The `endpoint` of the browser's PushSubscription. */
  endpoint: string;
  keys: {
    /** The value must be an uncompressed P-256 point in base64url. */
    p256dh: string;
    /** The value must be 16 bytes in base64url. */
    auth: string;
  };
};

export type CreatePushSubscriptionResponse = {
  subscription: PushSubscription;
};

export type CreateReportInput = NewReport;

export type CreateReportResponse = {
  report: Report;
};

export type CreateTeamInput = NewTeam;

export type CreateTeamResponse = {
  team: Team;
};

export type CreateTokenInput = {
  /** Which program it is for. */
  name: string;
  /** What it may be used for. A scope to write includes the one to read. */
  scopes: Array<"journal:read" | "journal:write" | "goals:read" | "goals:write" | "wellness:read" | "wellness:write" | "drops:read" | "drops:write" | "game:read" | "game:write" | "profile:read" | "profile:write" | "notifications:read" | "notifications:write">;
  expires_in_days?: number;
};

export type CreateTokenResponse = {
  token: CreatedPersonalToken;
};

export type CreateTonePackInput = NewTonePack;

export type CreateTonePackResponse = {
  tone_pack: TonePack;
};

export type CreateWellnessEntryInput = NewWellnessEntry;

export type CreateWellnessEntryResponse = {
  wellness_entry: WellnessEntry;
};

export type CreateWorkoutCheckInInput = {
  /** JPEG, PNG, WebP or HEIC, at most 4 MB. Its EXIF metadata must say when it was taken. */
  photo?: Blob | LocalFile;
  /** The key of a finished upload, instead of `photo`. */
  photoKey?: string;
  activityType: "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
  /** In degrees, with the longitude. */
  latitude?: number;
  /** In degrees, with the latitude. */
  longitude?: number;
};

export type CreateWorkoutCheckInResponse = NewCheckInResponse;

export type DecideAppealInput = {
  /** The id of the appeal. */
  id: string;
} & (AppealDecision);

export type DecideAppealResponse = {
  appeal: Appeal;
};

export type DecideReportInput = {
  /** The id of the report. */
  id: string;
} & (NewModerationDecision);

export type DecideReportResponse = {
  decision: ModerationDecision;
};

export type DeclineInvitationInput = InvitationChoice;

export type DeclineInvitationResponse = Message;

export type DeclineOrganizationInput = {
  /** The id of the organization. */
  id: string;
};

export type DeclineOrganizationResponse = {
  organization: Organization;
} | Message;

export type DeleteAccountInput = ErasureRequest;

export type DeleteAccountResponse = {
  erasure: ErasureTimes;
};

export type DeleteBlockInput = {
  /** The id of the user that you blocked. */
  userId: string;
};

export type DeleteBlockResponse = Message;

export type DeleteDeviceByTokenInput = {
  /** `fcm`: Firebase Cloud Messaging; `apns`: Apple Push Notification service. */
  service: "fcm" | "apns";
  /** The registration token of FCM, or the device token of APNs in hex. */
  token: string;
};

export type DeleteDeviceByTokenResponse = Message;

export type DeleteDeviceInput = {
  /** The id of the device. */
  id: string;
};

export type DeleteDeviceResponse = Message;

export type DeleteDropTemplateInput = {
  /** The id of the template. */
  id: string;
};

export type DeleteDropTemplateResponse = Message;

export type DeleteEmailSuppressionInput = Record<never, never>;

export type DeleteEmailSuppressionResponse = Message;

export type DeleteExportInput = {
  /** The id of the export. */
  id: string;
};

export type DeleteExportResponse = Message;

export type DeleteGoalCheckInInput = {
  /** The id of the goal. */
  id: string;
  /** The id of the check-in. */
  checkInId: string;
};

export type DeleteGoalCheckInResponse = Message;

export type DeleteGoalCommentInput = {
  /** The id of the goal. */
  id: string;
  /** The id of the comment. */
  commentId: string;
};

export type DeleteGoalCommentResponse = Message;

export type DeleteGoalInput = {
  /** The id of the goal. */
  id: string;
};

export type DeleteGoalResponse = Message;

export type DeleteInvitationInput = {
  /** The id of the organization. */
  id: string;
  /** The id of the invitation. */
  invitationId: string;
};

export type DeleteInvitationResponse = Message;

export type DeleteJournalCommentInput = {
  /** The id of the entry. */
  id: string;
  /** The id of the comment. */
  commentId: string;
};

export type DeleteJournalCommentResponse = Message;

export type DeleteJournalEntryInput = {
  /** The id of the entry. */
  id: string;
};

export type DeleteJournalEntryResponse = Message;

export type DeleteNoteAnalysesInput = Record<never, never>;

export type DeleteNoteAnalysesResponse = Message;

export type DeleteNotebookInput = {
  /** The id of the notebook. */
  id: string;
};

export type DeleteNotebookResponse = {
  message: string;
  /** Entries that were in it. They were kept and are in no notebook now. */
  entries_detached: number;
};

export type DeleteOrganizationInput = {
  /** The id of the organization. */
  id: string;
};

export type DeleteOrganizationResponse = Message;

export type DeletePictureInput = {
  /** The id of the picture. */
  id: string;
};

export type DeletePictureResponse = Message;

export type DeletePushSubscriptionInput = {
  /** The `endpoint` of the browser's PushSubscription. */
  endpoint: string;
};

export type DeletePushSubscriptionResponse = Message;

export type DeleteSquadMessageInput = {
  /** A game date: the local date on which a window starts. */
  date: string;
  /** The id of the message. */
  messageId: string;
};

export type DeleteSquadMessageResponse = Message;

export type DeleteSyntheticUserInput = {
  /** The id of the synthetic user. */
  id: string;
};

export type DeleteSyntheticUserResponse = Message;

export type DeleteTeamInput = {
  /** The id of the team. */
  id: string;
};

export type DeleteTeamMessageInput = {
  /** The id of the team. */
  id: string;
  /** The id of the message. */
  messageId: string;
};

export type DeleteTeamMessageResponse = Message;

export type DeleteTeamResponse = Message;

export type DeleteTokenInput = {
  /** The id of the token. */
  id: string;
};

export type DeleteTokenResponse = Message;

export type DeleteTonePackInput = {
  /** The id of the tone pack. */
  id: string;
};

export type DeleteTonePackResponse = Message;

export type DeleteTrashedEntryInput = {
  /** The id of the entry. */
  id: string;
};

export type DeleteTrashedEntryResponse = Message;

export type DeleteWellnessEntryInput = {
  /** The id of the wellness entry. */
  id: string;
};

export type DeleteWellnessEntryResponse = Message;

export type Device = {
  id: string;
  /** `web`: a browser. */
  service: "web" | "fcm" | "apns";
  /** The bundle id of an app on iOS; null for the other services. */
  app: string | null;
  created_at: string;
  /** When the device was stored for the last time. */
  renewed_at: string;
};

export type DrawMoodCalendarInput = {
  /** The default is this year in the time zone of your profile. */
  year?: number;
};

export type DrawMoodCalendarResponse = SvgText;

export type DropAllowance = {
  /** The current UTC date. */
  date: string;
  /** Drops that everyone can send each day. */
  daily_allowance: number;
  /** Drops that you sent today. */
  drops_used: number;
  /** Bonus drops that you earned today, plus those left over from yesterday. */
  bonus_drops_earned: number;
  /** Drops that you can still send today: daily_allowance + bonus_drops_earned - drops_used, at least 0. */
  total_available: number;
  /** Drops with your own text that you sent today. */
  custom_drops_used: number;
  max_custom_drops_per_day: number;
  /** The next midnight in UTC. */
  resets_at: string;
};

export type DropConfig = {
  /** Drops that everyone can send each UTC day. */
  daily_allowance: number;
  /** Bonus drops that a sender earns for each engagement. */
  bonus_drops_per_engagement: number;
  /** Hours after a drop in which a journal entry of the recipient counts as engagement. */
  engagement_window_hours: number;
  /** Drops with their own text that everyone can send each UTC day. */
  max_custom_drops_per_day: number;
};

export type DropConfigUpdate = {
  /** Drops that everyone can send each UTC day. */
  daily_allowance?: number;
  /** Bonus drops that a sender earns for each engagement. */
  bonus_drops_per_engagement?: number;
  /** Hours after a drop in which a journal entry of the recipient counts as engagement. */
  engagement_window_hours?: number;
  /** Drops with their own text that everyone can send each UTC day. */
  max_custom_drops_per_day?: number;
};

export type DropRecipient = {
  id: string;
  full_name: string | null;
  avatar_url: string | null;
  /** Whether this is a synthetic user. */
  is_ai: boolean;
};

export type DropsAdjustment = {
  user_id: string;
  /** In drops. Negative to take drops away. */
  amount: number;
  /** Shown to the user beside the transaction. */
  description: string;
};

export type DropSender = {
  id: string;
  full_name: string | null;
  avatar_url: string | null;
  /** true if the assistant sent it, false if a person did. */
  is_assistant: boolean;
};

export type DropsReconciliation = {
  /** Whether there are no differences and the sums add up. */
  ok: boolean;
  checked_at: string;
  /** Accounts that exist, synthetic ones included. */
  accounts: number;
  /** Their transactions. */
  movements: number;
  /** Signup bonuses and monthly drops that were ever given, also to deleted accounts. */
  issued: number;
  /** What was ever paid, also by deleted accounts; not negative. */
  spent: number;
  /** What was ever paid back, also to deleted accounts. */
  refunded: number;
  /** What admins gave less what they took, also with deleted accounts; may be negative. */
  adjusted: number;
  /** The balances that deleted accounts had at their end. */
  erased: number;
  /** The sum of all balances. issued + refunded + adjusted - spent - erased, if everything is right. */
  circulating: number;
  /** At most 100, by kind in the order of the enum and then by user; one for each user and kind. */
  differences: Array<{
    user_id: string;
    /** `balance`: the balance is not the sum of the transactions. `gap`: a transaction's `balance_after` does not follow from the one before it; the first such transaction. `negative`: the lowest balance that there ever was is below 0. `missing_signup_bonus`: a person got none. `twice_in_a_month`: more monthly awards were paid than there are months that were awarded. `purchase_without_pack`: of the tone packs that were paid for and not refunded, some are missing. `pack_without_purchase`: of the tone packs that someone bought and has, some were not paid for or are refunded. */
    kind: "balance" | "gap" | "negative" | "missing_signup_bonus" | "twice_in_a_month" | "purchase_without_pack" | "pack_without_purchase";
    /** In drops, or the number of bonuses, months or packs. */
    expected: number;
    found: number;
  }>;
};

export type DropsRefund = {
  /** The transaction of the purchase. */
  transaction_id: string;
  /** Shown to the user beside the transaction. */
  description?: string;
};

export type DropTemplate = {
  id: string;
  type: "encouragement" | "media" | "science_tidbit";
  title: string;
  content: string;
  /** null unless type is `media`. */
  media_type: "youtube" | "vimeo" | "spotify" | "soundcloud" | null;
  /** null unless type is `media`. */
  media_url: string | null;
  /** A preview image; null if there is none. */
  thumbnail_url: string | null;
  /** Users can only see and send approved templates. */
  is_approved: boolean;
  /** How many drops were sent with it. */
  usage_count: number;
  created_at: string;
  updated_at: string;
};

export type DropTemplateUpdate = {
  type?: "encouragement" | "media" | "science_tidbit";
  title?: string;
  content?: string;
  /** An https link to YouTube, Vimeo, Spotify or SoundCloud. Required if type is `media`, not allowed otherwise. */
  media_url?: string | null;
  /** The https address of a preview image, only if type is `media`. By default a link to a single YouTube video gets the preview of that video. */
  thumbnail_url?: string | null;
  is_approved?: boolean;
};

export type DropTransaction = {
  id: string;
  type: "signup_bonus" | "monthly_recurring" | "purchase" | "refund" | "admin_adjustment";
  /** In drops; negative if they were taken from the balance. */
  amount: number;
  /** In drops. */
  balance_after: number;
  description: string;
  /** What was bought or refunded; null for other types. */
  item_id: string | null;
  /** Such as `tone_pack`; null if item_id is. */
  item_type: string | null;
  created_at: string;
};

export type EmailMessage = {
  id: string;
  to: string;
  subject: string;
  /** pending: being handed to the mail provider. sent: the provider accepted it. failed: the provider did not accept it, or did not respond. suppressed: this address does not receive mail. */
  status: "pending" | "sent" | "failed" | "suppressed";
  /** The last status that the mail provider reported; null if it did not get the mail. failed and suppressed: it accepted the mail and then did not send it. */
  delivery: "sent" | "delayed" | "failed" | "suppressed" | "delivered" | "bounced" | "complained" | null;
  created_at: string;
  updated_at: string;
};

export type EncouragementDrop = {
  id: string;
  sender_id: string;
  sender: DropSender;
  recipient_id: string;
  drop_type: "encouragement" | "media" | "science_tidbit";
  /** true if the sender wrote the text, false if it comes from a template. */
  is_custom: boolean;
  /** null if no template was used, or if it was deleted since. */
  template_id: string | null;
  /** The title of the template, if it has one. */
  title: string | null;
  content: string;
  /** null unless drop_type is `media`. */
  media_type: "youtube" | "vimeo" | "spotify" | "soundcloud" | null;
  /** null unless drop_type is `media`. */
  media_url: string | null;
  /** A preview image; null if there is none. */
  thumbnail_url: string | null;
  /** The UTC date. */
  date_sent: string;
  created_at: string;
  /** null until the recipient has read it. */
  read_at: string | null;
  /** The journal entry that the drop is about; null if none. */
  entry_id: string | null;
  /** The goal that the drop is about; null if none. */
  goal_id: string | null;
};

export type Entry = {
  id: string;
  user_id: string;
  title: string;
  /** null if you may not see it, or if `fields` leaves it out. */
  content: string | null;
  /** true if you may not see the content. */
  content_hidden: boolean;
  /** null if there is none. */
  mood: string | null;
  /** user: chosen by the author; ai: found in the content by a model; null if there is no mood. */
  mood_source: "user" | "ai" | null;
  tags: Array<string>;
  /** null if the entry is in no notebook. */
  notebook_id: string | null;
  /** The day that the entry is about. */
  entry_date: string;
  /** true: no model reads the entry. */
  ai_excluded: boolean;
  /** Who may see everything but the content. */
  metadata_visibility: Visibility;
  /** Who may see the content. */
  content_visibility: Visibility;
  /** true: where a visibility is `user`, the visibility of the notebook applies. false: `user` means that only the author sees it. */
  inherit_visibility: boolean;
  /** The team that visibility `team` means. */
  team_id: string | null;
  /** The organization that visibility `org` means. */
  org_id: string | null;
  /** What applies, with the notebook considered. */
  effective_metadata_visibility: Visibility;
  /** What applies, with the notebook considered. */
  effective_content_visibility: Visibility;
  /** false: no one can comment any more. */
  comments_enabled: boolean;
  /** All comments, those that you may not see included; 0 if you may not see the content. */
  comment_count: number;
  /** hidden: an admin decided that only its owner sees it. null: it is not hidden. */
  moderation: "hidden" | null;
  /** How many pictures it has; 0 if you may not see the content. */
  picture_count: number;
  created_at: string;
  updated_at: string;
};

export type EntryChange = {
  type: "entry";
  id: string;
  /** true if it was deleted or is in the trash. */
  removed: boolean;
  /** null if it is removed. */
  etag: string | null;
  /** null if it is removed. */
  data: Entry | null;
};

export type EntryRead = {
  /** The first time on a UTC day. */
  at: string;
  /** The super admin; without a name if the account is gone. */
  by: Card;
  /** null if it was a goal. */
  entry_id: string | null;
  /** null if it was an entry. */
  goal_id: string | null;
};

export type EntryUpdate = {
  title?: string;
  content?: string;
  /** Any text; an empty one means no mood. */
  mood?: string | null;
  /** At most 20 after duplicates and a leading # are removed. */
  tags?: Array<string> | null;
  /** The day that the entry is about, from 1900-01-01 to tomorrow in your time zone. The default is today there. */
  entry_date?: string;
  /** true: no model reads the entry. The default is what the notebook says, or false. */
  ai_excluded?: boolean;
  /** false: no one can comment. true by default. */
  comments_enabled?: boolean;
  /** One of your notebooks. */
  notebook_id?: string | null;
  /** Who may see everything but the content. Empty or null means `user`, only you. */
  metadata_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Who may see the content. Empty or null means `user`, only you. */
  content_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Required if a visibility is `team`. */
  team_id?: string | null;
  /** Required if a visibility is `org`. */
  org_id?: string | null;
  /** true: where a visibility is `user`, the visibility of the notebook applies. false: `user` means that only the author sees it. */
  inherit_visibility?: boolean;
};

export type EntryWithPictures = {
  id: string;
  user_id: string;
  title: string;
  /** null if you may not see it, or if `fields` leaves it out. */
  content: string | null;
  /** true if you may not see the content. */
  content_hidden: boolean;
  /** null if there is none. */
  mood: string | null;
  /** user: chosen by the author; ai: found in the content by a model; null if there is no mood. */
  mood_source: "user" | "ai" | null;
  tags: Array<string>;
  /** null if the entry is in no notebook. */
  notebook_id: string | null;
  /** The day that the entry is about. */
  entry_date: string;
  /** true: no model reads the entry. */
  ai_excluded: boolean;
  /** Who may see everything but the content. */
  metadata_visibility: Visibility;
  /** Who may see the content. */
  content_visibility: Visibility;
  /** true: where a visibility is `user`, the visibility of the notebook applies. false: `user` means that only the author sees it. */
  inherit_visibility: boolean;
  /** The team that visibility `team` means. */
  team_id: string | null;
  /** The organization that visibility `org` means. */
  org_id: string | null;
  /** What applies, with the notebook considered. */
  effective_metadata_visibility: Visibility;
  /** What applies, with the notebook considered. */
  effective_content_visibility: Visibility;
  /** false: no one can comment any more. */
  comments_enabled: boolean;
  /** All comments, those that you may not see included; 0 if you may not see the content. */
  comment_count: number;
  /** hidden: an admin decided that only its owner sees it. null: it is not hidden. */
  moderation: "hidden" | null;
  /** How many pictures it has; 0 if you may not see the content. */
  picture_count: number;
  created_at: string;
  updated_at: string;
  /** In their order; empty if you may not see the content. */
  pictures: Array<Picture>;
};

export type ErasurePreview = {
  entries: number;
  /** In drops, which are lost. */
  drops_balance: number;
  /** Whether a subscription will be cancelled. */
  subscription_active: boolean;
  /** How many tone packs stay for those who bought them, without your name and texts. */
  tone_packs_with_buyers: number;
  /** They have other members: transfer or delete them first. */
  organizations_to_transfer: Array<{
    id: string;
    name: string;
  }>;
  /** You received them and never used them: they go back, or to another member. */
  organizations_handed_back: Array<{
    id: string;
    name: string;
  }>;
  /** You are alone in them. */
  organizations_removed: Array<{
    id: string;
    name: string;
  }>;
  /** How many teams get the owner of their organization as their admin. */
  teams_handed_over: number;
  /** What stays and why, in sentences. */
  kept: Array<string>;
};

export type ErasureRequest = {
  /** So that no account is erased by mistake. */
  confirm: "DELETE";
  /** scheduled: in 7 days. now: at once; needs an access token that is at most 10 minutes old. */
  when?: "scheduled" | "now";
};

export type ErasureTimes = {
  requested_at: string;
  /** You can restore your account until then. */
  erases_at: string;
};

export type ErrorCode = "request.invalid" | "request.malformed_json" | "request.invalid_idempotency_key" | "request.aborted" | "organization.use_transfer" | "organization.not_a_member" | "organization.already_owner" | "team.not_an_organization_member" | "team.primary_admin_protected" | "team.admin_required" | "visibility.missing_team" | "visibility.missing_organization" | "journal.date_out_of_range" | "tone_pack.self_share" | "tone_pack.own_pack" | "payment.unknown_price" | "payment.invalid_signature" | "email.invalid_unsubscribe_link" | "email.invalid_signature" | "push.unknown_service" | "encouragement.self_send" | "game.not_a_monday" | "game.future_week" | "game.date_not_playable" | "checkin.missing_photo" | "checkin.unusable_photo" | "checkin.no_photo_time" | "picture.unusable" | "checkin.outside_window" | "checkin.too_late" | "encouragement.system_recipient" | "block.self_block" | "block.system_user" | "report.own_thing" | "report.user_cannot_be_hidden" | "encouragement.type_mismatch" | "invitation.unknown_team" | "auth.missing_token" | "auth.invalid_token" | "auth.unknown_account" | "auth.sign_in_again" | "auth.invalid_cron_secret" | "drops.insufficient_balance" | "tone_pack.not_purchased" | "auth.forbidden" | "auth.scope_missing" | "auth.suspended" | "account.closing" | "auth.not_through_router" | "organization.not_a_reader" | "organization.not_the_owner" | "team.not_a_reader" | "team.not_a_member" | "team.not_an_admin" | "visibility.not_a_member" | "notebook.not_yours" | "goal.not_yours" | "journal.not_yours" | "tone_pack.not_yours" | "email.sender_not_confirmed" | "email.recipient_not_allowed" | "picture.not_yours" | "message.not_yours" | "comment.hidden" | "comment.not_allowed" | "comment.not_yours" | "route.not_found" | "user.not_found" | "organization.not_found" | "team.not_found" | "message.not_found" | "comment.not_found" | "member.not_found" | "invitation.not_found" | "notebook.not_found" | "journal.not_found" | "email.message_not_found" | "tone_pack.not_found" | "tone_pack.share_not_found" | "payment.no_customer" | "drops.transaction_not_found" | "block.not_found" | "token.not_found" | "export.not_found" | "goal.not_found" | "goal.check_in_not_found" | "wellness_entry.not_found" | "notification.not_found" | "push.subscription_not_found" | "encouragement.template_not_found" | "encouragement.drop_not_found" | "game.no_window" | "game.no_chain" | "game.no_squad" | "game.no_mosaic" | "game.no_battle" | "import.not_found" | "checkin.not_found" | "checkin.photo_not_found" | "picture.not_found" | "picture.not_uploaded" | "report.not_found" | "report.target_not_found" | "synthetic_user.not_found" | "moderation.decision_not_found" | "appeal.not_found" | "route.method_not_allowed" | "email.undeliverable" | "organization.already_a_member" | "organization.not_received" | "organization.owner_cannot_leave" | "team.already_a_member" | "team.last_admin" | "tone_pack.already_purchased" | "tone_pack.price_changed" | "payment.already_subscribed" | "drops.balance_too_high" | "drops.balance_would_be_negative" | "drops.not_refundable" | "drops.already_refunded" | "account.owns_organizations" | "account.being_erased" | "admin.last_super_admin" | "report.already_decided" | "report.own_case" | "report.super_admin_not_suspended" | "journal.ai_excluded" | "token.too_many" | "export.in_progress" | "goal.illegal_transition" | "import.not_uploaded" | "import.in_progress" | "import.ended" | "checkin.already_checked_in" | "checkin.illegal_transition" | "picture.too_many" | "picture.storage_full" | "goal.not_open" | "comment.closed" | "appeal.too_late" | "appeal.already_made" | "appeal.same_reviewer" | "appeal.already_decided" | "idempotency.key_reused" | "idempotency.in_progress" | "sync.id_taken" | "sync.cursor_expired" | "sync.changed_meanwhile" | "request.too_large" | "checkin.photo_too_large" | "picture.too_large" | "request.unsupported_media_type" | "checkin.unsupported_photo" | "picture.unsupported" | "ai.refused" | "quota.exhausted" | "quota.too_many_at_once" | "ai.quota_exhausted" | "checkin.too_many_uploads" | "email.quota_exhausted" | "encouragement.allowance_exhausted" | "encouragement.custom_drops_exhausted" | "provider.failed" | "payment.webhook_failed" | "email.webhook_failed" | "service.unexpected" | "service.database_unavailable" | "service.identity_unavailable" | "service.busy" | "service.query_timeout" | "service.stopping" | "service.jobs_late" | "service.reviews_waiting" | "provider.not_configured";

export type ExecuteBattleInput = {
  /** The Monday of the week. */
  weekStartDate: string;
};

export type ExecuteBattleResponse = {
  battle: Battle;
  winner: BattleWinner;
  battleResult: BattleResult;
};

export type Export = {
  id: string;
  /** pending: being built. ready: can be downloaded. failed: could not be built; create another one. expired: its file was removed. */
  status: "pending" | "ready" | "failed" | "expired";
  created_at: string;
  ready_at: string | null;
  /** 7 days after it was ready, or earlier if someone whose words are in it erased their account. null if it never was. */
  expires_at: string | null;
  size_bytes: number | null;
  /** SHA-256 of the file, in hexadecimal. */
  sha256: string | null;
  /** Download the zip file here within 15 minutes. null in lists, and unless the export is ready. */
  url: string | null;
};

export type FetchReceivedEmailsInput = Record<never, never>;

export type FetchReceivedEmailsResponse = JobResponse;

export type FindUsersInput = {
  /** The beginning of a word of the name, in any case and without accents: 2 letters or digits at least. */
  q?: string;
  /** Only members of this organization. */
  org_id?: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type FindUsersResponse = {
  users: Array<Card>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type GenerateBackgroundInput = BackgroundRequest;

export type GenerateBackgroundResponse = {
  /** A link that works for 1 hour. */
  image_url: string;
  quality: "standard" | "hd";
  /** What the drawing cost, in US dollars. */
  cost_usd: number;
};

export type GenerateChainsInput = {
  /** A game date. By default today in your time zone; for the scheduler today and tomorrow (UTC). */
  date?: string;
};

export type GenerateChainsResponse = {
  success: boolean;
  message: string;
  date: string;
  /** Players of your area who were newly matched by this call. */
  chainsCreated: number;
  /** Squads that were created by this call. */
  squadsCreated: number;
};

export type GenerateMosaicInput = {
  /** A game date: the local date on which a window starts. */
  date: string;
};

export type GenerateMosaicResponse = {
  mosaic: Mosaic;
  /** Send it as `cursor` to read the next page; null on the last page. */
  nextCursor: string | null;
  message: string;
};

export type GenerateSyntheticUsersInput = NewSyntheticUsers;

export type GenerateSyntheticUsersResponse = {
  created: number;
  /** Always 0: either all are created, or the request fails and none is. */
  failed: number;
  users: Array<SyntheticUser>;
  /** Always empty. */
  errors: Array<string>;
  /** The seed that the users were drawn from. Send it again to draw the same ones. */
  seed: string;
};

export type GenerateTonePackImagesInput = {
  /** The id of the tone pack. */
  id: string;
} & (ToneImageRequest);

export type GenerateTonePackImagesResponse = {
  images: Array<TonePackImage>;
  /** Tones that got no image. You can try them again. */
  failed: Array<{
    tone: string;
    error: string;
  }>;
  /** What the drawings cost, in US dollars. */
  cost_usd: number;
};

export type Goal = {
  id: string;
  user_id: string;
  /** Whose goal it is. */
  user: Card;
  title: string;
  /** Empty if there is none, null if you may not see it. */
  description: string | null;
  target_date: string | null;
  status: "active" | "paused" | "completed" | "abandoned";
  /** The days on which it is due, ascending; 1 is Monday. null: it has no fixed days, and every day with a check-in is due. */
  weekdays: Array<number> | null;
  /** Runs of due days with a check-in `completed`. `missed` ends a run, and so does a due weekday that is over without a check-in. Other check-ins, and days on which the goal is paused or has ended, change nothing. */
  streak: {
    /** Days of the run that has not ended. */
    current: number;
    /** Days of the longest run. */
    longest: number;
  };
  /** Who may see everything but the content. */
  metadata_visibility: Visibility;
  /** Who may see the description and the notes of check-ins. */
  content_visibility: Visibility;
  /** The team that visibility `team` means. */
  team_id: string | null;
  /** The organization that visibility `org` means. */
  org_id: string | null;
  /** What applies: `user` if its owner is not in the team or organization. */
  effective_metadata_visibility: Visibility;
  /** What applies: `user` if its owner is not in the team or organization. */
  effective_content_visibility: Visibility;
  /** Whether you may not see the content. */
  content_hidden: boolean;
  /** false: no one can comment any more. */
  comments_enabled: boolean;
  /** All comments, those that you may not see included; 0 if you may not see the content. */
  comment_count: number;
  /** hidden: an admin decided that only its owner sees it. null: it is not hidden. */
  moderation: "hidden" | null;
  created_at: string;
  updated_at: string;
};

export type GoalAudiencePreview = {
  /** One of your goals, to preview an update; without it, a new goal. */
  goal_id?: string | null;
  /** Who may see everything but the content. Empty or null means `user`, only you. */
  metadata_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Who may see the content. Empty or null means `user`, only you. */
  content_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Required if a visibility is `team`. */
  team_id?: string | null;
  /** Required if a visibility is `org`. */
  org_id?: string | null;
};

export type GoalChange = {
  type: "goal";
  id: string;
  /** true if it was deleted or is in the trash. */
  removed: boolean;
  /** null if it is removed. */
  etag: string | null;
  /** null if it is removed. */
  data: Goal | null;
};

export type GoalCheckIn = {
  id: string;
  goal_id: string;
  user_id: string;
  status: "completed" | "partial" | "missed" | "skipped";
  /** Empty if there are none, null if you may not see them. */
  notes: string | null;
  /** By the calendar of the owner's time zone. */
  check_in_date: string;
  created_at: string;
};

export type GoalCheckInChange = {
  type: "goal_check_in";
  id: string;
  /** true if it was deleted or is in the trash. */
  removed: boolean;
  /** null if it is removed. */
  etag: string | null;
  /** null if it is removed. */
  data: GoalCheckIn | null;
};

export type GoalCheckInUpdate = {
  status?: "completed" | "partial" | "missed" | "skipped";
  notes?: string | null;
};

export type GoalUpdate = {
  title?: string;
  description?: string | null;
  /** May be in the past. */
  target_date?: string | null;
  /** The days on which it is due, ascending; 1 is Monday. null: it has no fixed days, and every day with a check-in is due. */
  weekdays?: Array<number> | null;
  /** false: no one can comment. true by default. */
  comments_enabled?: boolean;
  /** Who may see everything but the content. Empty or null means `user`, only you. */
  metadata_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Who may see the content. Empty or null means `user`, only you. */
  content_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Required if a visibility is `team`. */
  team_id?: string | null;
  /** Required if a visibility is `org`. */
  org_id?: string | null;
  /** A completed or abandoned goal can only become active again. */
  status?: "active" | "paused" | "completed" | "abandoned";
};

export type HtmlText = string;

export type Import = {
  id: string;
  source: "nectar" | "day_one" | "markdown";
  /** waiting: not started. running: it reads the archive, and then creates entries. done: all of the archive was read. failed: the archive cannot be imported, `problems` says why. */
  status: "waiting" | "running" | "done" | "failed";
  dry_run: boolean;
  /** Entries in the archive, as far as it was read. */
  found: number;
  /** Entries that were created; of a dry run, those that would be. */
  created: number;
  /** Entries that you have or imported already. */
  skipped: number;
  /** Entries that cannot be imported. */
  failed: number;
  /** Why entries failed, or the archive; the first 100. */
  problems: Array<{
    /** The file in the archive; null if it is about the whole archive. */
    path: string | null;
    /** As in `invalid_date`. New codes may be added. */
    code: string;
    message: string;
  }>;
};

export type ImportResponse = {
  import: Import;
};

export type ImportStart = {
  /** true: create nothing, and count what would be created. You can start the import again afterwards. */
  dry_run?: boolean;
};

export type Invitation = {
  id: string;
  org_id: string;
  kind: "email" | "link";
  email: string | null;
  role: "admin" | "member";
  team_ids: Array<string>;
  max_uses: number;
  uses: number;
  /** accepted: no use is left. */
  status: "pending" | "accepted" | "revoked" | "expired";
  /** suppressed: the address gets no mail from here. not_sent: the server sends no mail, sending failed, or you have sent too many. Null for a link. */
  email_status: "sent" | "suppressed" | "not_sent" | null;
  expires_at: string;
  invited_by: Card;
  created_at: string;
};

export type InvitationAcceptance = {
  /** The last part of the invitation's `url`. */
  token?: string;
  /** The id of the invitation. */
  invitation_id?: string;
};

export type InvitationChoice = {
  /** The id of the invitation. */
  invitation_id: string;
};

export type InvitationPreview = {
  organization: {
    id: string;
    name: string;
    member_count: number;
  };
  role: "admin" | "member";
  invited_by: Card;
  expires_at: string;
  created_at: string;
};

export type InvitationToken = {
  /** The last part of the invitation's `url`. */
  token: string;
};

export type JobResponse = {
  success: boolean;
  message: string;
  /** What the run counted, and short texts about what failed. */
  results?: Record<string, number | Array<string>>;
};

export type JournalStats = {
  from: string;
  to: string;
  entries: number;
  /** The words of the contents. Each Chinese character and each kana is a word. */
  words: number;
  /** Days with an entry. */
  days_written: number;
  /** Days in a row with an entry, up to today or yesterday in the time zone of your profile. */
  current_streak: number;
  /** The most days in a row with an entry. Streaks begin at `from`. */
  longest_streak: number;
  /** Chosen and found ones, most frequent first, in their latest spelling; upper and lower case are the same. At most 1,000. */
  moods: Array<{
    mood: string;
    count: number;
  }>;
  /** The 20 most used tags, in their latest spelling. */
  tags: Array<{
    tag: string;
    count: number;
  }>;
  /** Every day of the range. */
  by_day: Array<{
    date: string;
    entries: number;
    words: number;
    /** The most frequent mood, the last one of equally frequent moods; null if there is none. */
    mood: string | null;
  }>;
  by_weekday: Array<{
    /** 1 is Monday. */
    weekday: number;
    entries: number;
  }>;
  /** Of the wellness entries that you wrote on these days, rounded to two decimals. */
  wellness: {
    /** null without a satisfaction entry. */
    satisfaction_average: number | null;
    /** null without a sleep entry. */
    sleep_hours_average: number | null;
  };
};

export type LeaderboardEntry = {
  rank: number;
  user_id: string;
  full_name: string | null;
  avatar_url: string | null;
  badge_level: number;
  badge_name: string;
  emoji: string;
  color: string;
  total_drops_sent: number;
  engagement_increases: number;
  success_rate: number;
};

export type ListAiUsesInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListAiUsesResponse = {
  uses: Array<AiUse>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListAllDropTemplatesInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Only templates of this type. */
  type?: "encouragement" | "media" | "science_tidbit";
  /** true: only approved templates; false: only others. */
  is_approved?: "true" | "false";
};

export type ListAllDropTemplatesResponse = {
  templates: Array<DropTemplate>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListAnalysisSourcesInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** The UTC date of the analysis; the latest one by default. */
  date?: string;
};

export type ListAnalysisSourcesResponse = {
  sources: Array<AnalysisSource>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListAuditEventsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Only changes that this user made, also after the account is gone. */
  actor_id?: string;
  /** Only this operation. */
  action?: string;
  /** Only changes of the thing with this id. */
  target_id?: string;
};

export type ListAuditEventsResponse = {
  events: Array<AuditEvent>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListBackgroundsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Only the background of this entry, if you may see its content. By default all of your own. */
  entry_id?: string;
};

export type ListBackgroundsResponse = {
  backgrounds: Array<Background>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListBadgeDefinitionsInput = Record<never, never>;

export type ListBadgeDefinitionsResponse = {
  /** Lowest level first. */
  definitions: Array<BadgeDefinition>;
};

export type ListBadgeMilestonesInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Another user; you by default. */
  user_id?: string;
};

export type ListBadgeMilestonesResponse = {
  /** Highest level first. */
  milestones: Array<BadgeMilestone>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListBattlesInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListBattlesResponse = {
  battles: Array<Battle>;
  userStats: {
    /** All chips of your verified check-ins. */
    totalChipsContributed: number;
    /** Weeks in which your team won and you had a verified check-in. */
    battlesWon: number;
    /** The most game dates in a row with a verified check-in. */
    longestChain: number;
  };
  /** Send it as `cursor` to read the next page; null on the last page. */
  nextCursor: string | null;
};

export type ListBlocksInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListBlocksResponse = {
  blocks: Array<Block>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListChangesInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The `next_cursor` of the page before, or of the last walk. */
  cursor?: string;
  /** Only things of these types, separated by commas; by default all. */
  types?: string;
};

export type ListChangesResponse = {
  changes: Array<Change>;
  /** Send it as `cursor`: now if `has_more`, else when you next ask what changed. It is never null. */
  next_cursor: string;
  /** Whether the walk goes on. */
  has_more: boolean;
};

export type ListCheckInsForReviewInput = {
  /** Only check-ins with this status; `pending` ones wait for review. */
  status?: "pending" | "verified" | "rejected";
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListCheckInsForReviewResponse = CheckInsToReview;

export type ListConversionRatesInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListConversionRatesResponse = {
  /** The rate that counts now; null if there is none yet. */
  current: ConversionRate | null;
  /** All rates, newest first. */
  history: Array<ConversionRate>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListDevicesInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListDevicesResponse = {
  devices: Array<Device>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListDropTemplatesInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Only templates of this type. */
  type?: "encouragement" | "media" | "science_tidbit";
};

export type ListDropTemplatesResponse = {
  templates: Array<DropTemplate>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListDropTransactionsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Only transactions of this type. */
  type?: "signup_bonus" | "monthly_recurring" | "purchase" | "refund" | "admin_adjustment";
};

export type ListDropTransactionsResponse = {
  transactions: Array<DropTransaction>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListedEntry = {
  id: string;
  user_id: string;
  title: string;
  /** null if you may not see it, or if `fields` leaves it out. */
  content: string | null;
  /** true if you may not see the content. */
  content_hidden: boolean;
  /** null if there is none. */
  mood: string | null;
  /** user: chosen by the author; ai: found in the content by a model; null if there is no mood. */
  mood_source: "user" | "ai" | null;
  tags: Array<string>;
  /** null if the entry is in no notebook. */
  notebook_id: string | null;
  /** The day that the entry is about. */
  entry_date: string;
  /** true: no model reads the entry. */
  ai_excluded: boolean;
  /** Who may see everything but the content. */
  metadata_visibility: Visibility;
  /** Who may see the content. */
  content_visibility: Visibility;
  /** true: where a visibility is `user`, the visibility of the notebook applies. false: `user` means that only the author sees it. */
  inherit_visibility: boolean;
  /** The team that visibility `team` means. */
  team_id: string | null;
  /** The organization that visibility `org` means. */
  org_id: string | null;
  /** What applies, with the notebook considered. */
  effective_metadata_visibility: Visibility;
  /** What applies, with the notebook considered. */
  effective_content_visibility: Visibility;
  /** false: no one can comment any more. */
  comments_enabled: boolean;
  /** All comments, those that you may not see included; 0 if you may not see the content. */
  comment_count: number;
  /** hidden: an admin decided that only its owner sees it. null: it is not hidden. */
  moderation: "hidden" | null;
  /** How many pictures it has; 0 if you may not see the content. */
  picture_count: number;
  created_at: string;
  updated_at: string;
  /** With fields=excerpt: the first 280 characters of the content; null if you may not see it. */
  content_excerpt?: string | null;
};

export type ListEmailMessagesInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListEmailMessagesResponse = {
  messages: Array<EmailMessage>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListExportsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListExportsResponse = {
  exports: Array<Export>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListGoalCheckInsInput = {
  /** The id of the goal. */
  id: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListGoalCheckInsResponse = {
  check_ins: Array<GoalCheckIn>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListGoalCommentsInput = {
  /** The id of the goal. */
  id: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListGoalCommentsResponse = {
  comments: Array<Comment>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListGoalsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** own: yours. shared: shared with you through a team or organization, without those that all signed-in users may see. public: those that all signed-in users may see, yours included. all: everything that you may see. */
  scope?: "all" | "own" | "shared" | "public";
  /** Only goals with this status. */
  status?: "active" | "paused" | "completed" | "abandoned";
};

export type ListGoalsResponse = {
  goals: Array<Goal>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListInvitationsInput = {
  /** The id of the organization. */
  id: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Only invitations with this status. */
  status?: "pending" | "accepted" | "revoked" | "expired";
};

export type ListInvitationsResponse = {
  invitations: Array<Invitation>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListJobsInput = Record<never, never>;

export type ListJobsResponse = {
  jobs: Array<ScheduledJob>;
};

export type ListJournalCommentsInput = {
  /** The id of the entry. */
  id: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListJournalCommentsResponse = {
  comments: Array<Comment>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListJournalEntriesInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Part of the title, or of content that you may see; in upper or lower case. If it has no three letters or digits in a row, only the newest 5,000 entries are searched, of those that `notebook_id`, `scope`, `from` and `to` leave. */
  q?: string;
  /** Only entries with this mood, in upper or lower case. */
  mood?: string;
  /** Only entries with this tag. Repeat the parameter to require several tags. */
  tag?: Array<string>;
  /** Only entries of this notebook. */
  notebook_id?: string;
  /** Only entries that were created at or after this time. A date means the start of that UTC day. */
  from?: string;
  /** Only entries that were created at or before this time. A date means the end of that UTC day. */
  to?: string;
  /** Only entries about this day or a later one. */
  date_from?: string;
  /** Only entries about this day or an earlier one. */
  date_to?: string;
  /** own: yours. shared: shared with you through a team or organization, without those that all signed-in users may see. public: those that all signed-in users may see, yours included. all: everything that you may see. */
  scope?: "all" | "own" | "shared" | "public";
  /** `-created_at` is newest first, `created_at` is oldest first. `-entry_date` and `entry_date` are by the day that an entry is about, and on the same day by creation time. */
  sort?: "created_at" | "-created_at" | "entry_date" | "-entry_date";
  /** How much of each entry to return. metadata: content is null. excerpt: content is null and content_excerpt is its beginning. content_hidden always says whether you may see the content. */
  fields?: "all" | "metadata" | "excerpt";
};

export type ListJournalEntriesOnThisDayInput = {
  /** The default is today in the time zone of your profile. */
  date?: string;
};

export type ListJournalEntriesOnThisDayResponse = {
  entries: Array<Entry>;
};

export type ListJournalEntriesResponse = {
  entries: Array<ListedEntry>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListJournalTagsInput = Record<never, never>;

export type ListJournalTagsResponse = {
  tags: Array<{
    tag: string;
    count: number;
  }>;
};

export type ListModerationDecisionsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListModerationDecisionsResponse = {
  decisions: Array<ReceivedDecision>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListMoodsInput = Record<never, never>;

export type ListMoodsResponse = {
  moods: Array<{
    name: "joyful" | "grateful" | "excited" | "hopeful" | "content" | "peaceful" | "optimistic" | "sad" | "anxious" | "frustrated" | "angry" | "worried" | "disappointed" | "melancholic" | "pessimistic" | "calm" | "contemplative" | "neutral" | "tired" | "energetic";
    category: string;
  }>;
};

export type ListNotebookEntriesInput = {
  /** The id of the notebook. */
  id: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** How much of each entry to return. metadata: content is null. excerpt: content is null and content_excerpt is its beginning. content_hidden always says whether you may see the content. */
  fields?: "all" | "metadata" | "excerpt";
};

export type ListNotebookEntriesResponse = {
  entries: Array<ListedEntry>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListNotebooksInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** own: yours. shared: shared with you through a team or organization, without those that all signed-in users may see. public: those that all signed-in users may see, yours included. all: everything that you may see. */
  scope?: "all" | "own" | "shared" | "public";
};

export type ListNotebooksResponse = {
  notebooks: Array<Notebook>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListNotificationsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Only notifications of this type. */
  type?: "baton_pass" | "checkin_reminder" | "checkin_reviewed" | "chain_broken" | "chain_restored" | "chain_update" | "battle_update" | "battle_progress" | "battle_results" | "weekly_stats" | "drop_received" | "badge_earned" | "assistant_drop" | "member_added" | "invitation" | "moderation" | "export_ready" | "journal_reminder" | "team_message" | "organization_received" | "goal_update" | "comment" | "token_created";
  /** true: only unread ones; false: all. */
  unread?: boolean;
};

export type ListNotificationsResponse = {
  notifications: Array<Notification>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
  /** Unread notifications of all pages, counted up to 1,000. */
  unread_count: number;
};

export type ListOrganizationMembersInput = {
  /** The id of the organization. */
  id: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListOrganizationMembersResponse = {
  members: Array<OrganizationMember>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListOrganizationsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListOrganizationsResponse = {
  organizations: Array<Organization>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListPicturesInput = {
  /** The entry whose pictures to return. Repeat the parameter for up to 100 entries. */
  entry_id: Array<string>;
};

export type ListPicturesResponse = {
  pictures: Array<Picture>;
};

export type ListPricesInput = Record<never, never>;

export type ListPricesResponse = {
  prices: Array<Price>;
};

export type ListReceivedAppealsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Only appeals with this status. */
  status?: "open" | "upheld" | "reversed";
};

export type ListReceivedAppealsResponse = {
  appeals: Array<ReceivedAppeal>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListReceivedDropsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** true: only unread ones; false: all. */
  unread?: boolean;
};

export type ListReceivedDropsResponse = {
  drops: Array<EncouragementDrop>;
  /** Unread drops of all pages. */
  unread_count: number;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListReceivedEmailsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListReceivedEmailsResponse = {
  emails: Array<ReceivedEmail>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListReceivedInvitationsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListReceivedInvitationsResponse = {
  invitations: Array<ReceivedInvitation>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListReceivedReportsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Only reports with this status. */
  status?: "open" | "dismissed" | "actioned";
  /** Only reports of this kind of thing. */
  target_type?: "entry" | "notebook" | "goal" | "tone_pack" | "drop" | "checkin" | "message" | "user";
};

export type ListReceivedReportsResponse = {
  reports: Array<ReceivedReport>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListReportsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Only reports with this status. */
  status?: "open" | "dismissed" | "actioned";
};

export type ListReportsResponse = {
  reports: Array<Report>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListSentDropsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListSentDropsResponse = {
  drops: Array<SentEncouragementDrop>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListSquadMessagesInput = {
  /** A game date: the local date on which a window starts. */
  date: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListSquadMessagesResponse = {
  teamMessages: Array<TeamMessage>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  nextCursor: string | null;
};

export type ListSyntheticUsersInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListSyntheticUsersResponse = {
  users: Array<SyntheticUser>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  nextCursor: string | null;
};

export type ListTeamMembersInput = {
  /** The id of the team. */
  id: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListTeamMembersResponse = {
  members: Array<TeamMember>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListTeamMessagesInput = {
  /** The id of the team. */
  id: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListTeamMessagesResponse = {
  team_messages: Array<TeamMessage>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListTeamsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Only teams of this organization. */
  org_id?: string;
};

export type ListTeamsResponse = {
  teams: Array<Team>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListTokensInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListTokensResponse = {
  tokens: Array<PersonalToken>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListTonePackSharesInput = {
  /** The id of the tone pack. */
  id: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListTonePackSharesResponse = {
  shares: Array<TonePackShare>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListTonePacksInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListTonePacksResponse = {
  own: Array<TonePack>;
  shared: Array<TonePack>;
  public: Array<TonePack>;
  purchased: Array<TonePack>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListTrashInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListTrashResponse = {
  entries: Array<TrashedEntry>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListUsersInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Part of the name or email address, in upper or lower case. */
  q?: string;
  /** true: only synthetic users; false: only people. */
  is_ai?: "true" | "false";
  /** Only users with this role. */
  role?: "user" | "admin" | "super_admin";
};

export type ListUsersResponse = {
  users: Array<AdminUser>;
  /** All users who match the filters, on whatever page. */
  total: number;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListWeeklyStatsInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListWeeklyStatsResponse = {
  weeks: Array<WeeklyStats>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  nextCursor: string | null;
};

export type ListWellnessEntriesInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
  /** Only entries of this type. */
  type?: "satisfaction" | "action_note" | "sleep";
};

export type ListWellnessEntriesResponse = {
  wellness_entries: Array<WellnessEntry>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ListWorkoutCheckInsInput = {
  /** A game date: the local date on which a window starts. */
  date: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ListWorkoutCheckInsResponse = CheckInsOfDate;

export type MarkAllNotificationsReadInput = Record<never, never>;

export type MarkAllNotificationsReadResponse = {
  message: string;
  /** How many were marked as read by this call. */
  marked: number;
};

export type MarkDropReadInput = {
  /** The id of the drop. */
  id: string;
};

export type MarkDropReadResponse = {
  drop: EncouragementDrop;
};

export type MarkNotificationReadInput = {
  /** The id of the notification. */
  id: string;
};

export type MarkNotificationReadResponse = {
  notification: Notification;
};

export type Message = {
  message: string;
};

export type ModerationDecision = {
  id: string;
  target_type: "entry" | "notebook" | "goal" | "tone_pack" | "drop" | "checkin" | "message" | "user";
  target_id: string;
  decision: "suspend" | "hide" | "warn" | "dismiss" | "reject";
  reason: string;
  /** Always false: people decide. */
  automated: false;
  decided_at: string;
  /** null unless the decision is `suspend`. */
  suspended_until: string | null;
};

export type Mosaic = {
  /** A PNG. The link works for 1 hour. */
  imageUrl: string;
  date: string;
  sections: Array<{
    userId: string;
    userName: string | null;
    /** As of when the mosaic was drawn. */
    status: "completed" | "failed" | "pending";
    /** In pixels, from the top left corner of the image. */
    coordinates: {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    teamColor: TeamColor;
  }>;
  /** Counts over all participants, on whatever page. */
  stats: {
    totalParticipants: number;
    completed: number;
    failed: number;
    pending: number;
  };
};

export type NewAppeal = {
  /** Why the decision is wrong. */
  reason: string;
};

export type NewCheckInResponse = {
  checkin: WorkoutCheckIn;
  /** Chips of this check-in; 0 while it is pending. */
  battleChipsEarned: number;
  /** The status at this moment. chain_status of the check-in may change later. */
  chainStatus: "continued" | "broken";
  /** Whether the player after you was notified. */
  nextUserNotified: boolean;
};

export type NewCheckout = {
  /** The `id` of one of the listed prices. */
  priceId: string;
  /** Where the browser goes after paying. */
  successUrl: string;
  /** Where the browser goes if the user cancels. */
  cancelUrl: string;
};

export type NewComment = {
  content: string;
};

export type NewConversionRate = {
  /** Tokens per drop, with at most 4 decimal places. */
  rate: number;
};

export type NewDropTemplate = {
  type: "encouragement" | "media" | "science_tidbit";
  title: string;
  content: string;
  /** An https link to YouTube, Vimeo, Spotify or SoundCloud. Required if type is `media`, not allowed otherwise. */
  media_url?: string | null;
  /** The https address of a preview image, only if type is `media`. By default a link to a single YouTube video gets the preview of that video. */
  thumbnail_url?: string | null;
  is_approved?: boolean;
};

export type NewEncouragementDrop = {
  recipient_id: string;
  /** By default the type of the template, or `encouragement` if there is none. */
  drop_type?: "encouragement" | "media" | "science_tidbit";
  /** Send either template_id or content. */
  template_id?: string | null;
  /** Your own text. It also counts against max_custom_drops_per_day. */
  content?: string | null;
  /** An https link to YouTube, Vimeo, Spotify or SoundCloud. Required with content if drop_type is `media`. */
  media_url?: string | null;
  /** A journal entry that the drop is about. You must be able to see it. */
  entry_id?: string | null;
  /** A goal that the drop is about, instead of an entry. */
  goal_id?: string | null;
};

export type NewEntry = {
  /** An id of your choice, a UUID of version 4 or 7. If you created it with this id before, it is returned as it is with 200, and nothing is written. */
  id?: string;
  title: string;
  content: string;
  /** Any text; an empty one means no mood. */
  mood?: string | null;
  /** At most 20 after duplicates and a leading # are removed. */
  tags?: Array<string> | null;
  /** The day that the entry is about, from 1900-01-01 to tomorrow in your time zone. The default is today there. */
  entry_date?: string;
  /** true: no model reads the entry. The default is what the notebook says, or false. */
  ai_excluded?: boolean;
  /** false: no one can comment. true by default. */
  comments_enabled?: boolean;
  /** One of your notebooks. */
  notebook_id?: string | null;
  /** Who may see everything but the content. Empty or null means `user`, only you. */
  metadata_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Who may see the content. Empty or null means `user`, only you. */
  content_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Required if a visibility is `team`. */
  team_id?: string | null;
  /** Required if a visibility is `org`. */
  org_id?: string | null;
  /** true: where a visibility is `user`, the visibility of the notebook applies. false: `user` means that only the author sees it. */
  inherit_visibility?: boolean;
};

export type NewGoal = {
  /** An id of your choice, a UUID of version 4 or 7. If you created it with this id before, it is returned as it is with 200, and nothing is written. */
  id?: string;
  title: string;
  description?: string | null;
  /** May be in the past. */
  target_date?: string | null;
  /** The days on which it is due, ascending; 1 is Monday. null: it has no fixed days, and every day with a check-in is due. */
  weekdays?: Array<number> | null;
  /** false: no one can comment. true by default. */
  comments_enabled?: boolean;
  /** Who may see everything but the content. Empty or null means `user`, only you. */
  metadata_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Who may see the content. Empty or null means `user`, only you. */
  content_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Required if a visibility is `team`. */
  team_id?: string | null;
  /** Required if a visibility is `org`. */
  org_id?: string | null;
};

export type NewGoalCheckIn = {
  /** An id of your choice, a UUID of version 4 or 7. If you created it with this id before, it is returned as it is with 200, and nothing is written. */
  id?: string;
  status: "completed" | "partial" | "missed" | "skipped";
  notes?: string | null;
  /** By the calendar of your time zone: today, which is the default, or up to 7 days ago. */
  check_in_date?: string | null;
};

export type NewImport = {
  /** nectar: an export of this service. day_one: an export of Day One as JSON. markdown: Markdown files, with or without front matter. */
  source: "nectar" | "day_one" | "markdown";
  /** The size of the archive in bytes. */
  size: number;
};

export type NewImportResponse = {
  import: {
    id: string;
    /** waiting: not started. running: it reads the archive, and then creates entries. done: all of the archive was read. failed: the archive cannot be imported, `problems` says why. */
    status: "waiting" | "running" | "done" | "failed";
    /** Send the archive here with PUT, as `application/zip` and with exactly the size that you named. */
    upload_url: string;
    /** upload_url works until then. */
    upload_expires_at: string;
  };
};

export type NewInvitation = {
  role?: "admin" | "member";
  /** Only this address, in upper or lower case, may accept; it gets a mail. Without it, the url is for anyone. */
  email?: string;
  /** Teams of the organization to join as well. */
  team_ids?: Array<string>;
  expires_in_hours?: number;
  /** How many people may join by it; 1 with `email`. */
  max_uses?: number;
};

export type NewMail = {
  /** One plain address, without a display name. */
  to: string;
  subject: string;
  /** At most 256 KB in UTF-8. Send html, text or both. */
  html?: string | null;
  /** At most 256 KB in UTF-8. Send html, text or both. */
  text?: string | null;
};

export type NewModerationDecision = {
  /** dismiss: do nothing. warn: only send the reason to the owner. hide: from now on only the owner sees the thing, and super admins if they see such things of everyone; of a check-in only the photo is hidden. suspend: the owner may not write until `suspend_until`. */
  decision: "suspend" | "hide" | "warn" | "dismiss";
  /** Why. The owner reads it, unless you dismiss. */
  reason: string;
  /** Required for `suspend`, and only then: in the future, at most 365 days from now. */
  suspend_until?: string;
};

export type NewNotebook = {
  /** An id of your choice, a UUID of version 4 or 7. If you created it with this id before, it is returned as it is with 200, and nothing is written. */
  id?: string;
  name: string;
  description?: string | null;
  /** What a client puts into a new entry. It is seen by those who may see the notebook and its content. It is stored with its blanks; an empty one is null. */
  template?: string | null;
  /** true: no model reads new entries in it, unless they say otherwise. */
  ai_excluded_default?: boolean;
  /** Who may see everything but the content. Empty or null means `user`, only you. */
  metadata_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Who may see the content. Empty or null means `user`, only you. */
  content_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Required if a visibility is `team`. */
  team_id?: string | null;
  /** Required if a visibility is `org`. */
  org_id?: string | null;
};

export type NewOrganization = {
  name: string;
  description?: string | null;
  /** Any JSON object of at most 16 KB. It replaces the stored one. */
  settings?: Record<string, unknown> | null;
};

export type NewOrganizationMember = {
  user_id: string;
  /** `admin` or `member`. To make someone the owner, transfer the ownership. */
  role?: "owner" | "admin" | "member";
};

export type NewPortal = {
  /** Where the browser goes afterwards. */
  returnUrl: string;
};

export type NewReport = {
  target_type: "entry" | "notebook" | "goal" | "tone_pack" | "drop" | "checkin" | "message" | "user";
  /** The id of the thing or the user, which you can see, or could without your own block; of a check-in, its photo. */
  target_id: string;
  reason: "harassment" | "hate" | "sexual" | "violence" | "self_harm" | "spam" | "impersonation" | "illegal" | "other";
  /** What is wrong with it. Only admins read it. */
  details?: string | null;
};

export type NewSyntheticUsers = {
  count: number;
  config?: {
    /** Shares that sum to 1 (within 0.001); names that you leave out get none. The default is {"West Coast":0.25,"East Coast":0.3,"Midwest":0.2,"South":0.15,"Mountain West":0.1}. */
    regions?: Record<string, number>;
    /** Shares that sum to 1 (within 0.001); names that you leave out get none. The default is {"cardio":0.3,"strength":0.25,"walk":0.2,"meditation":0.1,"reading":0.1,"homework":0.03,"other":0.02}. */
    activities?: Record<string, number>;
    /** Shares that sum to 1 (within 0.001); names that you leave out get none. The default is {"6-8am":0.15,"8-10am":0.1,"12-2pm":0.2,"2-4pm":0.15,"4-6pm":0.25,"6-8pm":0.15}. */
    windows?: Record<string, number>;
    /** Share of days with a check-in; 0.85 by default. */
    checkInProbability?: number;
    /** The same seed, count and shares draw the same users; random by default. */
    seed?: string | number;
  };
};

export type NewTeam = {
  name: string;
  org_id: string;
  /** The primary admin, a member of the organization; you by default. Required from a super admin who is not a member. */
  admin_id?: string | null;
  description?: string | null;
  /** Any JSON object of at most 16 KB. It replaces the stored one. */
  settings?: Record<string, unknown> | null;
};

export type NewTeamMember = {
  /** A member of the organization. */
  user_id: string;
  role?: "admin" | "member";
};

export type NewTeamMessage = {
  content: string;
};

export type NewTonePack = {
  name: string;
  description?: string | null;
  theme: "origami" | "animals" | "nature" | "abstract" | "geometric" | "minimalist" | "watercolor" | "line-art" | "icons" | "emojis" | "shapes" | "patterns";
  is_public?: boolean;
  /** In drops. */
  price_drops?: number;
};

export type NewTonePackShare = {
  /** Send either user_id or email. */
  user_id?: string;
  /** The address of the user's account. */
  email?: string;
};

export type NewWellnessEntry = {
  /** An id of your choice, a UUID of version 4 or 7. If you created it with this id before, it is returned as it is with 200, and nothing is written. */
  id?: string;
  type: "satisfaction";
  /** From 1 (low) to 10 (high). */
  rating: number;
  notes?: string | null;
} | {
  /** An id of your choice, a UUID of version 4 or 7. If you created it with this id before, it is returned as it is with 200, and nothing is written. */
  id?: string;
  type: "action_note";
  content: string;
} | {
  /** An id of your choice, a UUID of version 4 or 7. If you created it with this id before, it is returned as it is with 200, and nothing is written. */
  id?: string;
  type: "sleep";
  /** Hours of sleep, rounded to two decimals. */
  hours: number;
  /** Quality of sleep, from 1 (bad) to 5 (good). */
  quality?: number | null;
  notes?: string | null;
};

export type NoteAnalysis = {
  id: string;
  user_id: string;
  /** The UTC date on which it was made. */
  analysis_date: string;
  summary: string;
  mood_trends: {
    overall: string;
    direction: "improving" | "steady" | "declining" | "mixed";
    moods: Array<{
      mood: string;
      /** In how many entries it was felt. */
      entries: number;
    }>;
  };
  topics: Array<string>;
  patterns: Array<string>;
  recommendations: string;
  insights: {
    gratitude: Array<string>;
    challenges: Array<string>;
    goals: Array<string>;
    achievements: Array<string>;
  };
  /** How many entries were analyzed. */
  entry_count: number;
  created_at: string;
  updated_at: string;
};

export type Notebook = {
  id: string;
  user_id: string;
  name: string;
  description: string | null;
  /** Who may see the notebook. */
  metadata_visibility: Visibility;
  /** Who may see the template, and the content of entries that inherit it. */
  content_visibility: Visibility;
  /** The team that visibility `team` means. */
  team_id: string | null;
  /** The organization that visibility `org` means. */
  org_id: string | null;
  /** true: no model reads new entries in it, unless they say otherwise. */
  ai_excluded_default: boolean;
  /** What a client puts into a new entry. It is seen by those who may see the notebook and its content. null if there is none, or you may not see it. */
  template: string | null;
  /** Whether you may not see the template. */
  content_hidden: boolean;
  /** Entries in it that you may see, counted up to 1,000: 1000 means as many or more. */
  entry_count: number;
  /** hidden: an admin decided that only its owner sees it. null: it is not hidden. */
  moderation: "hidden" | null;
  created_at: string;
  updated_at: string;
};

export type NotebookAudiencePreview = {
  /** Who may see everything but the content. Empty or null means `user`, only you. */
  metadata_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Who may see the content. Empty or null means `user`, only you. */
  content_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Required if a visibility is `team`. */
  team_id?: string | null;
  /** Required if a visibility is `org`. */
  org_id?: string | null;
};

export type NotebookChange = {
  type: "notebook";
  id: string;
  /** true if it was deleted or is in the trash. */
  removed: boolean;
  /** null if it is removed. */
  etag: string | null;
  /** null if it is removed. */
  data: Notebook | null;
};

export type NotebookPreview = {
  /** Entries that other people than now could see, or whose content they could. */
  entries: number;
  /** The notebook has more than 10,000 entries, and only the newest were looked at. */
  approximate: boolean;
  /** How often metadata or content of an entry could be seen by people who cannot see it now. */
  widened: number;
  /** How often metadata or content of an entry could no longer be seen by people who can see it now. What changes from one team or organization to another is widened as well. */
  narrowed: number;
  /** At most 20: widened ones first, then newest entries first. `from` and `to` say who sees it: for content the narrower one of metadata and content. */
  examples: Array<{
    entry_id: string;
    title: string;
    axis: "metadata" | "content";
    from: Visibility;
    to: Visibility;
  }>;
};

export type NotebookUpdate = {
  name?: string;
  description?: string | null;
  /** What a client puts into a new entry. It is seen by those who may see the notebook and its content. It is stored with its blanks; an empty one is null. */
  template?: string | null;
  /** true: no model reads new entries in it, unless they say otherwise. */
  ai_excluded_default?: boolean;
  /** Who may see everything but the content. Empty or null means `user`, only you. */
  metadata_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Who may see the content. Empty or null means `user`, only you. */
  content_visibility?: "user" | "team" | "org" | "public" | "" | null;
  /** Required if a visibility is `team`. */
  team_id?: string | null;
  /** Required if a visibility is `org`. */
  org_id?: string | null;
};

export type Notification = {
  id: string;
  /** More types may be added: show a notification of a type that you do not know by its title and body. */
  type: "baton_pass" | "checkin_reminder" | "checkin_reviewed" | "chain_broken" | "chain_restored" | "chain_update" | "battle_update" | "battle_progress" | "battle_results" | "weekly_stats" | "drop_received" | "badge_earned" | "assistant_drop" | "member_added" | "invitation" | "moderation" | "export_ready" | "journal_reminder" | "team_message" | "organization_received" | "goal_update" | "comment" | "token_created";
  title: string;
  body: string;
  /** Ids of what it is about, and the names, dates and numbers in its title and body. They depend on the type: see the type `NotificationData` of `@nectar/client/notifications`. */
  data: Record<string, unknown>;
  created_at: string;
  /** null until you mark it as read. */
  read_at: string | null;
};

export type NotificationSettings = {
  /** Whether notifications of a type are pushed to your devices. All are in the list in the app. */
  push: {
    baton_pass: boolean;
    checkin_reminder: boolean;
    checkin_reviewed: boolean;
    chain_broken: boolean;
    chain_restored: boolean;
    chain_update: boolean;
    battle_update: boolean;
    /** false by default. */
    battle_progress: boolean;
    battle_results: boolean;
    /** false by default. */
    weekly_stats: boolean;
    drop_received: boolean;
    badge_earned: boolean;
    assistant_drop: boolean;
    member_added: boolean;
    invitation: boolean;
    moderation: boolean;
    export_ready: boolean;
    journal_reminder: boolean;
    /** false by default. */
    team_message: boolean;
    organization_received: boolean;
    /** false by default. */
    goal_update: boolean;
    /** Only comments on what is yours are pushed. */
    comment: boolean;
    token_created: boolean;
  };
  /** null if you have none. */
  quiet_hours: {
    /** 24-hour time, HH:MM. */
    start: string;
    /** 24-hour time, HH:MM. */
    end: string;
  } | null;
  /** null if you have none. */
  journal_reminder: {
    /** 24-hour time, HH:MM. */
    time: string;
    /** 1 is Monday. */
    weekdays: Array<number>;
    /** Whether you are not reminded on a day on which you have already created an entry. */
    only_if_not_written: boolean;
  } | null;
};

export type NotificationSettingsUpdate = {
  /** Merged into your settings: the types that you leave out stay as they are. */
  push?: {
    baton_pass?: boolean;
    checkin_reminder?: boolean;
    checkin_reviewed?: boolean;
    chain_broken?: boolean;
    chain_restored?: boolean;
    chain_update?: boolean;
    battle_update?: boolean;
    /** false by default. */
    battle_progress?: boolean;
    battle_results?: boolean;
    /** false by default. */
    weekly_stats?: boolean;
    drop_received?: boolean;
    badge_earned?: boolean;
    assistant_drop?: boolean;
    member_added?: boolean;
    invitation?: boolean;
    moderation?: boolean;
    export_ready?: boolean;
    journal_reminder?: boolean;
    /** false by default. */
    team_message?: boolean;
    organization_received?: boolean;
    /** false by default. */
    goal_update?: boolean;
    /** Only comments on what is yours are pushed. */
    comment?: boolean;
    token_created?: boolean;
  };
  /** null removes them. They may pass midnight. */
  quiet_hours?: {
    /** 24-hour time, HH:MM. */
    start: string;
    /** 24-hour time, HH:MM. */
    end: string;
  } | null;
  /** null removes it. */
  journal_reminder?: {
    /** 24-hour time, HH:MM. */
    time: string;
    /** 1 is Monday. */
    weekdays: Array<number>;
    /** Whether you are not reminded on a day on which you have already created an entry. */
    only_if_not_written: boolean;
  } | null;
};

export type Organization = {
  id: string;
  name: string;
  description: string | null;
  owner_id: string;
  /** Any JSON object that clients store here. */
  settings: Record<string, unknown>;
  created_at: string;
  updated_at: string;
};

export type OrganizationMember = {
  user_id: string;
  full_name: string | null;
  avatar_url: string | null;
  role: "owner" | "admin" | "member";
  /** Whether role is `owner`. */
  is_owner: boolean;
  /** Absent for the owner. */
  joined_at?: string;
};

export type OrganizationMemberUpdate = {
  /** `admin` or `member`. To make someone the owner, transfer the ownership. */
  role: "owner" | "admin" | "member";
};

export type OrganizationUpdate = {
  name?: string;
  description?: string | null;
  /** Any JSON object of at most 16 KB. It replaces the stored one. */
  settings?: Record<string, unknown> | null;
};

export type OwnershipTransfer = {
  /** A member of the organization. */
  new_owner_id: string;
};

export type PersonalToken = {
  id: string;
  name: string;
  scopes: Array<"journal:read" | "journal:write" | "goals:read" | "goals:write" | "wellness:read" | "wellness:write" | "drops:read" | "drops:write" | "game:read" | "game:write" | "profile:read" | "profile:write" | "notifications:read" | "notifications:write">;
  /** The last four characters of the token. */
  hint: string;
  created_at: string;
  expires_at: string;
  /** Updated at most once an hour; null if it was never used. */
  last_used_at: string | null;
};

export type Picture = {
  id: string;
  entry_id: string;
  /** Its place among the pictures of the entry, from 0. */
  position: number;
  caption: string | null;
  /** Of the stored picture, in pixels. */
  width: number;
  /** Of the stored picture, in pixels. */
  height: number;
  /** Of the picture and its thumbnail together. */
  size_bytes: number;
  /** A link that works for 1 hour. */
  url: string;
  /** A link that works for 1 hour. */
  thumbnail_url: string;
  created_at: string;
};

export type PictureChange = {
  type: "picture";
  id: string;
  /** true if it was deleted or is in the trash. */
  removed: boolean;
  /** null if it is removed. */
  etag: string | null;
  /** null if it is removed. */
  data: StoredPicture | null;
};

export type PictureUpdate = {
  /** An empty one means no caption. */
  caption?: string | null;
  /** Its new place, from 0; the pictures after it move. Beyond the end it becomes the last one. */
  position?: number;
};

export type PictureUpload = {
  /** Send the picture here with PUT. */
  upload_url: string;
  /** Send it instead of the picture. */
  picture_key: string;
  /** upload_url works until then. */
  expires_at: string;
};

export type PictureUploadRequest = {
  content_type: "image/jpeg" | "image/png" | "image/webp" | "image/heic" | "image/heif";
  /** In bytes, at most 20971520. */
  size: number;
};

export type PlayerCard = {
  id: string;
  full_name: string | null;
  avatar_url: string | null;
  /** Whether this is a synthetic user. */
  is_ai: boolean;
  window: {
    /** HH:MM in the window's time zone. */
    start: string;
    /** HH:MM in the window's time zone. */
    end: string;
    /** IANA time zone. */
    timezone: string;
  };
  activity_type: "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
  /** The name of the activity if activity_type is `other`, else null. */
  custom_activity: string | null;
};

export type PreviewGoalAudienceInput = GoalAudiencePreview;

export type PreviewGoalAudienceResponse = {
  audience: {
    metadata: AxisAudience;
    content: AxisAudience;
  };
};

export type PreviewInvitationInput = InvitationToken;

export type PreviewInvitationResponse = {
  invitation: InvitationPreview;
};

export type PreviewJournalEntryAudienceInput = AudiencePreview;

export type PreviewJournalEntryAudienceResponse = {
  audience: {
    metadata: AxisAudience;
    content: AxisAudience;
  };
};

export type PreviewNotebookAudienceInput = {
  /** The id of the notebook. */
  id: string;
} & (NotebookAudiencePreview);

export type PreviewNotebookAudienceResponse = {
  preview: NotebookPreview;
};

export type Price = {
  /** The id of the price at the payment processor. */
  id: string;
  /** The name of the product. */
  name: string;
  /** In the smallest unit of the currency, such as cents; null if it is not a fixed amount. */
  unit_amount: number | null;
  /** ISO 4217, in lower case. */
  currency: string;
  /** How often it is paid: day, week, month or year. */
  interval: string | null;
};

export type ProcessEngagementInput = Record<never, never>;

export type ProcessEngagementResponse = JobResponse;

export type Profile = {
  id: string;
  email: string | null;
  full_name: string | null;
  avatar_url: string | null;
  preferences: {
    theme?: string;
    notifications?: boolean;
    /** null if you have no active tone pack. */
    active_tone_pack_id: string | null;
  };
  /** In drops. */
  drops_balance: number;
  /** Whether this is a synthetic user. */
  is_ai: boolean;
  role: "user" | "admin" | "super_admin";
  /** Whether the assistant may read your journal entries. */
  read_notes_enabled: boolean;
  /** Whether the assistant may write to you. */
  check_in_enabled: boolean;
  /** IANA time zone. */
  timezone: string;
  /** Whether you are listed on the leaderboard of encouragement drops, and have a rank. */
  leaderboard_visible: boolean;
  /** Whether you have an active subscription. */
  is_premium: boolean;
  /** Until then your account is suspended; null if it is not. */
  suspended_until: string | null;
  created_at: string;
  updated_at: string;
};

export type ProfileChange = {
  type: "profile";
  id: string;
  /** true if it was deleted or is in the trash. */
  removed: boolean;
  /** null if it is removed. */
  etag: string | null;
  /** null if it is removed. */
  data: Profile | null;
};

export type ProfileUpdate = {
  full_name?: string | null;
  avatar_url?: string | null;
  /** Merged into the stored settings; null removes a setting. Unknown settings are refused. */
  preferences?: {
    theme?: string | null;
    notifications?: boolean | null;
    /** null deactivates the active tone pack. Besides, only the pack that is active is accepted; activate another one by its own endpoint. */
    active_tone_pack_id?: string | null;
  };
  /** Whether the assistant may read your journal entries. */
  read_notes_enabled?: boolean;
  /** Whether the assistant may write to you. */
  check_in_enabled?: boolean;
  /** IANA time zone such as Europe/Zurich, in any spelling; older names become the current one, such as Europe/Kyiv for Europe/Kiev. Abbreviations such as EST are not accepted. */
  timezone?: string;
  /** Whether you are listed on the leaderboard of encouragement drops, and have a rank. */
  leaderboard_visible?: boolean;
};

export type PurchaseTonePackInput = {
  /** The id of the tone pack. */
  id: string;
} & (TonePackPurchaseRequest);

export type PurchaseTonePackResponse = {
  purchase: {
    id: string;
    pack_id: string;
    user_id: string;
    price_drops: number;
    created_at: string;
  };
  transaction: {
    id: string;
    type: "purchase";
    /** In drops. Negative, because you pay. */
    amount: number;
    /** In drops. */
    balance_after: number;
    description: string;
    item_id: string;
    item_type: "tone_pack";
    created_at: string;
  };
  /** Your balance in drops. */
  balance: number;
};

export type PushSubscription = {
  id: string;
  endpoint: string;
  created_at: string;
};

export type ReadAccessLogInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ReadAccessLogResponse = {
  reads: Array<EntryRead>;
  /** Send it as `cursor` to read the next page; null on the last page. */
  next_cursor: string | null;
};

export type ReadActiveTonePackInput = {
  /** A mood to find the image of, in upper or lower case. */
  mood?: string;
};

export type ReadActiveTonePackResponse = {
  /** null if you have no active pack. */
  tone_pack: TonePack | null;
  /** The image address of each tone. */
  images: Record<string, string>;
  /** The image of the mood in the query; null if there is none. */
  image_url: string | null;
};

export type ReadAssistantSettingsInput = Record<never, never>;

export type ReadAssistantSettingsResponse = {
  settings: AssistantSettings;
};

export type ReadBadgeInput = Record<never, never>;

export type ReadBadgeOfUserInput = {
  /** The id of the user. */
  userId: string;
};

export type ReadBadgeOfUserResponse = {
  badge: Badge;
};

export type ReadBadgeResponse = {
  badge: Badge;
};

export type ReadBadgesInput = BadgesRequest;

export type ReadBadgesResponse = {
  /** In the order of user_ids, without users who do not exist. */
  badges: Array<Badge>;
};

export type ReadBattleProofInput = {
  /** The Monday of the week. */
  weekStartDate: string;
};

export type ReadBattleProofResponse = {
  proof: BattleProof;
};

export type ReadBattleWeekInput = {
  /** The Monday of the week. */
  weekStartDate: string;
};

export type ReadBattleWeekResponse = {
  battle: Battle;
  redTeam: BattleTeam;
  blueTeam: BattleTeam;
  /** The seven dates of the week, oldest first. Chips of an earlier week that count in this battle stand on its Monday. */
  dailyStats: Array<{
    date: string;
    redTeamChips: number;
    blueTeamChips: number;
  }>;
};

export type ReadChainInput = {
  /** A game date: the local date on which a window starts. */
  date: string;
};

export type ReadChainResponse = {
  chain: Chain;
  /** Your check-in and those of your neighbors, on this date. */
  checkins: Array<WorkoutCheckIn>;
};

export type ReadDropAllowanceInput = Record<never, never>;

export type ReadDropAllowanceResponse = DropAllowance;

export type ReadDropConfigAsAdminInput = Record<never, never>;

export type ReadDropConfigAsAdminResponse = {
  config: DropConfig;
};

export type ReadDropConfigInput = Record<never, never>;

export type ReadDropConfigResponse = {
  config: DropConfig;
};

export type ReadDropsBalanceInput = Record<never, never>;

export type ReadDropsBalanceResponse = {
  /** In drops. */
  balance: number;
  /** The same number, under the name that it has in the profile. */
  drops_balance: number;
};

export type ReadEmailMessageInput = {
  /** The id of the email, `message_id` when you sent it. */
  id: string;
};

export type ReadEmailMessageResponse = {
  message: EmailMessage;
};

export type ReadErasureInput = Record<never, never>;

export type ReadErasureResponse = {
  preview: ErasurePreview;
  /** null unless your account is closing. */
  scheduled: ErasureTimes | null;
};

export type ReadExportInput = {
  /** The id of the export. */
  id: string;
};

export type ReadExportResponse = {
  export: Export;
};

export type ReadGoalAudienceInput = {
  /** The id of the goal. */
  id: string;
};

export type ReadGoalAudienceMemberInput = {
  /** The id of the goal. */
  id: string;
  /** The id of someone in an organization of yours. */
  userId: string;
};

export type ReadGoalAudienceMemberResponse = {
  sees: {
    metadata: boolean;
    content: boolean;
  };
};

export type ReadGoalAudienceResponse = {
  audience: {
    metadata: AxisAudience;
    content: AxisAudience;
  };
};

export type ReadGoalInput = {
  /** The id of the goal. */
  id: string;
};

export type ReadGoalResponse = {
  goal: {
    id: string;
    user_id: string;
    /** Whose goal it is. */
    user: Card;
    title: string;
    /** Empty if there is none, null if you may not see it. */
    description: string | null;
    target_date: string | null;
    status: "active" | "paused" | "completed" | "abandoned";
    /** The days on which it is due, ascending; 1 is Monday. null: it has no fixed days, and every day with a check-in is due. */
    weekdays: Array<number> | null;
    /** Runs of due days with a check-in `completed`. `missed` ends a run, and so does a due weekday that is over without a check-in. Other check-ins, and days on which the goal is paused or has ended, change nothing. */
    streak: {
      /** Days of the run that has not ended. */
      current: number;
      /** Days of the longest run. */
      longest: number;
    };
    /** Who may see everything but the content. */
    metadata_visibility: Visibility;
    /** Who may see the description and the notes of check-ins. */
    content_visibility: Visibility;
    /** The team that visibility `team` means. */
    team_id: string | null;
    /** The organization that visibility `org` means. */
    org_id: string | null;
    /** What applies: `user` if its owner is not in the team or organization. */
    effective_metadata_visibility: Visibility;
    /** What applies: `user` if its owner is not in the team or organization. */
    effective_content_visibility: Visibility;
    /** Whether you may not see the content. */
    content_hidden: boolean;
    /** false: no one can comment any more. */
    comments_enabled: boolean;
    /** All comments, those that you may not see included; 0 if you may not see the content. */
    comment_count: number;
    /** hidden: an admin decided that only its owner sees it. null: it is not hidden. */
    moderation: "hidden" | null;
    created_at: string;
    updated_at: string;
    /** The newest 500, newest first. GET /api/goals/{id}/check-ins returns all of them. */
    check_ins: Array<GoalCheckIn>;
  };
};

export type ReadHealthInput = Record<never, never>;

export type ReadHealthResponse = {
  status: "ok";
  timestamp: string;
};

export type ReadImportInput = {
  /** The id of the import. */
  id: string;
};

export type ReadImportResponse = ImportResponse;

export type ReadJobsHealthInput = Record<never, never>;

export type ReadJobsHealthResponse = {
  status: "ok";
  /** Empty: if jobs are late, the status is 503. */
  late: Array<string>;
  /** Empty: if a review has waited for too long, the status is 503. */
  waiting: Array<{
    kind: "report" | "appeal" | "checkin";
    /** Whole hours that the oldest one has waited. */
    hours: number;
  }>;
};

export type ReadJournalEntryAudienceInput = {
  /** The id of the entry. */
  id: string;
};

export type ReadJournalEntryAudienceMemberInput = {
  /** The id of the entry. */
  id: string;
  /** The id of someone in an organization of yours. */
  userId: string;
};

export type ReadJournalEntryAudienceMemberResponse = {
  sees: {
    metadata: boolean;
    content: boolean;
  };
};

export type ReadJournalEntryAudienceResponse = {
  audience: {
    metadata: AxisAudience;
    content: AxisAudience;
  };
};

export type ReadJournalEntryInput = {
  /** The id of the entry. */
  id: string;
};

export type ReadJournalEntryResponse = {
  entry: EntryWithPictures;
};

export type ReadJournalStatsInput = {
  /** The first day. The default is 29 days before `to`. */
  from?: string;
  /** The last day. The default is today in the time zone of your profile. */
  to?: string;
};

export type ReadJournalStatsResponse = {
  stats: JournalStats;
};

export type ReadLeaderboardInput = {
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
};

export type ReadLeaderboardResponse = {
  leaderboard: Array<LeaderboardEntry>;
  /** Your rank, from 1; null if you have not sent a drop yet, or hide from the leaderboard. */
  my_rank: number | null;
  /** When the people ahead of you were counted: now for the first 1,000 ranks, at most 5 minutes ago behind them. Null without `my_rank`. */
  as_of: string | null;
};

export type ReadMosaicInput = {
  /** A game date: the local date on which a window starts. */
  date: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ReadMosaicResponse = {
  mosaic: Mosaic;
  /** Send it as `cursor` to read the next page; null on the last page. */
  nextCursor: string | null;
};

export type ReadNoteAnalysisInput = {
  /** The UTC date of the analysis; the latest one by default. */
  date?: string;
};

export type ReadNoteAnalysisResponse = {
  /** null if there is none. */
  analysis: NoteAnalysis | null;
};

export type ReadNotebookInput = {
  /** The id of the notebook. */
  id: string;
};

export type ReadNotebookResponse = {
  notebook: Notebook;
};

export type ReadNotificationSettingsInput = Record<never, never>;

export type ReadNotificationSettingsResponse = {
  settings: NotificationSettings;
};

export type ReadOrganizationInput = {
  /** The id of the organization. */
  id: string;
};

export type ReadOrganizationResponse = {
  organization: Organization;
  /** Your role in the organization; null for a super admin who is not a member. */
  user_role: "owner" | "admin" | "member" | null;
};

export type ReadProfileInput = Record<never, never>;

export type ReadProfileResponse = {
  profile: Profile;
};

export type ReadPushKeyInput = Record<never, never>;

export type ReadPushKeyResponse = {
  /** The `applicationServerKey` for `PushManager.subscribe()`, in base64url. */
  public_key: string;
};

export type ReadReadinessInput = Record<never, never>;

export type ReadReadinessResponse = {
  status: "ok";
  timestamp: string;
};

export type ReadSquadInput = {
  /** A game date: the local date on which a window starts. */
  date: string;
};

export type ReadSquadResponse = {
  squad: Squad;
  /** Check-ins of the squad on this date. */
  checkins: Array<WorkoutCheckIn>;
};

export type ReadStreakInput = Record<never, never>;

export type ReadStreakResponse = {
  streak: WorkoutStreak;
};

export type ReadSubscriptionInput = Record<never, never>;

export type ReadSubscriptionResponse = {
  /** null if you never subscribed. */
  subscription: Subscription | null;
};

export type ReadTeamInput = {
  /** The id of the team. */
  id: string;
};

export type ReadTeamResponse = {
  team: Team;
  /** Your role in the team; null if you are not a member. */
  user_role: "admin" | "member" | null;
};

export type ReadTeamsOfDateInput = {
  /** A game date: the local date on which a window starts. */
  date: string;
  /** How many items a page has. Higher numbers are lowered to the maximum. */
  limit?: number;
  /** The cursor that the previous page returned. */
  cursor?: string;
};

export type ReadTeamsOfDateResponse = {
  date: string;
  redTeam: AdminTeam;
  blueTeam: AdminTeam;
  /** Counts over both teams and all pages. */
  summary: {
    totalMembers: number;
    realUsers: number;
    aiUsers: number;
    squads: number;
  };
  /** Send it as `cursor` to read the next page; null on the last page. */
  nextCursor: string | null;
};

export type ReadTeamStatsInput = {
  /** A game date: the local date on which a window starts. */
  date: string;
};

export type ReadTeamStatsResponse = {
  redTeam: TeamStats;
  blueTeam: TeamStats;
};

export type ReadTodayInput = Record<never, never>;

export type ReadTodayResponse = {
  today: Today;
};

export type ReadTonePackInput = {
  /** The id of the tone pack. */
  id: string;
};

export type ReadTonePackResponse = {
  tone_pack: TonePack;
};

export type ReadUsageInput = {
  /** UTC calendar month, YYYY-MM; the current one by default. */
  month?: string;
};

export type ReadUsageResponse = {
  usage: TokenUsage;
};

export type ReadUserInput = {
  /** The id of the user. */
  id: string;
};

export type ReadUserResponse = {
  user: UserPage;
};

export type ReadWellnessEntryInput = {
  /** The id of the wellness entry. */
  id: string;
};

export type ReadWellnessEntryResponse = {
  wellness_entry: WellnessEntry;
};

export type ReadWorkoutCalendarInput = {
  /** The first date; by default 29 days before `to`. */
  from?: string;
  /** The last date, at most 365 days after `from`; by default today. */
  to?: string;
};

export type ReadWorkoutCalendarResponse = {
  /** Every date of the range, ascending. */
  days: Array<WorkoutCalendarDay>;
};

export type ReadWorkoutCheckInInput = {
  /** A game date: the local date on which a window starts. */
  date: string;
};

export type ReadWorkoutCheckInResponse = CheckInOfDate;

export type ReadWorkoutWindowInput = Record<never, never>;

export type ReadWorkoutWindowResponse = {
  /** null if you never set one. */
  window: WorkoutWindow | null;
  /** null if you never set one. */
  location: UserLocation | null;
};

export type ReceivedAppeal = {
  id: string;
  /** open: not decided yet. upheld: the decision stays. reversed: its effect was taken back. */
  status: "open" | "upheld" | "reversed";
  reason: string;
  /** What the admin answered; null while the appeal is open. */
  answer: string | null;
  created_at: string;
  decided_at: string | null;
  decision: ModerationDecision;
  /** The user who appeals. */
  owner: Card;
  /** The first 500 characters of what was decided about, when it was reported; null for a photo. */
  excerpt: string | null;
  /** The photo of a check-in, also a hidden one, as a link that works for 15 minutes; null for other targets and without a photo. */
  photo_url: string | null;
  /** The date of a check-in; null for other targets. */
  date: string | null;
  /** Whole hours since the appeal was made. */
  age_hours: number;
};

export type ReceivedDecision = {
  id: string;
  target_type: "entry" | "notebook" | "goal" | "tone_pack" | "drop" | "checkin" | "message" | "user";
  target_id: string;
  decision: "suspend" | "hide" | "warn" | "dismiss" | "reject";
  reason: string;
  /** Always false: people decide. */
  automated: false;
  decided_at: string;
  /** null unless the decision is `suspend`. */
  suspended_until: string | null;
  /** You can appeal until then, once. */
  appeal_until: string;
  appeal: {
    status: "none" | "open" | "upheld" | "reversed";
    reason: string | null;
    answer: string | null;
    decided_at: string | null;
  };
};

export type ReceivedEmail = {
  id: string;
  from: string;
  to: Array<string>;
  subject: string;
  /** null if there is none, or if it was not fetched yet. */
  text: string | null;
  /** Exactly as the sender wrote it: show it only in a sandbox. null if there is none, or if it was not fetched yet. */
  html: string | null;
  /** false if only unsigned events reported this mail. Anyone could have made them up. */
  is_verified: boolean;
  received_at: string;
};

export type ReceivedInvitation = {
  organization: {
    id: string;
    name: string;
    member_count: number;
  };
  role: "admin" | "member";
  invited_by: Card;
  expires_at: string;
  created_at: string;
  id: string;
};

export type ReceivedReport = {
  id: string;
  target_type: "entry" | "notebook" | "goal" | "tone_pack" | "drop" | "checkin" | "message" | "user";
  target_id: string;
  reason: "harassment" | "hate" | "sexual" | "violence" | "self_harm" | "spam" | "impersonation" | "illegal" | "other";
  details: string | null;
  /** open: not decided yet. dismissed: nothing was done, or what was done was reversed. actioned: an admin acted. */
  status: "open" | "dismissed" | "actioned";
  created_at: string;
  /** null while the report is open. */
  decided_at: string | null;
  reporter: Card;
  /** The reported user, or whose the thing is. */
  owner: Card;
  /** The first 500 characters of the thing when it was reported, as far as the reporter could see it; null for a photo. */
  excerpt: string | null;
  /** The photo of a check-in, also a hidden one, as a link that works for 15 minutes; null for other targets and without a photo. */
  photo_url: string | null;
  /** The date of a check-in; null for other targets. */
  date: string | null;
  /** Whole hours since the report was made. */
  age_hours: number;
  /** How many reports of the same thing are open. */
  open_reports_of_target: number;
};

export type ReceiveEmailEventInput = Record<string, unknown>;

export type ReceiveEmailEventResponse = {
  received: true;
  /** Present if the event was received before. It has no second effect. */
  duplicate?: true;
};

export type ReceivePaymentEventInput = Record<string, unknown>;

export type ReceivePaymentEventResponse = {
  received: true;
  /** Present if the event was received before. It has no second effect. */
  duplicate?: true;
};

export type ReconcileDropsInput = Record<never, never>;

export type ReconcileDropsResponse = {
  reconciliation: DropsReconciliation;
};

export type RefundPurchaseInput = DropsRefund;

export type RefundPurchaseResponse = {
  transaction: DropTransaction;
  /** The user's balance in drops. */
  balance: number;
};

export type RemoveOrganizationMemberInput = {
  /** The id of the organization. */
  id: string;
  /** The id of the member. */
  userId: string;
};

export type RemoveOrganizationMemberResponse = Message;

export type RemoveTeamMemberInput = {
  /** The id of the team. */
  id: string;
  /** The id of the member. */
  userId: string;
};

export type RemoveTeamMemberResponse = Message;

export type Report = {
  id: string;
  target_type: "entry" | "notebook" | "goal" | "tone_pack" | "drop" | "checkin" | "message" | "user";
  target_id: string;
  reason: "harassment" | "hate" | "sexual" | "violence" | "self_harm" | "spam" | "impersonation" | "illegal" | "other";
  details: string | null;
  /** open: not decided yet. dismissed: nothing was done, or what was done was reversed. actioned: an admin acted. */
  status: "open" | "dismissed" | "actioned";
  created_at: string;
  /** null while the report is open. */
  decided_at: string | null;
};

export type RestoreAccountInput = Record<never, never>;

export type RestoreAccountResponse = Message;

export type RestoreJournalEntryInput = {
  /** The id of the entry. */
  id: string;
};

export type RestoreJournalEntryResponse = {
  entry: Entry;
};

export type ResumeExportsInput = Record<never, never>;

export type ResumeExportsResponse = JobResponse;

export type ReviewCheckInInput = {
  /** The id of the check-in. */
  id: string;
} & (CheckInReview);

export type ReviewCheckInResponse = ReviewedCheckIn;

export type ReviewedCheckIn = {
  checkin: AdminCheckIn;
};

export type RoleUpdate = {
  role: "user" | "admin" | "super_admin";
};

export type RunBattleInput = Record<never, never>;

export type RunBattleResponse = JobResponse;

export type RunChainGenerationInput = {
  /** A game date. By default today in your time zone; for the scheduler today and tomorrow (UTC). */
  date?: string;
};

export type RunChainGenerationResponse = ChainsJobResponse;

export type RunCheckInRemindersInput = Record<never, never>;

export type RunCheckInRemindersResponse = JobResponse;

export type RunDailyAssistantDropsInput = Record<never, never>;

export type RunDailyAssistantDropsResponse = JobResponse;

export type RunDropsReconciliationInput = Record<never, never>;

export type RunDropsReconciliationResponse = JobResponse;

export type RunEndOfDayInput = Record<never, never>;

export type RunEndOfDayResponse = JobResponse;

export type RunEngagementInput = Record<never, never>;

export type RunEngagementResponse = JobResponse;

export type RunErasuresInput = Record<never, never>;

export type RunErasuresResponse = JobResponse;

export type RunHousekeepingInput = Record<never, never>;

export type RunHousekeepingResponse = JobResponse;

export type RunJournalRemindersInput = Record<never, never>;

export type RunJournalRemindersResponse = JobResponse;

export type RunLeaderboardCountInput = Record<never, never>;

export type RunLeaderboardCountResponse = JobResponse;

export type RunMonthlyDropsInput = Record<never, never>;

export type RunMonthlyDropsResponse = JobResponse;

export type RunMosaicsInput = Record<never, never>;

export type RunMosaicsResponse = JobResponse;

export type RunNoteAnalysisInput = Record<never, never>;

export type RunNoteAnalysisResponse = JobResponse;

export type RunPushDeliveryInput = Record<never, never>;

export type RunPushDeliveryResponse = JobResponse;

export type RunRematchInput = Record<never, never>;

export type RunRematchResponse = JobResponse;

export type RunSharesInput = Record<never, never>;

export type RunSharesResponse = JobResponse;

export type RunSyntheticCheckInsInput = Record<never, never>;

export type RunSyntheticCheckInsResponse = JobResponse;

export type RunWeeklyStatsInput = Record<never, never>;

export type RunWeeklyStatsResponse = JobResponse;

export type ScheduledJob = {
  name: string;
  /** An EventBridge cron expression, in UTC. */
  schedule: string;
  /** null if it never ran. */
  last_started_at: string | null;
  /** When the last success ended; null if none did. */
  last_succeeded_at: string | null;
  running: boolean;
  /** Whether it has not succeeded for 3 periods of its schedule. */
  late: boolean;
  /** What the last run counted that ended; empty if it failed, null if none ended. */
  last_results: Record<string, number | Array<string>> | null;
};

export type SendEmailInput = NewMail;

export type SendEmailResponse = {
  success: true;
  message_id: string;
  /** suppressed: this address does not receive mail, so nothing was sent. */
  status: "sent" | "suppressed";
};

export type SendEncouragementDropInput = NewEncouragementDrop;

export type SendEncouragementDropResponse = {
  drop: EncouragementDrop;
  allowance: DropAllowance;
  badge: Badge;
};

export type SendSquadMessageInput = {
  /** A game date: the local date on which a window starts. */
  date: string;
} & (NewTeamMessage);

export type SendSquadMessageResponse = {
  teamMessage: TeamMessage;
};

export type SendTeamMessageInput = {
  /** The id of the team. */
  id: string;
} & (NewTeamMessage);

export type SendTeamMessageResponse = {
  team_message: TeamMessage;
};

export type SentEncouragementDrop = {
  id: string;
  sender_id: string;
  sender: DropSender;
  recipient_id: string;
  drop_type: "encouragement" | "media" | "science_tidbit";
  /** true if the sender wrote the text, false if it comes from a template. */
  is_custom: boolean;
  /** null if no template was used, or if it was deleted since. */
  template_id: string | null;
  /** The title of the template, if it has one. */
  title: string | null;
  content: string;
  /** null unless drop_type is `media`. */
  media_type: "youtube" | "vimeo" | "spotify" | "soundcloud" | null;
  /** null unless drop_type is `media`. */
  media_url: string | null;
  /** A preview image; null if there is none. */
  thumbnail_url: string | null;
  /** The UTC date. */
  date_sent: string;
  created_at: string;
  /** The journal entry that the drop is about; null if none. */
  entry_id: string | null;
  /** The goal that the drop is about; null if none. */
  goal_id: string | null;
  recipient: DropRecipient;
  /** open: the recipient may still write a journal entry that counts. engaged: they wrote one in time. none: they did not, or the drop cannot earn a bonus. */
  engagement: "open" | "engaged" | "none";
  /** When the engagement was counted; null unless engagement is `engaged`. */
  engaged_at: string | null;
  /** Drops that were added to your allowance for it. */
  bonus_drops_awarded: number;
};

export type SetPlayerActiveInput = WorkoutWindowActivity;

export type SetPlayerActiveResponse = {
  window: WorkoutWindow;
};

export type SetRestDaysInput = WorkoutRestDays;

export type SetRestDaysResponse = {
  window: WorkoutWindow;
};

export type SetWorkoutWindowInput = WorkoutWindowSetup;

export type SetWorkoutWindowResponse = {
  window: WorkoutWindow;
  message: string;
};

export type ShareTonePackInput = {
  /** The id of the tone pack. */
  id: string;
} & (NewTonePackShare);

export type ShareTonePackResponse = {
  message: string;
  share: {
    id: string;
    pack_id: string;
    /** null if you shared the pack by email address. */
    user_id: string | null;
    created_at: string;
  };
};

export type Squad = {
  /** null if this member has left the squad. */
  user1: PlayerCard | null;
  /** null if this member has left the squad. */
  user2: PlayerCard | null;
  /** null if this member has left the squad. */
  user3: PlayerCard | null;
  teamColor: TeamColor;
};

export type StartImportInput = {
  /** The id of the import. */
  id: string;
} & (ImportStart);

export type StartImportResponse = ImportResponse;

export type StoredPicture = {
  id: string;
  entry_id: string;
  /** Its place among the pictures of the entry, from 0. */
  position: number;
  caption: string | null;
  /** Of the stored picture, in pixels. */
  width: number;
  /** Of the stored picture, in pixels. */
  height: number;
  /** Of the picture and its thumbnail together. */
  size_bytes: number;
  created_at: string;
};

export type Subscription = {
  id: string;
  user_id: string;
  /** Your id at the payment processor. */
  payment_customer_id: string;
  /** The id of the subscription at the payment processor. */
  payment_subscription_id: string;
  /** As the payment processor calls it. You are premium while it is `active`. */
  status: string;
  created_at: string;
};

export type SvgText = string;

export type SyntheticToggle = {
  isActive: boolean;
};

export type SyntheticUser = {
  id: string;
  full_name: string | null;
  /** The region of the country, such as `West Coast`. */
  region: string;
  city: string;
  /** Two letters. */
  state: string;
  /** IANA time zone. */
  timezone: string;
  activity_type: "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
  /** HH:MM in this user's time zone. */
  window_start: string;
  /** HH:MM in this user's time zone. */
  window_end: string;
  /** Share of days with a check-in, 0 to 1. */
  check_in_probability: number;
  /** Whether this user plays. */
  is_active: boolean;
};

export type Team = {
  id: string;
  name: string;
  description: string | null;
  /** The organization of the team. */
  org_id: string;
  /** The primary admin. */
  admin_id: string;
  /** Any JSON object that clients store here. */
  settings: Record<string, unknown>;
  /** The organization of the team (one, despite the name). */
  organizations: {
    id: string;
    name: string;
  };
  created_at: string;
  updated_at: string;
};

export type TeamColor = "red" | "blue";

export type TeamMember = {
  user_id: string;
  full_name: string | null;
  avatar_url: string | null;
  role: "admin" | "member";
  /** Whether role is `admin`. */
  is_admin: boolean;
  /** Absent for the primary admin. */
  joined_at?: string;
};

export type TeamMemberUpdate = {
  role: "admin" | "member";
};

export type TeamMessage = {
  id: string;
  /** null for a message to a squad. */
  team_id: string | null;
  /** null for a message to a team. */
  squad_id: string | null;
  sender: Card;
  content: string;
  created_at: string;
};

export type TeamStats = {
  totalMembers: number;
  /** Members with a verified check-in. */
  completed: number;
  /** Members whose check-in was rejected, or who did not check in before their window and grace ended. */
  failed: number;
  /** All other members, also those whose window has not opened yet. */
  pending: number;
  /** Percentage of completed members, 0 to 100 with one decimal; 0 without members. */
  completionRate: number;
  /** Chips of verified check-ins on this date. */
  totalChips: number;
};

export type TeamUpdate = {
  name?: string;
  /** The new primary admin, a member of the organization. */
  admin_id?: string;
  description?: string | null;
  /** Any JSON object of at most 16 KB. It replaces the stored one. */
  settings?: Record<string, unknown> | null;
};

export type Today = {
  /** Today in your time zone. */
  date: string;
  /** The time zone of your profile. Your window has its own. */
  timezone: string;
  /** The window that is open, or the next one that you play. null without a window or after leaving. */
  window: TodayWindow | null;
  /** Your streak in the game; null without a window. */
  streak: WorkoutStreak | null;
  /** Your active goals with weekdays that are due today, oldest first. */
  goals: Array<TodayGoal> | null;
  journal: TodayJournal | null;
  drops: TodayDrops | null;
  notifications: TodayNotifications | null;
};

export type TodayDrops = {
  /** As in GET /api/drops/balance. */
  balance: number;
  /** As in GET /api/encouragement-drops/my-drops. */
  total_available: number;
  /** Drops that you received and have not read. */
  unread: number;
};

export type TodayGoal = {
  id: string;
  title: string;
  /** As in GET /api/goals/{id}. */
  streak: {
    current: number;
    longest: number;
  };
  /** Whether a check-in of today is `completed`. */
  checked_in: boolean;
};

export type TodayJournal = {
  /** Your entries that are about today. */
  entries_today: number;
  /** As in GET /api/journal/stats, over the 366 days that end today. */
  current_streak: number;
  /** How many entries GET /api/journal/on-this-day lists. */
  on_this_day: number;
};

export type TodayNotifications = {
  /** Counted up to 1,000. */
  unread: number;
};

export type TodayWindow = {
  /** The game date. */
  date: string;
  starts_at: string;
  ends_at: string;
  activity_type: "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
  /** As in GET /api/workout-window/checkin/{date}. */
  status: "not_started" | "pending" | "completed" | "failed";
};

export type ToggleSyntheticUserInput = {
  /** The id of the synthetic user. */
  id: string;
} & (SyntheticToggle);

export type ToggleSyntheticUserResponse = {
  user: SyntheticUser;
};

export type TokenUsage = {
  /** YYYY-MM, by the UTC calendar. */
  month: string;
  total_tokens: number;
  /** In US dollars. */
  total_cost_usd: number;
  /** The value of the tokens in drops: the sum over all calls, each at the rate of its time, rounded half up to two decimals. */
  drops_equivalent: number;
  breakdown: {
    tone: UsageOfOneKind;
    images: UsageOfOneKind;
    packs: UsageOfOneKind;
    assistant: UsageOfOneKind;
    analysis: UsageOfOneKind;
  };
};

export type ToneAnalysis = {
  /** The strongest tone, in lower case. */
  primaryTone: string;
  /** At most 5, highest score first. */
  tones: Array<{
    tone: string;
    score: number;
  }>;
  sentiment: "positive" | "negative" | "neutral" | "mixed";
  /** How sure the model is of primaryTone, 0 to 1. */
  confidence: number;
};

export type ToneImageRequest = {
  /** 1 to 20 tones; duplicates are ignored. */
  tones: Array<string>;
  quality?: "standard" | "hd";
};

export type TonePack = {
  id: string;
  owner_id: string;
  name: string;
  description: string | null;
  theme: "origami" | "animals" | "nature" | "abstract" | "geometric" | "minimalist" | "watercolor" | "line-art" | "icons" | "emojis" | "shapes" | "patterns";
  is_public: boolean;
  /** In drops; 0 if the pack is free. */
  price_drops: number;
  images: Array<TonePackImage>;
  /** Why you can see the pack; the first of these that applies. */
  access: "owner" | "purchased" | "shared" | "public";
  /** Whether this is your active pack. */
  is_active: boolean;
  /** hidden: an admin decided that only its owner sees it. null: it is not hidden. */
  moderation: "hidden" | null;
  created_at: string;
  updated_at: string;
};

export type TonePackImage = {
  id: string;
  tone: string;
  /** A public address that does not expire. */
  image_url: string;
  created_at: string;
};

export type TonePackPurchaseRequest = {
  /** In drops. If the price is another one, nothing is bought. */
  expected_price_drops?: number;
};

export type TonePackShare = {
  id: string;
  /** The address that you named; null for a share by user id, and for those made before version 0.3. */
  email: string | null;
  /** null if you shared the pack by email address. */
  user: Card | null;
  created_at: string;
};

export type TonePackUpdate = {
  name?: string;
  description?: string | null;
  theme?: "origami" | "animals" | "nature" | "abstract" | "geometric" | "minimalist" | "watercolor" | "line-art" | "icons" | "emojis" | "shapes" | "patterns";
  is_public?: boolean;
  /** In drops. */
  price_drops?: number;
};

export type ToneRequest = {
  content: string;
  title?: string | null;
};

export type TransferOrganizationInput = {
  /** The id of the organization. */
  id: string;
} & (OwnershipTransfer);

export type TransferOrganizationResponse = {
  organization: Organization;
};

export type TrashedEntry = {
  id: string;
  title: string;
  deleted_at: string;
  /** When it is deleted for good. */
  expires_at: string;
};

export type UnshareTonePackInput = {
  /** The id of the tone pack. */
  id: string;
  /** The id of the user or, for the owner of the pack, of the share. */
  userId: string;
};

export type UnshareTonePackResponse = Message;

export type UnsubscribeEmailInput = {
  /** The token in the link of a mail. */
  token: string;
};

export type UnsubscribeEmailResponse = Message;

export type UpdateAssistantSettingsInput = AssistantSettingsUpdate;

export type UpdateAssistantSettingsResponse = {
  settings: AssistantSettings;
};

export type UpdateBadgeInput = Record<never, never>;

export type UpdateBadgeResponse = {
  badge: Badge;
  /** Whether this call raised your level. */
  leveled_up: boolean;
};

export type UpdateDropConfigInput = DropConfigUpdate;

export type UpdateDropConfigResponse = {
  config: DropConfig;
};

export type UpdateDropTemplateInput = {
  /** The id of the template. */
  id: string;
} & (DropTemplateUpdate);

export type UpdateDropTemplateResponse = {
  template: DropTemplate;
};

export type UpdateGoalCheckInInput = {
  /** The id of the goal. */
  id: string;
  /** The id of the check-in. */
  checkInId: string;
} & (GoalCheckInUpdate);

export type UpdateGoalCheckInResponse = {
  check_in: GoalCheckIn;
};

export type UpdateGoalInput = {
  /** The id of the goal. */
  id: string;
} & (GoalUpdate);

export type UpdateGoalResponse = {
  goal: Goal;
};

export type UpdateJournalEntryInput = {
  /** The id of the entry. */
  id: string;
} & (EntryUpdate);

export type UpdateJournalEntryResponse = {
  entry: Entry;
};

export type UpdateLocationInput = UserLocationUpdate;

export type UpdateLocationResponse = {
  location: UserLocation;
  message: string;
};

export type UpdateNotebookInput = {
  /** The id of the notebook. */
  id: string;
} & (NotebookUpdate);

export type UpdateNotebookResponse = {
  notebook: Notebook;
};

export type UpdateNotificationSettingsInput = NotificationSettingsUpdate;

export type UpdateNotificationSettingsResponse = {
  settings: NotificationSettings;
};

export type UpdateOrganizationInput = {
  /** The id of the organization. */
  id: string;
} & (OrganizationUpdate);

export type UpdateOrganizationMemberInput = {
  /** The id of the organization. */
  id: string;
  /** The id of the member. */
  userId: string;
} & (OrganizationMemberUpdate);

export type UpdateOrganizationMemberResponse = {
  member: OrganizationMember;
};

export type UpdateOrganizationResponse = {
  organization: Organization;
};

export type UpdatePictureInput = {
  /** The id of the picture. */
  id: string;
} & (PictureUpdate);

export type UpdatePictureResponse = {
  picture: Picture;
};

export type UpdateProfileInput = ProfileUpdate;

export type UpdateProfileResponse = {
  profile: Profile;
};

export type UpdateTeamInput = {
  /** The id of the team. */
  id: string;
} & (TeamUpdate);

export type UpdateTeamMemberInput = {
  /** The id of the team. */
  id: string;
  /** The id of the member. */
  userId: string;
} & (TeamMemberUpdate);

export type UpdateTeamMemberResponse = {
  member: TeamMember;
};

export type UpdateTeamResponse = {
  team: Team;
};

export type UpdateTonePackInput = {
  /** The id of the tone pack. */
  id: string;
} & (TonePackUpdate);

export type UpdateTonePackResponse = {
  tone_pack: TonePack;
};

export type UpdateUserRoleInput = {
  /** The id of the user. */
  id: string;
} & (RoleUpdate);

export type UpdateUserRoleResponse = {
  user: {
    id: string;
    role: "user" | "admin" | "super_admin";
  };
};

export type UpdateWellnessEntryInput = {
  /** The id of the wellness entry. */
  id: string;
} & (WellnessEntryUpdate);

export type UpdateWellnessEntryResponse = {
  wellness_entry: WellnessEntry;
};

export type UploadedPicture = {
  /** One of your entries. */
  entry_id: string;
  /** An empty one means no caption. */
  caption?: string | null;
  /** The key of a finished upload. */
  picture_key: string;
};

export type UploadRequest = {
  contentType: "image/jpeg" | "image/png" | "image/webp" | "image/heic" | "image/heif";
  /** In bytes, at most 10485760. */
  size: number;
};

export type UploadResponse = {
  /** Send the photo here with PUT. */
  uploadUrl: string;
  /** Send it with the check-in instead of the photo. */
  photoKey: string;
  /** uploadUrl works until then. */
  expiresAt: string;
};

export type UsageOfOneKind = {
  tokens: number;
  /** In US dollars. */
  cost_usd: number;
  /** How many times a model was called. */
  count: number;
};

export type UserLocation = {
  user_id: string;
  /** As you sent it; null if you did not. */
  ip_address: string | null;
  /** In degrees; null if you did not send it. */
  latitude: number | null;
  /** In degrees; null if you did not send it. */
  longitude: number | null;
  city: string | null;
  region: string | null;
  /** Country code of two upper-case letters. */
  country: string | null;
  /** IANA time zone. */
  timezone: string | null;
  last_updated: string;
};

export type UserLocationUpdate = {
  /** An IPv4 or IPv6 address. Stored as you send it. It is not used to look up a location. */
  ipAddress?: string | null;
  /** In degrees. Latitude and longitude must be set together. */
  latitude?: number | null;
  /** In degrees. Latitude and longitude must be set together. */
  longitude?: number | null;
  city?: string | null;
  region?: string | null;
  /** Country code of two letters (ISO 3166-1). */
  country?: string | null;
  /** IANA time zone such as Europe/Zurich, in any spelling; older names become the current one, such as Europe/Kyiv for Europe/Kiev. Abbreviations such as EST are not accepted. */
  timezone?: string | null;
};

export type UserPage = {
  id: string;
  full_name: string | null;
  avatar_url: string | null;
  /** Whether this is a synthetic user. */
  is_ai: boolean;
  /** null for the assistant and for synthetic users. */
  badge: {
    level: number;
    name: string;
    emoji: string;
  } | null;
  /** The organizations that you are both members of, by name; at most 500. */
  shared_organizations: Array<{
    id: string;
    name: string;
  }>;
};

export type VerifyTokenInput = {
  token: string;
};

export type VerifyTokenResponse = {
  user: {
    id: string;
    /** null if the token has none. */
    email: string | null;
  };
};

export type Visibility = "user" | "team" | "org" | "public";

export type WeeklyStats = {
  /** The Monday of the week. */
  weekStartDate: string;
  /** null if you were in no team. */
  teamColor: TeamColor | null;
  /** Dates on which you had a window; the sum of completedCount, failedCount and pendingCount. */
  daysPlanned: number;
  /** Dates with a verified check-in. */
  completedCount: number;
  /** Dates with a rejected check-in, or without one. */
  failedCount: number;
  /** Dates whose check-in waits for review, and dates that had not ended when the week was counted. */
  pendingCount: number;
  /** Percentage of completed dates, 0 to 100 with one decimal. */
  completionRate: number;
  /** Chips of the check-ins of this week, even if they count for the battle of a later one. */
  chipsEarned: number;
  /** When the week was last counted. */
  updatedAt: string;
};

export type WellnessEntry = {
  id: string;
  user_id: string;
  type: "satisfaction" | "action_note" | "sleep";
  /** null unless type is `satisfaction`. */
  rating: number | null;
  /** null unless type is `action_note`. */
  content: string | null;
  /** Hours of sleep; null unless type is `sleep`. */
  hours: number | null;
  /** Quality of sleep; null if not given. */
  quality: number | null;
  /** null if not given. */
  notes: string | null;
  created_at: string;
};

export type WellnessEntryChange = {
  type: "wellness_entry";
  id: string;
  /** true if it was deleted or is in the trash. */
  removed: boolean;
  /** null if it is removed. */
  etag: string | null;
  /** null if it is removed. */
  data: WellnessEntry | null;
};

export type WellnessEntryUpdate = {
  type?: "satisfaction" | "action_note" | "sleep";
  /** Only if type is `satisfaction`: from 1 (low) to 10 (high). */
  rating?: number | null;
  /** Only if type is `action_note`. */
  content?: string | null;
  /** Only if type is `sleep`: hours, rounded to two decimals. */
  hours?: number | null;
  /** Only if type is `sleep`: from 1 (bad) to 5 (good). */
  quality?: number | null;
  /** Not if type is `action_note`. */
  notes?: string | null;
};

export type WorkoutCalendarDay = {
  date: string;
  /** frozen: failed, but a freeze kept the streak. off: you were away or rested. none: you were not matched, or the date is to come. */
  state: "not_started" | "pending" | "completed" | "failed" | "frozen" | "off" | "none";
  /** 0 unless completed. */
  chips: number;
  checkinId: string | null;
};

export type WorkoutCheckIn = {
  id: string;
  user_id: string;
  /** null if the player is in no chain on this date. */
  chain_id: string | null;
  date: string;
  activity_type: "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
  /** The name of the activity if activity_type is `other` and the window names it, else null. */
  custom_activity: string | null;
  /** A link that works for 15 minutes; null if there is no photo or you may not see it. */
  photo_url: string | null;
  /** When the photo was taken; null if it does not say so. */
  photo_timestamp: string | null;
  /** In degrees; null if it was not sent, or if you are neither the player nor an admin. */
  location_lat: number | null;
  /** In degrees; null if it was not sent, or if you are neither the player nor an admin. */
  location_lng: number | null;
  status: "pending" | "verified" | "rejected";
  /** Counts if the status is verified. If it is pending: what it would earn. If it is rejected: 0. */
  battle_chips_earned: number;
  chip_breakdown: ChipBreakdown;
  /** broken if the player before this one failed on this date, else continued. It may change with that player's result until the battle of these chips has ended. */
  chain_status: "continued" | "broken";
  /** null if the player is in no team on this date. */
  team_color: TeamColor | null;
  /** The Monday of the battle that the chips count for. */
  battle_week_start: string;
  /** Why an admin should look at it; null if you are neither the player nor an admin. */
  flags: Array<"seen_before" | "edited" | "screenshot" | "late_upload" | "far_away" | "no_photo_time"> | null;
  /** The last decision of an admin; null if there is none, or if you are neither the player nor an admin. */
  review: CheckInReviewed | null;
  created_at: string;
};

export type WorkoutRestDays = {
  /** Up to two different weekdays: 1 is Monday, 7 is Sunday. */
  weekdays: Array<number>;
};

export type WorkoutStreak = {
  /** Completed days since the streak began. Days off do not count and do not end it. */
  current: number;
  longest: number;
  /** The first completed day of the current streak; null if there is none. */
  since: string | null;
  /** A failed day takes one instead of ending the streak. You begin with one. */
  freezesHeld: number;
  /** Completed days until you get another one; null while you hold two. */
  nextFreezeIn: number | null;
  /** true if you can still check in today and hold no freeze. */
  atRisk: boolean;
};

export type WorkoutWindow = {
  activity_type: "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
  /** The name of the activity if activity_type is `other`, else null. */
  custom_activity: string | null;
  /** HH:MM in the window's time zone. */
  window_start_time: string;
  /** HH:MM in the window's time zone. */
  window_end_time: string;
  /** IANA time zone. */
  timezone: string;
  id: string;
  user_id: string;
  /** false while an absence without an end has begun: no window opens before you come back. */
  is_active: boolean;
  /** When you do not play, oldest first, also planned and past absences. */
  away: Array<{
    /** The first game date on which you do not play. */
    from: string;
    /** The game date on which you play again; null until you come back. */
    until: string | null;
  }>;
  /** The weekdays on which you do not play. */
  rest_days: {
    /** 1 is Monday, 7 is Sunday. */
    weekdays: Array<number>;
    /** The first game date on which they count; null if you never set any. */
    effective_from: string | null;
    /** Your rest days before that date. */
    previous_weekdays: Array<number>;
  };
  /** The first game date on which these values count. */
  effective_from: string;
  /** The values that count on game dates before `effective_from`; null if you never changed your window. */
  previous: {
    activity_type: "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
    /** The name of the activity if activity_type is `other`, else null. */
    custom_activity: string | null;
    /** HH:MM in the window's time zone. */
    window_start_time: string;
    /** HH:MM in the window's time zone. */
    window_end_time: string;
    /** IANA time zone. */
    timezone: string;
  } | null;
  created_at: string;
  updated_at: string;
};

export type WorkoutWindowActivity = {
  /** false leaves the game. true ends every absence from the next date whose window has not opened. */
  isActive: boolean;
  /** The first game date on which you do not play, at most 90 days after the next date whose window has not opened, which is the default. Only to leave. */
  from?: string | null;
  /** The game date on which you play again, at most 90 days after `from`; by default you stay away until you come back. Only to leave. */
  until?: string | null;
};

export type WorkoutWindowSetup = {
  activityType: "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
  /** The name of the activity, 1 to 100 characters. Required if activityType is `other`; ignored otherwise. */
  customActivity?: string | null;
  /** 24-hour time, HH:MM. */
  windowStartTime: string;
  /** 24-hour time, HH:MM. Must be exactly 2 hours after windowStartTime; it may be past midnight. */
  windowEndTime: string;
  /** IANA time zone such as Europe/Zurich, in any spelling; older names become the current one, such as Europe/Kyiv for Europe/Kiev. Abbreviations such as EST are not accepted. */
  timezone: string;
};

/** Every operation of the API, by group. */
export interface Operations {
  /** Whether the service and its database respond, and its housekeeping job. */
  readonly health: {
    /**
     * Check that the service is running.
     *
     * 503 while a server that is asked to stop finishes its requests.
     */
    read(input?: ReadHealthInput, options?: CallOptions): Promise<ReadHealthResponse>;
    /** Check that the service can reach the database. */
    readReadiness(input?: ReadReadinessInput, options?: CallOptions): Promise<ReadReadinessResponse>;
    /**
     * Check that no scheduled job is late and no review waits for too long.
     *
     * A job is late if it has not succeeded for 3 periods of its schedule; 503 then names it in `late`. Where backups are expected, `backup` is late if none has succeeded for 26 hours. `waiting` has the open reports, open appeals and pending check-ins whose oldest one has waited for an admin for longer than the operator allows. For a monitor outside.
     */
    readJobs(input?: ReadJobsHealthInput, options?: CallOptions): Promise<ReadJobsHealthResponse>;
    /** Delete data whose retention time is over (scheduled). */
    runHousekeeping(input?: RunHousekeepingInput, options?: CallOptions): Promise<RunHousekeepingResponse>;
  };
  /** Check an access token. */
  readonly auth: {
    /**
     * Check an access token.
     *
     * 401 if it is not valid, belongs to a program, or if its account was deleted.
     */
    verifyToken(input: VerifyTokenInput, options?: CallOptions): Promise<VerifyTokenResponse>;
  };
  /** Your profile, your preferences, what you used of the AI models and each call of them, which super admins read your entries, exports of your data, and personal tokens for programs. */
  readonly user: {
    /**
     * Read your profile.
     *
     * The only operation that a program of others may call: one to which Supabase Auth, as an OAuth server, gave an access token with a `client_id`.
     */
    readProfile(input?: ReadProfileInput, options?: CallOptions): Promise<ReadProfileResponse>;
    /** Update your profile. */
    updateProfile(input: UpdateProfileInput, options?: CallOptions): Promise<UpdateProfileResponse>;
    /** Read your AI usage of a month in tokens, dollars and drops. */
    readUsage(input?: ReadUsageInput, options?: CallOptions): Promise<ReadUsageResponse>;
    /**
     * List the calls of models that were made for you.
     *
     * Newest first, without any text. Calls that failed are listed as well.
     */
    listAiUses(input?: ListAiUsesInput, options?: CallOptions): Paged<ListAiUsesResponse, ListAiUsesResponse["uses"][number]>;
    /**
     * List super admins who read your private entries.
     *
     * Newest first: one row for each entry, reader and UTC day, kept for a year.
     */
    readAccessLog(input?: ReadAccessLogInput, options?: CallOptions): Paged<ReadAccessLogResponse, ReadAccessLogResponse["reads"][number]>;
    /**
     * Export all your data.
     *
     * A zip file with everything of yours is built in the background; you are notified when it is ready. It has `manifest.json` with size and SHA-256 of every file, `data/` with your data as the API shows it (a JSON file for each kind, lists with a row per line), `journal/` with a Markdown file for each entry, and `files/` with your photos, backgrounds and tone images, to which `photo_url` and `image_url` refer by path. One at a time. You can ask for 5 exports per UTC day.
     */
    createExport(input?: CreateExportInput, options?: CallOptions): Promise<CreateExportResponse>;
    /**
     * List your exports.
     *
     * Newest first. Exports of more than 30 days ago are not listed.
     */
    listExports(input?: ListExportsInput, options?: CallOptions): Paged<ListExportsResponse, ListExportsResponse["exports"][number]>;
    /** Read an export, with the address of its file. */
    readExport(input: ReadExportInput, options?: CallOptions): Promise<ReadExportResponse>;
    /**
     * Delete an export and its file.
     *
     * One that is pending is not built any further.
     */
    deleteExport(input: DeleteExportInput, options?: CallOptions): Promise<DeleteExportResponse>;
    /** Continue exports that were interrupted (scheduled). */
    resumeExports(input?: ResumeExportsInput, options?: CallOptions): Promise<ResumeExportsResponse>;
    /**
     * Create a personal token for a program.
     *
     * The program sends it as a bearer token, for the operations whose `x-scope` it has. All others refuse it, and it has no rights of an admin. You can have 20 that have not expired. You are notified.
     */
    createToken(input: CreateTokenInput, options?: CallOptions): Promise<CreateTokenResponse>;
    /**
     * List your personal tokens.
     *
     * Newest first, without those that expired more than 30 days ago.
     */
    listTokens(input?: ListTokensInput, options?: CallOptions): Paged<ListTokensResponse, ListTokensResponse["tokens"][number]>;
    /**
     * Delete a personal token.
     *
     * From now on it is refused.
     */
    deleteToken(input: DeleteTokenInput, options?: CallOptions): Promise<DeleteTokenResponse>;
  };
  /** Erase your account, at once or in a week, and restore it before that. */
  readonly account: {
    /** Read what erasing your account would do, and when it is scheduled. */
    readErasure(input?: ReadErasureInput, options?: CallOptions): Promise<ReadErasureResponse>;
    /**
     * Erase your account.
     *
     * Until it is erased, your account is closing: you can read, export, restore it or erase it now, and nothing else. You get an email when it is erased. Repeating the request changes nothing. If someone makes you the owner of an organization meanwhile, it goes to the person who has been a member for the longest time.
     */
    delete(input: DeleteAccountInput, options?: CallOptions): Promise<DeleteAccountResponse>;
    /**
     * Restore your account before it is erased.
     *
     * Repeating it changes nothing. 409 once the erasure has begun.
     */
    restore(input?: RestoreAccountInput, options?: CallOptions): Promise<RestoreAccountResponse>;
    /** Erase the accounts that are due (scheduled). */
    runErasures(input?: RunErasuresInput, options?: CallOptions): Promise<RunErasuresResponse>;
  };
  /** Other people: find those of your organizations, and read the page of someone. */
  readonly users: {
    /**
     * Find people of your organizations by name.
     *
     * Ordered by name. Send `q`, `org_id` or both. You, people without a name and blocked people are left out.
     */
    find(input?: FindUsersInput, options?: CallOptions): Paged<FindUsersResponse, FindUsersResponse["users"][number]>;
    /**
     * Read the page of a user.
     *
     * You can read your own page, the assistant's, and those of people who share an organization with you, were in your chain or squad in the last 30 days, sent you a drop or got one from you, or have a public notebook, entry or tone pack. 404 for everyone else, and for users who blocked you or whom you blocked.
     */
    read(input: ReadUserInput, options?: CallOptions): Promise<ReadUserResponse>;
  };
  /** Organizations, their members, and invitations to join. An organization has one owner, who can pass it on. */
  readonly organizations: {
    /**
     * List your organizations.
     *
     * Newest first.
     */
    list(input?: ListOrganizationsInput, options?: CallOptions): Paged<ListOrganizationsResponse, ListOrganizationsResponse["organizations"][number]>;
    /** Create an organization. */
    create(input: CreateOrganizationInput, options?: CallOptions): Promise<CreateOrganizationResponse>;
    /** Read an organization. */
    read(input: ReadOrganizationInput, options?: CallOptions): Promise<ReadOrganizationResponse>;
    /** Update an organization (owner). */
    update(input: UpdateOrganizationInput, options?: CallOptions): Promise<UpdateOrganizationResponse>;
    /** Delete an organization (owner). */
    delete(input: DeleteOrganizationInput, options?: CallOptions): Promise<DeleteOrganizationResponse>;
    /** List the members of an organization. */
    listMembers(input: ListOrganizationMembersInput, options?: CallOptions): Paged<ListOrganizationMembersResponse, ListOrganizationMembersResponse["members"][number]>;
    /**
     * Add a member to an organization (owner).
     *
     * The new member is notified. You can add 200 people to organizations and teams per UTC day.
     */
    addMember(input: AddOrganizationMemberInput, options?: CallOptions): Promise<AddOrganizationMemberResponse>;
    /**
     * Accept your membership of an organization.
     *
     * You are a member even before you accept. If the server allows email to members only, other members can email you once you have accepted, created something in the organization or shared something with it.
     */
    acceptMembership(input: AcceptOrganizationMembershipInput, options?: CallOptions): Promise<AcceptOrganizationMembershipResponse>;
    /** Change the role of an organization member (owner). */
    updateMember(input: UpdateOrganizationMemberInput, options?: CallOptions): Promise<UpdateOrganizationMemberResponse>;
    /**
     * Remove a member from an organization, or leave it.
     *
     * The owner can remove members; every other member can leave.
     */
    removeMember(input: RemoveOrganizationMemberInput, options?: CallOptions): Promise<RemoveOrganizationMemberResponse>;
    /**
     * Transfer the ownership of an organization (owner).
     *
     * Takes effect immediately. The new owner is notified, and can hand it back for 14 days. 404 for people with a block between you.
     */
    transfer(input: TransferOrganizationInput, options?: CallOptions): Promise<TransferOrganizationResponse>;
    /**
     * Hand an organization back that you received (owner).
     *
     * Within 14 days. It goes back to the former owner, or, if they are no longer a member, to the person who has been one for the longest time; you stay a member with the role that you had before. If there is no one else, it is deleted, and the response is a `message`.
     */
    decline(input: DeclineOrganizationInput, options?: CallOptions): Promise<DeclineOrganizationResponse>;
    /**
     * Invite people to an organization (owner).
     *
     * By a link for anyone, or by an address, which gets a mail and whose earlier pending invitation is revoked. The token is returned only once. The mails of invitations count as yours (`POST /api/email/send`); if you have none left, the invitation is created without a mail. 409 for your own address and for one by which a member has joined; any other address is treated alike, whether a member has it or not. You can create 20 invitations by address per UTC day, and so can all people of an organization together.
     */
    createInvitation(input: CreateInvitationInput, options?: CallOptions): Promise<CreateInvitationResponse>;
    /**
     * List the invitations of an organization (owner).
     *
     * Newest first. Invitations are deleted 30 days after they expire.
     */
    listInvitations(input: ListInvitationsInput, options?: CallOptions): Paged<ListInvitationsResponse, ListInvitationsResponse["invitations"][number]>;
    /**
     * Revoke an invitation (owner).
     *
     * People who have accepted it stay members. Revoking it again changes nothing.
     */
    deleteInvitation(input: DeleteInvitationInput, options?: CallOptions): Promise<DeleteInvitationResponse>;
    /**
     * List the invitations to your address.
     *
     * The pending ones to your confirmed address, newest first, without those of organizations that you are a member of.
     */
    listReceivedInvitations(input?: ListReceivedInvitationsInput, options?: CallOptions): Paged<ListReceivedInvitationsResponse, ListReceivedInvitationsResponse["invitations"][number]>;
    /**
     * Read an invitation by its token.
     *
     * Changes nothing. 404 `invitation.not_found` for every invitation that you cannot use, whether it is unknown, revoked, expired, used up or for another address.
     */
    previewInvitation(input: PreviewInvitationInput, options?: CallOptions): Promise<PreviewInvitationResponse>;
    /**
     * Accept an invitation.
     *
     * You join the organization and those teams of the invitation that still exist. If you are a member already, you join missing teams, keep your role, and use nothing up: 200. 404 `invitation.not_found` for every invitation that you cannot use, whether it is unknown, revoked, expired, used up or for another address.
     */
    acceptInvitation(input: AcceptInvitationInput, options?: CallOptions): Promise<AcceptInvitationResponse>;
    /**
     * Decline an invitation to your address.
     *
     * It is not listed for you any more, and the owner sees it as revoked.
     */
    declineInvitation(input: DeclineInvitationInput, options?: CallOptions): Promise<DeclineInvitationResponse>;
  };
  /** Teams inside an organization, their members and their messages. */
  readonly teams: {
    /**
     * List the teams of your organizations.
     *
     * Newest first.
     */
    list(input?: ListTeamsInput, options?: CallOptions): Paged<ListTeamsResponse, ListTeamsResponse["teams"][number]>;
    /**
     * Create a team (organization member).
     *
     * You can add 200 people to organizations and teams per UTC day.
     */
    create(input: CreateTeamInput, options?: CallOptions): Promise<CreateTeamResponse>;
    /** Read a team. */
    read(input: ReadTeamInput, options?: CallOptions): Promise<ReadTeamResponse>;
    /**
     * Update a team (team admin or organization owner).
     *
     * Team admins can change name, description and settings. Only the organization's owner can change `admin_id`; sending its current value changes nothing. You can add 200 people to organizations and teams per UTC day.
     */
    update(input: UpdateTeamInput, options?: CallOptions): Promise<UpdateTeamResponse>;
    /**
     * Delete a team (team admin).
     *
     * What was shared with it becomes private.
     */
    delete(input: DeleteTeamInput, options?: CallOptions): Promise<DeleteTeamResponse>;
    /** List the members of a team. */
    listMembers(input: ListTeamMembersInput, options?: CallOptions): Paged<ListTeamMembersResponse, ListTeamMembersResponse["members"][number]>;
    /**
     * Add a member to a team (team admin).
     *
     * The new member is notified. You can add 200 people to organizations and teams per UTC day.
     */
    addMember(input: AddTeamMemberInput, options?: CallOptions): Promise<AddTeamMemberResponse>;
    /** Change the role of a team member (team admin). */
    updateMember(input: UpdateTeamMemberInput, options?: CallOptions): Promise<UpdateTeamMemberResponse>;
    /**
     * Remove a member from a team, or leave it.
     *
     * Team admins can remove members; every member can leave.
     */
    removeMember(input: RemoveTeamMemberInput, options?: CallOptions): Promise<RemoveTeamMemberResponse>;
    /**
     * List the messages of a team (member).
     *
     * Newest first. Messages of people with a block between you are left out. Super admins see all.
     */
    listMessages(input: ListTeamMessagesInput, options?: CallOptions): Paged<ListTeamMessagesResponse, ListTeamMessagesResponse["team_messages"][number]>;
    /**
     * Send a message to a team (member).
     *
     * The other members have one unread notification, which counts the messages. You can send 60 messages and comments per minute in total.
     */
    sendMessage(input: SendTeamMessageInput, options?: CallOptions): Promise<SendTeamMessageResponse>;
    /** Delete a message to a team (its sender, a team admin, or an admin). */
    deleteMessage(input: DeleteTeamMessageInput, options?: CallOptions): Promise<DeleteTeamMessageResponse>;
  };
  /** What changed of your own things, for devices that keep them. */
  readonly changes: {
    /**
     * List what changed of your own things.
     *
     * Without a cursor, a walk through everything that you have; then, with the `next_cursor` of its last page, through what changed since, deletions included. A walk has each thing once, in its newest state; what changes after its first page is in the next one. A personal token with any of the scopes journal:read, goals:read, wellness:read, profile:read may call it; what it may not read is left out. A cursor belongs to its types and scopes, and expires after 90 days. You can call it 60 times per minute.
     */
    list(input?: ListChangesInput, options?: CallOptions): Promise<ListChangesResponse>;
  };
  /** Notebooks that collect journal entries, and who they are shared with. */
  readonly notebooks: {
    /**
     * List the notebooks that you may see.
     *
     * Newest first.
     */
    list(input?: ListNotebooksInput, options?: CallOptions): Paged<ListNotebooksResponse, ListNotebooksResponse["notebooks"][number]>;
    /** Create a notebook. */
    create(input: CreateNotebookInput, options?: CallOptions): Promise<CreateNotebookResponse>;
    /** Read a notebook. */
    read(input: ReadNotebookInput, options?: CallOptions): Promise<ReadNotebookResponse>;
    /** Update a notebook. */
    update(input: UpdateNotebookInput, options?: CallOptions): Promise<UpdateNotebookResponse>;
    /**
     * Delete a notebook.
     *
     * Its entries are kept and are in no notebook afterwards.
     */
    delete(input: DeleteNotebookInput, options?: CallOptions): Promise<DeleteNotebookResponse>;
    /**
     * List the entries of a notebook.
     *
     * Newest first.
     */
    listEntries(input: ListNotebookEntriesInput, options?: CallOptions): Paged<ListNotebookEntriesResponse, ListNotebookEntriesResponse["entries"][number]>;
    /**
     * Preview who could see the entries of a notebook.
     *
     * What an update of its visibility would change. Fails with the errors of the update. Changes nothing.
     */
    previewAudience(input: PreviewNotebookAudienceInput, options?: CallOptions): Promise<PreviewNotebookAudienceResponse>;
    /** Apply changed sharing to the remaining entries (scheduled). */
    runShares(input?: RunSharesInput, options?: CallOptions): Promise<RunSharesResponse>;
  };
  /** Journal entries: write, search, share, delete and restore. A list shows only the metadata of an entry whose content you may not read. */
  readonly journal: {
    /** List the entries that you may see. */
    listEntries(input?: ListJournalEntriesInput, options?: CallOptions): Paged<ListJournalEntriesResponse, ListJournalEntriesResponse["entries"][number]>;
    /**
     * Write an entry.
     *
     * If you send no mood, the server looks for one in the text, provided that it can use a model. It does so for at most 200 new or changed entries per UTC day.
     */
    createEntry(input: CreateJournalEntryInput, options?: CallOptions): Promise<CreateJournalEntryResponse>;
    /**
     * Count the tags of your entries.
     *
     * Most used tags first, at most 5,000.
     */
    listTags(input?: ListJournalTagsInput, options?: CallOptions): Promise<ListJournalTagsResponse>;
    /**
     * List the entries in your trash.
     *
     * The last deleted ones first. No one else sees them.
     */
    listTrash(input?: ListTrashInput, options?: CallOptions): Paged<ListTrashResponse, ListTrashResponse["entries"][number]>;
    /**
     * List what you wrote about this day in earlier years.
     *
     * Your own entries about the same day and month, latest first: at most 100, and fewer if their contents together are larger than 4 MB. Entries about 29 February are also shown on 28 February of years without one.
     */
    listEntriesOnThisDay(input?: ListJournalEntriesOnThisDayInput, options?: CallOptions): Promise<ListJournalEntriesOnThisDayResponse>;
    /**
     * Count your entries, words, moods and tags.
     *
     * About your own entries, by the day that they are about. By default of the last 30 days; a range has at most 366 days.
     */
    readStats(input?: ReadJournalStatsInput, options?: CallOptions): Promise<ReadJournalStatsResponse>;
    /**
     * Draw the moods of a year.
     *
     * An image with a square for each day, colored and marked by the category of its most frequent mood. It has a legend and a description in words, follows the color scheme of the reader, and contains no script.
     */
    drawMoodCalendar(input?: DrawMoodCalendarInput, options?: CallOptions): Promise<DrawMoodCalendarResponse>;
    /** Read an entry. */
    readEntry(input: ReadJournalEntryInput, options?: CallOptions): Promise<ReadJournalEntryResponse>;
    /**
     * Update an entry.
     *
     * If you change the content and choose no mood, the server looks for one as for a new entry. A mood that it found before, sent back unchanged, is not chosen.
     */
    updateEntry(input: UpdateJournalEntryInput, options?: CallOptions): Promise<UpdateJournalEntryResponse>;
    /**
     * Move an entry to the trash.
     *
     * From now on no one sees it, in no list and no count. You can restore it for 30 days; then it is deleted for good.
     */
    deleteEntry(input: DeleteJournalEntryInput, options?: CallOptions): Promise<DeleteJournalEntryResponse>;
    /**
     * Restore an entry from the trash.
     *
     * It returns with its pictures and its background, to its notebook if that still exists. Who sees it is computed again: what it shared with a team or organization that is gone, or that you left, is private, and so is what it inherited from a notebook that is gone.
     */
    restoreEntry(input: RestoreJournalEntryInput, options?: CallOptions): Promise<RestoreJournalEntryResponse>;
    /** Delete an entry in your trash for good. */
    deleteTrashedEntry(input: DeleteTrashedEntryInput, options?: CallOptions): Promise<DeleteTrashedEntryResponse>;
    /**
     * See who can see an entry of yours.
     *
     * For its metadata and its content: how many people can see it, and why.
     */
    readEntryAudience(input: ReadJournalEntryAudienceInput, options?: CallOptions): Promise<ReadJournalEntryAudienceResponse>;
    /**
     * See what someone can see of an entry of yours.
     *
     * 404 for everyone who shares no organization with you.
     */
    readEntryAudienceMember(input: ReadJournalEntryAudienceMemberInput, options?: CallOptions): Promise<ReadJournalEntryAudienceMemberResponse>;
    /**
     * Preview who could see an entry.
     *
     * Shows the audience of an entry before you create it or, with `entry_id`, update it. Fails with the errors of writing it. Changes nothing.
     */
    previewEntryAudience(input?: PreviewJournalEntryAudienceInput, options?: CallOptions): Promise<PreviewJournalEntryAudienceResponse>;
    /**
     * List the comments on an entry.
     *
     * Newest first, for everyone who may see the content. Comments of people with a block between you are left out.
     */
    listComments(input: ListJournalCommentsInput, options?: CallOptions): Paged<ListJournalCommentsResponse, ListJournalCommentsResponse["comments"][number]>;
    /**
     * Comment on an entry.
     *
     * For the author, the members of the team or organization that the content is shared with and, if it is public, the members of the author's organizations. The author is notified, and so are the last 50 others who commented. You can send 60 messages and comments per minute in total.
     */
    createComment(input: CreateJournalCommentInput, options?: CallOptions): Promise<CreateJournalCommentResponse>;
    /** Delete a comment on an entry (its author, the author of what it is about, or an admin). */
    deleteComment(input: DeleteJournalCommentInput, options?: CallOptions): Promise<DeleteJournalCommentResponse>;
    /**
     * List the suggested moods.
     *
     * An entry may have any other mood as well.
     */
    listMoods(input?: ListMoodsInput, options?: CallOptions): Promise<ListMoodsResponse>;
  };
  /** The pictures of journal entries. */
  readonly pictures: {
    /**
     * Get an address to upload a large picture.
     *
     * Send the picture to `upload_url` with PUT within 15 minutes, with the type and size that you named here. Then add it to an entry with `picture_key` within 1 hour. You can request 200 addresses per UTC day.
     */
    createUpload(input: CreatePictureUploadInput, options?: CallOptions): Promise<CreatePictureUploadResponse>;
    /**
     * Add a picture to an entry.
     *
     * It becomes the last one of at most 20. It may have 50 megapixels. Stored are a JPEG of at most 2,048 pixels on a side and a thumbnail of at most 400, upright and without metadata. Whoever may read the content of the entry sees it. Pictures of more than 4 MB need an upload address. Send one picture after the other: a second one waits for the first, and is 429 after 2 seconds. Up to 100 of your pictures are examined per UTC day.
     */
    create(input: CreatePictureInput, options?: CallOptions): Promise<CreatePictureResponse>;
    /**
     * List the pictures of entries.
     *
     * In the order of the entries that you name and, for each, of their positions. Entries whose content you may not see are left out. A response has at most 400 pictures and ends with a whole entry: if it has more than 380, ask again for the entries after the last one that it shows.
     */
    list(input: ListPicturesInput, options?: CallOptions): Promise<ListPicturesResponse>;
    /** Change the caption or the place of a picture. */
    update(input: UpdatePictureInput, options?: CallOptions): Promise<UpdatePictureResponse>;
    /** Delete a picture for good. */
    delete(input: DeletePictureInput, options?: CallOptions): Promise<DeletePictureResponse>;
  };
  /** Import entries from an export of this service, from Day One, or from Markdown files. */
  readonly imports: {
    /**
     * Get an address to upload an archive of entries.
     *
     * Send the zip archive to `upload_url` with PUT within 1 hour, and then start the import within 1 day. You can request 20 addresses per UTC day.
     */
    create(input: CreateImportInput, options?: CallOptions): Promise<CreateImportResponse>;
    /**
     * Start an import, or a dry run of it.
     *
     * The whole archive is read before the first entry is created. Imported entries are private and excluded from AI, whatever the archive says; they keep their dates, moods and tags, and go into your notebook of the same name, which is created if there is none. Their pictures come along; one that cannot be used is a problem of its own, and counts in none of the numbers. What you imported once is skipped, also if you deleted it since. Read the import to follow its progress. One of your imports can run at a time, and after 30 seconds it goes behind those of others. An import ends as failed if your account is suspended or closed meanwhile; what it created stays. You can start 40 imports per UTC day, dry runs included. You can import 3,000 pictures per UTC day: an archive with more fails as `picture_limit` before an entry is created.
     */
    start(input: StartImportInput, options?: CallOptions): Promise<StartImportResponse>;
    /**
     * Read the progress of an import.
     *
     * An import can be read for 30 days.
     */
    read(input: ReadImportInput, options?: CallOptions): Promise<ReadImportResponse>;
    /** Continue imports that were interrupted (scheduled). */
    continue(input?: ContinueImportsInput, options?: CallOptions): Promise<ContinueImportsResponse>;
  };
  /** Analyze the tone of a text and generate background images for entries. */
  readonly ai: {
    /**
     * Analyze the tone of a text.
     *
     * You can analyze 60 texts per hour.
     */
    analyzeTone(input: AnalyzeToneInput, options?: CallOptions): Promise<AnalyzeToneResponse>;
    /**
     * Generate a background for an entry or a text.
     *
     * An entry has one background; a new one replaces it. You can generate 20 per UTC day.
     */
    generateBackground(input: GenerateBackgroundInput, options?: CallOptions): Promise<GenerateBackgroundResponse>;
    /**
     * List your backgrounds, or the background of an entry.
     *
     * Newest first.
     */
    listBackgrounds(input?: ListBackgroundsInput, options?: CallOptions): Paged<ListBackgroundsResponse, ListBackgroundsResponse["backgrounds"][number]>;
  };
  /** Your balance of drops, the currency of the service, and its transactions. */
  readonly drops: {
    /** Read your balance of drops. */
    readBalance(input?: ReadDropsBalanceInput, options?: CallOptions): Promise<ReadDropsBalanceResponse>;
    /**
     * List your drop transactions.
     *
     * Newest first.
     */
    listTransactions(input?: ListDropTransactionsInput, options?: CallOptions): Paged<ListDropTransactionsResponse, ListDropTransactionsResponse["transactions"][number]>;
    /**
     * Claim your drops of this month.
     *
     * The month is the UTC calendar month. If you already have them, `awarded` is false.
     */
    awardMonthly(input?: AwardMonthlyDropsInput, options?: CallOptions): Promise<AwardMonthlyDropsResponse>;
    /** Give all users their drops of this month (scheduled). */
    runMonthly(input?: RunMonthlyDropsInput, options?: CallOptions): Promise<RunMonthlyDropsResponse>;
    /**
     * Reconcile all balances with the ledger (super admin).
     *
     * All accounts, transactions, monthly awards and purchases of tone packs, as they were at one moment. Corrects nothing. It may take many seconds; a daily job runs it as well, and fails if it is not `ok`.
     */
    reconcile(input?: ReconcileDropsInput, options?: CallOptions): Promise<ReconcileDropsResponse>;
    /**
     * Reconcile all balances with the ledger (scheduled).
     *
     * 500 if they do not add up.
     */
    runReconciliation(input?: RunDropsReconciliationInput, options?: CallOptions): Promise<RunDropsReconciliationResponse>;
  };
  /** Users, roles, conversion rates, received email and corrections of balances. For admins only. */
  readonly admin: {
    /** List the conversion rates of tokens to drops (admin). */
    listConversionRates(input?: ListConversionRatesInput, options?: CallOptions): Paged<ListConversionRatesResponse, ListConversionRatesResponse["history"][number]>;
    /**
     * Set the conversion rate of tokens to drops (super admin).
     *
     * Takes effect immediately.
     */
    createConversionRate(input: CreateConversionRateInput, options?: CallOptions): Promise<CreateConversionRateResponse>;
    /**
     * List users with their balance and token usage of this month (admin).
     *
     * Newest first. The month is the current UTC calendar month.
     */
    listUsers(input?: ListUsersInput, options?: CallOptions): Paged<ListUsersResponse, ListUsersResponse["users"][number]>;
    /**
     * List the mail that the service received (admin).
     *
     * Newest first. Mail is kept for 30 days; attachments are not kept.
     */
    listReceivedEmails(input?: ListReceivedEmailsInput, options?: CallOptions): Paged<ListReceivedEmailsResponse, ListReceivedEmailsResponse["emails"][number]>;
    /** Change the role of a user (super admin). */
    updateUserRole(input: UpdateUserRoleInput, options?: CallOptions): Promise<UpdateUserRoleResponse>;
    /** Adjust the balance of a user (super admin). */
    adjustDrops(input: AdjustDropsInput, options?: CallOptions): Promise<AdjustDropsResponse>;
    /** Refund a purchase (super admin). */
    refundPurchase(input: RefundPurchaseInput, options?: CallOptions): Promise<RefundPurchaseResponse>;
    /** List the scheduled jobs with their last runs (admin). */
    listJobs(input?: ListJobsInput, options?: CallOptions): Promise<ListJobsResponse>;
    /**
     * List what admins changed (super admin).
     *
     * Newest first. The log is append-only.
     */
    listAuditEvents(input?: ListAuditEventsInput, options?: CallOptions): Paged<ListAuditEventsResponse, ListAuditEventsResponse["events"][number]>;
  };
  /** Sets of images for moods: create, share, buy and activate them. */
  readonly tonePacks: {
    /**
     * List the tone packs that you may see.
     *
     * Each pack is in one section only: own, else purchased, else shared, else public. The first page has the packs of the other sections, up to 500, and `limit` public ones; the rest follows on the next pages. A public pack with a price shows its images before you buy it; buying it lets you activate it.
     */
    list(input?: ListTonePacksInput, options?: CallOptions): Pages<ListTonePacksResponse>;
    /** Create a tone pack. */
    create(input: CreateTonePackInput, options?: CallOptions): Promise<CreateTonePackResponse>;
    /** Read your active tone pack and the image of a mood. */
    readActive(input?: ReadActiveTonePackInput, options?: CallOptions): Promise<ReadActiveTonePackResponse>;
    /** Read a tone pack. */
    read(input: ReadTonePackInput, options?: CallOptions): Promise<ReadTonePackResponse>;
    /** Update a tone pack (owner). */
    update(input: UpdateTonePackInput, options?: CallOptions): Promise<UpdateTonePackResponse>;
    /**
     * Delete a tone pack (owner).
     *
     * Users who bought it keep it.
     */
    delete(input: DeleteTonePackInput, options?: CallOptions): Promise<DeleteTonePackResponse>;
    /**
     * Generate images for tones of a pack (owner).
     *
     * If a tone already has an image, it is replaced. Some tones may fail while others succeed; 422 if the model refuses all of them. You can generate 100 images per UTC day.
     */
    generateImages(input: GenerateTonePackImagesInput, options?: CallOptions): Promise<GenerateTonePackImagesResponse>;
    /**
     * Share a tone pack with a user (owner).
     *
     * If you share by email address, the response does not say who the user is: `user_id` is null. You can try 30 addresses per UTC day; addresses without an account count too.
     */
    share(input: ShareTonePackInput, options?: CallOptions): Promise<ShareTonePackResponse>;
    /**
     * List who a tone pack is shared with (owner).
     *
     * Newest first. A share by email address has the address, and not who the user is.
     */
    listShares(input: ListTonePackSharesInput, options?: CallOptions): Paged<ListTonePackSharesResponse, ListTonePackSharesResponse["shares"][number]>;
    /**
     * End a share of a tone pack (owner or recipient).
     *
     * `userId` is the id of the user, and ends every share of the pack with them, also one by their email address. If you own the pack, you can send the `id` of a share instead. If the pack is shared with you, send your own user id.
     */
    unshare(input: UnshareTonePackInput, options?: CallOptions): Promise<UnshareTonePackResponse>;
    /** Make a tone pack your active one. */
    activate(input: ActivateTonePackInput, options?: CallOptions): Promise<ActivateTonePackResponse>;
    /** Buy a tone pack with drops. */
    purchase(input: PurchaseTonePackInput, options?: CallOptions): Promise<PurchaseTonePackResponse>;
  };
  /** Subscribe to premium and manage the subscription. */
  readonly payment: {
    /**
     * Start a subscription.
     *
     * Returns the payment page to open.
     */
    createCheckoutSession(input: CreateCheckoutSessionInput, options?: CallOptions): Promise<CreateCheckoutSessionResponse>;
    /**
     * Manage your subscription.
     *
     * Returns the page of the payment processor to open. 404 if you never subscribed, or if the payment processor no longer knows you.
     */
    createPortalSession(input: CreatePortalSessionInput, options?: CallOptions): Promise<CreatePortalSessionResponse>;
    /**
     * List the prices that you can subscribe to.
     *
     * What `priceId` of a checkout session may be. A price that was changed at the payment processor shows after at most 10 minutes.
     */
    listPrices(input?: ListPricesInput, options?: CallOptions): Promise<ListPricesResponse>;
    /**
     * Read your subscription.
     *
     * The active one, or the newest if none is active; null if you never subscribed.
     */
    readSubscription(input?: ReadSubscriptionInput, options?: CallOptions): Promise<ReadSubscriptionResponse>;
  };
  /** Events of the payment processor. Clients do not call this. */
  readonly paymentWebhook: {
    /**
     * Receive an event of the payment processor.
     *
     * The header `stripe-signature` must match the raw body and be at most 5 minutes old. Unknown event types are accepted and ignored.
     */
    receiveEvent(input: ReceivePaymentEventInput, options?: CallOptions): Promise<ReceivePaymentEventResponse>;
  };
  /** Goals, check-ins on them, and who they are shared with. */
  readonly goals: {
    /**
     * List your goals, or those that you may see.
     *
     * Newest first.
     */
    list(input?: ListGoalsInput, options?: CallOptions): Paged<ListGoalsResponse, ListGoalsResponse["goals"][number]>;
    /** Create a goal. */
    create(input: CreateGoalInput, options?: CallOptions): Promise<CreateGoalResponse>;
    /** Read a goal with its check-ins. */
    read(input: ReadGoalInput, options?: CallOptions): Promise<ReadGoalResponse>;
    /** Update a goal. */
    update(input: UpdateGoalInput, options?: CallOptions): Promise<UpdateGoalResponse>;
    /** Delete a goal and its check-ins. */
    delete(input: DeleteGoalInput, options?: CallOptions): Promise<DeleteGoalResponse>;
    /**
     * List the check-ins of a goal.
     *
     * Newest first.
     */
    listCheckIns(input: ListGoalCheckInsInput, options?: CallOptions): Paged<ListGoalCheckInsResponse, ListGoalCheckInsResponse["check_ins"][number]>;
    /**
     * Check in to a goal.
     *
     * Notifies the members of the team if the goal is shared with one. A team is notified of up to 20 of your check-ins per hour; beyond that they are only stored.
     */
    createCheckIn(input: CreateGoalCheckInInput, options?: CallOptions): Promise<CreateGoalCheckInResponse>;
    /**
     * Correct a check-in to a goal.
     *
     * Also if the goal has ended.
     */
    updateCheckIn(input: UpdateGoalCheckInInput, options?: CallOptions): Promise<UpdateGoalCheckInResponse>;
    /**
     * Delete a check-in to a goal.
     *
     * Also if the goal has ended.
     */
    deleteCheckIn(input: DeleteGoalCheckInInput, options?: CallOptions): Promise<DeleteGoalCheckInResponse>;
    /**
     * See who can see a goal of yours.
     *
     * For its metadata and its content: how many people can see it, and why.
     */
    readAudience(input: ReadGoalAudienceInput, options?: CallOptions): Promise<ReadGoalAudienceResponse>;
    /**
     * See what someone can see of a goal of yours.
     *
     * 404 for everyone who shares no organization with you.
     */
    readAudienceMember(input: ReadGoalAudienceMemberInput, options?: CallOptions): Promise<ReadGoalAudienceMemberResponse>;
    /**
     * Preview who could see a goal.
     *
     * Shows the audience of a goal before you create it or, with `goal_id`, update it. Fails with the errors of writing it. Changes nothing.
     */
    previewAudience(input?: PreviewGoalAudienceInput, options?: CallOptions): Promise<PreviewGoalAudienceResponse>;
    /**
     * List the comments on a goal.
     *
     * Newest first, for everyone who may see the content. Comments of people with a block between you are left out.
     */
    listComments(input: ListGoalCommentsInput, options?: CallOptions): Paged<ListGoalCommentsResponse, ListGoalCommentsResponse["comments"][number]>;
    /**
     * Comment on a goal.
     *
     * For the author, the members of the team or organization that the content is shared with and, if it is public, the members of the author's organizations. The author is notified, and so are the last 50 others who commented. You can send 60 messages and comments per minute in total.
     */
    createComment(input: CreateGoalCommentInput, options?: CallOptions): Promise<CreateGoalCommentResponse>;
    /** Delete a comment on a goal (its author, the author of what it is about, or an admin). */
    deleteComment(input: DeleteGoalCommentInput, options?: CallOptions): Promise<DeleteGoalCommentResponse>;
  };
  /** Your entries about satisfaction, sleep and notes on what you did. */
  readonly wellnessEntries: {
    /**
     * List your wellness entries.
     *
     * Newest first.
     */
    list(input?: ListWellnessEntriesInput, options?: CallOptions): Paged<ListWellnessEntriesResponse, ListWellnessEntriesResponse["wellness_entries"][number]>;
    /** Create a wellness entry. */
    create(input: CreateWellnessEntryInput, options?: CallOptions): Promise<CreateWellnessEntryResponse>;
    /** Read a wellness entry. */
    read(input: ReadWellnessEntryInput, options?: CallOptions): Promise<ReadWellnessEntryResponse>;
    /**
     * Correct a wellness entry.
     *
     * If you change its type, send what the new type requires.
     */
    update(input: UpdateWellnessEntryInput, options?: CallOptions): Promise<UpdateWellnessEntryResponse>;
    /**
     * Delete a wellness entry.
     *
     * An encouragement drop that already counted it as engagement keeps counting it.
     */
    delete(input: DeleteWellnessEntryInput, options?: CallOptions): Promise<DeleteWellnessEntryResponse>;
  };
  /** Your notifications, and the devices that get them as push messages. */
  readonly notifications: {
    /**
     * List your notifications.
     *
     * Newest first.
     */
    list(input?: ListNotificationsInput, options?: CallOptions): Paged<ListNotificationsResponse, ListNotificationsResponse["notifications"][number]>;
    /**
     * Mark a notification as read.
     *
     * Marking it again keeps the first time.
     */
    markRead(input: MarkNotificationReadInput, options?: CallOptions): Promise<MarkNotificationReadResponse>;
    /** Mark all your notifications as read. */
    markAllRead(input?: MarkAllNotificationsReadInput, options?: CallOptions): Promise<MarkAllNotificationsReadResponse>;
    /** Read your notification settings. */
    readSettings(input?: ReadNotificationSettingsInput, options?: CallOptions): Promise<ReadNotificationSettingsResponse>;
    /**
     * Update your notification settings.
     *
     * `preferences.notifications: false` in your profile stops all pushes, whatever is set here.
     *
     * Times are in your profile's time zone. A push that falls into your quiet hours is sent when they end; a `checkin_reminder` is not sent then, because it would be too late.
     *
     * You are reminded to write at most once on a local date, at the time or some minutes after it. If the time is already over when you set the reminder, today's comes at once.
     */
    updateSettings(input: UpdateNotificationSettingsInput, options?: CallOptions): Promise<UpdateNotificationSettingsResponse>;
    /**
     * Read the public key for push subscriptions.
     *
     * Browsers need it to subscribe.
     */
    readPushKey(input?: ReadPushKeyInput, options?: CallOptions): Promise<ReadPushKeyResponse>;
    /**
     * Subscribe a browser to push notifications.
     *
     * Subscribing again renews the subscription. A device that another account used before becomes yours. If you have more than 20 devices, those that were not renewed for the longest time are removed.
     */
    createPushSubscription(input: CreatePushSubscriptionInput, options?: CallOptions): Promise<CreatePushSubscriptionResponse>;
    /** Unsubscribe a browser from push notifications. */
    deletePushSubscription(input: DeletePushSubscriptionInput, options?: CallOptions): Promise<DeletePushSubscriptionResponse>;
    /**
     * List your devices that get push notifications.
     *
     * Browsers and phones, most recently renewed first.
     */
    listDevices(input?: ListDevicesInput, options?: CallOptions): Paged<ListDevicesResponse, ListDevicesResponse["devices"][number]>;
    /**
     * Store a phone for push notifications.
     *
     * Send the token at every start of the app: the same one again renews the device, with 200. A device that another account used before becomes yours. If you have more than 20 devices, those that were not renewed for the longest time are removed.
     */
    createDevice(input: CreateDeviceInput, options?: CallOptions): Promise<CreateDeviceResponse>;
    /**
     * Remove the phone with a token.
     *
     * Call it before the user signs out.
     */
    deleteDeviceByToken(input: DeleteDeviceByTokenInput, options?: CallOptions): Promise<DeleteDeviceByTokenResponse>;
    /**
     * Remove a device.
     *
     * A browser or a phone, for example one that was lost.
     */
    deleteDevice(input: DeleteDeviceInput, options?: CallOptions): Promise<DeleteDeviceResponse>;
    /** Send journal reminders (scheduled). */
    runJournalReminders(input?: RunJournalRemindersInput, options?: CallOptions): Promise<RunJournalRemindersResponse>;
    /** Deliver pending push notifications (scheduled). */
    runPushDelivery(input?: RunPushDeliveryInput, options?: CallOptions): Promise<RunPushDeliveryResponse>;
  };
  /** Block people, so that neither of you reaches the other, report what breaks the rules, and appeal decisions. */
  readonly safety: {
    /**
     * List the users that you blocked.
     *
     * Newest first. No one else sees this list.
     */
    listBlocks(input?: ListBlocksInput, options?: CallOptions): Paged<ListBlocksResponse, ListBlocksResponse["blocks"][number]>;
    /**
     * Block a user.
     *
     * From the next request on, neither of you sees what the other made public, or can send the other drops, tone packs or invitations, and email of the other user to you is suppressed. The other user is not notified. What you both see as members of the same team or organization stays visible. Blocking a user again returns the same block with 200.
     */
    createBlock(input: CreateBlockInput, options?: CallOptions): Promise<CreateBlockResponse>;
    /**
     * Unblock a user.
     *
     * If the other user blocked you as well, that block stays.
     */
    deleteBlock(input: DeleteBlockInput, options?: CallOptions): Promise<DeleteBlockResponse>;
    /**
     * Report content or a user.
     *
     * An admin decides about it, and you are notified then. The owner does not learn who reported. You can report everything that you may see, and things of users that you blocked. Reporting the same thing again while your report is open returns that report with 200. You can make 30 new reports per UTC day.
     */
    createReport(input: CreateReportInput, options?: CallOptions): Promise<CreateReportResponse>;
    /**
     * List what you reported.
     *
     * Newest first.
     */
    listReports(input?: ListReportsInput, options?: CallOptions): Paged<ListReportsResponse, ListReportsResponse["reports"][number]>;
    /**
     * List the reports of all users (admin).
     *
     * Oldest first. Reports about you are left out, unless you are the only admin: another admin decides about them. Reports of check-ins have the photo.
     */
    listReceivedReports(input?: ListReceivedReportsInput, options?: CallOptions): Paged<ListReceivedReportsResponse, ListReceivedReportsResponse["reports"][number]>;
    /**
     * Decide a report (admin).
     *
     * Decides every open report of the same thing. Unless you dismiss them, the owner is notified, reads your reason and can appeal. The reporters are only notified that their report was decided. Only super admins can suspend an admin.
     */
    decideReport(input: DecideReportInput, options?: CallOptions): Promise<DecideReportResponse>;
    /**
     * List what admins decided about you and your content.
     *
     * Newest first, with the reasons. Dismissed reports are not among them.
     */
    listModerationDecisions(input?: ListModerationDecisionsInput, options?: CallOptions): Paged<ListModerationDecisionsResponse, ListModerationDecisionsResponse["decisions"][number]>;
    /**
     * Appeal a decision about you or your content.
     *
     * Once, within 183 days of the decision. Another admin than the one who made it decides about the appeal, and you are notified. You can appeal while you are suspended.
     */
    createAppeal(input: CreateAppealInput, options?: CallOptions): Promise<CreateAppealResponse>;
    /**
     * List the appeals of all users (admin).
     *
     * Oldest first. Appeals about check-ins have the photo.
     */
    listReceivedAppeals(input?: ListReceivedAppealsInput, options?: CallOptions): Paged<ListReceivedAppealsResponse, ListReceivedAppealsResponse["appeals"][number]>;
    /**
     * Decide an appeal (admin).
     *
     * The user who appeals is notified and reads your answer. You cannot decide about an appeal of a decision that you made, or of your own, unless there is no other admin. Reversing takes the effect of the decision back: what was hidden is visible as its visibility says now, and a suspension ends, unless another decision has the same effect. A rejected check-in becomes verified, unless a new photo has taken its place or another review has followed.
     */
    decideAppeal(input: DecideAppealInput, options?: CallOptions): Promise<DecideAppealResponse>;
  };
  /** Send email through the service and see what became of it. */
  readonly email: {
    /**
     * Send an email to one address.
     *
     * It is sent from the service's address; replies go to your own. At most 20 per hour and 50 per 24 hours, 5 of them to the same address. If you repeat a request with the same Idempotency-Key, only one email is sent, even after an error.
     */
    send(input: SendEmailInput, options?: CallOptions): Promise<SendEmailResponse>;
    /**
     * List the emails you sent.
     *
     * Newest first. Address, subject and delivery status are kept for 30 days; the text is not kept.
     */
    listMessages(input?: ListEmailMessagesInput, options?: CallOptions): Paged<ListEmailMessagesResponse, ListEmailMessagesResponse["messages"][number]>;
    /** Read the delivery status of an email you sent. */
    readMessage(input: ReadEmailMessageInput, options?: CallOptions): Promise<ReadEmailMessageResponse>;
    /**
     * Unsubscribe an email address.
     *
     * For mail programs (RFC 8058), which find the address of this request in the header `List-Unsubscribe` of a mail. From then on nothing is sent to the recipient of that mail. The body is ignored, and may be missing. Browsers are shown a page.
     */
    unsubscribe(input: UnsubscribeEmailInput, options?: CallOptions): Promise<UnsubscribeEmailResponse>;
    /**
     * Get email again after you unsubscribed.
     *
     * Applies to your own confirmed address. 409 if an email to it bounced or was reported as spam: that cannot be undone here.
     */
    deleteSuppression(input?: DeleteEmailSuppressionInput, options?: CallOptions): Promise<DeleteEmailSuppressionResponse>;
  };
  /** Events of the mail provider. Clients do not call this. */
  readonly emailWebhook: {
    /**
     * Receive an event of the mail provider.
     *
     * If a secret is configured, the headers `svix-id`, `svix-timestamp` and `svix-signature` must match the raw body and be at most 5 minutes old. Without a secret every event is accepted, but none can suppress an address.
     */
    receiveEvent(input: ReceiveEmailEventInput, options?: CallOptions): Promise<ReceiveEmailEventResponse>;
    /** Fetch the missing text of received mail (scheduled). */
    fetchReceived(input?: FetchReceivedEmailsInput, options?: CallOptions): Promise<FetchReceivedEmailsResponse>;
  };
  /** Short messages that encourage others, the badges that you earn with them, and the leaderboard. */
  readonly encouragementDrops: {
    /**
     * Read how many drops you can still send today.
     *
     * A day is a UTC day.
     */
    readAllowance(input?: ReadDropAllowanceInput, options?: CallOptions): Promise<ReadDropAllowanceResponse>;
    /** List the approved templates. */
    listTemplates(input?: ListDropTemplatesInput, options?: CallOptions): Paged<ListDropTemplatesResponse, ListDropTemplatesResponse["templates"][number]>;
    /**
     * Send a drop to another user.
     *
     * Send a template, or your own text. 429 if you have no drops, or no drops with your own text, left for this UTC day.
     */
    send(input: SendEncouragementDropInput, options?: CallOptions): Promise<SendEncouragementDropResponse>;
    /**
     * List the drops you received.
     *
     * Newest first.
     */
    listReceived(input?: ListReceivedDropsInput, options?: CallOptions): Paged<ListReceivedDropsResponse, ListReceivedDropsResponse["drops"][number]>;
    /**
     * List the drops you sent and their engagement.
     *
     * Newest first.
     */
    listSent(input?: ListSentDropsInput, options?: CallOptions): Paged<ListSentDropsResponse, ListSentDropsResponse["drops"][number]>;
    /**
     * Mark a received drop as read.
     *
     * Marking it again keeps the first time.
     */
    markRead(input: MarkDropReadInput, options?: CallOptions): Promise<MarkDropReadResponse>;
    /** Read the rules of drops: allowance, bonus, engagement window and limit. */
    readConfig(input?: ReadDropConfigInput, options?: CallOptions): Promise<ReadDropConfigResponse>;
    /**
     * List all templates (admin).
     *
     * Newest first.
     */
    listAllTemplates(input?: ListAllDropTemplatesInput, options?: CallOptions): Paged<ListAllDropTemplatesResponse, ListAllDropTemplatesResponse["templates"][number]>;
    /**
     * Create a template (admin).
     *
     * It is not approved by default.
     */
    createTemplate(input: CreateDropTemplateInput, options?: CallOptions): Promise<CreateDropTemplateResponse>;
    /** Update, approve or withdraw a template (admin). */
    updateTemplate(input: UpdateDropTemplateInput, options?: CallOptions): Promise<UpdateDropTemplateResponse>;
    /**
     * Delete a template (admin).
     *
     * Drops that were sent with it stay.
     */
    deleteTemplate(input: DeleteDropTemplateInput, options?: CallOptions): Promise<DeleteDropTemplateResponse>;
    /** Read the rules of drops (admin). */
    readConfigAsAdmin(input?: ReadDropConfigAsAdminInput, options?: CallOptions): Promise<ReadDropConfigAsAdminResponse>;
    /**
     * Update the rules of drops (admin).
     *
     * The new rules count from now on.
     */
    updateConfig(input: UpdateDropConfigInput, options?: CallOptions): Promise<UpdateDropConfigResponse>;
    /**
     * Process engagement now (admin).
     *
     * Does the same as the scheduled job.
     */
    processEngagement(input?: ProcessEngagementInput, options?: CallOptions): Promise<ProcessEngagementResponse>;
    /** Process engagement: award bonuses and recalculate badges (scheduled). */
    runEngagement(input?: RunEngagementInput, options?: CallOptions): Promise<RunEngagementResponse>;
    /** Send each user the assistant's drop of the day (scheduled). */
    runDailyAssistant(input?: RunDailyAssistantDropsInput, options?: CallOptions): Promise<RunDailyAssistantDropsResponse>;
    /** Read your badge. */
    readBadge(input?: ReadBadgeInput, options?: CallOptions): Promise<ReadBadgeResponse>;
    /** List when a user reached their badge levels. */
    listBadgeMilestones(input?: ListBadgeMilestonesInput, options?: CallOptions): Paged<ListBadgeMilestonesResponse, ListBadgeMilestonesResponse["milestones"][number]>;
    /** Read the badge of a user. */
    readBadgeOfUser(input: ReadBadgeOfUserInput, options?: CallOptions): Promise<ReadBadgeOfUserResponse>;
    /**
     * Recalculate your badge.
     *
     * The level can only rise.
     */
    updateBadge(input?: UpdateBadgeInput, options?: CallOptions): Promise<UpdateBadgeResponse>;
    /**
     * Read the badges of up to 100 users.
     *
     * Users who do not exist, or have a block between you and them, are left out.
     */
    readBadges(input: ReadBadgesInput, options?: CallOptions): Promise<ReadBadgesResponse>;
    /**
     * Read the top of the leaderboard and your rank.
     *
     * Without people who hide from the leaderboard, who have no rank, and without blocked people, whose ranks are missing.
     */
    readLeaderboard(input?: ReadLeaderboardInput, options?: CallOptions): Promise<ReadLeaderboardResponse>;
    /** List the badge levels. */
    listBadgeDefinitions(input?: ListBadgeDefinitionsInput, options?: CallOptions): Promise<ListBadgeDefinitionsResponse>;
    /** Count the ranks behind the first thousand (scheduled). */
    runLeaderboardCount(input?: RunLeaderboardCountInput, options?: CallOptions): Promise<RunLeaderboardCountResponse>;
  };
  /** The workout game: daily windows, chains, check-ins with a photo, mosaics and weekly battles. And what a start screen shows of all topics. */
  readonly workoutWindow: {
    /**
     * Set or change your window.
     *
     * Your first window counts from the day whose window is open now or opens next. If you change it after today's window has opened, the change counts from tomorrow. Today and tomorrow are then matched again. You can change your window and location 20 times per hour in total.
     */
    set(input: SetWorkoutWindowInput, options?: CallOptions): Promise<SetWorkoutWindowResponse>;
    /**
     * Read your window and location.
     *
     * Each is null if you never set it.
     */
    read(input?: ReadWorkoutWindowInput, options?: CallOptions): Promise<ReadWorkoutWindowResponse>;
    /**
     * Leave the game or come back.
     *
     * It counts from the next date whose window has not opened yet, or from the dates that you name; you can still check in for a window that has opened. Absences that you planned before stay. While you are away, you are in no chain, squad or mosaic and get no reminders. Sending the same again changes nothing. It counts as a change of your window. You can change your window and location 20 times per hour in total.
     */
    setPlayerActive(input: SetPlayerActiveInput, options?: CallOptions): Promise<SetPlayerActiveResponse>;
    /**
     * Choose weekdays on which you rest.
     *
     * On them you do not play, as while you are away. They count from 8 days after the next date whose window has not opened, and in your first 14 days from that date. Sending the same again changes nothing; another change before they count replaces them. It counts as a change of your window. You can change your window and location 20 times per hour in total.
     */
    setRestDays(input: SetRestDaysInput, options?: CallOptions): Promise<SetRestDaysResponse>;
    /**
     * Update your location.
     *
     * Fields that you leave out stay as they are; null clears them. If city or region changes, today and tomorrow are matched again. Changes of the coordinates alone do not count against the limit. You can change your window and location 20 times per hour in total.
     */
    updateLocation(input: UpdateLocationInput, options?: CallOptions): Promise<UpdateLocationResponse>;
    /**
     * Match the players of your area for today or tomorrow.
     *
     * Windows that have opened stay as they are. If nothing has changed, nothing is done. You can do this 20 times per hour.
     */
    generateChains(input?: GenerateChainsInput, options?: CallOptions): Promise<GenerateChainsResponse>;
    /**
     * Match all players for one date, or for today and tomorrow (scheduled).
     *
     * Dates are from yesterday to 7 days ahead, by the UTC calendar. Windows that have opened stay as they are. Running it again changes nothing.
     */
    runChainGeneration(input?: RunChainGenerationInput, options?: CallOptions): Promise<RunChainGenerationResponse>;
    /** Match the players whose changes could not be matched immediately (scheduled). */
    runRematch(input?: RunRematchInput, options?: CallOptions): Promise<RunRematchResponse>;
    /**
     * Read your neighbors, team and squad of a date.
     *
     * `beforeUser` and `afterUser` are null at the ends of the chain. 404 if you do not play on that date. `checkins` are yours and those of your neighbors.
     */
    readChain(input: ReadChainInput, options?: CallOptions): Promise<ReadChainResponse>;
    /**
     * Read your squad of a date.
     *
     * 404 if you have no squad: not every player has one every day. A member is null if they left and were not replaced.
     */
    readSquad(input: ReadSquadInput, options?: CallOptions): Promise<ReadSquadResponse>;
    /** Read the results of both teams on a date. */
    readTeamStats(input: ReadTeamStatsInput, options?: CallOptions): Promise<ReadTeamStatsResponse>;
    /**
     * Read the members of both teams on a date (super admin).
     *
     * People and synthetic users are counted separately. Members are in the order in which their windows start, at most 1,500 per page: send `nextCursor` as `cursor` to read the next page.
     */
    readTeamsOfDate(input: ReadTeamsOfDateInput, options?: CallOptions): Pages<ReadTeamsOfDateResponse>;
    /**
     * Get an address to upload a large photo.
     *
     * Send the photo to `uploadUrl` with PUT within 15 minutes, with the type and size that you named here. Then check in with `photoKey` within 1 hour. You can request 20 addresses per UTC day.
     */
    createPhotoUpload(input: CreatePhotoUploadInput, options?: CallOptions): Promise<CreatePhotoUploadResponse>;
    /**
     * Check in with a photo taken in your window.
     *
     * The time in the photo decides: it must be in your window, or in the grace before or after it (15 minutes, unless the operator has set another time). You can send the photo until the end of the local day on which the window ended. A suspicious photo is pending until an admin reviews it. If a photo is not accepted, nothing is stored and you can try again. While the day is open, you can replace a rejected check-in with another photo: the check-in stays, and its review is cleared. Photos of more than 4 MB need an upload address. Up to 30 of your photos are examined per UTC day.
     */
    createCheckIn(input: CreateWorkoutCheckInInput, options?: CallOptions): Promise<CreateWorkoutCheckInResponse>;
    /**
     * Read your check-in of a date.
     *
     * If `status` is failed and you have no check-in, you may still be able to send a photo that was taken in time.
     */
    readCheckIn(input: ReadWorkoutCheckInInput, options?: CallOptions): Promise<ReadWorkoutCheckInResponse>;
    /**
     * List all check-ins of a date.
     *
     * Newest first. Send `nextCursor` as `cursor` to read the next page.
     */
    listCheckIns(input: ListWorkoutCheckInsInput, options?: CallOptions): Paged<ListWorkoutCheckInsResponse, ListWorkoutCheckInsResponse["checkins"][number]>;
    /**
     * List check-ins for review (admin).
     *
     * Newest first. `?status=pending` returns those that wait for review.
     */
    listCheckInsForReview(input?: ListCheckInsForReviewInput, options?: CallOptions): Paged<ListCheckInsForReviewResponse, ListCheckInsForReviewResponse["checkins"][number]>;
    /**
     * Verify or reject a check-in (admin).
     *
     * To reject it, give a reason of 10 to 1,000 characters. The owner is notified, and can appeal a rejection as a moderation decision. While the battle is open, the decision changes the chips of this check-in and of the next player in the chain. If a check-in is verified after its battle has ended, its chips count for the next battle.
     */
    reviewCheckIn(input: ReviewCheckInInput, options?: CallOptions): Promise<ReviewCheckInResponse>;
    /**
     * Read the latest mosaic of a date.
     *
     * There is one section per participant; together they fill the image without overlapping. A page has at most 20,000 sections, or fewer if the names are long: send `nextCursor` as `cursor` to read the next page.
     */
    readMosaic(input: ReadMosaicInput, options?: CallOptions): Pages<ReadMosaicResponse>;
    /**
     * Draw the mosaic of a date, again if it exists (admin or scheduled).
     *
     * If no one played, the mosaic is empty. The response has the first page of sections; read the others with GET on the mosaic.
     */
    generateMosaic(input: GenerateMosaicInput, options?: CallOptions): Promise<GenerateMosaicResponse>;
    /**
     * Draw the mosaics of today and yesterday if something changed (scheduled).
     *
     * They are drawn in the background, shortly after the response. Without a file store, none are.
     */
    runMosaics(input?: RunMosaicsInput, options?: CallOptions): Promise<RunMosaicsResponse>;
    /**
     * Read the battle of a week with both teams and each day.
     *
     * Name the week by its Monday. The current week always has a battle; 404 for a past week without one. Chips count once their check-in is verified.
     */
    readBattleWeek(input: ReadBattleWeekInput, options?: CallOptions): Promise<ReadBattleWeekResponse>;
    /**
     * Read what a completed battle was computed from.
     *
     * With it anyone can recompute the battle: `verifyBattle` of the client does. 404 until the battle is completed.
     */
    readBattleProof(input: ReadBattleProofInput, options?: CallOptions): Promise<ReadBattleProofResponse>;
    /**
     * List the completed battles and your part in them.
     *
     * Newest first.
     */
    listBattles(input?: ListBattlesInput, options?: CallOptions): Paged<ListBattlesResponse, ListBattlesResponse["battles"][number]>;
    /**
     * End the battle of a week (admin or scheduled).
     *
     * The week must have begun. A battle that has already ended keeps its result. Anyone can recompute the result from the chips, the members and the seed in it. Chips that are verified later count for the next battle.
     */
    executeBattle(input: ExecuteBattleInput, options?: CallOptions): Promise<ExecuteBattleResponse>;
    /** End the battle of the current week (scheduled). */
    runBattle(input?: RunBattleInput, options?: CallOptions): Promise<RunBattleResponse>;
    /**
     * List your results per week.
     *
     * Newest first. A week is counted on the Monday after it, and again one week later. Send `nextCursor` as `cursor` to read the next page.
     */
    listWeeklyStats(input?: ListWeeklyStatsInput, options?: CallOptions): Paged<ListWeeklyStatsResponse, ListWeeklyStatsResponse["weeks"][number]>;
    /** Close the days that have ended in their time zone (scheduled). */
    runEndOfDay(input?: RunEndOfDayInput, options?: CallOptions): Promise<RunEndOfDayResponse>;
    /** Remind players whose window opens within 30 minutes (scheduled). */
    runCheckInReminders(input?: RunCheckInRemindersInput, options?: CallOptions): Promise<RunCheckInRemindersResponse>;
    /** Count the results of the past week for all players (scheduled). */
    runWeeklyStats(input?: RunWeeklyStatsInput, options?: CallOptions): Promise<RunWeeklyStatsResponse>;
    /**
     * Read your streak.
     *
     * It is computed on each request, so a late photo, a review or an appeal changes it. It ends on a failed day without a freeze, and when more than 90 days have passed since the last completed one. It has no effect on chips.
     */
    readStreak(input?: ReadStreakInput, options?: CallOptions): Promise<ReadStreakResponse>;
    /** Read what each of your days counts as. */
    readCalendar(input?: ReadWorkoutCalendarInput, options?: CallOptions): Promise<ReadWorkoutCalendarResponse>;
    /**
     * Create synthetic users with account, profile, location and window (super admin).
     *
     * The shares are met exactly, whatever the count. The same seed, count and shares draw the same users. Either all are created or none; they are matched for today and tomorrow immediately. No one can sign in as one of them.
     */
    generateSyntheticUsers(input: GenerateSyntheticUsersInput, options?: CallOptions): Promise<GenerateSyntheticUsersResponse>;
    /**
     * List all synthetic users (super admin).
     *
     * Newest first, 10,000 per page. Send `nextCursor` as `cursor` to read the next page.
     */
    listSyntheticUsers(input?: ListSyntheticUsersInput, options?: CallOptions): Paged<ListSyntheticUsersResponse, ListSyntheticUsersResponse["users"][number]>;
    /**
     * Delete a synthetic user and all their data (super admin).
     *
     * Their check-ins are deleted, and with them their chips in a running battle; completed battles keep their results. Players who were linked to them on a date that is not over are matched again.
     */
    deleteSyntheticUser(input: DeleteSyntheticUserInput, options?: CallOptions): Promise<DeleteSyntheticUserResponse>;
    /**
     * Activate or deactivate a synthetic user (super admin).
     *
     * A deactivated user leaves the chains of windows that have not opened and no longer checks in. An activated user is matched immediately.
     */
    toggleSyntheticUser(input: ToggleSyntheticUserInput, options?: CallOptions): Promise<ToggleSyntheticUserResponse>;
    /** Check in synthetic users whose time has come (scheduled). */
    runSyntheticCheckIns(input?: RunSyntheticCheckInsInput, options?: CallOptions): Promise<RunSyntheticCheckInsResponse>;
    /**
     * List the messages of your squad of a date.
     *
     * Newest first. 404 if you have no squad on that date. Messages of people with a block between you are left out. Messages are kept for 30 days.
     */
    listSquadMessages(input: ListSquadMessagesInput, options?: CallOptions): Paged<ListSquadMessagesResponse, ListSquadMessagesResponse["teamMessages"][number]>;
    /**
     * Send a message to your squad of a date.
     *
     * 404 if you have no squad on that date. The others have one unread notification, which counts the messages. Until the day begins, squads may be formed again; the messages of a squad that no longer exists are deleted. You can send 60 messages and comments per minute in total.
     */
    sendSquadMessage(input: SendSquadMessageInput, options?: CallOptions): Promise<SendSquadMessageResponse>;
    /** Delete a message to a squad (its sender, or an admin). */
    deleteSquadMessage(input: DeleteSquadMessageInput, options?: CallOptions): Promise<DeleteSquadMessageResponse>;
    /**
     * Read what a start screen shows.
     *
     * One request instead of one for each part; every number is that of the endpoints of its part. A personal token with any of the scopes game:read, goals:read, journal:read, drops:read, notifications:read may call it, and gets null for the parts that it may not read.
     */
    readToday(input?: ReadTodayInput, options?: CallOptions): Promise<ReadTodayResponse>;
  };
  /** The assistant: what it may read and write, and its analyses of your notes. */
  readonly chat: {
    /** Read your assistant settings. */
    readAssistantSettings(input?: ReadAssistantSettingsInput, options?: CallOptions): Promise<ReadAssistantSettingsResponse>;
    /** Update your assistant settings. */
    updateAssistantSettings(input: UpdateAssistantSettingsInput, options?: CallOptions): Promise<UpdateAssistantSettingsResponse>;
    /** Read the assistant's analysis of your entries. */
    readNoteAnalysis(input?: ReadNoteAnalysisInput, options?: CallOptions): Promise<ReadNoteAnalysisResponse>;
    /** Delete all your analyses. */
    deleteNoteAnalyses(input?: DeleteNoteAnalysesInput, options?: CallOptions): Promise<DeleteNoteAnalysesResponse>;
    /**
     * List the entries that an analysis has read.
     *
     * Newest first. Empty if there is no analysis; without entries that you deleted since.
     */
    listAnalysisSources(input?: ListAnalysisSourcesInput, options?: CallOptions): Paged<ListAnalysisSourcesResponse, ListAnalysisSourcesResponse["sources"][number]>;
    /** Analyze the recent entries of all users who allow it (scheduled). */
    runNoteAnalysis(input?: RunNoteAnalysisInput, options?: CallOptions): Promise<RunNoteAnalysisResponse>;
  };
}
