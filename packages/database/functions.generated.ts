/** Written by `npm run generate`. */

import type { Selectable } from "kysely";

import type { ActivityType, AppealStatus, AssistantJob, Battles, ChainOfDay, CheckinStatus, DayState, DaysInState, DropAllowance, DropTransactions, DueGoal, EntryAudience, Erasure, ErasureTimes, GoalStatus, ImportSource, JournalEntries, JournalImports, JournalOfDay, JournalStats, Json, ModerationDecision, MoodCalendar, MoodCount, NotebookPreview, NotificationPage, NotificationType, OrganizationRole, OwnDays, OwnEntry, PlayerCard, PushService, ReadableEntries, ReadableGoals, ReadableNotebooks, ReceivedInvitation, Reconciliation, RecordedCheckIn, SeenAxes, SeenCheckIn, SeenPicture, SentDrop, SentMessage, StartedCheckIn, SyntheticUsers, TagCount, TeamColor, TeamRole, ThingType, Today, TokenScope, TokenUsageMonth, TonePackReceipt, UserPage, UserRole, Visibility, WellnessAverages, WrittenDay } from "./types.generated.ts";

export interface Functions {
  /** Remembers that the archive of a running import was checked, and counts the pictures of its new entries; false if these are too many. */
  accept_import: { arguments: { id: string; pictures: number }; result: boolean };
  /** Makes the caller a member of the organization of an invitation, and of those of its teams that still exist; skipped_team_ids are the others. */
  accept_invitation: { arguments: { tokenHash: Buffer | null | undefined; invitationId: string | null | undefined }; result: { org_id: string; org_name: string; is_new: boolean; skipped_team_ids: string[] }[]; row: { org_id: string; org_name: string; is_new: boolean; skipped_team_ids: string[] } };
  /** Makes a pack the caller's active one (null clears it); false if the pack must be bought first. */
  activate_tone_pack: { arguments: { packId: string | null | undefined }; result: boolean };
  /** Returns the caller: the subject of the verified token, or null. */
  actor_id: { arguments: {  }; result: string };
  /** Adds work that is due at a moment. */
  add_work: { arguments: { kind: string; key: string; dueAt?: Date | string }; result: void };
  /** Corrects a balance, for super admins only. */
  adjust_drops: { arguments: { userId: string; amount: number; description: string }; result: Selectable<DropTransactions> };
  /** Allows mail to the confirmed address of the caller after it was unsubscribed. */
  allow_own_mail: { arguments: {  }; result: void };
  /** Returns the latest analysis of a person who lets the assistant read their notes and send drops; no row if there is none. */
  analysis_for_message: { arguments: { userId: string }; result: { id: string; analysis: Json }[]; row: { id: string; analysis: Json } };
  /** Returns the time until when a decision can be appealed. */
  appeal_until: { arguments: { decidedAt: Date | string }; result: string };
  /** Returns the archive of an import of the caller that may be started. */
  archive_to_import: { arguments: { id: string }; result: string };
  /** Cuts the people whose turn of the UTC day is not finished into ranges of a size, and returns the last id of each full range. */
  assistant_range_ends: { arguments: { job: AssistantJob; moment: Date | string; size: number }; result: string[] };
  /** Returns the audiences of the entries of a notebook that reach the caller; all for its author and for super admins. */
  audiences_in_notebook: { arguments: { notebookId: string }; result: string[] };
  /** Returns the audiences of the caller whose rows a list with this scope shows: all, own (none), shared or public. */
  audiences_of_scope: { arguments: { scope: string }; result: string[] };
  /** Awards the month to the next people in the order of their ids. */
  award_monthly_batch: { arguments: { month: string; afterUserId: string | null | undefined; limit: number }; result: { last_user: string | null; seen: number; awarded: number; failed: number } };
  /** Awards the current month to the caller and returns the drops; 0 if nothing was due. */
  award_monthly_drops: { arguments: { moment: Date | string }; result: number };
  /** Returns the chips of both teams in the battle of a week, by the dates on which they were earned. */
  battle_days: { arguments: { week: string }; result: { date: string; red_chips: number; blue_chips: number }[]; row: { date: string; red_chips: number; blue_chips: number } };
  /** Returns the members of both teams in the battle of a week: who has the color in that week, or brought chips of it from a week before. */
  battle_members: { arguments: { week: string }; result: { red_members: number; blue_members: number }[]; row: { red_members: number; blue_members: number } };
  /** Returns chips, also by the dates on which they were earned, and members of both teams in the battle of a week. */
  battle_totals: { arguments: { week: string }; result: { red_chips: number; blue_chips: number; red_members: number; blue_members: number; daily_chips: Json }[]; row: { red_chips: number; blue_chips: number; red_members: number; blue_members: number; daily_chips: Json } };
  /** Returns everyone with a block between them and the caller, in either direction; some twice. */
  blocked_users: { arguments: {  }; result: string[] };
  /** Gives a role to the owner of a confirmed address that the environment names, unless they have one; false if there is no such account. */
  bootstrap_role: { arguments: { userId: string; address: string; role: UserRole }; result: boolean };
  /** Returns whether the policies show the content of an entry or a goal to the caller. */
  can_see_content: { arguments: { entryId: string | null | undefined; goalId: string | null | undefined }; result: boolean };
  /** Returns whether the policies show an entry to the caller. */
  can_see_entry: { arguments: { id: string }; result: boolean };
  /** Returns whether the policies show a goal to the caller. */
  can_see_goal: { arguments: { id: string }; result: boolean };
  /** Returns whether the policies show the content of a goal to the caller. */
  can_see_goal_content: { arguments: { id: string }; result: boolean };
  /** Returns whether the caller may see the page of a person, if there is no block between them. */
  can_see_person: { arguments: { userId: string; moment: Date | string }; result: boolean };
  /** Cancels a subscription later if its person was erased here. */
  cancel_for_erased_person: { arguments: { userId: string; paymentSubscriptionId: string }; result: void };
  /** Ends the caller's turn of the analysis if it is claimed or waits for another attempt, so that the current notes are not analyzed. */
  cancel_note_analysis: { arguments: {  }; result: void };
  /** Returns what a walk through the changes starts from: what this database is, the oldest transaction that still runs, and the next one. */
  change_horizon: { arguments: {  }; result: { epoch: string; oldest: string; next: string } };
  /** Names another organization member as primary admin; the old one stays as member. */
  change_team_admin: { arguments: { teamId: string; newAdminId: string }; result: void };
  /** Changes the service-wide role of a human, for super admins only. */
  change_user_role: { arguments: { userId: string; role: UserRole }; result: void };
  /** Records how many entries of a running import were found so far, and returns the external ids that its person has already. */
  check_import_batch: { arguments: { id: string; found: number; entries: object }; result: string[] };
  /** Writes the caller's check-in (private.record_check_in) and returns it. */
  check_in: { arguments: { checkIn: object; moment: Date | string; graceMinutes: number }; result: RecordedCheckIn };
  /** Returns what only some people may see of check-ins, for those of which the caller may see any of it. */
  check_in_details: { arguments: { checkinIds: readonly string[] }; result: { checkin_id: string; photo_key: string; location_lat: string; location_lng: string; flags: string[]; review_reason: string }[]; row: { checkin_id: string; photo_key: string; location_lat: string; location_lng: string; flags: string[]; review_reason: string } };
  /** Returns the check-ins of people on a date as the caller may see them, newest first. */
  check_ins_of: { arguments: { userIds: readonly string[]; date: string }; result: SeenCheckIn[]; row: SeenCheckIn };
  /** Claims turns for a job of the assistant: those of the next people, in the order of ids and up to a last one, who are due for it on the UTC day of a moment. */
  claim_assistant_turns: { arguments: { job: AssistantJob; moment: Date | string; afterUserId: string | null | undefined; limit: number; upToUserId?: string }; result: { claim: string; claimed: string[]; last_user: string | null; seen: number; out_of_attempts: number; is_last: boolean } };
  /** Claims the receipt that is to be mailed next for a while; no row if there is none. */
  claim_erasure_receipt: { arguments: { canSend: boolean; moment: Date | string }; result: { id: string; address: string; erased_at: string }[]; row: { id: string; address: string; erased_at: string } };
  /** Judges an id that the caller chose for a new thing: true if that thing of theirs exists, which is locked; false if the id is free. */
  claim_id: { arguments: { type: ThingType; id: string; goalId?: string }; result: boolean };
  /** Claims an upload of the caller, because it becomes a picture; false if it was used before or is too old. */
  claim_picture_upload: { arguments: { path: string }; result: boolean };
  /** Claims due deliveries, longest due first, for a number of seconds. */
  claim_push_deliveries: { arguments: { limit: number; leaseSeconds: number; maxAttempts: number; moment?: Date | string }; result: { notification_id: string; subscription_id: string; attempt: number; to_send: boolean; service: PushService; endpoint: string | null; p256dh: string | null; auth: string | null; token: string | null; app: string | null; type: NotificationType; data: Json; seconds_left: number; unread: number; claimed_at: string }[]; row: { notification_id: string; subscription_id: string; attempt: number; to_send: boolean; service: PushService; endpoint: string | null; p256dh: string | null; auth: string | null; token: string | null; app: string | null; type: NotificationType; data: Json; seconds_left: number; unread: number; claimed_at: string } };
  /** Counts units of the caller against a quota, as private.consume_quota_of does. */
  consume_quota: { arguments: { quota: string; units: number }; result: number };
  /** Returns one id for the readers who belong to both audiences of a content: one of the two, the author, or an id that stands for two groups. */
  content_audience: { arguments: { userId: string; metadataAudienceId: string; contentAudienceId: string }; result: string };
  /** Returns what journal_entry_contents_search contains for a content. */
  content_keys: { arguments: { audienceId: string; content: string }; result: number[] };
  /** Returns how many of some days are a run that ends today or yesterday; later days do not count. */
  count_current_run: { arguments: { days: readonly string[]; today: string }; result: number };
  /** Counts how many people are ahead of each checkpoint, and returns how many checkpoints there are. */
  count_leaderboard: { arguments: { moment: Date | string; first?: number; distance?: number }; result: number };
  /** The thousand most frequent moods of entries, each as it was last written. */
  count_moods: { arguments: { entries: readonly string[] }; result: MoodCount[] };
  /** Counts the players of a date by team, with the chips of their verified check-ins; the color of check-ins without a chain is null. */
  count_players: { arguments: { date: string; at: Date | string; graceMinutes: number }; result: { color: TeamColor | null; total: number; completed: number; failed: number; chips: number }[]; row: { color: TeamColor | null; total: number; completed: number; failed: number; chips: number } };
  /** The twenty most frequent tags of entries, each as it was last written. */
  count_tags: { arguments: { entries: readonly string[] }; result: TagCount[] };
  /** Returns how many received drops of a person are unread. */
  count_unread_drops: { arguments: { userId: string }; result: number };
  /** Returns how many notifications of a person are unread; above a maximum they are not counted. */
  count_unread_notifications: { arguments: { userId: string; max: number }; result: number };
  /** Counts a week of people and returns for how many of them that changed something. */
  count_week: { arguments: { week: string; moment: Date | string; graceMinutes: number; userIds: readonly string[] }; result: number };
  /** Counts the words of a text: what is between spaces and is not only punctuation. */
  count_words: { arguments: { text: string }; result: number };
  /** Appeals a decision about a thing of the caller, and returns the id of the appeal. */
  create_appeal: { arguments: { decisionId: string; reason: string; moment: Date | string }; result: string };
  /** Blocks a person for the caller, and returns whether the block is new. */
  create_block: { arguments: { userId: string; moment: Date | string }; result: boolean };
  /** Creates the row of a mail that the caller writes, as private.count_email does. */
  create_email_message: { arguments: { recipient: string; subject: string; request: string | null | undefined; moment: Date | string }; result: { message_id: string; reply_to: string; is_suppressed: boolean; retry_after: number }[]; row: { message_id: string; reply_to: string; is_suppressed: boolean; retry_after: number } };
  /** Writes an entry of the caller with its content, under the policies. */
  create_entry: { arguments: { entry: object }; result: Selectable<JournalEntries> };
  /** Creates a pending export of the caller and returns its id. */
  create_export: { arguments: {  }; result: string };
  /** Creates an import of the caller, whose archive is expected in the store. */
  create_import: { arguments: { source: ImportSource; size: number }; result: Selectable<JournalImports> };
  /** Reports a thing for the caller, and returns the id of the report, or of the open one of the same thing (is_new false). */
  create_report: { arguments: { report: object; moment: Date | string }; result: { report_id: string; is_new: boolean; wait_seconds: number } };
  /** Creates synthetic users, at most a thousand, for super admins only. */
  create_synthetic_users: { arguments: { people: object; seed: string }; result: Selectable<SyntheticUsers>[]; row: Selectable<SyntheticUsers> };
  /** Creates a token of the caller, notifies them, and returns its id. */
  create_token: { arguments: { name: string; scopes: readonly TokenScope[]; tokenHash: Buffer; hint: string; days: number }; result: string };
  /** Returns the streak of a goal of a person at a moment; 0 if a due day without a check-in is over. */
  current_streak: { arguments: { userId: string; streak: number; endsOn: string; moment: Date | string }; result: number };
  /** Returns the date of a moment in the time zone of a person's profile; in UTC if the caller may not see the account. */
  date_of: { arguments: { userId: string; moment: Date | string }; result: string };
  /** Returns the state of a person's game day: that of the check-in, or by the time if there is none (p_status is null). */
  day_state: { arguments: { status: CheckinStatus; windowStartsAt: Date | string; windowEndsAt: Date | string; dayEndsAt: Date | string; moment: Date | string; graceMinutes: number }; result: DayState };
  /** Revokes a pending invitation to the caller's confirmed address. */
  decline_invitation: { arguments: { invitationId: string }; result: void };
  /** Hands back an organization that the caller received not long ago; returns whether it still exists. */
  decline_organization: { arguments: { orgId: string }; result: boolean };
  /** Ends a block of the caller, and returns whether there was one. */
  delete_block: { arguments: { userId: string }; result: boolean };
  /** Deletes a message if the caller may, and returns who had sent it (null if there is none) and whether it was deleted. */
  delete_message: { arguments: { messageId: string; teamId: string | null | undefined; entryId: string | null | undefined; goalId: string | null | undefined; date: string | null | undefined }; result: { sender_id: string | null; is_deleted: boolean } };
  /** Deletes the note about the file of a photo of the caller that was refused and is not stored. */
  delete_photo_note: { arguments: { fileId: string }; result: void };
  /** Deletes a synthetic user with all their rows, for super admins only, and returns who was linked to them. */
  delete_synthetic_user: { arguments: { userId: string; moment: Date | string }; result: string[] | null };
  /** Ends a token of the caller after the writes that began with it; false if there is none, or it has expired. */
  delete_token: { arguments: { tokenId: string }; result: boolean };
  /** Hides a pack of the caller from everyone but its buyers, and returns whether there was one. */
  delete_tone_pack: { arguments: { packId: string }; result: boolean };
  /** Returns how many deliveries are due, 10,000 at most, and since when the oldest one is; null if there are none. */
  due_deliveries: { arguments: { moment: Date | string }; result: { due: number; oldest: string | null }[]; row: { due: number; oldest: string | null } };
  /** Does what private.earliest_visible_journal_entries does for one notebook. */
  earliest_entries_of_notebook: { arguments: { notebookId: string; scope: string; afterDate: string; after: Date | string; afterId: string; until: string; max: number }; result: string[] };
  /** Returns the ids of the earliest journal entries that the caller may see, after a row (its date, time and id) and up to a bound. */
  earliest_visible_journal_entries: { arguments: { scope: string; afterDate: string; after: Date | string; afterId: string; until: string; max: number }; result: string[] };
  /** Returns the fingerprint under which an address is counted and suppressed; upper and lower case are the same address. */
  email_address_hash: { arguments: { address: string }; result: Buffer };
  /** Ends a battle with its result and queues the notification of its members; does nothing if it is already over. */
  end_battle: { arguments: { week: string; moment: Date | string; result: object }; result: Selectable<Battles>[]; row: Selectable<Battles> };
  /** Ends at most p_max days that are over where their players live, the oldest first, with results and notifications. */
  end_days: { arguments: { moment: Date | string; max: number }; result: { week: string; people: string[]; closed: number; completed: number; pending: number; failed: number; notified: number }[]; row: { week: string; people: string[]; closed: number; completed: number; pending: number; failed: number; notified: number } };
  /** Ends a pending export while its claim lasts; false if it has ended. */
  end_export: { arguments: { id: string; claim: string; size?: number; sha256?: string }; result: boolean };
  /** Ends a running import, with the counts and problems of the result if it has any. */
  end_import: { arguments: { id: string; result: object }; result: void };
  /** Returns the ids of the caller's own entries about the same day of earlier years, latest first. */
  entries_on_this_day: { arguments: { date: string; maxBytes: number }; result: string[] };
  /** Returns the first of these entries, up to the one whose visible content exceeds a number of bytes together with those before. */
  entries_within_bytes: { arguments: { ids: readonly string[]; maxBytes: number }; result: string[] };
  /** Returns all visible entries that may pass the filters of private.entry_page; null if there is nothing to look up. */
  entry_candidates: { arguments: { page: object; filter: object }; result: string[] | null };
  /** Returns the entry of a picture; null if there is none. */
  entry_of_picture: { arguments: { id: string }; result: string | null };
  /** Returns the ids of a page of the entries that the caller may see, in order. */
  entry_page: { arguments: { page: object; filter: object }; result: string[] };
  /** Returns where a page of private.entry_page begins: after its cursor, or at the end of the range that comes first. */
  entry_page_start: { arguments: { page: object; filter: object }; result: { after_date: string; after_time: string; after_id: string } };
  /** Deletes an account whose erasure has begun and whose subscriptions were cancelled, writes the receipt and records it. */
  erase_account: { arguments: { userId: string; cancelled: readonly string[]; moment: Date | string }; result: boolean };
  /** Deletes up to so many rows of an account whose erasure has begun, and returns how many; fewer if hardly any are left. */
  erase_rows: { arguments: { userId: string; max: number }; result: number };
  /** Expects a new image of a mosaic and returns its path. */
  expect_mosaic: { arguments: { date: string }; result: string };
  /** Expects a new private file of the caller and returns its id and path. */
  expect_new_file: { arguments: { kind: string }; result: { id: string; path: string }[]; row: { id: string; path: string } };
  /** Expects an image of a tone pack of the caller; false if it is expected already. */
  expect_tone_image: { arguments: { path: string }; result: boolean };
  /** Expires a batch of the exports whose time is over, and returns how many. */
  expire_exports: { arguments: { max: number }; result: number };
  /** Discards at most p_max rejected photos that nobody can appeal any more, and returns how many. */
  expire_rejected_photos: { arguments: { max: number }; result: number };
  /** Returns the ids of visible entries that may have all terms in their metadata or, if asked, in their content; some twice. */
  find_entries: { arguments: { terms: readonly string[]; inContent: boolean }; result: string[]; row: string };
  /** Returns the first instant at which the clock of a zone shows a local time, or at which the clock skips it. */
  first_instant: { arguments: { local: string; zone: string }; result: string };
  /** Returns whether entries are filtered by a range of times in an order of dates, or the other way around. */
  has_other_range: { arguments: { page: object; filter: object }; result: boolean };
  /** Returns whether an account exists. */
  has_profile: { arguments: { userId: string }; result: boolean };
  /** Returns whether a token exists; if asked to, locks it until the transaction ends. */
  has_token: { arguments: { tokenId: string; locks: boolean }; result: boolean };
  /** Imports a batch: creates the entries that are new, and counts what was found up to it; false if the import does not run. */
  import_entries: { arguments: { id: string; batch: object }; result: boolean };
  /** Returns what work on a running import needs to know; no row if it does not run any more. */
  import_to_do: { arguments: { id: string }; result: { id: string; user_id: string; source: ImportSource; path: string; version: string; dry_run: boolean; is_checked: boolean; time_zone: string; first_day: string; last_day: string }[]; row: { id: string; user_id: string; source: ImportSource; path: string; version: string; dry_run: boolean; is_checked: boolean; time_zone: string; first_day: string; last_day: string } };
  /** Returns the status of an invitation: pending, accepted (no use is left), revoked or expired. */
  invitation_status: { arguments: { revokedAt: Date | string; uses: number; maxUses: number; expiresAt: Date | string }; result: string };
  /** Returns whether the caller is an admin or a super admin. */
  is_admin: { arguments: {  }; result: boolean };
  /** Returns whether the caller's check-in with a photo was written; waits for one that is about to be. */
  is_checked_in: { arguments: { fileId: string }; result: boolean };
  /** Returns whether a goal is due on a date, if there is a check-in or it has weekdays. */
  is_due: { arguments: { weekdays: readonly number[] | null | undefined; date: string }; result: boolean };
  /** Returns whether a subscription can never leave this status. */
  is_final_subscription_status: { arguments: { status: string }; result: boolean };
  /** Returns whether a person is human: false for synthetic users and for the system user, null if there is no such person. */
  is_human: { arguments: { person: string }; result: boolean | null };
  /** Returns whether a list with a scope, whose audiences are private.audiences_of_scope, shows a row that the policies allow, by its author and its audience. */
  is_in_scope: { arguments: { scope: string; audiences: readonly string[]; userId: string; audienceId: string }; result: boolean };
  /** Returns whether the caller is in a squad. */
  is_in_squad: { arguments: { squadId: string }; result: boolean };
  /** Returns whether an address belongs to a member of an organization, as far as the caller knows. */
  is_known_member: { arguments: { orgId: string; address: string }; result: boolean };
  /** Returns whether a person is the primary admin of a team. */
  is_primary_admin: { arguments: { teamId: string; userId: string }; result: boolean };
  /** Returns whether the caller is a program. */
  is_program: { arguments: {  }; result: boolean };
  /** Returns whether a row of an author with an audience reaches a reader with these audiences and blocks. */
  is_reached: { arguments: { audienceId: string; authorId: string; audiences: readonly string[]; blocked: readonly string[] }; result: boolean };
  /** Returns whether the caller is a super admin. */
  is_super_admin: { arguments: {  }; result: boolean };
  /** Returns whether an entry may not have the audiences of a change yet. */
  is_unsettled: { arguments: { notebookId: string; teamId: string; orgId: string; metadataAudienceId: string; contentAudienceId: string; sources: readonly string[] }; result: boolean };
  /** Returns whether an entry is no longer shared with its audience. */
  is_withdrawn: { arguments: { authorId: string; notebookId: string; inherits: boolean; audienceId: string; withdrawn: readonly string[] }; result: boolean };
  /** Returns the last runs of jobs, whether one is working, and the results of the last one that ended; records new names. */
  job_states: { arguments: { names: readonly string[]; now: Date | string }; result: { name: string; known_since: string; last_started_at: string | null; last_succeeded_at: string | null; running: boolean; last_results: Json | null }[]; row: { name: string; known_since: string; last_started_at: string | null; last_succeeded_at: string | null; running: boolean; last_results: Json | null } };
  /** Returns a time zone if PostgreSQL knows it, else UTC with a warning in its log. */
  known_zone: { arguments: { zone: string }; result: string };
  /** Does what private.latest_visible_journal_entries does for one notebook. */
  latest_entries_of_notebook: { arguments: { notebookId: string; scope: string; afterDate: string; after: Date | string; afterId: string; until: string; max: number }; result: string[] };
  /** Returns the ids of the latest journal entries that the caller may see, after a row (its date, time and id) and up to a bound. */
  latest_visible_journal_entries: { arguments: { scope: string; afterDate: string; after: Date | string; afterId: string; until: string; max: number }; result: string[] };
  /** Returns a person's rank on the leaderboard, from 1, and when the people ahead were counted. */
  leaderboard_rank: { arguments: { userId: string }; result: { rank: number | null; as_of: string | null } };
  /** Returns the caller's things of some types whose version is below a bound, by version and id, after a position. */
  list_changes: { arguments: { types: readonly ThingType[]; after: string; afterId: string; bound: string; isFirst: boolean; max: number }; result: { type: ThingType; id: string; version: string; removed: boolean }[]; row: { type: ThingType; id: string; version: string; removed: boolean } };
  /** Returns the caller's active goals with weekdays that are due on a date of theirs, oldest first. */
  list_due_goals: { arguments: { date: string; max: number }; result: DueGoal[] };
  /** Returns a page of entries as the caller sees them, and logs what a super admin reads in a transaction that writes. */
  list_entries: { arguments: { page: object; filter: object }; result: Selectable<ReadableEntries>[]; row: Selectable<ReadableEntries> };
  /** Returns the caller's own entries about the same day of earlier years, latest first. */
  list_entries_on_this_day: { arguments: { date: string | null | undefined; now: Date | string; maxBytes: number }; result: Selectable<ReadableEntries>[]; row: Selectable<ReadableEntries> };
  /** Returns a page of the goals that the caller may see, newest first, after a row (its time and id). */
  list_goals: { arguments: { scope: string; status: GoalStatus | null | undefined; after: Date | string; afterId: string; max: number }; result: Selectable<ReadableGoals>[]; row: Selectable<ReadableGoals> };
  /** Returns the top of the leaderboard with ranks, in order, without people with a block between them and the caller. */
  list_leaderboard: { arguments: { max: number }; result: { rank: number; user_id: string; full_name: string | null; avatar_url: string | null; badge_level: number; total_drops_sent: number; engagement_increases: number; success_rate: string }[]; row: { rank: number; user_id: string; full_name: string | null; avatar_url: string | null; badge_level: number; total_drops_sent: number; engagement_increases: number; success_rate: string } };
  /** Returns a page of the messages of a room that the caller sees, newest first, after a row (its time and id). */
  list_messages: { arguments: { roomId: string; after: Date | string; afterId: string; max: number }; result: SentMessage[] };
  /** Returns a page of the pending invitations to the caller's confirmed address, newest first, after a row (its time and id). */
  list_my_invitations: { arguments: { after: Date | string; afterId: string; max: number }; result: ReceivedInvitation[] };
  /** Returns a page of the notebooks that the caller may see, newest first, after a row (its time and id). */
  list_notebooks: { arguments: { scope: string; after: Date | string; afterId: string; max: number }; result: Selectable<ReadableNotebooks>[]; row: Selectable<ReadableNotebooks> };
  /** Returns a page of a person's notifications, or of the unread ones, newest first, and how many are unread at most. */
  list_notifications: { arguments: { userId: string; type: NotificationType | null | undefined; unread: boolean; after: Date | string; afterId: string; max: number; maxCounted: number }; result: NotificationPage };
  /** Returns the people of the caller's organizations, or of one, by the beginning of a word of their name, in the order of names. */
  list_people: { arguments: { query: string | null | undefined; orgId: string | null | undefined; afterName: string; afterId: string; max: number }; result: { id: string; full_name: string; avatar_url: string | null; is_ai: boolean }[]; row: { id: string; full_name: string; avatar_url: string | null; is_ai: boolean } };
  /** Returns pictures of entries whose content the caller sees, one more than a response has, in the order of the entries and their positions. */
  list_pictures: { arguments: { entryIds: readonly string[] }; result: SeenPicture[]; row: SeenPicture };
  /** Waits for all check-ins that share the battle of a week; later ones wait until this transaction ends. */
  lock_battle: { arguments: { week: string }; result: void };
  /** Locks an entry or a goal, and returns whether the caller may comment on it, and whether its author takes comments. */
  lock_commented: { arguments: { entryId: string | null | undefined; goalId: string | null | undefined }; result: { may_comment: boolean; is_open: boolean } };
  /** Locks the profiles and chain rows that change with the status of a check-in before it is reviewed. */
  lock_for_review: { arguments: { checkinId: string }; result: void };
  /** Locks what the deletion of an organization or a team changes, in the order in which other transactions lock it. */
  lock_group: { arguments: { group: string }; result: void };
  /** Locks the person who has confirmed an address, if there is one, and the pair of this person and the caller. */
  lock_invitee: { arguments: { address: string }; result: void };
  /** Locks what the removal of a member from an organization or a team changes, in the same order as private.lock_group. */
  lock_membership: { arguments: { group: string; userId: string }; result: void };
  /** Locks two people as a pair until the transaction ends: exclusively for a block and its end, shared for what one sends to the other or to a room. */
  lock_pair: { arguments: { one: string; other: string; shared: boolean }; result: void };
  /** Locks a picture of the caller with all others of its entry; returns the entry, or null if they have no such picture. */
  lock_picture: { arguments: { id: string }; result: string | null };
  /** Locks a profile, so that the account is not deleted before the transaction ends; false if it does not exist. */
  lock_profile: { arguments: { userId: string }; result: boolean };
  /** Locks several profiles, as private.lock_profile does. */
  lock_profiles: { arguments: { userIds: readonly string[] }; result: void };
  /** Locks and returns everyone who reported the thing of a report, and locks its owner as private.stop_writes does. */
  lock_report: { arguments: { reportId: string }; result: string[] };
  /** Locks a person who writes, so that the account is not deleted, suspended or closed meanwhile; false if it is gone. */
  lock_writer: { arguments: { userId: string; whileSuspended: boolean; whileClosing: boolean }; result: boolean };
  /** Logs that a super admin reads entries or goals that they see by nothing else, with their content or only their metadata. */
  log_reads: { arguments: { ids: readonly string[]; withContent: boolean }; result: void };
  /** Writes tags as they are compared: without regard to case. */
  lowercase_tags: { arguments: { tags: readonly string[] }; result: string[] };
  /** Returns the first of these entries that pass the filters of private.entry_page. */
  matching_entries: { arguments: { filter: object; ids: readonly string[]; max: number }; result: string[] };
  /** Returns the advisory lock of matching the players of a date. */
  matching_lock: { arguments: { date: string }; result: number };
  /** Returns how many entries a batch writes: at most about half a second of work. */
  max_settled_at_once: { arguments: {  }; result: number };
  /** Returns one id for what a user shares with a group, in private.withdrawn_shares(). */
  member_share: { arguments: { userId: string; groupId: string }; result: string };
  /** Returns what journal_entries_search contains for an entry. */
  metadata_keys: { arguments: { audienceId: string; title: string; tagKeys: readonly string[]; mood: string }; result: number[] };
  /** Returns the search term of a mood. */
  mood_term: { arguments: { mood: string }; result: string };
  /** Returns the dates whose mosaics may have changed. */
  mosaics_to_draw: { arguments: { moment: Date | string }; result: string[]; row: string };
  /** Moves a locked picture of the caller to a position, or to the last one, and shifts those between. */
  move_picture: { arguments: { id: string; position: number }; result: void };
  /** Returns the teams that the caller administers, as primary admin or co-admin. */
  my_administered_team_ids: { arguments: {  }; result: string[]; row: string };
  /** Returns every audience that the caller belongs to, apart from being the author: the public, their teams, their organizations. */
  my_audiences: { arguments: {  }; result: string[] };
  /** Returns every id that private.content_audience has for contents that the caller may see, except as a super admin. */
  my_content_audiences: { arguments: {  }; result: string[] };
  /** Returns the organizations that the caller is a member of. */
  my_organization_ids: { arguments: {  }; result: string[]; row: string };
  /** Returns the caller's role in an organization: owner, admin, member or none; null if it does not exist. */
  my_organization_role: { arguments: { orgId: string }; result: OrganizationRole | null };
  /** Returns the organizations that the caller owns. */
  my_owned_organization_ids: { arguments: {  }; result: string[]; row: string };
  /** Returns the caller's role in a team: admin, member, organization_member or none; null if it does not exist. */
  my_team_role: { arguments: { teamId: string }; result: TeamRole | null };
  /** Returns the tone packs that are shared with the caller or that the caller bought. */
  my_tone_pack_ids: { arguments: {  }; result: string[]; row: string };
  /** Does what private.newest_visible_journal_entries does for one notebook. */
  newest_entries_of_notebook: { arguments: { notebookId: string; scope: string; after: Date | string; afterId: string; until: Date | string; max: number }; result: string[] };
  /** Returns the ids of the newest goals that the caller may see, after a row (its time and id) and up to a bound. */
  newest_visible_goals: { arguments: { scope: string; after: Date | string; afterId: string; until: Date | string; status: GoalStatus | null | undefined; max: number }; result: string[] };
  /** Returns the ids of the newest journal entries that the caller may see, after a row (its time and id) and up to a bound. */
  newest_visible_journal_entries: { arguments: { scope: string; after: Date | string; afterId: string; until: Date | string; max: number }; result: string[] };
  /** Returns the ids of the newest notebooks that the caller may see, after a row (its time and id) and up to a bound. */
  newest_visible_notebooks: { arguments: { scope: string; after: Date | string; afterId: string; until: Date | string; max: number }; result: string[] };
  /** Returns the next visible entries of private.entry_page after a row. */
  next_entries: { arguments: { page: object; filter: object; afterDate: string | null | undefined; after: Date | string; afterId: string; max: number }; result: string[] };
  /** Returns the beginnings of the fifty newest recent notes of a person who lets the assistant read them, and the state of all. */
  notes_for_analysis: { arguments: { userId: string; moment: Date | string }; result: { id: string; title: string; content: string; mood: string | null; written_at: string; state: string }[]; row: { id: string; title: string; content: string; mood: string | null; written_at: string; state: string } };
  /** Notifies a person in the transaction of what caused it; does nothing if the account is gone. */
  notify: { arguments: { userId: string; type: NotificationType; data: object; causedBy?: string }; result: void };
  /** Notifies at most p_max members of both teams how a battle ended, each once, and returns whether there are more. */
  notify_battle_results: { arguments: { week: string; max: number }; result: boolean };
  /** Does what private.oldest_visible_journal_entries does for one notebook. */
  oldest_entries_of_notebook: { arguments: { notebookId: string; scope: string; after: Date | string; afterId: string; until: Date | string; max: number }; result: string[] };
  /** Returns since when the oldest open report, open appeal and pending check-in wait; no row for a kind that none waits for. */
  oldest_reviews: { arguments: {  }; result: { kind: string; since: string }[]; row: { kind: string; since: string } };
  /** Returns the ids of the oldest journal entries that the caller may see, after a row (its time and id) and up to a bound. */
  oldest_visible_journal_entries: { arguments: { scope: string; after: Date | string; afterId: string; until: Date | string; max: number }; result: string[] };
  /** Returns the battle of a week, and creates the one of the current week if it does not exist. */
  open_battle: { arguments: { week: string; moment: Date | string }; result: Selectable<Battles>[]; row: Selectable<Battles> };
  /** Does what private.open_battle does for a person's request, which may act only now. */
  open_current_battle: { arguments: { week: string; moment: Date | string }; result: Selectable<Battles>[]; row: Selectable<Battles> };
  /** Returns at most p_max dates of active synthetic users whose window has opened and who have not checked in. */
  open_synthetic_turns: { arguments: { moment: Date | string; afterEnd: Date | string; afterChainId: string; max: number }; result: { chain_id: string; user_id: string; date: string; activity_type: ActivityType; window_starts_at: string; window_ends_at: string; check_in_probability: string }[]; row: { chain_id: string; user_id: string; date: string; activity_type: ActivityType; window_starts_at: string; window_ends_at: string; check_in_probability: string } };
  /** The caller's own entries of a range of days (inclusive). */
  own_entries: { arguments: { from: string; to: string }; result: OwnEntry[] };
  /** Returns the id of the person with an address, or null. */
  person_with_email: { arguments: { address: string }; result: string | null };
  /** Returns the cards of those of some people who play on a date. */
  player_cards: { arguments: { date: string; userIds: readonly string[] }; result: PlayerCard[]; row: PlayerCard };
  /** Returns what a person has achieved in battles: verified chips, battles that their team won while they played, and the longest run of verified days. */
  player_record: { arguments: { userId: string }; result: { chips: number; battles_won: number; longest_streak: number }[]; row: { chips: number; battles_won: number; longest_streak: number } };
  /** Describes who would see an entry or a goal of the caller if its columns were changed like this; without ids a new one. */
  preview_audience: { arguments: { entryId: string | null | undefined; goalId: string | null | undefined; change: object }; result: EntryAudience };
  /** Returns the invitation with a token. */
  preview_invitation: { arguments: { tokenHash: Buffer }; result: ReceivedInvitation };
  /** Counts the entries of the caller's notebook that a change would show to others, with examples; null if it is not theirs. */
  preview_notebook_audience: { arguments: { notebookId: string; change: object }; result: NotebookPreview };
  /** Processes the next open drops, those of one sender together, so that the sender's rows are written once. */
  process_engagement: { arguments: { moment: Date | string; afterSenderId: string | null | undefined; afterDropId: string | null | undefined; limit: number }; result: { last_sender: string; last_drop: string; checked: number; engaged: number; bonus_awarded: number; badges_updated: number } };
  /** Returns the audience that everyone signed in belongs to. */
  public_audience: { arguments: {  }; result: string };
  /** Buys a pack for the caller; returns the purchase, the movement that paid for it (transaction) and the balance. */
  purchase_tone_pack: { arguments: { packId: string; expectedPrice: number | null | undefined }; result: TonePackReceipt };
  /** Returns whether a person wants a type of notification pushed, by the choices in their settings (null: none). */
  push_setting: { arguments: { type: NotificationType; push: object }; result: boolean };
  /** Returns what a person has and used on a day, by the current rules. */
  read_allowance: { arguments: { userId: string; date: string }; result: DropAllowance };
  /** Describes who sees an entry or a goal, like private.audience; null if the caller does not own it. */
  read_audience: { arguments: { entryId: string | null | undefined; goalId: string | null | undefined }; result: EntryAudience | null };
  /** Returns a person's neighbors and squad on a date with check-ins, or nothing if they do not play then. */
  read_chain: { arguments: { userId: string; date: string; ofSquad: boolean }; result: ChainOfDay | null };
  /** Returns the dates on which the caller was matched or checked in, in any order, by the state of their day and whether there is a check-in. */
  read_days: { arguments: { moment: Date | string; graceMinutes: number }; result: DaysInState[] };
  /** Returns the entry with an id as the caller sees it; no row if they may not see it. */
  read_entry: { arguments: { id: string }; result: Selectable<ReadableEntries>[]; row: Selectable<ReadableEntries> };
  /** Describes what erasing the caller would do (preview), and the times of a scheduled erasure. */
  read_erasure: { arguments: {  }; result: Erasure };
  /** Returns the goal with an id as the caller sees it; no row if they may not see it. */
  read_goal: { arguments: { id: string }; result: Selectable<ReadableGoals>[]; row: Selectable<ReadableGoals> };
  /** Returns how many own entries are about a day and about the same day of earlier years, and the streak that ends with it. */
  read_journal_of_day: { arguments: { today: string; maxBytes: number }; result: JournalOfDay };
  /** Returns the caller's own entries of a range of days (inclusive) in numbers, as the API sends them. */
  read_journal_stats: { arguments: { from: string | null | undefined; to: string | null | undefined; now: Date | string }; result: JournalStats };
  /** Returns everyone who plays on a date or has a row of it, in all areas or in those of the given people, and locks their profiles. */
  read_matching: { arguments: { date: string; around?: readonly string[] }; result: { user_id: string; is_ai: boolean; area_key: string; is_area_in_scope: boolean; color: TeamColor; left_out: boolean; has_checkin: boolean; has_left: boolean; play_window: Json; chain: Json; former: Json; is_chain_in_scope: boolean; blocked: string[] }[]; row: { user_id: string; is_ai: boolean; area_key: string; is_area_in_scope: boolean; color: TeamColor; left_out: boolean; has_checkin: boolean; has_left: boolean; play_window: Json; chain: Json; former: Json; is_chain_in_scope: boolean; blocked: string[] } };
  /** Returns a year of private.read_journal_stats day by day, with its number. */
  read_mood_calendar: { arguments: { year: number | null | undefined; now: Date | string }; result: MoodCalendar };
  /** Returns the days of the caller in the game at a moment. */
  read_own_days: { arguments: { moment: Date | string; graceMinutes: number }; result: OwnDays };
  /** Returns what a start screen of the caller shows of some parts at a moment; all others are null. */
  read_today: { arguments: { parts: readonly string[]; moment: Date | string; graceMinutes: number; maxGoals: number; maxBytes: number; maxCounted: number }; result: Today };
  /** Returns the page of a person as an object, with organizations of both; null if the caller may not see it. */
  read_user: { arguments: { userId: string; moment: Date | string }; result: UserPage | null };
  /** Returns the averages of the caller's wellness entries of these days (inclusive) in their time zone; null if there are none. */
  read_wellness_averages: { arguments: { from: string; to: string }; result: WellnessAverages };
  /** Recalculates the caller's level. */
  recalculate_my_badge: { arguments: { moment: Date | string }; result: boolean };
  /** Recalculates the badges of the next people who sent a drop today or yesterday (UTC) and have enough engagements for a higher level. */
  recalculate_recent_badges: { arguments: { moment: Date | string; afterUserId: string | null | undefined; limit: number }; result: { last_user: string | null; seen: number; badges_updated: number } };
  /** Compares all balances, movements, monthly awards and bought packs; returns the sums and the first differences. */
  reconcile_drops: { arguments: {  }; result: Reconciliation };
  /** Decides an appeal: upheld or reversed. */
  record_appeal_decision: { arguments: { appealId: string; status: AppealStatus; answer: string; decidedBy: string; moment: Date | string; graceMinutes: number }; result: void };
  /** Writes the caller's check-in with its photo, whose file stays; verified if it has no flags. */
  record_check_in: { arguments: { checkIn: object; moment: Date | string; graceMinutes: number }; result: { checkin_id: string; is_next_notified: boolean }[]; row: { checkin_id: string; is_next_notified: boolean } };
  /** Writes check-ins and notifies the next people and the squads; returns the ids that were written and how many notifications. */
  record_check_ins: { arguments: { checkIns: object; moment: Date | string; graceMinutes: number }; result: { checkin_ids: string[]; notified: number; is_next_notified: boolean }[]; row: { checkin_ids: string[]; notified: number; is_next_notified: boolean } };
  /** Decides the open reports of these reporters about the thing of a report, and returns the id of the decision. */
  record_decision: { arguments: { reportId: string; reporters: readonly string[]; decision: ModerationDecision; reason: string; suspendedUntil: Date | string | null | undefined; decidedBy: string; moment: Date | string }; result: string };
  /** Stores an event of the mail provider with the delivery of its mail; false if the event was processed before. */
  record_email_event: { arguments: { event: object }; result: boolean };
  /** Records the result of sending the caller's mail: the provider's id, or null if the provider did not accept it. */
  record_email_result: { arguments: { message: string; provider: string | null | undefined }; result: void };
  /** Writes a drop of the caller for private.send_encouragement_drop. */
  record_encouragement_drop: { arguments: { drop: object; moment: Date | string }; result: { drop_id: string; allowance: string } };
  /** Creates an invitation by the owner or a super admin. */
  record_invitation: { arguments: { orgId: string; invitation: object; moment: Date | string }; result: { invitation_id: string; message_id: string | null; reply_to: string | null } };
  /** Records the first time that the caller acts as a member of these organizations, or of those of these teams. */
  record_member_acted: { arguments: { groups: readonly string[] }; result: void };
  /** Stores the results of claimed deliveries: sent, refused, unavailable or unused (not tried). */
  record_push_results: { arguments: { results: object; moment?: Date | string }; result: void };
  /** Stores an event of the payment processor with the status of its subscription; false if it was processed before. */
  record_subscription_event: { arguments: { event: object }; result: boolean };
  /** Refunds a purchase, once, for super admins only. */
  refund_purchase: { arguments: { transactionId: string; description: string }; result: Selectable<DropTransactions> };
  /** Ends a claim after an attempt that failed or had nothing to do, unless the turn was cancelled or claimed again since; the attempt stays counted. */
  release_assistant_turn: { arguments: { userId: string; job: AssistantJob; claim: string; moment: Date | string; hasFailed: boolean }; result: void };
  /** Reminds at most p_max people who have not checked in and whose window opens soon, once for a window. */
  remind_players: { arguments: { moment: Date | string; max: number }; result: number };
  /** Reminds people whose journal reminder is due, once on a local date, and computes when each is due next. */
  remind_to_write: { arguments: { moment: Date | string; max: number }; result: { seen: number; reminded: number }[]; row: { seen: number; reminded: number } };
  /** Removes a device that its push service does not know any more, and returns whether it did. */
  remove_dead_device: { arguments: { subscriptionId: string; claimedAt: Date | string; goneSince?: Date | string | null | undefined }; result: boolean };
  /** Closes the account of the caller, to be erased now or later, and returns both times as the API sends them. */
  request_erasure: { arguments: { isNow: boolean; moment: Date | string }; result: ErasureTimes };
  /** Requires that the caller may comment on an entry or a goal until the transaction ends, for the policy of messages. */
  require_commentable: { arguments: { entryId: string; goalId: string }; result: boolean };
  /** Requires that a person exists, without a block between them and the caller, and locks the two as a pair. */
  require_drop_recipient: { arguments: { recipientId: string }; result: void };
  /** Requires that a goal is open until the transaction ends, for the policy of check-ins (goal.not_open). */
  require_open_goal: { arguments: { goalId: string; userId: string }; result: boolean };
  /** Returns the position of the next picture of an entry of the caller, if it has room for one; null if the caller has no such entry. */
  require_picture_room: { arguments: { entryId: string; bytes: number; maxBytes: number }; result: number | null };
  /** Requires that the caller can reach a person: a human, without a block between the two unless both are in p_group. */
  require_reachable: { arguments: { person: string; group: string | null | undefined }; result: void };
  /** Opens the closing account of the caller again; does nothing if it is not closing. */
  restore_account: { arguments: {  }; result: void };
  /** Moves an entry of the caller from the trash back to the journal, unchanged; false if it is not in their trash. */
  restore_entry: { arguments: { id: string }; result: boolean };
  /** Gives a check-in another status, and recounts the check-ins that depend on it. */
  review_check_in: { arguments: { checkinId: string; status: CheckinStatus; reason: string | null | undefined; adminId: string; moment: Date | string; graceMinutes: number }; result: void };
  /** Writes a time as the API sends it, for objects that are made in the database. */
  rfc3339: { arguments: { moment: Date | string }; result: string };
  /** Returns the dates from a year on that have month and day of a date and are of an earlier year. */
  same_day_of_earlier_years: { arguments: { date: string; firstYear: number }; result: string[] };
  /** Writes a name as it is compared: without case, accents and punctuation, with one blank between words. */
  search_form: { arguments: { name: string }; result: string };
  /** Returns the key of the search index for a term that an audience may see: 24 bits of the term, then 40 bits of the audience. */
  search_key: { arguments: { audienceId: string; term: string }; result: number };
  /** Returns the keys of the search index for terms that an audience may see, without those that are null. */
  search_keys: { arguments: { audienceId: string; terms: readonly string[] }; result: number[] };
  /** Returns those of the trigrams of a text that are inside of its words. */
  search_terms: { arguments: { trigrams: readonly string[] }; result: string[] };
  /** Returns check-ins as the caller may see them (private.check_in_details), newest first. */
  seen_check_ins: { arguments: { checkinIds: readonly string[] }; result: SeenCheckIn[]; row: SeenCheckIn };
  /** Returns whether sharing shows a person the metadata and the content of an entry or a goal; null if the caller does not own it. */
  sees_thing: { arguments: { entryId: string | null | undefined; goalId: string | null | undefined; personId: string }; result: SeenAxes | null };
  /** Returns whether the caller's policies show them a pack. */
  sees_tone_pack: { arguments: { packId: string }; result: boolean };
  /** Returns whether the caller sees entries and goals that are not shared with them, as super admins do. */
  sees_unshared: { arguments: {  }; result: boolean };
  /** Sends a person the assistant's drop of the UTC day, notifies them, and ends the turn; no allowance changes. */
  send_assistant_drop: { arguments: { userId: string; moment: Date | string; content: string; assistantName: string; analysisId: string | null | undefined }; result: string | null };
  /** Sends a drop of the caller; returns it, and the allowance and the badge of the caller after it. */
  send_encouragement_drop: { arguments: { drop: object; moment: Date | string }; result: SentDrop };
  /** Sends a message of the caller to a room, under the policies, and returns it. */
  send_message: { arguments: { teamId: string | null | undefined; squadId: string | null | undefined; entryId: string | null | undefined; goalId: string | null | undefined; content: string }; result: SentMessage };
  /** Gives a goal of the caller a status, and records from when until when it is not active. */
  set_goal_status: { arguments: { goalId: string; status: GoalStatus; moment: Date | string }; result: void };
  /** Writes the next entries of a change of who sees them; returns the new position, their number, and whether none are left. */
  settle_entries: { arguments: { source: string; maxEntries: number; waits: boolean }; result: { source: string; entries: number; is_done: boolean } };
  /** Writes the next batch of entries whose sharing has changed; false if nothing is left, or another transaction writes it. */
  settle_next: { arguments: {  }; result: boolean };
  /** Returns an entry of the caller, or any for super admins, as it will be once it has followed all changes; any other unchanged. */
  settled_entry: { arguments: { entry: string }; result: Selectable<JournalEntries> };
  /** Returns whether the caller is in an organization of a person. */
  shares_organization: { arguments: { userId: string }; result: boolean };
  /** Returns the candidates in the scope and the notebook that come after a row, in the order of the page. */
  sorted_candidates: { arguments: { page: object; filter: object; ids: readonly string[] | null | undefined; afterDate: string | null | undefined; after: Date | string; afterId: string }; result: string[] | null };
  /** Counts a photo of the caller against its quota, expects its file, and reads what the photo is compared with besides the window. */
  start_check_in: { arguments: { from: string }; result: StartedCheckIn };
  /** Begins to erase an account that is due, or goes on with it; returns its subscriptions to cancel, or null if it is not due. */
  start_erasure: { arguments: { userId: string; moment: Date | string }; result: string[] | null };
  /** Starts an import of the caller, of a version of its archive: one that waits, or one of which there was a dry run only. */
  start_import: { arguments: { id: string; version: string; dryRun: boolean }; result: void };
  /** Waits until the writes of a person that have begun have ended, and lets later ones wait until the transaction ends. */
  stop_writes: { arguments: { userId: string }; result: void };
  /** Writes the mosaic of a date whose image is stored, replacing the previous one; false if that one read the states later. */
  store_mosaic: { arguments: { date: string; mosaic: object }; result: boolean };
  /** Stores an analysis of a person's notes, one per UTC day, with the notes that it read and their state, and ends the turn. */
  store_note_analysis: { arguments: { userId: string; claim: string; moment: Date | string; analysis: object; entryIds: readonly string[]; state: string | null | undefined }; result: string | null };
  /** Stores the response to a request of the caller whose key was taken, or only the key if there is no response yet. */
  store_response: { arguments: { route: string; key: string; bodyHash: string; status: number | null | undefined; body: string | null | undefined; resourceId: string | null | undefined; isFinal: boolean; etag?: string | null | undefined }; result: void };
  /** Returns a streak on a date of its owner: 0 if a due day without a check-in is over. */
  streak_on: { arguments: { streak: number; endsOn: string; date: string }; result: number };
  /** Makes a device the caller's, even if it belonged to another person before. */
  subscribe_device: { arguments: { device: object; defaultApp?: string | null | undefined }; result: { id: string; service: PushService; endpoint: string | null; app: string | null; created_at: string; renewed_at: string; is_new: boolean }[]; row: { id: string; service: PushService; endpoint: string | null; app: string | null; created_at: string; renewed_at: string; is_new: boolean } };
  /** Returns the id of the reserved user that sends the drops of the assistant. */
  system_user_id: { arguments: {  }; result: string };
  /** Returns the search terms of tags. */
  tag_terms: { arguments: { tagKeys: readonly string[] }; result: string[] };
  /** Locks a key of the caller, and returns the response to an earlier request with it; no row if the request may run. */
  take_idempotency_key: { arguments: { route: string; key: string; bodyHash: string; kept: string; maxCommandTime: string }; result: { status: number; body: string; etag: string }[]; row: { status: number; body: string; etag: string } };
  /** Returns the search terms that every text has that contains this one, also where it begins or ends in the middle of a word. */
  terms_within: { arguments: { text: string }; result: string[] };
  /** Returns today in the time zone of the caller's profile. */
  today: { arguments: {  }; result: string };
  /** Lets a synthetic user play or rest, for super admins only; nothing if there is no such synthetic user. */
  toggle_synthetic_user: { arguments: { userId: string; isActive: boolean }; result: Selectable<SyntheticUsers>[]; row: Selectable<SyntheticUsers> };
  /** Returns the model calls of a person in one calendar month (UTC): always one row, with every kind. */
  token_usage_monthly: { arguments: { userId: string; year: number; month: number }; result: TokenUsageMonth[]; row: TokenUsageMonth };
  /** Makes a member the owner; the old owner stays as admin. */
  transfer_organization: { arguments: { orgId: string; newOwnerId: string }; result: void };
  /** Moves an entry of the caller to the trash; false if they have no such entry. */
  trash_entry: { arguments: { id: string }; result: boolean };
  /** Returns notebooks and groups that changed, but not yet all the caller's entries in them; everyone's for super admins. */
  unsettled_sources: { arguments: {  }; result: string[] };
  /** Returns what is left of the bonus that was earned on a day; 0 if there is no such day. */
  unused_bonus: { arguments: { allowance: string }; result: number };
  /** Returns the lengths of a person's runs of consecutive dates with a verified check-in, between two dates (both included). */
  verified_streaks: { arguments: { userId: string; from: string; to: string }; result: number[]; row: number };
  /** Returns the effective visibility that an audience came from. */
  visibility_of: { arguments: { audienceId: string; authorId: string; teamId: string | null | undefined; orgId: string | null | undefined }; result: Visibility };
  /** Returns the Monday of the week of a date. */
  week_start: { arguments: { date: string }; result: string };
  /** Returns ids of what is no longer shared with the caller, although the entries still have its audience. */
  withdrawn_shares: { arguments: {  }; result: string[] };
  /** Writes what matching changed on a date, each table in one statement. */
  write_chains: { arguments: { date: string; changes: object }; result: void };
  /** The days of entries, in any order. */
  written_days: { arguments: { entries: readonly string[] }; result: WrittenDay[] };
}

