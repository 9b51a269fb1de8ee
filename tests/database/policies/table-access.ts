import { type Expected, everybody, only, REFUSED, signedIn } from "./matrix.ts";

/** What each role may do with the rows of one table; see the stage for whose rows these are. */
export interface TableAccess {
  readonly select: readonly [statement: string, expected: Expected];
  readonly insert: readonly [statement: string, expected: Expected];
  readonly update: readonly [statement: string, expected: Expected];
  readonly delete: readonly [statement: string, expected: Expected];
}

const ownerAlone = only({ owner: 1 }, 0);
const ownerAndSuperAdmin = only({ owner: 1, superAdmin: 1 }, 0);
const membersAndSuperAdmin = only({ owner: 1, teamMate: 1, orgMate: 1, superAdmin: 1 }, 0);
const nobody = everybody(REFUSED);

export const TABLE_ACCESS: Readonly<Record<string, TableAccess>> = {
  "nectar.profiles": {
    select: ["select from nectar.profiles where id = :owner", signedIn(1, 0)],
    insert: ["insert into nectar.profiles (id) values (:owner)", nobody],
    update: ["update nectar.profiles set full_name = 'Ada' where id = :owner", ownerAlone],
    delete: ["delete from nectar.profiles where id = :owner", nobody],
  },
  "nectar.accounts": {
    select: ["select from nectar.accounts where user_id = :owner", ownerAlone],
    insert: ["insert into nectar.accounts (user_id) values (:owner)", nobody],
    update: ["update nectar.accounts set check_in_enabled = true where user_id = :owner", ownerAlone],
    delete: ["delete from nectar.accounts where user_id = :owner", nobody],
  },
  "nectar.user_roles": {
    select: ["select from nectar.user_roles where user_id = :superAdmin", only({ superAdmin: 1 }, 0)],
    insert: ["insert into nectar.user_roles (user_id, role) values (:owner, 'admin')", nobody],
    update: ["update nectar.user_roles set role = 'user' where user_id = :superAdmin", nobody],
    delete: ["delete from nectar.user_roles where user_id = :superAdmin", nobody],
  },
  "nectar.drop_transactions": {
    select: ["select from nectar.drop_transactions where user_id = :owner", ownerAlone],
    insert: [
      `insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key)
       values (:owner, 'refund', 1, 51, '', 'gift')`,
      nobody,
    ],
    update: ["update nectar.drop_transactions set amount = 500 where user_id = :owner", nobody],
    delete: ["delete from nectar.drop_transactions where user_id = :owner", nobody],
  },
  "nectar.monthly_drop_awards": {
    select: ["select from nectar.monthly_drop_awards where user_id = :owner", ownerAlone],
    insert: [
      `insert into nectar.monthly_drop_awards (user_id, month, amount, transaction_id)
       select user_id, '2026-12-01', 30, id from nectar.drop_transactions where user_id = :owner`,
      nobody,
    ],
    update: ["update nectar.monthly_drop_awards set amount = 500 where user_id = :owner", nobody],
    delete: ["delete from nectar.monthly_drop_awards where user_id = :owner", nobody],
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
  "nectar.teams": {
    select: ["select from nectar.teams where id = :team", membersAndSuperAdmin],
    insert: [
      "insert into nectar.teams (org_id, name, admin_id) values (:organization, 'Swarm', :orgMate)",
      only({ owner: 1, teamMate: 1, orgMate: 1, superAdmin: 1 }, REFUSED),
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
    select: ["select from nectar.notebooks where id = :notebook", only({ owner: 1, teamMate: 1, superAdmin: 1 }, 0)],
    insert: ["insert into nectar.notebooks (name) values ('Mine')", signedIn(1, REFUSED)],
    update: ["update nectar.notebooks set name = 'Theirs' where id = :notebook", ownerAlone],
    delete: ["delete from nectar.notebooks where id = :notebook", ownerAlone],
  },
  "nectar.journal_entries": {
    select: ["select from nectar.journal_entries where id = :sharedEntry", membersAndSuperAdmin],
    insert: ["insert into nectar.journal_entries (title) values ('Mine')", signedIn(1, REFUSED)],
    update: ["update nectar.journal_entries set title = 'Theirs' where id = :sharedEntry", ownerAlone],
    delete: ["delete from nectar.journal_entries where id = :sharedEntry", ownerAlone],
  },
  "nectar.journal_entry_contents": {
    select: [
      "select from nectar.journal_entry_contents where entry_id = :sharedEntry",
      only({ owner: 1, teamMate: 1, superAdmin: 1 }, 0),
    ],
    insert: [
      "insert into nectar.journal_entry_contents (entry_id, content) values (:emptyEntry, 'smuggled')",
      only({ owner: 1 }, REFUSED),
    ],
    update: [
      "update nectar.journal_entry_contents set content = 'smuggled', found_mood = 'sly' where entry_id = :sharedEntry",
      ownerAlone,
    ],
    delete: ["delete from nectar.journal_entry_contents where entry_id = :sharedEntry", nobody],
  },
  "nectar.entry_backgrounds": {
    select: [
      "select from nectar.entry_backgrounds where entry_id = :sharedEntry",
      only({ owner: 1, teamMate: 1, superAdmin: 1 }, 0),
    ],
    insert: [
      "insert into nectar.entry_backgrounds (entry_id, quality) values (:emptyEntry, 'hd')",
      only({ owner: 1 }, REFUSED),
    ],
    update: ["update nectar.entry_backgrounds set quality = 'hd' where entry_id = :sharedEntry", nobody],
    delete: ["delete from nectar.entry_backgrounds where entry_id = :sharedEntry", ownerAlone],
  },
  "nectar.subscriptions": {
    select: ["select from nectar.subscriptions where user_id = :owner", ownerAlone],
    insert: [
      `insert into nectar.subscriptions
         (user_id, payment_customer_id, payment_subscription_id, status, event_created, event_rank, event_id)
       values (:owner, 'cus_forged', 'sub_forged', 'active', now(), 2, 'evt_forged')`,
      nobody,
    ],
    update: ["update nectar.subscriptions set status = 'active' where user_id = :owner", nobody],
    delete: ["delete from nectar.subscriptions where user_id = :owner", nobody],
  },
  "private.payment_events": {
    select: ["select from private.payment_events", nobody],
    insert: ["insert into private.payment_events (id, type, created) values ('evt_forged', 'forged', now())", nobody],
    update: ["update private.payment_events set type = 'forged'", nobody],
    delete: ["delete from private.payment_events", nobody],
  },
  "nectar.token_usage": {
    select: ["select from nectar.token_usage where user_id = :owner", ownerAlone],
    insert: [
      `insert into nectar.token_usage (usage_type, model, input_tokens, cost_usd) values ('tone_analysis', 'small', 1, 0)`,
      signedIn(1, REFUSED),
    ],
    update: ["update nectar.token_usage set cost_usd = 0 where user_id = :owner", nobody],
    delete: ["delete from nectar.token_usage where user_id = :owner", nobody],
  },
  "nectar.conversion_rates": {
    select: ["select from nectar.conversion_rates", only({ superAdmin: 1 }, 0)],
    insert: ["insert into nectar.conversion_rates (rate) values (1)", only({ superAdmin: 1 }, REFUSED)],
    update: ["update nectar.conversion_rates set rate = 1", nobody],
    delete: ["delete from nectar.conversion_rates", nobody],
  },
  "private.quota_uses": {
    select: ["select from private.quota_uses", ownerAlone],
    insert: [
      "insert into private.quota_uses (user_id, name, period_start, used) values (:owner, 'forged', now(), 1)",
      nobody,
    ],
    update: ["update private.quota_uses set used = 1", nobody],
    delete: ["delete from private.quota_uses", nobody],
  },
  "nectar.tone_packs": {
    select: ["select from nectar.tone_packs where id = :tonePack", only({ owner: 1, teamMate: 1, orgMate: 1 }, 0)],
    insert: ["insert into nectar.tone_packs (name, theme) values ('Mine', 'icons')", signedIn(1, REFUSED)],
    update: ["update nectar.tone_packs set is_public = true where id = :tonePack", ownerAlone],
    delete: ["delete from nectar.tone_packs where id = :tonePack", nobody],
  },
  "nectar.tone_pack_images": {
    select: [
      "select from nectar.tone_pack_images where pack_id = :tonePack",
      only({ owner: 1, teamMate: 1, orgMate: 1 }, 0),
    ],
    insert: [
      "insert into nectar.tone_pack_images (pack_id, tone, file_path) values (:tonePack, 'sad', private.actor_id() || '/' || :tonePack || '/sad.png')",
      only({ owner: 1, anonymous: REFUSED }, "23503"),
    ],
    update: [
      "update nectar.tone_pack_images set file_path = owner_id || '/' || pack_id || '/sad.png' where pack_id = :tonePack",
      ownerAlone,
    ],
    delete: ["delete from nectar.tone_pack_images where pack_id = :tonePack", nobody],
  },
  "nectar.tone_pack_shares": {
    select: ["select from nectar.tone_pack_shares where pack_id = :tonePack", only({ owner: 1, teamMate: 1 }, 0)],
    insert: [
      "insert into nectar.tone_pack_shares (pack_id, user_id) values (:tonePack, :exMember)",
      only({ owner: 1, exMember: "23514", anonymous: REFUSED }, "23503"),
    ],
    update: ["update nectar.tone_pack_shares set user_id = :stranger where pack_id = :tonePack", nobody],
    delete: ["delete from nectar.tone_pack_shares where pack_id = :tonePack", only({ owner: 1, teamMate: 1 }, 0)],
  },
  "nectar.tone_pack_purchases": {
    select: ["select from nectar.tone_pack_purchases where pack_id = :tonePack", only({ orgMate: 1 }, 0)],
    insert: [
      `insert into nectar.tone_pack_purchases (pack_id, user_id, price_drops, transaction_id)
       select :tonePack, user_id, 0, id from nectar.drop_transactions where user_id = :owner`,
      nobody,
    ],
    update: ["update nectar.tone_pack_purchases set refunded_at = null where pack_id = :tonePack", nobody],
    delete: ["delete from nectar.tone_pack_purchases where pack_id = :tonePack", nobody],
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
    update: ["update nectar.goal_check_ins set status = 'completed' where user_id = :owner", nobody],
    delete: ["delete from nectar.goal_check_ins where user_id = :owner", nobody],
  },
  "nectar.wellness_entries": {
    select: ["select from nectar.wellness_entries where user_id = :owner", ownerAlone],
    insert: ["insert into nectar.wellness_entries (type, rating) values ('satisfaction', 7)", signedIn(1, REFUSED)],
    update: ["update nectar.wellness_entries set rating = 10 where user_id = :owner", nobody],
    delete: ["delete from nectar.wellness_entries where user_id = :owner", nobody],
  },
  "nectar.workout_windows": {
    select: ["select from nectar.workout_windows where user_id = :owner", ownerAlone],
    insert: [
      `insert into nectar.workout_windows (activity_type, window_start_time, window_end_time, timezone, effective_from)
       values ('walk', '23:00', '01:00', 'UTC', '2026-11-21')`,
      only({ owner: "23505", anonymous: REFUSED }, 1),
    ],
    update: ["update nectar.workout_windows set activity_type = 'walk' where user_id = :owner", ownerAlone],
    delete: ["delete from nectar.workout_windows where user_id = :owner", nobody],
  },
  "nectar.user_locations": {
    select: ["select from nectar.user_locations where user_id = :owner", ownerAlone],
    insert: [
      "insert into nectar.user_locations (city) values ('Bern')",
      only({ owner: "23505", anonymous: REFUSED }, 1),
    ],
    update: ["update nectar.user_locations set city = 'Bern' where user_id = :owner", ownerAlone],
    delete: ["delete from nectar.user_locations where user_id = :owner", nobody],
  },
  "nectar.workout_checkins": {
    select: ["select from nectar.workout_checkins", signedIn(1, 0)],
    insert: [
      `insert into nectar.workout_checkins
         (user_id, date, activity_type, chain_status, battle_week_start, status, verified_at)
       values (:owner, '2026-11-21', 'walk', 'continued', '2026-11-16', 'verified', now())`,
      nobody,
    ],
    update: ["update nectar.workout_checkins set has_streak = true where user_id = :owner", nobody],
    delete: ["delete from nectar.workout_checkins where user_id = :owner", nobody],
  },
  "nectar.workout_checkin_photos": {
    select: ["select from nectar.workout_checkin_photos where user_id = :owner", ownerAlone],
    insert: [
      `insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash)
       values (gen_random_uuid(), :owner, gen_random_uuid(), repeat('0', 64)::bit(64))`,
      nobody,
    ],
    update: ["update nectar.workout_checkin_photos set flags = '{}' where user_id = :owner", nobody],
    delete: ["delete from nectar.workout_checkin_photos where user_id = :owner", nobody],
  },
  "nectar.squads": {
    select: ["select from nectar.squads", signedIn(1, 0)],
    insert: ["insert into nectar.squads (date, user_1_id, team_color) values ('2026-11-21', :owner, 'red')", nobody],
    update: ["update nectar.squads set team_color = 'blue'", nobody],
    delete: ["delete from nectar.squads", nobody],
  },
  "nectar.chains": {
    select: ["select from nectar.chains", signedIn(1, 0)],
    insert: [
      `insert into nectar.chains
         (date, user_id, team_color, area_key, activity_type, timezone, window_start_time, window_end_time,
          window_starts_at, window_ends_at, day_ends_at)
       values ('2026-11-21', :owner, 'red', 'forged', 'walk', 'UTC', '06:00', '08:00', now(), now() + '2 hours',
         now() + '1 day')`,
      nobody,
    ],
    update: ["update nectar.chains set team_color = 'blue' where user_id = :owner", nobody],
    delete: ["delete from nectar.chains where user_id = :owner", nobody],
  },
  "nectar.team_colors": {
    select: ["select from nectar.team_colors", signedIn(1, 0)],
    insert: [
      "insert into nectar.team_colors (user_id, week_start_date, color) values (:owner, '2026-11-23', 'red')",
      nobody,
    ],
    update: ["update nectar.team_colors set color = 'blue' where user_id = :owner", nobody],
    delete: ["delete from nectar.team_colors where user_id = :owner", nobody],
  },
  "private.player_areas": {
    select: ["select from private.player_areas", nobody],
    insert: ["insert into private.player_areas (user_id, area_key) values (:owner, 'forged')", nobody],
    update: ["update private.player_areas set area_key = 'forged'", nobody],
    delete: ["delete from private.player_areas", nobody],
  },
  "private.players_to_match": {
    select: ["select from private.players_to_match", nobody],
    insert: ["insert into private.players_to_match (user_id) values (:owner)", nobody],
    update: ["update private.players_to_match set user_id = :owner", nobody],
    delete: ["delete from private.players_to_match", nobody],
  },
  "nectar.notifications": {
    select: ["select from nectar.notifications where user_id = :owner", ownerAlone],
    insert: [
      "insert into nectar.notifications (user_id, type, title, body) values (:owner, 'badge_earned', 'Forged', '')",
      nobody,
    ],
    update: ["update nectar.notifications set read_at = now() where user_id = :owner", ownerAlone],
    delete: ["delete from nectar.notifications where user_id = :owner", nobody],
  },
  "nectar.push_subscriptions": {
    select: ["select from nectar.push_subscriptions where user_id = :owner", ownerAlone],
    insert: [
      `insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
       values (:owner, 'https://push.example.test/forged', repeat('A', 87), repeat('A', 22))`,
      nobody,
    ],
    update: ["update nectar.push_subscriptions set auth = repeat('B', 22) where user_id = :owner", nobody],
    delete: ["delete from nectar.push_subscriptions where user_id = :owner", ownerAlone],
  },
  "private.push_deliveries": {
    select: ["select from private.push_deliveries", nobody],
    insert: [
      `insert into private.push_deliveries (notification_id, subscription_id)
       select n.id, s.id from nectar.notifications n join nectar.push_subscriptions s on s.user_id = n.user_id`,
      nobody,
    ],
    update: ["update private.push_deliveries set next_attempt_at = now()", nobody],
    delete: ["delete from private.push_deliveries", nobody],
  },
  "nectar.encouragement_config": {
    select: ["select from nectar.encouragement_config", signedIn(1, 0)],
    insert: ["insert into nectar.encouragement_config (daily_allowance) values (100)", nobody],
    update: ["update nectar.encouragement_config set daily_allowance = 100", only({ superAdmin: 1 }, 0)],
    delete: ["delete from nectar.encouragement_config", nobody],
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
    insert: [
      "insert into nectar.encouragement_allowances (user_id, date, daily_allowance) values (:owner, '2026-11-22', 100)",
      nobody,
    ],
    update: ["update nectar.encouragement_allowances set drops_used = 0 where user_id = :owner", nobody],
    delete: ["delete from nectar.encouragement_allowances where user_id = :owner", nobody],
  },
  "nectar.encouragement_drops": {
    select: ["select content from nectar.encouragement_drops", only({ owner: 1, teamMate: 1 }, 0)],
    insert: [
      `insert into nectar.encouragement_drops
         (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until)
       values (:owner, :stranger, 'Forged', true, '2026-11-21', '2026-11-21', '2026-11-22')`,
      nobody,
    ],
    update: ["update nectar.encouragement_drops set read_at = now()", only({ teamMate: 1 }, 0)],
    delete: ["delete from nectar.encouragement_drops", nobody],
  },
  "nectar.badge_definitions": {
    select: ["select from nectar.badge_definitions where level = 1", signedIn(1, 0)],
    insert: [
      `insert into nectar.badge_definitions (level, name, min_engagement_increases, emoji, color)
       values (2, 'Mine', 0, 'x', '#000000')`,
      nobody,
    ],
    update: ["update nectar.badge_definitions set min_engagement_increases = 0", nobody],
    delete: ["delete from nectar.badge_definitions", nobody],
  },
  "nectar.user_badges": {
    select: ["select from nectar.user_badges where user_id = :owner", signedIn(1, 0)],
    insert: ["insert into nectar.user_badges (user_id, level) values (:owner, 7)", nobody],
    update: ["update nectar.user_badges set level = 7", nobody],
    delete: ["delete from nectar.user_badges", nobody],
  },
  "nectar.badge_milestones": {
    select: ["select from nectar.badge_milestones where user_id = :owner", signedIn(1, 0)],
    insert: [
      `insert into nectar.badge_milestones (user_id, level, badge_name, achieved_at, stats)
       values (:owner, 7, 'Hive Legend', now(), '{}')`,
      nobody,
    ],
    update: ["update nectar.badge_milestones set achieved_at = now()", nobody],
    delete: ["delete from nectar.badge_milestones", nobody],
  },
  "private.leaderboard_checkpoints": {
    select: ["select from private.leaderboard_checkpoints", nobody],
    insert: [
      "insert into private.leaderboard_checkpoints (leaderboard_key, user_id, people_ahead) values (0, :owner, 0)",
      nobody,
    ],
    update: ["update private.leaderboard_checkpoints set people_ahead = 0", nobody],
    delete: ["delete from private.leaderboard_checkpoints", nobody],
  },
  "private.leaderboard_changes": {
    select: ["select from private.leaderboard_changes", nobody],
    insert: ["insert into private.leaderboard_changes (user_id) values (:owner)", nobody],
    update: ["update private.leaderboard_changes set old_key = null", nobody],
    delete: ["delete from private.leaderboard_changes", nobody],
  },
  "nectar.note_analyses": {
    select: ["select summary from nectar.note_analyses", ownerAlone],
    insert: [
      `insert into nectar.note_analyses
         (user_id, analysis_date, summary, mood_trends, topics, patterns, recommendations, insights, entry_count)
       values (:owner, '2026-11-21', 'Forged', '{}', '[]', '[]', 'r', '{}', 1)`,
      nobody,
    ],
    update: ["update nectar.note_analyses set summary = 'Forged'", nobody],
    delete: ["delete from nectar.note_analyses", ownerAlone],
  },
  "private.assistant_turns": {
    select: ["select from private.assistant_turns", ownerAlone],
    insert: [
      "insert into private.assistant_turns (user_id, job, day, attempts) values (:stranger, 'daily_drop', '2026-11-21', 3)",
      nobody,
    ],
    update: ["update private.assistant_turns set attempts = 0", nobody],
    delete: ["delete from private.assistant_turns", nobody],
  },
  "private.email_policy": {
    select: ["select from private.email_policy", nobody],
    insert: ["insert into private.email_policy (is_only) values (false)", nobody],
    update: ["update private.email_policy set recipient_policy = 'any'", nobody],
    delete: ["delete from private.email_policy", nobody],
  },
  "private.email_messages": {
    select: ["select from private.email_messages", ownerAlone],
    insert: [
      `insert into private.email_messages (user_id, recipient, subject, state, created_at, updated_at)
       values (:owner, 'x@example.test', 'Hi', 'sent', now(), now())`,
      nobody,
    ],
    update: ["update private.email_messages set created_at = '2020-01-01'", nobody],
    delete: ["delete from private.email_messages", nobody],
  },
  "private.email_suppressions": {
    select: ["select from private.email_suppressions", nobody],
    insert: [
      `insert into private.email_suppressions (address_hash, reason, event_id)
       values (sha256('x'), 'complained', 'forged')`,
      nobody,
    ],
    update: ["update private.email_suppressions set reason = 'complained'", nobody],
    delete: ["delete from private.email_suppressions", nobody],
  },
  "private.email_events": {
    select: ["select from private.email_events", nobody],
    insert: ["insert into private.email_events (id, is_verified, type) values ('forged', true, 'x')", nobody],
    update: ["update private.email_events set is_verified = true", nobody],
    delete: ["delete from private.email_events", nobody],
  },
  "private.email_received": {
    select: ["select from private.email_received", nobody],
    insert: [
      `insert into private.email_received (event_id, is_verified, sender, recipients, subject)
       values ('forged', true, 'x', '{y}', 'z')`,
      nobody,
    ],
    update: ["update private.email_received set is_verified = true", nobody],
    delete: ["delete from private.email_received", nobody],
  },
  "nectar.synthetic_users": {
    select: ["select from nectar.synthetic_users where user_id = :owner", only({ superAdmin: 1 }, 0)],
    insert: [
      `insert into nectar.synthetic_users
         (user_id, region, city, state, timezone, activity_type, window_start, window_end, seed)
       values (:stranger, 'South', 'Dallas', 'TX', 'America/Chicago', 'walk', '06:00', '08:00', 'forged')`,
      nobody,
    ],
    update: ["update nectar.synthetic_users set is_active = false where user_id = :owner", nobody],
    delete: ["delete from nectar.synthetic_users where user_id = :owner", nobody],
  },
  "nectar.battles": {
    select: ["select from nectar.battles", signedIn(1, 0)],
    insert: ["insert into nectar.battles (week_start_date) values ('2026-11-23')", nobody],
    update: ["update nectar.battles set red_team_chips = 1000", nobody],
    delete: ["delete from nectar.battles", nobody],
  },
  "nectar.mosaics": {
    select: ["select from nectar.mosaics", signedIn(1, 0)],
    insert: [
      `insert into nectar.mosaics (date, image_key, image_side, total_participants, digest, seen_at)
       values ('2026-11-21', 'forged', 1, 0, 'x', now())`,
      nobody,
    ],
    update: ["update nectar.mosaics set image_key = 'forged'", nobody],
    delete: ["delete from nectar.mosaics", nobody],
  },
  "nectar.mosaic_sections": {
    select: ["select from nectar.mosaic_sections", signedIn(1, 0)],
    insert: [
      `insert into nectar.mosaic_sections (date, position, user_id, status, team_color)
       values ('2026-11-20', 1, :owner, 'completed', 'red')`,
      nobody,
    ],
    update: ["update nectar.mosaic_sections set status = 'completed'", nobody],
    delete: ["delete from nectar.mosaic_sections", nobody],
  },
  "nectar.weekly_workout_stats": {
    select: ["select from nectar.weekly_workout_stats", ownerAlone],
    insert: [
      `insert into nectar.weekly_workout_stats
         (week_start_date, user_id, days_planned, completed_count, failed_count, pending_count, chips_earned)
       values ('2026-11-16', :owner, 1, 1, 0, 0, 1000)`,
      nobody,
    ],
    update: ["update nectar.weekly_workout_stats set chips_earned = 1000", nobody],
    delete: ["delete from nectar.weekly_workout_stats", nobody],
  },
  "private.chip_changes": {
    select: ["select from private.chip_changes", nobody],
    insert: [
      `insert into private.chip_changes (battle_week_start, date, team_color, chips)
       values ('2026-11-16', '2026-11-21', 'red', 1000)`,
      nobody,
    ],
    update: ["update private.chip_changes set chips = 1000", nobody],
    delete: ["delete from private.chip_changes", nobody],
  },
  "private.battle_announcements": {
    select: ["select from private.battle_announcements", nobody],
    insert: [
      "insert into private.battle_announcements (week_start_date, sentence) values ('2026-11-16', 'Forged')",
      nobody,
    ],
    update: ["update private.battle_announcements set sentence = 'Forged'", nobody],
    delete: ["delete from private.battle_announcements", nobody],
  },
  "private.game_notices": {
    select: ["select from private.game_notices", nobody],
    insert: [
      "insert into private.game_notices (user_id, date, kind) values (:owner, '2026-11-21', 'chain_broken')",
      nobody,
    ],
    update: ["update private.game_notices set date = '2026-11-21'", nobody],
    delete: ["delete from private.game_notices", nobody],
  },
  "private.idempotency_keys": {
    select: ["select from private.idempotency_keys", ownerAlone],
    insert: [
      "insert into private.idempotency_keys (route, key, body_hash, status, body) values ('r', 'k', 'h', 200, '')",
      signedIn(1, REFUSED),
    ],
    update: ["update private.idempotency_keys set body = 'changed'", ownerAlone],
    delete: ["delete from private.idempotency_keys", ownerAlone],
  },
  "private.stored_files_to_remove": {
    select: ["select from private.stored_files_to_remove", nobody],
    insert: [
      "insert into private.stored_files_to_remove (store, path, remove_after) values ('private', 'p', now())",
      nobody,
    ],
    update: ["update private.stored_files_to_remove set remove_after = now()", nobody],
    delete: ["delete from private.stored_files_to_remove", nobody],
  },
  "private.job_runs": {
    select: ["select from private.job_runs", nobody],
    insert: ["insert into private.job_runs (job, key) values ('housekeeping', 'all')", nobody],
    update: ["update private.job_runs set succeeded = true", nobody],
    delete: ["delete from private.job_runs", nobody],
  },
};
