import { type Expected, only, REFUSED, signedIn } from "./matrix.ts";

type Command = "select" | "insert" | "update" | "delete";

/** A statement and what each role gets for it, for the commands on a table that users have a privilege for. */
export type TableAccess = Readonly<Partial<Record<Command, readonly [statement: string, expected: Expected]>>>;

const ownerAlone = only({ owner: 1 }, 0);
const ownerAndSuperAdmin = only({ owner: 1, superAdmin: 1 }, 0);
const membersAndSuperAdmin = only({ owner: 1, teamMate: 1, orgMate: 1, blocked: 1, superAdmin: 1 }, 0);
/** Of something that a team sees and something public. */
const teamAndPublic = only({ owner: 2, teamMate: 2, superAdmin: 2, blocked: 0, anonymous: 0 }, 1);
/** Of something that an organization sees and something public. */
const organizationAndPublic = only({ owner: 2, teamMate: 2, orgMate: 2, superAdmin: 2, blocked: 1, anonymous: 0 }, 1);
/** Of a tone pack that a teamMate was given and an orgMate bought, and a public one. */
const receivedAndPublic = only({ owner: 2, teamMate: 2, orgMate: 2, blocked: 0, anonymous: 0 }, 1);

export const TABLE_ACCESS: Readonly<Record<string, TableAccess>> = {
  "nectar.profiles": {
    select: ["select from nectar.profiles where id = :owner", signedIn(1, 0)],
    update: ["update nectar.profiles set full_name = 'Ada' where id = :owner", ownerAlone],
  },
  "nectar.accounts": {
    select: ["select from nectar.accounts where user_id = :owner", ownerAlone],
    update: ["update nectar.accounts set check_in_enabled = true where user_id = :owner", ownerAlone],
  },
  "nectar.blocks": {
    select: ["select from nectar.blocks where user_id = :owner", ownerAlone],
    insert: [
      "insert into nectar.blocks (blocked_id) values (:stranger)",
      only({ stranger: "23514", anonymous: REFUSED }, 1),
    ],
    delete: ["delete from nectar.blocks where user_id = :owner", ownerAlone],
  },
  "nectar.reports": {
    select: ["select id, details from nectar.reports where reporter_id = :teamMate", only({ teamMate: 1 }, 0)],
  },
  "nectar.moderation_decisions": {
    select: ["select id, reason from nectar.moderation_decisions where owner_id = :owner", ownerAlone],
  },
  "nectar.moderation_appeals": {
    select: ["select id, reason, answer from nectar.moderation_appeals where owner_id = :owner", ownerAlone],
  },
  "nectar.user_roles": {
    select: ["select from nectar.user_roles where user_id = :superAdmin", only({ superAdmin: 1 }, 0)],
  },
  "nectar.audit_events": {
    select: ["select from nectar.audit_events", only({ superAdmin: 1 }, 0)],
    insert: [
      "insert into nectar.audit_events (action, target_type) values ('updateUserRole', 'user')",
      only({ superAdmin: 1 }, REFUSED),
    ],
  },
  "nectar.exports": {
    select: ["select from nectar.exports where user_id = :owner", ownerAlone],
    delete: ["delete from nectar.exports where user_id = :owner", ownerAlone],
  },
  "nectar.drop_transactions": {
    select: ["select from nectar.drop_transactions where user_id = :owner", ownerAlone],
  },
  "nectar.monthly_drop_awards": {
    select: ["select from nectar.monthly_drop_awards where user_id = :owner", ownerAlone],
  },
  "nectar.organizations": {
    select: ["select from nectar.organizations where id = :organization", membersAndSuperAdmin],
    insert: ["insert into nectar.organizations (name) values ('Nest')", signedIn(1, REFUSED)],
    update: ["update nectar.organizations set name = 'Nest' where id = :organization", ownerAndSuperAdmin],
    delete: ["delete from nectar.organizations where id = :organization", ownerAndSuperAdmin],
  },
  "nectar.organization_members": {
    select: [
      "select from nectar.organization_members where org_id = :organization and user_id = :orgMate",
      membersAndSuperAdmin,
    ],
    insert: [
      "insert into nectar.organization_members (org_id, user_id) values (:organization, :stranger)",
      only({ owner: 1, superAdmin: 1 }, REFUSED),
    ],
    update: ["update nectar.organization_members set role = 'admin' where user_id = :orgMate", ownerAndSuperAdmin],
    delete: [
      "delete from nectar.organization_members where user_id = :orgMate",
      only({ owner: 1, superAdmin: 1, orgMate: 1 }, 0),
    ],
  },
  "nectar.member_names": {
    select: ["select from nectar.member_names where user_id = :orgMate and word_number = 1", membersAndSuperAdmin],
  },
  "nectar.invitations": {
    select: ["select id from nectar.invitations where org_id = :organization", ownerAndSuperAdmin],
    update: ["update nectar.invitations set revoked_at = now() where org_id = :organization", ownerAndSuperAdmin],
  },
  "nectar.teams": {
    select: ["select from nectar.teams where id = :team", membersAndSuperAdmin],
    insert: [
      "insert into nectar.teams (org_id, name, admin_id) values (:organization, 'Swarm', :orgMate)",
      only({ owner: 1, teamMate: 1, orgMate: 1, blocked: 1, superAdmin: 1 }, REFUSED),
    ],
    update: ["update nectar.teams set name = 'Swarm' where id = :team", ownerAndSuperAdmin],
    delete: ["delete from nectar.teams where id = :team", ownerAndSuperAdmin],
  },
  "nectar.team_members": {
    select: ["select from nectar.team_members where user_id = :teamMate", membersAndSuperAdmin],
    insert: [
      "insert into nectar.team_members (team_id, org_id, user_id) values (:team, :organization, :orgMate)",
      only({ owner: 1, superAdmin: 1 }, REFUSED),
    ],
    update: ["update nectar.team_members set role = 'admin' where user_id = :teamMate", ownerAndSuperAdmin],
    delete: [
      "delete from nectar.team_members where user_id = :teamMate",
      only({ owner: 1, superAdmin: 1, teamMate: 1 }, 0),
    ],
  },
  "nectar.notebooks": {
    select: ["select from nectar.notebooks where id in (:notebook, :publicNotebook)", teamAndPublic],
    insert: ["insert into nectar.notebooks (name) values ('Mine')", signedIn(1, REFUSED)],
    update: ["update nectar.notebooks set name = 'Theirs' where id = :notebook", ownerAlone],
    delete: ["delete from nectar.notebooks where id = :notebook", ownerAlone],
  },
  "nectar.notebook_contents": {
    select: [
      "select from nectar.notebook_contents where notebook_id in (:notebook, :publicNotebook)",
      only({ owner: 2 }, 0),
    ],
    update: ["update nectar.notebook_contents set template = 'Theirs' where notebook_id = :notebook", ownerAlone],
  },
  "nectar.journal_entries": {
    select: ["select from nectar.journal_entries where id in (:sharedEntry, :publicEntry)", organizationAndPublic],
    insert: ["insert into nectar.journal_entries (title) values ('Mine')", signedIn(1, REFUSED)],
    update: ["update nectar.journal_entries set title = 'Theirs' where id = :sharedEntry", ownerAlone],
  },
  "nectar.trashed_entries": {
    select: ["select from nectar.trashed_entries where user_id = :owner", ownerAlone],
    delete: ["delete from nectar.trashed_entries where user_id = :owner", ownerAlone],
  },
  "nectar.readable_entries": {
    select: ["select from nectar.readable_entries where id in (:sharedEntry, :publicEntry)", organizationAndPublic],
  },
  "nectar.readable_notebooks": {
    select: ["select from nectar.readable_notebooks where id in (:notebook, :publicNotebook)", teamAndPublic],
  },
  "nectar.journal_entry_contents": {
    select: ["select from nectar.journal_entry_contents where entry_id in (:sharedEntry, :publicEntry)", teamAndPublic],
    insert: [
      "insert into nectar.journal_entry_contents (entry_id, content) values (:emptyEntry, 'smuggled')",
      only({ owner: 1 }, REFUSED),
    ],
    update: [
      "update nectar.journal_entry_contents set content = 'smuggled', found_mood = 'sly' where entry_id = :sharedEntry",
      ownerAlone,
    ],
  },
  "nectar.entry_backgrounds": {
    select: ["select from nectar.entry_backgrounds where entry_id in (:sharedEntry, :publicEntry)", teamAndPublic],
    insert: [
      "insert into nectar.entry_backgrounds (entry_id, quality) values (:emptyEntry, 'hd')",
      only({ owner: 1 }, REFUSED),
    ],
    delete: ["delete from nectar.entry_backgrounds where entry_id = :sharedEntry", ownerAlone],
  },
  "private.entry_reads": {
    select: ["select from private.entry_reads", ownerAlone],
  },
  "nectar.subscriptions": {
    select: ["select from nectar.subscriptions where user_id = :owner", ownerAlone],
  },
  "private.payment_events": {},
  "nectar.token_usage": {
    select: ["select from nectar.token_usage where user_id = :owner", ownerAlone],
    insert: [
      `insert into nectar.token_usage (usage_type, model, input_tokens, cost_usd) values ('tone_analysis', 'small', 1, 0)`,
      signedIn(1, REFUSED),
    ],
  },
  "nectar.conversion_rates": {
    select: ["select from nectar.conversion_rates", only({ superAdmin: 1 }, 0)],
    insert: ["insert into nectar.conversion_rates (rate) values (1)", only({ superAdmin: 1 }, REFUSED)],
  },
  "private.quota_uses": {
    select: ["select from private.quota_uses", ownerAlone],
  },
  "nectar.tone_packs": {
    select: ["select from nectar.tone_packs where id in (:tonePack, :publicTonePack)", receivedAndPublic],
    insert: ["insert into nectar.tone_packs (name, theme) values ('Mine', 'icons')", signedIn(1, REFUSED)],
    update: ["update nectar.tone_packs set is_public = true where id = :tonePack", ownerAlone],
  },
  "nectar.tone_pack_images": {
    select: ["select from nectar.tone_pack_images where pack_id in (:tonePack, :publicTonePack)", receivedAndPublic],
    insert: [
      "insert into nectar.tone_pack_images (pack_id, tone, file_path) values (:tonePack, 'sad', private.actor_id() || '/' || :tonePack || '/sad.png')",
      only({ owner: 1, anonymous: REFUSED }, "23503"),
    ],
    update: [
      "update nectar.tone_pack_images set file_path = owner_id || '/' || pack_id || '/sad.png' where pack_id = :tonePack",
      ownerAlone,
    ],
  },
  "nectar.tone_pack_shares": {
    select: ["select from nectar.tone_pack_shares where pack_id = :tonePack", only({ owner: 1, teamMate: 1 }, 0)],
    insert: [
      "insert into nectar.tone_pack_shares (pack_id, user_id) values (:tonePack, :exMember)",
      only({ owner: 1, exMember: "23514", anonymous: REFUSED }, "23503"),
    ],
    delete: ["delete from nectar.tone_pack_shares where pack_id = :tonePack", only({ owner: 1, teamMate: 1 }, 0)],
  },
  "nectar.tone_pack_purchases": {
    select: ["select from nectar.tone_pack_purchases where pack_id = :tonePack", only({ orgMate: 1 }, 0)],
  },
  "nectar.journal_imports": {
    select: ["select from nectar.journal_imports where user_id = :owner", ownerAlone],
  },
  "nectar.goals": {
    select: ["select from nectar.goals where user_id = :owner", ownerAlone],
    insert: ["insert into nectar.goals (title) values ('Mine')", signedIn(1, REFUSED)],
    update: ["update nectar.goals set title = 'Theirs' where user_id = :owner", ownerAlone],
    delete: ["delete from nectar.goals where user_id = :owner", ownerAlone],
  },
  "nectar.goal_check_ins": {
    select: ["select from nectar.goal_check_ins where user_id = :owner", ownerAlone],
    insert: [
      "insert into nectar.goal_check_ins (goal_id, status, check_in_date) values (:goal, 'missed', '2026-11-21')",
      only({ owner: 1, anonymous: REFUSED }, "23503"),
    ],
    update: ["update nectar.goal_check_ins set notes = 'Theirs' where user_id = :owner", ownerAlone],
    delete: ["delete from nectar.goal_check_ins where user_id = :owner", ownerAlone],
  },
  "nectar.wellness_entries": {
    select: ["select from nectar.wellness_entries where user_id = :owner", ownerAlone],
    insert: ["insert into nectar.wellness_entries (type, rating) values ('satisfaction', 7)", signedIn(1, REFUSED)],
    update: ["update nectar.wellness_entries set notes = 'Theirs' where user_id = :owner", ownerAlone],
    delete: ["delete from nectar.wellness_entries where user_id = :owner", ownerAlone],
  },
  "nectar.workout_windows": {
    select: ["select from nectar.workout_windows where user_id = :owner", ownerAlone],
    insert: [
      `insert into nectar.workout_windows (activity_type, window_start_time, window_end_time, timezone, effective_from)
       values ('walk', '23:00', '01:00', 'UTC', '2026-11-21')`,
      only({ owner: "23505", anonymous: REFUSED }, 1),
    ],
    update: ["update nectar.workout_windows set activity_type = 'walk' where user_id = :owner", ownerAlone],
  },
  "nectar.user_locations": {
    select: ["select from nectar.user_locations where user_id = :owner", ownerAlone],
    insert: [
      "insert into nectar.user_locations (city) values ('Bern')",
      only({ owner: "23505", anonymous: REFUSED }, 1),
    ],
    update: ["update nectar.user_locations set city = 'Bern' where user_id = :owner", ownerAlone],
  },
  "nectar.workout_checkins": {
    select: ["select from nectar.workout_checkins", signedIn(1, 0)],
  },
  "nectar.check_in_objects": {
    select: ["select from nectar.check_in_objects", signedIn(1, 0)],
  },
  "nectar.workout_checkin_photos": {
    select: ["select from nectar.workout_checkin_photos where user_id = :owner", ownerAlone],
  },
  "nectar.squads": {
    select: ["select from nectar.squads", signedIn(1, 0)],
  },
  "nectar.chains": {
    select: ["select from nectar.chains", signedIn(1, 0)],
  },
  "nectar.player_cards": {
    select: ["select from nectar.player_cards", signedIn(1, 0)],
  },
  "nectar.team_colors": {
    select: ["select from nectar.team_colors", signedIn(1, 0)],
  },
  "private.open_days": {},
  "private.player_areas": {},
  "private.players_to_match": {},
  "nectar.notifications": {
    select: ["select from nectar.notifications where user_id = :owner", ownerAlone],
    update: ["update nectar.notifications set read_at = now() where user_id = :owner", ownerAlone],
  },
  "nectar.team_messages": {
    select: [
      "select content from nectar.team_messages where team_id = :team",
      only({ owner: 1, teamMate: 1, superAdmin: 1 }, 0),
    ],
    insert: [
      "insert into nectar.team_messages (team_id, content) values (:team, 'Hello')",
      only({ owner: 1, teamMate: 1 }, REFUSED),
    ],
  },
  "nectar.notification_settings": {
    select: ["select from nectar.notification_settings where user_id = :owner", ownerAlone],
    insert: [
      "insert into nectar.notification_settings (quiet_start, quiet_end) values ('22:00', '07:00')",
      only({ owner: "23505", anonymous: REFUSED }, 1),
    ],
    update: ["update nectar.notification_settings set push = '{}' where user_id = :owner", ownerAlone],
  },
  "nectar.push_subscriptions": {
    select: ["select from nectar.push_subscriptions where user_id = :owner", ownerAlone],
    delete: ["delete from nectar.push_subscriptions where user_id = :owner", ownerAlone],
  },
  "private.push_deliveries": {},
  "private.export_work": {},
  "private.export_parts": {},
  "private.jobs": {},
  "nectar.encouragement_config": {
    select: ["select from nectar.encouragement_config", signedIn(1, 0)],
    update: ["update nectar.encouragement_config set daily_allowance = 100", only({ superAdmin: 1 }, 0)],
  },
  "nectar.drop_templates": {
    select: ["select from nectar.drop_templates where id = :draft", only({ superAdmin: 1 }, 0)],
    insert: [
      "insert into nectar.drop_templates (type, title, content) values ('encouragement', 'Mine', 'Buy this')",
      only({ superAdmin: 1 }, REFUSED),
    ],
    update: ["update nectar.drop_templates set is_approved = true", only({ superAdmin: 61 }, 0)],
    delete: ["delete from nectar.drop_templates where id = :draft", only({ superAdmin: 1 }, 0)],
  },
  "nectar.encouragement_allowances": {
    select: ["select from nectar.encouragement_allowances where user_id = :owner", ownerAlone],
  },
  "nectar.encouragement_drops": {
    select: ["select content from nectar.encouragement_drops", only({ owner: 1, teamMate: 1 }, 0)],
    update: ["update nectar.encouragement_drops set read_at = now()", only({ teamMate: 1 }, 0)],
  },
  "nectar.drop_objects": {
    select: ["select drop from nectar.drop_objects", only({ owner: 1, teamMate: 1 }, 0)],
  },
  "nectar.readable_drops": {
    select: ["select content from nectar.readable_drops", only({ owner: 1, teamMate: 1 }, 0)],
  },
  "nectar.badge_definitions": {
    select: ["select from nectar.badge_definitions where level = 1", signedIn(1, 0)],
  },
  "nectar.user_badges": {
    select: ["select from nectar.user_badges where user_id = :owner", signedIn(1, 0)],
  },
  "nectar.badge_milestones": {
    select: ["select from nectar.badge_milestones where user_id = :owner", signedIn(1, 0)],
  },
  "private.leaderboard_checkpoints": {},
  "private.next_badges": {},
  "private.notes": {},
  "nectar.note_analyses": {
    select: ["select summary from nectar.note_analyses", ownerAlone],
    delete: ["delete from nectar.note_analyses", ownerAlone],
  },
  "nectar.note_analysis_sources": {
    select: ["select from nectar.note_analysis_sources limit 1", ownerAlone],
  },
  "private.assistant_turns": {
    select: ["select from private.assistant_turns", ownerAlone],
  },
  "private.email_policy": {},
  "private.email_messages": {
    select: ["select from private.email_messages", ownerAlone],
  },
  "private.email_suppressions": {},
  "private.kept_suspensions": {},
  "private.erasure_receipts": {},
  "private.email_events": {},
  "private.email_received": {},
  "nectar.synthetic_users": {
    select: ["select from nectar.synthetic_users where user_id = :owner", only({ superAdmin: 1 }, 0)],
  },
  "nectar.battles": {
    select: ["select from nectar.battles", signedIn(1, 0)],
  },
  "nectar.mosaics": {
    select: ["select from nectar.mosaics", signedIn(1, 0)],
  },
  "nectar.mosaic_sections": {
    select: ["select from nectar.mosaic_sections", signedIn(1, 0)],
  },
  "nectar.weekly_workout_stats": {
    select: ["select from nectar.weekly_workout_stats", ownerAlone],
  },
  "private.battle_announcements": {},
  "private.audience_members": {},
  "private.entry_times": {},
  "private.erased_totals": {},
  "private.game_notices": {},
  "private.idempotency_keys": {
    select: ["select from private.idempotency_keys", ownerAlone],
    insert: [
      "insert into private.idempotency_keys (route, key, body_hash, status, body) values ('r', 'k', 'h', 200, '')",
      signedIn(1, REFUSED),
    ],
    update: ["update private.idempotency_keys set body = 'changed'", ownerAlone],
    delete: ["delete from private.idempotency_keys", ownerAlone],
  },
  "private.stored_files_to_remove": {},
  "private.subscriptions_to_cancel": {},
  "private.imported_entries": {},
  "private.job_runs": {},
  "private.unsettled_shares": {},
};