/** How the result of a function is read, if it is not one value. */
export const RESULTS: Readonly<Record<string, "object" | "objects" | "row" | "rows" | "values" | undefined>> = {
  accept_invitation: "rows",
  adjust_drops: "row",
  analysis_for_message: "rows",
  award_monthly_batch: "row",
  battle_days: "rows",
  battle_members: "rows",
  battle_totals: "rows",
  change_horizon: "row",
  check_in: "object",
  check_in_details: "rows",
  check_ins_of: "objects",
  claim_assistant_turns: "row",
  claim_erasure_receipt: "rows",
  claim_push_deliveries: "rows",
  count_moods: "object",
  count_players: "rows",
  count_tags: "object",
  create_email_message: "rows",
  create_entry: "row",
  create_import: "row",
  create_report: "row",
  create_synthetic_users: "rows",
  delete_message: "row",
  due_deliveries: "rows",
  end_battle: "rows",
  end_days: "rows",
  entry_page_start: "row",
  expect_new_file: "rows",
  find_entries: "values",
  import_to_do: "rows",
  job_states: "rows",
  leaderboard_rank: "row",
  list_changes: "rows",
  list_due_goals: "object",
  list_entries: "rows",
  list_entries_on_this_day: "rows",
  list_goals: "rows",
  list_leaderboard: "rows",
  list_messages: "object",
  list_my_invitations: "object",
  list_notebooks: "rows",
  list_notifications: "object",
  list_people: "rows",
  list_pictures: "objects",
  lock_commented: "row",
  mosaics_to_draw: "values",
  my_administered_team_ids: "values",
  my_organization_ids: "values",
  my_owned_organization_ids: "values",
  my_tone_pack_ids: "values",
  notes_for_analysis: "rows",
  oldest_reviews: "rows",
  open_battle: "rows",
  open_current_battle: "rows",
  open_synthetic_turns: "rows",
  own_entries: "object",
  player_cards: "objects",
  player_record: "rows",
  preview_audience: "object",
  preview_invitation: "object",
  preview_notebook_audience: "object",
  process_engagement: "row",
  purchase_tone_pack: "object",
  read_allowance: "object",
  read_audience: "object",
  read_chain: "object",
  read_days: "object",
  read_entry: "rows",
  read_erasure: "object",
  read_goal: "rows",
  read_journal_of_day: "object",
  read_journal_stats: "object",
  read_matching: "rows",
  read_mood_calendar: "object",
  read_own_days: "object",
  read_today: "object",
  read_user: "object",
  read_wellness_averages: "object",
  recalculate_recent_badges: "row",
  reconcile_drops: "object",
  record_check_in: "rows",
  record_check_ins: "rows",
  record_encouragement_drop: "row",
  record_invitation: "row",
  refund_purchase: "row",
  remind_to_write: "rows",
  request_erasure: "object",
  seen_check_ins: "objects",
  sees_thing: "object",
  send_encouragement_drop: "object",
  send_message: "object",
  settle_entries: "row",
  settled_entry: "row",
  start_check_in: "object",
  subscribe_device: "rows",
  take_idempotency_key: "rows",
  toggle_synthetic_user: "rows",
  token_usage_monthly: "objects",
  verified_streaks: "values",
  written_days: "object",
};

