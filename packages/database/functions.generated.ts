/** Written by `npm run generate`. */

import type { Selectable } from "kysely";

import type { ActivityType, AppealStatus, AssistantJob, Battles, ChainStatus, CheckinStatus, DayState, DropTransactions, EntryAudience, Erasure, ErasureTimes, GoalStatus, Goals, ImportSource, JournalEntries, JournalImports, Json, ModerationDecision, NotebookPreview, NotificationType, OrganizationRole, OwnEntry, PushSubscriptions, ReadableEntries, ReadableNotebooks, Reconciliation, SeenAxes, SentAppeal, SentLocation, SentMessage, SentWindow, SyntheticUsers, TeamColor, TeamRole, TokenUsageMonth, UserPage, UserRole, WrittenDay } from "./types.generated.ts";

export interface Functions {
  /** Makes the caller a member of the organization of an invitation, and of those of its teams that still exist; skipped_team_ids are the others. For a member no use is counted, the role stays, and missing teams are joined. Raises invitation.not_found if the caller cannot use it. Security definer: only owners add members. Nullable: p_token_hash, p_invitation_id. */
  accept_invitation: { arguments: { tokenHash: Buffer | null | undefined; invitationId: string | null | undefined }; result: { org_id: string; org_name: string; is_new: boolean; skipped_team_ids: string[] }[]; row: { org_id: string; org_name: string; is_new: boolean; skipped_team_ids: string[] } };
  /** Makes a pack the caller's active one; null clears it. Returns false if the pack must be bought first. Raises tone_pack.not_found. Security definer: no role may write the column directly. Nullable: p_pack_id. */
  activate_tone_pack: { arguments: { packId: string | null | undefined }; result: boolean };
  /** Who is calling: the subject of the verified token, or null. Always used as (select private.actor_id()) in policies, so that it is evaluated once per query. */
  actor_id: { arguments: {  }; result: string };
  /** Corrects a balance, for super admins only (auth.forbidden). Security definer: no role may write balances directly. Raises user.not_found, drops.insufficient_balance or drops.balance_too_high. */
  adjust_drops: { arguments: { userId: string; amount: number; description: string }; result: Selectable<DropTransactions> };
  /** Allows mail to the confirmed address of the caller after it was unsubscribed. Raises email.sender_not_confirmed, and email.undeliverable if mail to it bounced, was reported as spam, or is suppressed by the provider. Security definer: no person may read or lift suppressions. */
  allow_own_mail: { arguments: {  }; result: void };
  /** The latest analysis of a person who lets the assistant read their notes and send drops; no row if there is none. Security definer: the service cannot read analyses. */
  analysis_for_message: { arguments: { userId: string }; result: { id: string; analysis: Json }[]; row: { id: string; analysis: Json } };
  /** Until when a decision can be appealed. */
  appeal_until: { arguments: { decidedAt: Date | string }; result: string };
  /** The archive of an import of the caller that may be started. Raises import.not_found, or import.ended if there was more than a dry run. */
  archive_to_import: { arguments: { id: string }; result: string };
  /** Cuts people into ranges by their ids, each with as many as the size says who let a job of the assistant serve them and whose turn of the UTC day is not finished. Returns the last id of each full range. Security definer: the service has no privilege on settings and turns. */
  assistant_range_ends: { arguments: { job: AssistantJob; moment: Date | string; size: number }; result: string[] };
  /** The audiences of the entries of a notebook that reach the caller; all for its author and for super admins. Security definer: the policies would read each hidden entry on the way. */
  audiences_in_notebook: { arguments: { notebookId: string }; result: string[] };
  /** The audiences of the caller whose rows a list with this scope shows: all, own (none), shared or public. As private.my_audiences, without the public for a caller with a block. */
  audiences_of_scope: { arguments: { scope: string }; result: string[] };
  /** Awards the current month to the caller. Returns the drops, 0 if nothing was due. Raises service.unexpected unless the moment is now. Security definer: no role may write balances. */
  award_monthly_drops: { arguments: { moment: Date | string }; result: number };
  /** Awards the month to the next people in the order of their ids. Returns the last of them, how many it looked at, how many got the award, and how many balances would get too high; the others had the award before. Security definer: no role may write balances directly. Nullable: p_after_user_id, last_user. */
  award_monthly_slice: { arguments: { month: string; afterUserId: string | null | undefined; limit: number }; result: { last_user: string | null; seen: number; awarded: number; failed: number } };
  /** The chips of both teams in the battle of a week, by the dates on which they were earned: so far while it runs, as it ended once it is over. Security definer: check-ins of blocked people count as well. */
  battle_days: { arguments: { week: string }; result: { date: string; red_chips: number; blue_chips: number }[]; row: { date: string; red_chips: number; blue_chips: number } };
  /** The members of both teams in the battle of a week: who has the color in that week, or brought chips of it from a week before. Security definer: callers may not read the teams of everyone. */
  battle_members: { arguments: { week: string }; result: { red_members: number; blue_members: number }[]; row: { red_members: number; blue_members: number } };
  /** Chips, also by the dates on which they were earned, and members of both teams in the battle of a week. */
  battle_totals: { arguments: { week: string }; result: { red_chips: number; blue_chips: number; red_members: number; blue_members: number; daily_chips: Json }[]; row: { red_chips: number; blue_chips: number; red_members: number; blue_members: number; daily_chips: Json } };
  /** Everyone with a block between them and the caller, in either direction; some twice. Null without claims, so that nothing public is visible then. In policies always (select private.blocked_users())::uuid[], so that it is evaluated once per query. Security definer: policies call it, and a block is seen only by the person who made it. */
  blocked_users: { arguments: {  }; result: string[] };
  /** Gives the role to the owner of a confirmed address that the environment names; a person who has a role already keeps it. Returns false if there is no such account yet, so that the caller tries again later. Recorded in the audit log. Security definer: the service may not read Auth's users or write roles. */
  bootstrap_role: { arguments: { userId: string; address: string; role: UserRole }; result: boolean };
  /** Whether the policies show an entry to the caller. For the policy of contents, in which a sub-select would cost every reader, although it is nearly never needed. */
  can_see_entry: { arguments: { id: string }; result: boolean };
  /** Whether the caller may see the page of a person if there is no block between them: themselves, the assistant, people of their organizations, of their chain or squad on one of the last 30 dates, who sent them a drop or got one from them, or who have something public. Under the policies of the caller, so that what is hidden does not count. */
  can_see_person: { arguments: { userId: string; moment: Date | string }; result: boolean };
  /** Has a subscription cancelled if its person was erased here; other services may use the same processor. Security definer: the service does not read the audit log. */
  cancel_for_erased_person: { arguments: { userId: string; paymentSubscriptionId: string }; result: void };
  /** Ends the caller's turn of the analysis if it is claimed or waits for another attempt, so that the current notes are not analyzed. Security definer: no role may write turns directly. */
  cancel_note_analysis: { arguments: {  }; result: void };
  /** Names another organization member as primary admin; the old one stays as member. Raises auth.forbidden unless the caller owns the organization, user.not_found if the new admin is not human, team.not_found, team.not_an_organization_member. Security definer: no role may write the primary admin directly. */
  change_team_admin: { arguments: { teamId: string; newAdminId: string }; result: void };
  /** Changes the service-wide role of a human. Only for super admins. Raises auth.forbidden, user.not_found or admin.last_super_admin. Security definer: no role may write roles directly. */
  change_user_role: { arguments: { userId: string; role: UserRole }; result: void };
  /** Says how many entries of a running import were found so far, and returns the external ids of those that its person has already. Creates nothing. Raises what private.lock_importer raises. Security definer: no role may write imports directly. */
  check_import_slice: { arguments: { id: string; found: number; entries: object }; result: string[] };
  /** Writes the caller's check-in (private.record_check_in). Returns it in the form of private.check_ins_of, and whether the next person was notified. */
  check_in: { arguments: { checkIn: object; moment: Date | string; graceMinutes: number }; result: Json };
  /** What only some people may see of check-ins, as an object with an object for each id. The photo's path: the owner, their chain neighbors, their squad and admins, or only the owner and super admins if it is hidden by moderation; never with a block between owner and caller. Coordinates, flags (null for others) and the reason of a review: the owner and admins. Null if the caller may see no details. Security definer: the rest of these rows is hidden from its reader. */
  check_in_details: { arguments: { checkinIds: readonly string[] }; result: Json };
  /** The check-ins of people on a date, oldest first, and the details that the caller may see (private.check_in_details). Both are null if there are none. */
  check_ins_of: { arguments: { userIds: readonly string[]; date: string }; result: Json };
  /** The chips of a check-in: 1, plus 1 if the chain continues, 0.5 if it is early, 2 with a streak; earned is the sum rounded down. A rejected check-in has none. The columns of a check-in are generated from it. */
  chip_breakdown: { arguments: { status: CheckinStatus; chainStatus: ChainStatus; isEarly: boolean; hasStreak: boolean }; result: Json };
  /** Claims turns for a job of the assistant: those of the next people, in the order of ids and up to a last one, who are due for it on the UTC day of a moment. Notes are analyzed again on the same day only if they have changed, and at most private.max_analyses_per_day() times; each analysis has three attempts. Returns the id of the claim, the claimed people, the last person that it looked at, how many humans it looked at, how many of them had used all attempts, and whether there are no more people. Security definer: the service has no privilege on settings, entries and turns. Nullable: p_after_user_id, last_user. */
  claim_assistant_turns: { arguments: { job: AssistantJob; moment: Date | string; afterUserId: string | null | undefined; limit: number; upToUserId?: string }; result: { claim: string; claimed: string[]; last_user: string | null; seen: number; out_of_attempts: number; is_last: boolean } };
  /** Claims the receipt that is to be mailed next for 2 minutes; no row if there is none. Deletes those that cannot be sent: without a mail provider, or after 23 hours of attempts. Security definer: the service reads no address but this one. */
  claim_erasure_receipt: { arguments: { canSend: boolean; moment: Date | string }; result: { id: string; address: string; erased_at: string }[]; row: { id: string; address: string; erased_at: string } };
  /** Counts that building a pending export begins, and returns what it needs to know; null if it is not pending. After too many attempts the export has failed. Security definer: no role may write exports directly. */
  claim_export: { arguments: { id: string; maxAttempts: number }; result: Json };
  /** Counts that work on a running import begins, and returns what it needs to know; null if it does not run any more. first_day and last_day are the days that an entry can be about. Security definer: no role may write imports directly. */
  claim_import: { arguments: { id: string }; result: Json };
  /** Claims due deliveries, longest due first, for a number of seconds; then the claim expires, in case its process has died. Returned but not to be sent are those that wait because their recipient has quiet hours, and those that are closed because they need no push any more: read, silenced (also by a closing account), a day old, tried too often, a check-in reminder in quiet hours, or the device has another user now. Security definer: no role may write deliveries directly. */
  claim_push_deliveries: { arguments: { limit: number; leaseSeconds: number; maxAttempts: number; moment?: Date | string }; result: { notification_id: string; subscription_id: string; attempt: number; to_send: boolean; endpoint: string; p256dh: string; auth: string; type: NotificationType; data: Json; seconds_left: number }[]; row: { notification_id: string; subscription_id: string; attempt: number; to_send: boolean; endpoint: string; p256dh: string; auth: string; type: NotificationType; data: Json; seconds_left: number } };
  /** Claims the mail to us whose text is due next, verified ones first, until its next attempt is due. No row: nothing is due. */
  claim_received_email: { arguments: { moment: Date | string }; result: { id: string; provider_id: string; is_verified: boolean }[]; row: { id: string; provider_id: string; is_verified: boolean } };
  /** Counts units of the caller against a quota, or nothing if that would exceed it. Returns 0 if counted, otherwise the seconds until the period ends. Raises service.unexpected for an unknown quota or fewer than one unit. Security definer: people must not be able to reset their own count. */
  consume_quota: { arguments: { quota: string; units: number }; result: number };
  /** One id for the readers who belong to both audiences of a content: one of the two, the author, or an id that stands for two groups. */
  content_audience: { arguments: { userId: string; metadataAudienceId: string; contentAudienceId: string }; result: string };
  /** What journal_entry_contents_search contains for a content. */
  content_keys: { arguments: { audienceId: string; content: string; foundMood: string }; result: number[] };
  /** Counts how many people are ahead of each checkpoint, and returns how many checkpoints there are. Security definer: no role may write checkpoints directly. */
  count_leaderboard: { arguments: { moment: Date | string; first?: number; distance?: number }; result: number };
  /** The thousand most frequent moods of entries, each as it was last written. */
  count_moods: { arguments: { entries: readonly string[] }; result: Json };
  /** Counts the players of a date by team, with the chips of their verified check-ins; the color of check-ins without a chain is null. Security definer: blocked people are counted as well. */
  count_players: { arguments: { date: string; at: Date | string; graceMinutes: number }; result: { color: TeamColor; total: number; completed: number; failed: number; chips: number }[]; row: { color: TeamColor; total: number; completed: number; failed: number; chips: number } };
  /** The twenty most frequent tags of entries, each as it was last written. */
  count_tags: { arguments: { entries: readonly string[] }; result: Json };
  /** Counts a week of people and returns for how many of them that changed something. Notifies each of them once, when all days of their week are over where they live; synthetic users are left out. Security definer: no role may write the statistics directly. */
  count_week: { arguments: { week: string; moment: Date | string; graceMinutes: number; userIds: readonly string[] }; result: number };
  /** The words of a text: what is between spaces and is not only punctuation, so don't and well-known are one word. Each Chinese character and each kana counts as a word, because Chinese and Japanese have no spaces. */
  count_words: { arguments: { text: string }; result: number };
  /** The caller appeals a decision about a thing of theirs. Returns the appeal as the API sends it. Raises moderation.decision_not_found, appeal.too_late, appeal.already_made, and service.unexpected unless the moment is now. Security definer: no role may write appeals directly. */
  create_appeal: { arguments: { decisionId: string; reason: string; moment: Date | string }; result: SentAppeal };
  /** The caller blocks a person. Returns whether the block is new. Raises block.self_block, block.system_user, user.not_found. */
  create_block: { arguments: { userId: string; moment: Date | string }; result: boolean };
  /** Creates the row of a mail that the caller writes, as private.count_email does. Recipient policy and limits come from the database. No row if the account is gone. Raises email.sender_not_confirmed, email.recipient_not_allowed, and service.unexpected unless the moment is now. Security definer: people may not write the rows that count their mails. Nullable: p_request. */
  create_email_message: { arguments: { recipient: string; subject: string; request: string | null | undefined; moment: Date | string }; result: { message_id: string; reply_to: string; is_suppressed: boolean; retry_after: number }[]; row: { message_id: string; reply_to: string; is_suppressed: boolean; retry_after: number } };
  /** Writes an entry of the caller with its content, under the policies: all columns that a person may insert, and content. Without entry_date it is about today, and without ai_excluded the notebook decides. One function, because it keeps its plans. */
  create_entry: { arguments: { entry: object }; result: Selectable<JournalEntries> };
  /** Creates a pending export of the caller and returns its id. Raises export.in_progress while another one is pending. Security definer: no role may write exports directly. */
  create_export: { arguments: {  }; result: string };
  /** Creates an import of the caller, whose archive is expected in the store for a day. Security definer: the path is built here, because files are removed by it. */
  create_import: { arguments: { source: ImportSource; size: number }; result: Selectable<JournalImports> };
  /** The caller reports a thing: target_type, target_id, reason and details. Returns the report, or the one of the same thing that is still open (is_new false), and how many seconds to wait (wait_seconds, else 0) if the quota is used up; then the transaction must be rolled back. Raises report.own_thing or report.target_not_found (also if the caller may not see the thing), and service.unexpected unless the moment is now. Security definer: no role may write reports directly, and what others blocked is hidden. */
  create_report: { arguments: { report: object; moment: Date | string }; result: Json };
  /** Creates synthetic users, at most a thousand, for super admins (auth.forbidden). Security definer: no role may write accounts of others directly. */
  create_synthetic_users: { arguments: { people: object; seed: string }; result: Selectable<SyntheticUsers>[]; row: Selectable<SyntheticUsers> };
  /** The date of a moment in the time zone of a person's profile; in UTC if the caller may not see the account. */
  date_of: { arguments: { userId: string; moment: Date | string }; result: string };
  /** What a game day of a person counts as. It follows the check-in if there is one (p_status is not null). Without one it is not started before the window, pending in it and until the end of the grace after it, and failed from then on; failed also once the local day is over, which can be before the end of the grace if the window ends shortly before midnight. */
  day_state: { arguments: { status: CheckinStatus; windowStartsAt: Date | string; windowEndsAt: Date | string; dayEndsAt: Date | string; moment: Date | string; graceMinutes: number }; result: DayState };
  /** Revokes a pending invitation to the caller's confirmed address. Raises invitation.not_found if there is none. Security definer: only owners revoke invitations. */
  decline_invitation: { arguments: { invitationId: string }; result: void };
  /** Hands an organization, that the caller received within the last 14 days, back to its former owner; if they are no longer a member, to the human who has been one for the longest time; without another human it is deleted. The caller stays a member with the role that they had before. Returns whether it still exists. Raises auth.forbidden unless the caller is the owner, organization.not_received. Security definer: no role may write owners directly. */
  decline_organization: { arguments: { orgId: string }; result: boolean };
  /** Deletes a message of a team, or of a squad of a date, for its sender, an admin of the team or an admin. Returns who had sent it; null if there is none that the caller may delete. Security definer: admins delete messages that they do not see. Nullable: p_team_id, p_date, result. */
  delete_message: { arguments: { messageId: string; teamId: string | null | undefined; date: string | null | undefined }; result: string | null };
  /** Deletes a synthetic user with all their rows, for super admins (auth.forbidden). Returns who was linked to them, or in a squad with them, on a day that is not over; null if there is no such synthetic user. Security definer: it deletes from Auth's table, and the rest follows by cascade. Nullable: result. */
  delete_synthetic_user: { arguments: { userId: string; moment: Date | string }; result: string[] | null };
  /** Hides a pack of the caller from everyone but its buyers. Returns whether there was one. Security definer: after it, the owner does not see the row either. */
  delete_tone_pack: { arguments: { packId: string }; result: boolean };
  /** As private.earliest_visible_journal_entries, of one notebook. */
  earliest_entries_of_notebook: { arguments: { notebookId: string; scope: string; afterDate: string; after: Date | string; afterId: string; until: string; max: number }; result: string[] };
  /** The ids of the first rows of the table that the caller may see, in this order, that come after a row (its sort key) and not beyond a bound. Scopes: all, own, shared, public. Security definer: it reads the table by the audiences of the caller, which are its own. */
  earliest_visible_journal_entries: { arguments: { scope: string; afterDate: string; after: Date | string; afterId: string; until: string; max: number }; result: string[] };
  /** Fingerprint under which an address is counted and suppressed; upper and lower case are the same address. */
  email_address_hash: { arguments: { address: string }; result: Buffer };
  /** Ends a battle with its result and queues the notification of its members; does nothing if it is already over. Security definer: no role may write battles directly. */
  end_battle: { arguments: { week: string; moment: Date | string; result: object }; result: Selectable<Battles>[]; row: Selectable<Battles> };
  /** Ends at most p_max days that are over where their players live, the oldest first: counts their results by week, recounts and notifies the next person of each player who did not check in, and notifies those who played how the battle stands. Security definer: no role may write open days or notifications directly. */
  end_days: { arguments: { moment: Date | string; max: number }; result: { week: string; people: string[]; closed: number; completed: number; pending: number; failed: number; notified: number }[]; row: { week: string; people: string[]; closed: number; completed: number; pending: number; failed: number; notified: number } };
  /** Ends a running import, with the counts and problems of the result if it has any. The archive of a dry run stays, so that it can be imported without another upload. Security definer: no role may write imports directly. */
  end_import: { arguments: { id: string; result: object }; result: void };
  /** The first of these entries, up to the one whose content, as far as the caller sees it, is the first beyond a number of bytes together. */
  entries_within_bytes: { arguments: { ids: readonly string[]; maxBytes: number }; result: string[] };
  /** The ids of all visible entries that may pass the filters of private.entry_page, in any order: those that the search index finds, those of the other range or, for a text that no index finds, the newest 5,000. Null if there is nothing to look up. A super admin looks up no terms, because the index finds only what they see as a member. Nullable: result. */
  entry_candidates: { arguments: { page: object; filter: object }; result: string[] | null };
  /** The ids of a page of the entries that the caller may see, in order. Page: scope (all, own, shared or public), order (newest, oldest, latest date or earliest date first), after, after_id and, by date, after_date (of the last row of the page before), max, fields (all, metadata or excerpt), max_content_bytes: a page of more than 50 rows ends once its contents together have more bytes. Filter, each optional: from, before (times), date_from, date_to (inclusive), notebook_id, tags (all of them), mood, q (part of title or content; one without three letters or digits in a row is looked for in the newest 5,000 of the entries that scope, notebook and times leave). */
  entry_page: { arguments: { page: object; filter: object }; result: string[] };
  /** Where a page of private.entry_page begins: after its cursor, or at the end of the range that comes first. */
  entry_page_start: { arguments: { page: object; filter: object }; result: { after_date: string; after_time: string; after_id: string } };
  /** Deletes an account whose erasure has begun and whose subscriptions were cancelled, with everything that belongs to it and the stored responses and exports of others that show the person, writes the receipt and records it in the audit log. Returns false if the account is gone, or has a subscription that was not cancelled. A week after it was due, it is deleted all the same, and the subscription is left to be cancelled later. Security definer: the service may not delete accounts. */
  erase_account: { arguments: { userId: string; cancelled: readonly string[]; moment: Date | string }; result: boolean };
  /** Deletes up to so many rows of an account whose erasure has begun, of what may be too much for one transaction, and returns how many; fewer than asked for if hardly any are left. Security definer: the service may not delete them. */
  erase_rows: { arguments: { userId: string; max: number }; result: number };
  /** Expects a new image of a mosaic and returns its path. Security definer: no role may write the notes directly. */
  expect_mosaic: { arguments: { date: string }; result: string };
  /** Expects a new private file of the caller and returns its id and path. Raises service.unexpected for an unknown kind. Security definer: no role may write the notes directly. */
  expect_new_file: { arguments: { kind: string }; result: { id: string; path: string }[]; row: { id: string; path: string } };
  /** Expects an image of a tone pack of the caller; false if it is expected already. The API fixes the path, so it is checked and not built. Raises service.unexpected for a path of another person. Security definer: no role may write the notes directly. */
  expect_tone_image: { arguments: { path: string }; result: boolean };
  /** Expires a slice of the exports whose 7 days are over, and returns how many. Security definer: no role may write exports directly. */
  expire_exports: { arguments: { max: number }; result: number };
  /** Ends the attempts to fetch the text of mails to us that came more than 3 days ago. Returns how many there were. */
  expire_received_emails: { arguments: { moment: Date | string }; result: number };
  /** The ids of visible entries that may have all terms (not null, not empty), in their metadata or, if asked, in their visible content; some more, some twice. For a super admin only what they see as a member. Security definer: it reads the search index by the audiences of the caller, which are its own. */
  find_entries: { arguments: { terms: readonly string[]; inContent: boolean }; result: string[]; row: string };
  /** Makes an export ready and notifies its person, once. Returns false if the claim has ended. Locks the profile first, as the deletion of the account does. Security definer: no role may write exports directly. */
  finish_export: { arguments: { id: string; claim: string; size: number; sha256: string }; result: boolean };
  /** The first instant at which the clock of a zone shows a local time. If the time is skipped, the instant at which the clock skips it. */
  first_instant: { arguments: { local: string; zone: string }; result: string };
  /** Forgets the file of a photo of the caller that was refused and is not stored. The file of a check-in that was replaced is still removed. Security definer: no role may write the notes directly. */
  forget_check_in_photo: { arguments: { fileId: string }; result: void };
  /** Whether entries are filtered by a range of times in an order of dates, or the other way around. */
  has_other_range: { arguments: { page: object; filter: object }; result: boolean };
  /** Whether the account exists. Security definer with the id as a parameter, because every request calls it: this way it evaluates no policy and reads no claim. */
  has_profile: { arguments: { userId: string }; result: boolean };
  /** Imports a slice: creates the entries that are new, and counts what was found up to it. Returns false, having done nothing, unless the import runs. Raises what private.lock_importer raises. Security definer: no role may write imports directly, or say when an entry was created. */
  import_entries: { arguments: { id: string; slice: object }; result: boolean };
  /** The status of an invitation: pending, accepted (no use is left), revoked or expired. */
  invitation_status: { arguments: { revokedAt: Date | string; uses: number; maxUses: number; expiresAt: Date | string }; result: string };
  /** Whether the caller is an admin or a super admin. Security definer: policies on other tables call it. */
  is_admin: { arguments: {  }; result: boolean };
  /** Whether the caller's check-in with a photo was written; waits for one that is about to be. Security definer: only the caller's own check-ins are locked. */
  is_checked_in: { arguments: { fileId: string }; result: boolean };
  /** Whether a subscription can never leave this status. */
  is_final_subscription_status: { arguments: { status: string }; result: boolean };
  /** Whether a person is human: false for synthetic users and for the system user, null if there is no such person. Security definer: policies on other tables call it. Nullable: result. */
  is_human: { arguments: { person: string }; result: boolean | null };
  /** Whether a list with a scope, whose audiences are private.audiences_of_scope, shows a row that the policies allow, by its author and its audience. */
  is_in_scope: { arguments: { scope: string; audiences: readonly string[]; userId: string; audienceId: string }; result: boolean };
  /** Whether the caller is in a squad. Security definer: the clients of Supabase Realtime do not see the squads. */
  is_in_squad: { arguments: { squadId: string }; result: boolean };
  /** Whether an address is that of a member of an organization, as far as the caller knows: their own, or one by which someone joined an organization that the caller owns. Security definer: people cannot read the addresses of others. */
  is_known_member: { arguments: { orgId: string; address: string }; result: boolean };
  /** Whether a reader with these audiences and blocks is reached by a row of an author with an audience. In policies with (select private.my_audiences())::uuid[] and (select private.blocked_users())::uuid[]. */
  is_reached: { arguments: { audienceId: string; authorId: string; audiences: readonly string[]; blocked: readonly string[] }; result: boolean };
  /** Whether the caller is a super admin. Security definer: policies on other tables call it. */
  is_super_admin: { arguments: {  }; result: boolean };
  /** Whether an entry may not have followed a change yet. p_sources: private.unsettled_sources(). */
  is_unsettled: { arguments: { notebookId: string; teamId: string; orgId: string; metadataAudienceId: string; contentAudienceId: string; sources: readonly string[] }; result: boolean };
  /** Whether an entry is no longer shared with its audience. p_inherits: whether an axis of it inherits from its notebook, p_withdrawn: private.withdrawn_shares(). */
  is_withdrawn: { arguments: { authorId: string; notebookId: string; inherits: boolean; audienceId: string; withdrawn: readonly string[] }; result: boolean };
  /** The advisory lock of the runs of a job that have the same key. It ends with the process, so it tells whether a run is still working. */
  job_lock: { arguments: { job: string; key: string }; result: number };
  /** What is known of scheduled jobs: their last runs, whether one is working, and the results of the last one that ended. Notes the names that were not known, with the time. Nullable: last_started_at, last_succeeded_at, last_results. */
  job_states: { arguments: { names: readonly string[]; now: Date | string }; result: { name: string; known_since: string; last_started_at: string | null; last_succeeded_at: string | null; running: boolean; last_results: Json | null }[]; row: { name: string; known_since: string; last_started_at: string | null; last_succeeded_at: string | null; running: boolean; last_results: Json | null } };
  /** The Monday of the battle that a check-in counts for if it is verified now: the week of its game date, or the first week after it whose battle is not over. Starts that battle, and keeps it from ending before this transaction does. Security definer: no role may write battles directly. */
  join_battle: { arguments: { date: string }; result: string };
  /** A time zone if PostgreSQL knows it, else UTC: profiles have zones that Node knows, whose list may be newer. */
  known_zone: { arguments: { zone: string }; result: string };
  /** As private.latest_visible_journal_entries, of one notebook. */
  latest_entries_of_notebook: { arguments: { notebookId: string; scope: string; afterDate: string; after: Date | string; afterId: string; until: string; max: number }; result: string[] };
  /** The ids of the first rows of the table that the caller may see, in this order, that come after a row (its sort key) and not beyond a bound. Scopes: all, own, shared, public. Security definer: it reads the table by the audiences of the caller, which are its own. */
  latest_visible_journal_entries: { arguments: { scope: string; afterDate: string; after: Date | string; afterId: string; until: string; max: number }; result: string[] };
  /** A person's rank on the leaderboard, from 1, and when the people ahead were counted; as_of is null if that is now, and both are if the person is not listed. Security definer: no role of users may read the checkpoints. */
  leaderboard_rank: { arguments: { userId: string }; result: { rank: number; as_of: string } };
  /** The badges of people as an array of rows in any order, without those who do not exist or have a block between them and the caller; null if there is none. */
  list_badges: { arguments: { userIds: readonly string[] }; result: Json };
  /** A page of the check-ins of a date, newest first, after a row (its time and id), in the form of private.check_ins_of. */
  list_check_ins: { arguments: { date: string; after: Date | string; afterId: string; max: number }; result: Json };
  /** A page of entries as the caller sees them; page and filter as for private.entry_page. The page has in addition excerpt_length, and max is one more than is shown. In a transaction that writes, it logs what a super admin reads. */
  list_entries: { arguments: { page: object; filter: object }; result: Selectable<ReadableEntries>[]; row: Selectable<ReadableEntries> };
  /** The caller's own entries about the same day of earlier years, latest first, at most 100. Without a date: today in the time zone of the caller. It ends once their contents together have more bytes than the maximum. Nullable: p_date. */
  list_entries_on_this_day: { arguments: { date: string | null | undefined; now: Date | string; maxBytes: number }; result: Selectable<ReadableEntries>[]; row: Selectable<ReadableEntries> };
  /** A page of a person's goals with a status, or with any if it is null, newest first, after a row (its time and id). Nullable: p_status. */
  list_goals: { arguments: { userId: string; status: GoalStatus | null | undefined; after: Date | string; afterId: string; max: number }; result: Selectable<Goals>[]; row: Selectable<Goals> };
  /** The top of the leaderboard with ranks, in order, without people with a block between them and the caller; at most 100 people. */
  list_leaderboard: { arguments: { max: number }; result: { rank: number; user_id: string; full_name: string; avatar_url: string; badge_level: number; total_drops_sent: number; engagement_increases: number; success_rate: string }[]; row: { rank: number; user_id: string; full_name: string; avatar_url: string; badge_level: number; total_drops_sent: number; engagement_increases: number; success_rate: string } };
  /** A page of the messages of a team or squad that the caller sees, newest first, after a row (its time and id). */
  list_messages: { arguments: { roomId: string; after: Date | string; afterId: string; max: number }; result: SentMessage[] };
  /** A page of the pending invitations to the caller's confirmed address, newest first, after a row (its time and id), without those of organizations that the caller is in and of people with a block between them. Security definer: the caller sees neither the organizations nor the invitations. */
  list_my_invitations: { arguments: { after: Date | string; afterId: string; max: number }; result: Json[]; row: Json };
  /** A page of the notebooks that the caller may see, newest first, after a row (its time and id). Scopes: all, own, shared, public. */
  list_notebooks: { arguments: { scope: string; after: Date | string; afterId: string; max: number }; result: Selectable<ReadableNotebooks>[]; row: Selectable<ReadableNotebooks> };
  /** A page of a person's notifications, or of the unread ones, newest first, after a row (its time and id), and how many are unread, counted up to a maximum. */
  list_notifications: { arguments: { userId: string; unread: boolean; after: Date | string; afterId: string; max: number; maxCounted: number }; result: Json };
  /** The people of the organizations of the caller, or of one organization, with a word of the name beginning as asked, ordered by name and id: without the caller and blocked people. Without a query, p_org_id is needed. Raises organization.not_found, organization.not_a_reader. Nullable: p_query, p_org_id, avatar_url. */
  list_people: { arguments: { query: string | null | undefined; orgId: string | null | undefined; afterName: string; afterId: string; max: number }; result: { id: string; full_name: string; avatar_url: string | null; is_ai: boolean }[]; row: { id: string; full_name: string; avatar_url: string | null; is_ai: boolean } };
  /** A page of the drops that a person received, or of the unread ones, newest first, after a row (its time and id), and how many are unread. */
  list_received_drops: { arguments: { userId: string; unread: boolean; after: Date | string; afterId: string; max: number }; result: Json };
  /** Locks what changes with the status of a check-in before it is reviewed: the profiles of its owner and of the next person, and the owner's chain rows of the dates whose chips can follow. Security definer: it locks rows that the service may not change. */
  lock_for_review: { arguments: { checkinId: string }; result: void };
  /** Locks what the deletion of an organization or a team changes, in the order in which other transactions lock it: the profiles of its members, of the authors of what is shared with it and of the senders of messages, what is shared with it, the organization, its teams. The deletion alone would lock memberships first, and lose a deadlock to everyone who joins or shares something meanwhile. Security definer: the caller does not see all of it. */
  lock_group: { arguments: { group: string }; result: void };
  /** Locks the person who has confirmed an address, and the pair of this person and the caller, if there is one. Called before the organization is locked. Security definer: people cannot read the addresses of others. */
  lock_invitee: { arguments: { address: string }; result: void };
  /** Locks what the removal of a member from an organization or a team changes, in the same order as private.lock_group. Security definer: locking needs a privilege to update. */
  lock_membership: { arguments: { group: string; userId: string }; result: void };
  /** Lets one decision about a person and their things be made or reversed at a time, because its effect follows from the others. Security definer: locking needs a privilege to update. */
  lock_moderation: { arguments: { ownerId: string }; result: void };
  /** Locks two people as a pair until the transaction ends: a block for itself, what one of them sends to the other shared. What is sent looks for a block after it has the lock, so that nothing arrives after the response to the block. */
  lock_pair: { arguments: { one: string; other: string; shared: boolean }; result: void };
  /** Locks the profile of a person, so that the account is not deleted before the transaction ends. Returns false if it does not exist any more. Called before any other row of the person is locked. Security definer: locking needs a privilege to update. */
  lock_profile: { arguments: { userId: string }; result: boolean };
  /** Locks several profiles, as private.lock_profile does. Security definer: locking needs a privilege to update. */
  lock_profiles: { arguments: { userIds: readonly string[] }; result: void };
  /** Locks everyone who reported the thing of a report, and its owner as private.lock_moderation does. Returns the reporters; the reports of others, who report it meanwhile, stay open. Security definer: locking needs a privilege to update. */
  lock_report: { arguments: { reportId: string }; result: string[] };
  /** Locks the profile of a person who is about to write, as private.lock_profile does, so that the account is neither deleted nor suspended or closed before the transaction ends. Returns false if it does not exist any more. Raises auth.suspended unless the command is open to suspended people, and account.closing unless it is open to people whose account is closing. Security definer: locking needs a privilege to update. */
  lock_writer: { arguments: { userId: string; whileSuspended: boolean; whileClosing: boolean }; result: boolean };
  /** Logs that the caller reads entries, with (or by) their content or only their metadata, if they are a super admin and see that by nothing else. Metadata with a mood that was found in the content counts as content. Security definer: no role may write the log directly. */
  log_entry_reads: { arguments: { entryIds: readonly string[]; withContent: boolean }; result: void };
  /** Tags as they are compared: without regard to case. */
  lowercase_tags: { arguments: { tags: readonly string[] }; result: string[] };
  /** The first of these entries that pass the filters of private.entry_page. Under the policies of the caller: what they may not see matches nothing. */
  matching_entries: { arguments: { filter: object; ids: readonly string[]; max: number }; result: string[] };
  /** The advisory lock of matching the players of a date. It is that of the week, because the dates of a week share its teams. */
  matching_lock: { arguments: { date: string }; result: number };
  /** How many entries a slice writes: at most about half a second of work. All changes of one transaction together write as many at once. */
  max_settled_at_once: { arguments: {  }; result: number };
  /** One id for what a user shares with a group, in private.withdrawn_shares(). */
  member_share: { arguments: { userId: string; groupId: string }; result: string };
  /** What journal_entries_search contains for an entry. */
  metadata_keys: { arguments: { audienceId: string; title: string; tagKeys: readonly string[]; mood: string }; result: number[] };
  /** The search term of a mood. */
  mood_term: { arguments: { mood: string }; result: string };
  /** The dates whose mosaics may have changed: those that are today or yesterday anywhere, if someone plays on them or did when they were drawn, and older ones that show a person as pending who is not any more. Older days change by reviews only. */
  mosaics_to_draw: { arguments: { moment: Date | string }; result: string[]; row: string };
  /** Teams the caller administers, as primary admin or co-admin. Security definer: policies call it. */
  my_administered_team_ids: { arguments: {  }; result: string[]; row: string };
  /** Every audience the caller belongs to, apart from being the author: the public, their teams, their organizations. Without the public if there is a block between the caller and anyone: then policies compare the authors of public rows with private.blocked_users(), which costs nothing for everyone else. Blocks hide nothing from super admins. In policies always (select private.my_audiences())::uuid[], so that it is evaluated once per query. Security definer: policies call it. */
  my_audiences: { arguments: {  }; result: string[] };
  /** Every id that private.content_audience has for contents that the caller may see, except as a super admin. Security definer: it reads which pairs of the caller's groups contents are shared with. */
  my_content_audiences: { arguments: {  }; result: string[] };
  /** Organizations the caller is a member of. Security definer: policies call it. */
  my_organization_ids: { arguments: {  }; result: string[]; row: string };
  /** The caller's role in an organization: owner, admin, member or none; null if it does not exist. Security definer: callers may not see the organization. Nullable: result. */
  my_organization_role: { arguments: { orgId: string }; result: OrganizationRole | null };
  /** Organizations the caller owns. Security definer: policies call it. */
  my_owned_organization_ids: { arguments: {  }; result: string[]; row: string };
  /** The caller's role in a team: admin, member, organization_member or none; null if it does not exist. Security definer: callers may not see the team. Nullable: result. */
  my_team_role: { arguments: { teamId: string }; result: TeamRole | null };
  /** The tone packs that are shared with the caller or that the caller bought. Security definer: policies call it. */
  my_tone_pack_ids: { arguments: {  }; result: string[]; row: string };
  /** As private.newest_visible_journal_entries, of one notebook. */
  newest_entries_of_notebook: { arguments: { notebookId: string; scope: string; after: Date | string; afterId: string; until: Date | string; max: number }; result: string[] };
  /** The ids of the first rows of the table that the caller may see, in this order, that come after a row (its sort key) and not beyond a bound. Scopes: all, own, shared, public. Security definer: it reads the table by the audiences of the caller, which are its own. */
  newest_visible_journal_entries: { arguments: { scope: string; after: Date | string; afterId: string; until: Date | string; max: number }; result: string[] };
  /** The ids of the first rows of the table that the caller may see, in this order, that come after a row (its sort key) and not beyond a bound. Scopes: all, own, shared, public. Security definer: it reads the table by the audiences of the caller, which are its own. */
  newest_visible_notebooks: { arguments: { scope: string; after: Date | string; afterId: string; until: Date | string; max: number }; result: string[] };
  /** The ids of the next visible entries of private.entry_page after a row, by order, scope, notebook and the range of the order; the other filters are not applied. Nullable: p_after_date. */
  next_entries: { arguments: { page: object; filter: object; afterDate: string | null | undefined; after: Date | string; afterId: string; max: number }; result: string[] };
  /** Records that the caller has acted as a member of these organizations, or of the organizations of these teams; only the first time is stored. Security definer: no role may write acted_at directly, or an owner could claim it for others. */
  note_member_acted: { arguments: { groups: readonly string[] }; result: void };
  /** The beginnings of the fifty newest recent notes of a person who lets the assistant read them, newest first, each with the state of all of them. Security definer: the service cannot read entries. Nullable: mood. */
  notes_for_analysis: { arguments: { userId: string; moment: Date | string }; result: { id: string; title: string; content: string; mood: string | null; written_at: string; state: string }[]; row: { id: string; title: string; content: string; mood: string | null; written_at: string; state: string } };
  /** Notifies a person, in the transaction of what caused it; does nothing if the account is gone. Data contain no journal text and no content of drops. Security definer: no role may write notifications directly. */
  notify: { arguments: { userId: string; type: NotificationType; data: object; causedBy?: string }; result: void };
  /** Notifies at most p_max members of both teams how a battle ended, each once, synthetic users left out. Returns whether there are more. Security definer: no role may write notifications directly. */
  notify_battle_results: { arguments: { week: string; max: number }; result: boolean };
  /** As private.oldest_visible_journal_entries, of one notebook. */
  oldest_entries_of_notebook: { arguments: { notebookId: string; scope: string; after: Date | string; afterId: string; until: Date | string; max: number }; result: string[] };
  /** The ids of the first rows of the table that the caller may see, in this order, that come after a row (its sort key) and not beyond a bound. Scopes: all, own, shared, public. Security definer: it reads the table by the audiences of the caller, which are its own. */
  oldest_visible_journal_entries: { arguments: { scope: string; after: Date | string; afterId: string; until: Date | string; max: number }; result: string[] };
  /** The battle of a week. Creates the one of the current week if it does not exist, and starts it on its Monday in UTC. Security definer: no role may write battles directly. */
  open_battle: { arguments: { week: string; moment: Date | string }; result: Selectable<Battles>[]; row: Selectable<Battles> };
  /** private.open_battle for a person's request, which may act only now. Security definer, as that function. */
  open_current_battle: { arguments: { week: string; moment: Date | string }; result: Selectable<Battles>[]; row: Selectable<Battles> };
  /** At most p_max dates of active synthetic users whose window has opened and who have not checked in, after the given end of a window and chain, in the order in which windows end: a player comes after the previous one in the chain. */
  open_synthetic_turns: { arguments: { moment: Date | string; afterEnd: Date | string; afterChainId: string; max: number }; result: { chain_id: string; user_id: string; date: string; activity_type: ActivityType; window_starts_at: string; window_ends_at: string; check_in_probability: string }[]; row: { chain_id: string; user_id: string; date: string; activity_type: ActivityType; window_starts_at: string; window_ends_at: string; check_in_probability: string } };
  /** The caller's own entries of a range of days (inclusive). */
  own_entries: { arguments: { from: string; to: string }; result: OwnEntry[] };
  /** The id of the person with an address, or null. Security definer: people cannot read the addresses of others. Nullable: result. */
  person_with_email: { arguments: { address: string }; result: string | null };
  /** What a person has achieved in battles: verified chips, battles that their team won, and the longest run of verified days. */
  player_record: { arguments: { userId: string }; result: { chips: number; battles_won: number; longest_streak: number }[]; row: { chips: number; battles_won: number; longest_streak: number } };
  /** Who would see an entry of the caller, as private.audience, if its columns were changed like this; p_entry_id is null for a new one. Raises notebook.not_found. Security definer: it counts members and roles that the caller may not see; it reads only entries and notebooks of the caller. Nullable: p_entry_id. */
  preview_audience: { arguments: { entryId: string | null | undefined; change: object }; result: EntryAudience };
  /** The invitation with a token. Raises invitation.not_found if the caller cannot use it. Security definer: the caller does not see the organization. */
  preview_invitation: { arguments: { tokenHash: Buffer }; result: Json };
  /** How many entries of a notebook of the caller would be seen by others than now if its columns were changed like this, how many of their axes (metadata, content) by someone who does not see them now, how many no longer by someone who does, and 20 examples: widened ones first, then newest first. An axis that goes from one group to another is both. Looks at the newest private.preview_limit entries; approximate if there are more. Null if the notebook is not theirs. Security definer: it reads teams that the caller may not see; it reads only entries and notebooks of the caller. */
  preview_notebook_audience: { arguments: { notebookId: string; change: object }; result: NotebookPreview };
  /** Processes the next open drops, those of one sender together, so that the sender's rows are written once. An entry of the recipient after the drop and until the end of its window closes the drop as engaged: its sender earns the bonus, for today, and a success for the badge. A window that is over closes the drop as expired. Returns the last drop and the counts. Security definer: no role may write drops, allowances or badges directly. Nullable: p_after_sender_id, p_after_drop_id. */
  process_engagement: { arguments: { moment: Date | string; afterSenderId: string | null | undefined; afterDropId: string | null | undefined; limit: number }; result: { last_sender: string; last_drop: string; checked: number; engaged: number; bonus_awarded: number; badges_updated: number } };
  /** The audience that everyone signed in belongs to. */
  public_audience: { arguments: {  }; result: string };
  /** The caller buys a pack: everything is decided under the locks of the pack and of the account. Returns the purchase, the movement that paid for it (transaction) and the balance, as the API sends them. Raises tone_pack.not_found, tone_pack.own_pack, tone_pack.already_purchased, tone_pack.price_changed or drops.insufficient_balance. Security definer: no role may write balances directly. Nullable: p_expected_price. */
  purchase_tone_pack: { arguments: { packId: string; expectedPrice: number | null | undefined }; result: Json };
  /** Whether a person wants a type of notification pushed, by the choices in their settings (null: none). By default all types but team messages are, and but the two that come at midnight. */
  push_setting: { arguments: { type: NotificationType; push: object }; result: boolean };
  /** What a person has and used on a day, by the current rules. Security invoker: people see their own. */
  read_allowance: { arguments: { userId: string; date: string }; result: { daily_allowance: number; drops_used: number; bonus_drops_earned: number; custom_drops_used: number; max_custom_drops_per_day: number }[]; row: { daily_allowance: number; drops_used: number; bonus_drops_earned: number; custom_drops_used: number; max_custom_drops_per_day: number } };
  /** Who sees an entry of the caller, as private.audience; null if it is not theirs. Security definer: it counts members and roles that the caller may not see. Nullable: result. */
  read_audience: { arguments: { entryId: string }; result: EntryAudience | null };
  /** The badge of a person as an object; null if they do not exist, or if there is a block between them and the caller. */
  read_badge: { arguments: { userId: string }; result: Json };
  /** The balance of a person in drops; null if the caller may not see it. Nullable: result. */
  read_balance: { arguments: { userId: string }; result: number | null };
  /** A person's neighbors in the chain of a date and their squad, if they have one, as ids; the card of each of them by id; and the check-ins of the squad, or of the person and the neighbors (private.check_ins_of). Null if they do not play on that date. */
  read_chain: { arguments: { userId: string; date: string; ofSquad: boolean }; result: Json };
  /** The entry with an id as the caller sees it, as an object; null if they may not see it. In a transaction that writes, it logs what a super admin reads. */
  read_entry: { arguments: { id: string }; result: Selectable<ReadableEntries>[]; row: Selectable<ReadableEntries> };
  /** What erasing the caller would do (preview), and the times of a scheduled erasure, as the API sends them. Security definer: buyers and members of others are invisible to the caller. */
  read_erasure: { arguments: {  }; result: Erasure };
  /** The caller's own entries of a range of days (inclusive) in numbers, as the API sends them. Without an end: today in the time zone of the caller; without a start: 30 days. Raises request.invalid for more than 366 days and for a start after the end. */
  read_journal_stats: { arguments: { from: string; to: string; now: Date | string }; result: Json };
  /** The location of a person as an object; null if there is none or the caller may not see it. Nullable: result. */
  read_location: { arguments: { userId: string }; result: SentLocation | null };
  /** Everyone who plays on a date or has a row of it: in all areas, or in those where the given people play or were to play. Their window and their row as objects, with instants in milliseconds since 1970, and the people that they blocked. People whose account is closing do not play. Locks their profiles, so that no matched account is deleted before the result is written. Security definer: it reads everyone's windows and areas. */
  read_matching: { arguments: { date: string; around?: readonly string[] }; result: { user_id: string; is_ai: boolean; area_key: string; is_area_in_scope: boolean; color: TeamColor; left_out: boolean; has_checkin: boolean; has_left: boolean; play_window: Json; chain: Json; is_chain_in_scope: boolean; blocked: string[] }[]; row: { user_id: string; is_ai: boolean; area_key: string; is_area_in_scope: boolean; color: TeamColor; left_out: boolean; has_checkin: boolean; has_left: boolean; play_window: Json; chain: Json; is_chain_in_scope: boolean; blocked: string[] } };
  /** A year of private.read_journal_stats day by day, with its number. Without a year: this one in the time zone of the caller. */
  read_mood_calendar: { arguments: { year: number; now: Date | string }; result: Json };
  /** The notification settings of the caller as an object, with the defaults for what they did not choose. */
  read_notification_settings: { arguments: { userId: string }; result: Json };
  /** The profile of the caller as an object; null for other people, who have no account that the caller may see. */
  read_profile: { arguments: { userId: string }; result: Json };
  /** The page of a person as an object, with at most 500 organizations of both; null if the caller may not see it. Nullable: result. */
  read_user: { arguments: { userId: string; moment: Date | string }; result: UserPage | null };
  /** The averages of the caller's wellness entries that were written on these days (inclusive) in their time zone, with two decimals; null without any. */
  read_wellness_averages: { arguments: { from: string; to: string }; result: Json };
  /** The window of a person as an object; null if there is none or the caller may not see it. Nullable: result. */
  read_window: { arguments: { userId: string }; result: SentWindow | null };
  /** Recalculates the caller's level. Returns whether it rose. Raises service.unexpected unless the moment is now. Security definer: no role may write badges directly. */
  recalculate_my_badge: { arguments: { moment: Date | string }; result: boolean };
  /** Recalculates the badges of the next people who sent a drop today or yesterday (UTC) and have enough engagements for a higher level. Returns the last of them, how many there were, and how many levels rose. Security definer: no role may write badges directly. Nullable: p_after_user_id, last_user. */
  recalculate_recent_badges: { arguments: { moment: Date | string; afterUserId: string | null | undefined; limit: number }; result: { last_user: string | null; seen: number; badges_updated: number } };
  /** Compares all balances, movements, monthly awards and bought packs. Returns the sums, and at most 100 differences by kind and user: what was expected and what was found. Security definer: the service may not read the ledger. */
  reconcile_drops: { arguments: {  }; result: Reconciliation };
  /** Decides an appeal: upheld or reversed, after private.lock_moderation. Returns it as the API sends it. Security definer: no role may write appeals, or show hidden things of others. */
  record_appeal_decision: { arguments: { appealId: string; status: AppealStatus; answer: string; decidedBy: string; moment: Date | string }; result: SentAppeal };
  /** Writes the caller's check-in with its photo, whose file stays; verified if it has no flags. Replaces a rejected check-in while the day is open: its photo is discarded and its review cleared. Security definer: no role may write check-ins and notifications directly. */
  record_check_in: { arguments: { checkIn: object; moment: Date | string; graceMinutes: number }; result: { checkin_id: string; is_next_notified: boolean }[]; row: { checkin_id: string; is_next_notified: boolean } };
  /** Writes check-ins, each at its checked_in_at, and notifies the next people and the squads. Leaves out a day that is closed and a date that has a check-in, unless replaced_id names it. Two that are written together see each other, because they are recounted. Returns the ids that were written and how many notifications. Security definer: no role may write check-ins and notifications directly. */
  record_check_ins: { arguments: { checkIns: object; moment: Date | string; graceMinutes: number }; result: { checkin_ids: string[]; notified: number; is_next_notified: boolean }[]; row: { checkin_ids: string[]; notified: number; is_next_notified: boolean } };
  /** Decides the open reports of these reporters about the thing of a report, after private.lock_report. Returns the id of the decision. Security definer: no role may write decisions, or hide things of others. Nullable: p_suspended_until. */
  record_decision: { arguments: { reportId: string; reporters: readonly string[]; decision: ModerationDecision; reason: string; suspendedUntil: Date | string | null | undefined; decidedBy: string; moment: Date | string }; result: string };
  /** Stores an event of the mail provider together with the delivery of its mail, which message_id or provider_id names; address is used if neither is known. A delivery never goes back, verified events win over unverified ones, and only a verified event suppresses an address. Returns false and does nothing if the event was processed before. */
  record_email_event: { arguments: { event: object }; result: boolean };
  /** Records the result of sending the caller's mail: the provider's id, or null if the provider did not accept it. A sent mail stays sent. Security definer: people may not write the rows that count their mails. Nullable: p_provider. */
  record_email_result: { arguments: { message: string; provider: string | null | undefined }; result: void };
  /** Does the work of private.send_encouragement_drop: counts the drop under the lock of the day's allowance, and returns its id and the allowance, as private.read_allowance does. Security definer: no role may write drops or counts directly. */
  record_encouragement_drop: { arguments: { drop: object; moment: Date | string }; result: { drop_id: string; allowance: Json } };
  /** Creates an invitation by the owner or a super admin, who has locked the invitee and the organization, and counted the invitation. A pending one of the same address is revoked, teams of other organizations are left out, and the mail is counted as a mail of the caller; message_id is null if there is no mail to send: the address is suppressed, the server sends none, or the caller has no confirmed address or no mails left. Raises auth.forbidden, and service.unexpected unless the moment is now. Security definer: owners see neither addresses nor blocks of others. Nullable: message_id, reply_to. */
  record_invitation: { arguments: { orgId: string; invitation: object; moment: Date | string }; result: { invitation_id: string; message_id: string | null; reply_to: string | null } };
  /** Stores the results of claimed deliveries: sent, refused, unavailable (tried again after half a minute, then twice as long each time, at most an hour) or unused (not tried). Skips a delivery that was claimed again since. Security definer: no role may write deliveries directly. */
  record_push_results: { arguments: { results: object; moment?: Date | string }; result: void };
  /** Stores an event of the payment processor together with the status of its subscription. The latest event wins; in the same second by rank, then by id. A final status wins over every other one, and any status over one of a rank below 0, which is a guess. An event about an invoice changes no status if another event was about a newer one, by which the processor decides whether the subscription is past due. Returns false and does nothing if the event was processed before. */
  record_subscription_event: { arguments: { event: object }; result: boolean };
  /** Corrects the check-ins that depend on results of people on dates, as they are at a moment (infinity: they are final): the chain of the next person, and the streak of the same person's next six dates. Everything that writes the status of check-ins calls it. Chips are generated columns and follow, and so does a running battle; check-ins that a battle has ended with stay. Notifies people whose chain broke or continues after all. Returns who was notified that it broke. Security definer: no role may write these columns and notifications directly. */
  recount_check_ins: { arguments: { days: object; moment: Date | string; graceMinutes: number }; result: { user_id: string; date: string }[]; row: { user_id: string; date: string } };
  /** Refunds a purchase, once, for super admins only (auth.forbidden). Security definer: no role may write balances directly. Raises drops.transaction_not_found, drops.not_refundable, drops.already_refunded or drops.balance_too_high. */
  refund_purchase: { arguments: { transactionId: string; description: string }; result: Selectable<DropTransactions> };
  /** Ends a claim after an attempt that failed or had nothing to do, unless the turn was cancelled or claimed again since; the attempt stays counted. After the first failure the turn cannot be claimed for 20 minutes, after the second for two hours. Security definer: the service has no privilege on turns. */
  release_assistant_turn: { arguments: { userId: string; job: AssistantJob; claim: string; moment: Date | string; hasFailed: boolean }; result: void };
  /** Reminds at most p_max people whose window opens within half an hour and who have not checked in, once for a date and the start of its window. Security definer: no role may write notifications directly. */
  remind_players: { arguments: { moment: Date | string; max: number }; result: number };
  /** Looks at up to p_max people whose journal reminder is due, reminds those who want it today, once on a local date, and computes when each is due next. Returns how many it looked at and reminded. Security definer: no role may write notifications directly. */
  remind_to_write: { arguments: { moment: Date | string; max: number }; result: { seen: number; reminded: number }[]; row: { seen: number; reminded: number } };
  /** Removes a device that its push service does not know any more, unless it was subscribed again in the meantime. Security definer: no role may delete the devices of others directly. */
  remove_dead_device: { arguments: { subscriptionId: string; p256dh: string; auth: string }; result: boolean };
  /** Closes the account of the caller, to be erased now or in 7 days, and returns both times as the API sends them. A repeated request keeps the time of the first, and never postpones the erasure. Raises admin.last_super_admin, and service.unexpected unless the moment is now. Security definer: no role may write these columns. */
  request_erasure: { arguments: { isNow: boolean; moment: Date | string }; result: ErasureTimes };
  /** Requires that a person exists, without a block between them and the caller, and locks the two as a pair. Raises user.not_found. Security definer: a block is seen only by the person who made it. */
  require_drop_recipient: { arguments: { recipientId: string }; result: void };
  /** Requires that the caller can reach a person: a human, without a block between the two unless both are members of p_group, an organization or a team; null for what is sent. Locks the person and the block until the transaction ends. Raises user.not_found, so that a block cannot be told from a missing account. Security definer: a block is seen only by the person who made it. Nullable: p_group. */
  require_reachable: { arguments: { person: string; group: string | null | undefined }; result: void };
  /** Opens the closing account of the caller again; does nothing if it is not closing. Raises account.being_erased once the erasure has begun. Security definer: no role may write these columns. */
  restore_account: { arguments: {  }; result: void };
  /** Returns an entry of the caller from the trash to the journal, as if it had always been there; false if it is not in their trash. Security definer: no role may choose the id of an entry, or when it was written. */
  restore_entry: { arguments: { id: string }; result: boolean };
  /** A time as the API sends it, for objects that are made in the database: packages/database writes the times of plain columns in the same way. */
  rfc3339: { arguments: { moment: Date | string }; result: string };
  /** The dates from 1900 on that have month and day of a date and are of an earlier year. 29 February also belongs to 28 February of years without one. */
  same_day_of_earlier_years: { arguments: { date: string }; result: string[] };
  /** A name as it is compared: without case, accents and punctuation, with one blank between words. */
  search_form: { arguments: { name: string }; result: string };
  /** The key of the search index for a term that an audience may see: 24 bits of the term, then 40 bits of the audience. Keys of one term are neighbors, which makes looking it up for 500 audiences a quarter faster than without an order. */
  search_key: { arguments: { audienceId: string; term: string }; result: number };
  /** The keys of the search index for terms that an audience may see, without those that are null. */
  search_keys: { arguments: { audienceId: string; terms: readonly string[] }; result: number[] };
  /** The sequences of three letters or digits inside of the words of a text, in lower case. Those that pg_trgm pads with blanks are left out, because a search also matches in the middle of a word. */
  search_terms: { arguments: { text: string }; result: string[] };
  /** Whether the caller sees entries that are not shared with them, as super admins do. Evaluated by policies only for rows that the caller does not see otherwise. Raises read_only_sql_transaction in a transaction that only reads, because it could not log the read: the API then runs it again as one that writes. */
  sees_all_entries: { arguments: {  }; result: boolean };
  /** Whether a person sees metadata and content of an entry of the caller, as far as it is shared with them: what a super admin sees besides is not said, because it would show who is one. Null if the entry is not theirs. Raises user.not_found for everyone who shares no organization with the caller. Security definer: it reads memberships and blocks that the caller may not see. Nullable: result. */
  sees_entry: { arguments: { entryId: string; personId: string }; result: SeenAxes | null };
  /** Whether the caller's policies show them a pack. */
  sees_tone_pack: { arguments: { packId: string }; result: boolean };
  /** Sends a person the assistant's drop of the UTC day, notifies them, and ends the turn; no allowance changes. Null if they have a drop of that day already or do not want any more, or if the analysis that the drop is about, if any, was deleted meanwhile; then the turn can be claimed again. Security definer: no role may send drops as the system user directly. Nullable: p_analysis_id, result. */
  send_assistant_drop: { arguments: { userId: string; moment: Date | string; content: string; assistantName: string; analysisId: string | null | undefined }; result: string | null };
  /** The caller sends a drop: recipient_id, and a template_id, or content with or without type, media_type, media_url and thumbnail_url; entry_id if it is about an entry. Returns the drop, and the allowance and the badge of the caller after it. Raises encouragement.template_not_found (also for a draft), user.not_found (also with a block between the two), encouragement.allowance_exhausted, encouragement.custom_drops_exhausted, and service.unexpected unless the moment is now. The caller has checked that they see the entry. */
  send_encouragement_drop: { arguments: { drop: object; moment: Date | string }; result: Json };
  /** Writes the next entries of a change of who sees them: at most so many, with about 500 bytes of content each on average. Either waits for entries that another transaction is writing, or leaves them out. Returns the source with its new position, the number of entries, and whether none are left. Security definer: the entries may belong to others, such as those of a member who is removed. */
  settle_entries: { arguments: { source: string; maxEntries: number; waits: boolean }; result: { source: string; entries: number; is_done: boolean } };
  /** Writes the next slice of entries whose sharing has changed; false if nothing is left, or another transaction writes it. */
  settle_next: { arguments: {  }; result: boolean };
  /** An entry of the caller, or any for super admins, as it will be once it follows its notebook, its groups and its author's memberships; unchanged for all others. Security definer: reads groups and notebooks for the view of entries. */
  settled_entry: { arguments: { entry: string }; result: Selectable<JournalEntries> };
  /** Those of private.entry_candidates that are in the scope and the notebook and come after a row, in the order of the page; null if there are none to look up. Nullable: p_ids, p_after_date, result. */
  sorted_candidates: { arguments: { page: object; filter: object; ids: readonly string[] | null | undefined; afterDate: string | null | undefined; after: Date | string; afterId: string }; result: string[] | null };
  /** Counts a photo of the caller against the quota of examined photos, expects its file, and reads what it is compared with: their window, their home, and from a date on the days on which they are matched and the dates with a check-in that is not rejected. */
  start_check_in: { arguments: { from: string }; result: Json };
  /** Begins to erase an account that is due, or goes on with it, and takes its name out of the notifications of others; from now on it cannot be restored. Returns its subscriptions to cancel, or null if it is not due or is gone. Security definer: the service may not write accounts. Nullable: result. */
  start_erasure: { arguments: { userId: string; moment: Date | string }; result: string[] | null };
  /** Starts an import of the caller, of a version of its archive: one that waits, or one of which there was a dry run only. Raises what private.archive_to_import raises, import.not_uploaded, or import.in_progress if this or another one of the caller runs. Security definer: no role may write imports directly. */
  start_import: { arguments: { id: string; version: string; dryRun: boolean }; result: void };
  /** Writes the mosaic of a date whose image is stored, replacing the previous one; false if that one read the states later. p_mosaic has image_key, digest, seen_at and sections, each with user_id, status and teamColor, in the order of their positions. Security definer: no role may write mosaics directly. */
  store_mosaic: { arguments: { date: string; mosaic: object }; result: boolean };
  /** Stores an analysis of a person's notes and which notes it read, one analysis per UTC day, ends the turn, and stores the state of the notes. Null if the person does not let the assistant read notes any more, if one of the notes was deleted or excluded meanwhile, or if the claim has ended. Security definer: no role may write analyses directly. Nullable: p_state, result. */
  store_note_analysis: { arguments: { userId: string; claim: string; moment: Date | string; analysis: object; entryIds: readonly string[]; state: string | null | undefined }; result: string | null };
  /** Stores the response to a request of the caller whose key was taken, or only the key if there is no response yet. Nullable: p_status, p_body, p_resource_id. */
  store_response: { arguments: { route: string; key: string; bodyHash: string; status: number | null | undefined; body: string | null | undefined; resourceId: string | null | undefined; isFinal: boolean }; result: void };
  /** Makes a device the caller's, even if it belonged to another person before: only its browser knows its endpoint. A person has at most 20 devices; the ones that were renewed least recently are removed. Security definer: it takes the device from its former owner. */
  subscribe_device: { arguments: { endpoint: string; p256dh: string; auth: string }; result: Selectable<PushSubscriptions>[]; row: Selectable<PushSubscriptions> };
  /** The reserved user that sends the drops of the assistant. It cannot sign in. */
  system_user_id: { arguments: {  }; result: string };
  /** The search terms of tags. */
  tag_terms: { arguments: { tagKeys: readonly string[] }; result: string[] };
  /** Locks a key of the caller until the transaction ends, and returns the response to an earlier request with it; no row if the request may run. Removes a response that is kept no longer, and the trace of the same request if it died before there was a response. Raises idempotency.in_progress, or idempotency.key_reused for another body. */
  take_idempotency_key: { arguments: { route: string; key: string; bodyHash: string; kept: string; maxCommandTime: string }; result: { status: number; body: string }[]; row: { status: number; body: string } };
  /** The search terms that every text has that contains this one, also where it begins or ends in the middle of a word. */
  terms_within: { arguments: { text: string }; result: string[] };
  /** Today in the time zone of the caller's profile. */
  today: { arguments: {  }; result: string };
  /** Lets a synthetic user play or rest, for super admins (auth.forbidden); nothing if there is no such synthetic user. Security definer: the window belongs to another account. */
  toggle_synthetic_user: { arguments: { userId: string; isActive: boolean }; result: Selectable<SyntheticUsers>[]; row: Selectable<SyntheticUsers> };
  /** What a person's model calls of one calendar month (UTC) came to; always one row, and every kind is in it. The tokens of each call are converted to drops at the rate in force when it was recorded. Sees what the caller's policies show. */
  token_usage_monthly: { arguments: { userId: string; year: number; month: number }; result: TokenUsageMonth[]; row: TokenUsageMonth };
  /** Makes a member the owner; the old owner stays as admin. Raises auth.forbidden unless the caller is the owner, user.not_found if the new owner is not human or there is a block between them and the caller, organization.not_found, organization.not_a_member. Security definer: no role may write owners directly. */
  transfer_organization: { arguments: { orgId: string; newOwnerId: string }; result: void };
  /** Moves an entry of the caller to the trash; false if they have no such entry. Security definer: no role may delete entries, or write to the trash directly. */
  trash_entry: { arguments: { id: string }; result: boolean };
  /** The notebooks and groups of the caller that changed, but not yet all their entries; for super admins those of everyone. Nearly always empty. Security definer: only this function and private.withdrawn_shares() may be asked. */
  unsettled_sources: { arguments: {  }; result: string[] };
  /** What is left of the bonus that was earned on a day, which uses its allowance first, then the carried bonus, then the bonus earned on that day; a carried bonus is not carried again. 0 if there is no such day. */
  unused_bonus: { arguments: { allowance: string }; result: number };
  /** The lengths of a person's runs of consecutive dates with a verified check-in, between two dates (both included). */
  verified_streaks: { arguments: { userId: string; from: string; to: string }; result: number[]; row: number };
  /** The Monday of the week of a date. weekStart in packages/core/calendar-date.ts is the same for requests and matching; a test compares them. */
  week_start: { arguments: { date: string }; result: string };
  /** What was shared with the caller, but no longer is, although the entries still have its audience: ids of notebooks and of private.member_share. Nearly always empty. In policies always (select private.withdrawn_shares())::uuid[], after (select private.withdrawn_shares() <> '{}'), which spares the comparison of each row. Security definer: policies call it. */
  withdrawn_shares: { arguments: {  }; result: string[] };
  /** Writes what matching changed on a date, each table in one statement: squads (a new one has no id, players refer to it by its number from 1), removed_squads, players, removed_players and notifications. Security definer: no role may write these directly. */
  write_chains: { arguments: { date: string; changes: object }; result: void };
  /** The days of entries, in any order. */
  written_days: { arguments: { entries: readonly string[] }; result: WrittenDay[] };
}