/** The arguments that are sent as JSON. */
export const JSON_ARGUMENTS: ReadonlySet<string> = new Set([
  "check_import_batch.entries",
  "check_in.checkIn",
  "create_entry.entry",
  "create_report.report",
  "create_synthetic_users.people",
  "end_battle.result",
  "end_import.result",
  "entry_candidates.page",
  "entry_candidates.filter",
  "entry_page.page",
  "entry_page.filter",
  "entry_page_start.page",
  "entry_page_start.filter",
  "has_other_range.page",
  "has_other_range.filter",
  "import_entries.batch",
  "list_entries.page",
  "list_entries.filter",
  "matching_entries.filter",
  "next_entries.page",
  "next_entries.filter",
  "notify.data",
  "preview_audience.change",
  "preview_notebook_audience.change",
  "push_setting.push",
  "record_check_in.checkIn",
  "record_check_ins.checkIns",
  "record_email_event.event",
  "record_encouragement_drop.drop",
  "record_invitation.invitation",
  "record_push_results.results",
  "record_subscription_event.event",
  "send_encouragement_drop.drop",
  "sorted_candidates.page",
  "sorted_candidates.filter",
  "store_mosaic.mosaic",
  "store_note_analysis.analysis",
  "subscribe_device.device",
  "write_chains.changes",
]);