/** How the result of a function is read, if it is not one value. */
export const RESULTS: Readonly<Record<string, "object" | "objects" | "row" | "rows" | "values" | undefined>> = {
  accept_invitation: "rows",
  adjust_drops: "row",
  analysis_for_message: "rows",
  award_monthly_slice: "row",
  battle_days: "rows",
  battle_members: "rows",
  battle_totals: "rows",
  claim_assistant_turns: "row",
  claim_erasure_receipt: "rows",
  claim_push_deliveries: "rows",
  claim_received_email: "rows",
  count_players: "rows",
  create_appeal: "object",
  create_email_message: "rows",
  create_entry: "row",
  create_import: "row",
  create_synthetic_users: "rows",
  end_battle: "rows",
  end_days: "rows",
  entry_page_start: "row",
  expect_new_file: "rows",
  find_entries: "values",
  job_states: "rows",
  leaderboard_rank: "row",
  list_entries: "rows",
  list_entries_on_this_day: "rows",
  list_goals: "rows",
  list_leaderboard: "rows",
  list_messages: "object",
  list_my_invitations: "values",
  list_notebooks: "rows",
  list_people: "rows",
  mosaics_to_draw: "values",
  my_administered_team_ids: "values",
  my_organization_ids: "values",
  my_owned_organization_ids: "values",
  my_tone_pack_ids: "values",
  notes_for_analysis: "rows",
  open_battle: "rows",
  open_current_battle: "rows",
  open_synthetic_turns: "rows",
  own_entries: "object",
  player_record: "rows",
  preview_audience: "object",
  preview_notebook_audience: "object",
  process_engagement: "row",
  read_allowance: "rows",
  read_audience: "object",
  read_entry: "rows",
  read_erasure: "object",
  read_location: "object",
  read_matching: "rows",
  read_user: "object",
  read_window: "object",
  recalculate_recent_badges: "row",
  reconcile_drops: "object",
  record_appeal_decision: "object",
  record_check_in: "rows",
  record_check_ins: "rows",
  record_encouragement_drop: "row",
  record_invitation: "row",
  recount_check_ins: "rows",
  refund_purchase: "row",
  remind_to_write: "rows",
  request_erasure: "object",
  sees_entry: "object",
  settle_entries: "row",
  settled_entry: "row",
  subscribe_device: "rows",
  take_idempotency_key: "rows",
  toggle_synthetic_user: "rows",
  token_usage_monthly: "objects",
  verified_streaks: "values",
  written_days: "object",
};

/** The arguments that are sent as JSON. */
export const JSON_ARGUMENTS: ReadonlySet<string> = new Set([
  "check_import_slice.entries",
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
  "import_entries.slice",
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
  "recount_check_ins.days",
  "send_encouragement_drop.drop",
  "sorted_candidates.page",
  "sorted_candidates.filter",
  "store_mosaic.mosaic",
  "store_note_analysis.analysis",
  "write_chains.changes",
]);
