import { randomUUID } from "node:crypto";
import type pg from "pg";
import { signUp } from "#tests/people";
import type { Actor } from "./acting.ts";
import { insertSamples } from "./samples.ts";

/** Who stands how to the things on the stage. */
export const ROLES = [
  "owner",
  "teamMate",
  "orgMate",
  "stranger",
  "exMember",
  "blocked",
  "superAdmin",
  "anonymous",
] as const;
export type Role = (typeof ROLES)[number];

/** One thing of every kind, all of them the owner's. */
export interface Stage {
  readonly actors: Readonly<Record<Role, Actor>>;
  readonly ids: Readonly<Record<Exclude<Role, "anonymous"> | ThingName, string>>;
}

type ThingName =
  | "organization"
  | "team"
  | "notebook"
  | "sharedEntry"
  | "privateEntry"
  | "emptyEntry"
  | "publicNotebook"
  | "publicEntry"
  | "tonePack"
  | "publicTonePack"
  | "goal"
  | "draft";

/** Text that everyone reads, apart from those with a block between them and its author. */
export const PUBLIC_TEXT = "what everyone reads";

/** Text that only a reader of the content may ever meet. */
export const SECRETS = { shared: "what only the team reads", private: "what no one else reads" } as const;

/**
 * Builds an organization with a team, both of the owner; a notebook whose name the team sees; an entry whose metadata the
 * organization and whose content the team sees; one that no one else sees; one that still lacks its content; and a notebook, an entry and a
 * tone pack that are public. Someone was in both groups and left. The owner blocked a member of the organization.
 */
export async function setStage(adminUrl: string, admin: pg.Client): Promise<Stage> {
  const person = async () => (await signUp(adminUrl)).id;
  const ids = {
    owner: await person(),
    teamMate: await person(),
    orgMate: await person(),
    stranger: await person(),
    exMember: await person(),
    blocked: await person(),
    superAdmin: (await signUp(adminUrl, { role: "super_admin" })).id,
    organization: randomUUID(),
    team: randomUUID(),
    notebook: randomUUID(),
    sharedEntry: randomUUID(),
    privateEntry: randomUUID(),
    emptyEntry: randomUUID(),
    publicNotebook: randomUUID(),
    publicEntry: randomUUID(),
    tonePack: randomUUID(),
    publicTonePack: randomUUID(),
    draft: randomUUID(),
  };
  const { owner, organization, team } = ids;
  await admin.query("begin");
  await insertSamples(admin, owner);
  const goals = await admin.query<{ id: string }>("select id from nectar.goals where user_id = $1", [owner]);
  const goal = goals.rows[0]?.id ?? "";
  await admin.query("insert into nectar.organizations (id, name, owner_id) values ($1, 'Hive', $2)", [
    organization,
    owner,
  ]);
  await admin.query("insert into nectar.organization_members (org_id, user_id) select $1, unnest($2::uuid[])", [
    organization,
    [ids.teamMate, ids.orgMate, ids.exMember, ids.blocked],
  ]);
  await admin.query("insert into nectar.teams (id, org_id, name, admin_id) values ($1, $2, 'Comb', $3)", [
    team,
    organization,
    owner,
  ]);
  await admin.query("insert into nectar.team_members (team_id, org_id, user_id) select $1, $2, unnest($3::uuid[])", [
    team,
    organization,
    [ids.teamMate, ids.exMember],
  ]);
  await admin.query("delete from nectar.organization_members where user_id = $1", [ids.exMember]);
  await admin.query("insert into nectar.blocks (user_id, blocked_id) values ($1, $2)", [owner, ids.blocked]);
  await admin.query(
    `insert into nectar.invitations (org_id, invited_by, token_hash, role, team_ids, max_uses, expires_at)
     values ($1, $2, sha256(gen_random_uuid()::text::bytea), 'member', '{}', 1, now() + interval '1 week')`,
    [organization, owner],
  );
  await admin.query(
    `insert into nectar.notebooks (id, user_id, name, metadata_visibility, team_id)
     values ($1, $2, 'Diary', 'team', $3), ($4, $2, 'Essays', 'public', null)`,
    [ids.notebook, owner, team, ids.publicNotebook],
  );
  await admin.query(
    `insert into nectar.journal_entries
       (id, user_id, title, metadata_visibility, content_visibility, team_id, org_id)
     values ($1, $4, 'Shared', 'org', 'team', $5, $6),
            ($2, $4, 'Private', 'user', 'public', null, null),
            ($3, $4, 'Empty', 'user', 'user', null, null),
            ($7, $4, 'Public', 'public', 'public', null, null)`,
    [ids.sharedEntry, ids.privateEntry, ids.emptyEntry, owner, team, organization, ids.publicEntry],
  );
  await admin.query(
    "insert into nectar.journal_entry_contents (entry_id, content) values ($1, $3), ($2, $4), ($5, $6)",
    [ids.sharedEntry, ids.privateEntry, SECRETS.shared, SECRETS.private, ids.publicEntry, PUBLIC_TEXT],
  );
  await admin.query(
    "insert into nectar.audit_events (actor_id, actor_role, action, target_type) values ($1, 'admin', 'updateDropConfig', 'drop_config')",
    [ids.superAdmin],
  );
  await admin.query(
    "insert into private.entry_reads (entry_id, user_id, reader_id, date) values ($1, $2, $3, '2026-11-20')",
    [ids.privateEntry, owner, ids.superAdmin],
  );
  await admin.query(
    `insert into nectar.trashed_entries (id, user_id, title, content, tags, entry_date, ai_excluded, metadata_visibility, content_visibility,
       inherit_visibility, drop_ids, created_at, updated_at)
     values (gen_random_uuid(), $1, 'Trashed', 'Text', '{}', current_date, false, 'public', 'public', true, '{}', now(), now())`,
    [owner],
  );
  // A dismissal, of which the owner is not notified, and a warning with an appeal.
  await admin.query(
    `with decision as (
       insert into nectar.moderation_decisions (owner_id, target_type, target_id, decision, reason, decided_at)
       select $1, 'entry', $2, d, 'The entry was examined.', now()
       from unnest(array['dismiss', 'warn']::nectar.moderation_decision[]) d
       returning id, decision
     ),
     appeal as (
       insert into nectar.moderation_appeals (decision_id, owner_id, reason, created_at)
       select d.id, $1, 'The entry is harmless.', now() from decision d where d.decision = 'warn'
     )
     insert into nectar.reports
       (reporter_id, owner_id, target_type, target_id, reason, details, status, decision_id, decided_at)
     select $3, $1, 'entry', $2, 'spam', 'For the admins.', 'actioned', d.id, now()
     from decision d where d.decision = 'warn'`,
    [owner, ids.sharedEntry, ids.teamMate],
  );
  await admin.query(
    "insert into nectar.entry_backgrounds (user_id, entry_id, quality) values ($1, $2, 'standard'), ($1, $3, 'standard')",
    [owner, ids.sharedEntry, ids.publicEntry],
  );
  await admin.query(
    `insert into nectar.tone_packs (id, owner_id, name, theme, is_public)
     values ($1, $3, 'Cranes', 'origami', false), ($2, $3, 'Frogs', 'origami', true)`,
    [ids.tonePack, ids.publicTonePack, owner],
  );
  await admin.query(
    `insert into nectar.tone_pack_images (pack_id, owner_id, tone, file_path)
     select id, owner_id, 'calm', owner_id || '/' || id || '/calm.png' from nectar.tone_packs where owner_id = $1`,
    [owner],
  );
  await admin.query("insert into nectar.tone_pack_shares (pack_id, owner_id, user_id) values ($1, $2, $3)", [
    ids.tonePack,
    owner,
    ids.teamMate,
  ]);
  await admin.query(
    `insert into nectar.tone_pack_purchases (pack_id, user_id, price_drops, transaction_id)
     select $1, t.user_id, 0, t.id from nectar.drop_transactions t where t.user_id = $2`,
    [ids.tonePack, ids.orgMate],
  );
  await admin.query(
    `insert into nectar.monthly_drop_awards (user_id, month, amount, transaction_id)
     select t.user_id, '2026-11-01', 30, t.id from nectar.drop_transactions t where t.user_id = $1`,
    [owner],
  );
  await admin.query("insert into private.payment_events (id, type, created) values ($1, 'invoice.paid', now())", [
    `evt_paid_${owner}`,
  ]);
  await admin.query(
    "insert into private.stored_files_to_remove (store, path, remove_after) values ('private', $1, now())",
    [`backgrounds/${owner}`],
  );
  await admin.query(
    `insert into nectar.journal_imports (id, user_id, source, size, path)
     values (gen_random_uuid(), $1, 'markdown', 1, $2)`,
    [owner, `imports/${owner}`],
  );
  await admin.query(
    "insert into private.imported_entries (user_id, source, external_id) values ($1, 'markdown', sha256('one'))",
    [owner],
  );
  await admin.query(
    `insert into nectar.goal_check_ins (goal_id, user_id, status, check_in_date)
     values ($1, $2, 'completed', '2026-11-20')`,
    [goal, owner],
  );
  await admin.query(
    `insert into nectar.exports (user_id, status, ready_at, expires_at, size_bytes, sha256)
     values ($1, 'expired', now(), now(), 1, 'hash')`,
    [owner],
  );
  await admin.query(
    `insert into nectar.workout_windows
       (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
     values ($1, 'cardio', '06:00', '08:00', 'Europe/Zurich', '2026-11-20')`,
    [owner],
  );
  await admin.query(
    "insert into nectar.user_locations (user_id, latitude, longitude, city) values ($1, 47.37, 8.54, 'Zurich')",
    [owner],
  );
  await admin.query(
    `with squad as (
       insert into nectar.squads (date, user_1_id, team_color) values ('2026-11-20', $1, 'red') returning id
     ), team as (
       insert into nectar.team_colors (user_id, week_start_date, color) values ($1, '2026-11-16', 'red')
     )
     insert into nectar.chains
       (date, user_id, team_color, squad_id, area_key, activity_type, timezone, window_start_time, window_end_time,
        window_starts_at, window_ends_at, day_ends_at)
     select '2026-11-20', $1, 'red', squad.id, 'city:zurich', 'cardio', 'Europe/Zurich', '06:00', '08:00',
       '2026-11-20T05:00Z', '2026-11-20T07:00Z', '2026-11-20T23:00Z'
     from squad`,
    [owner],
  );
  await admin.query(
    `with checkin as (
       insert into nectar.workout_checkins
         (user_id, date, activity_type, chain_status, battle_week_start, team_color, status, verified_at)
       values ($1, '2026-11-20', 'cardio', 'continued', '2026-11-16', 'red', 'verified', now())
       returning id
     )
     insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash, location_lat, location_lng)
     select id, $1, id, repeat('01', 32)::bit(64), 47.37, 8.54 from checkin`,
    [owner],
  );
  await admin.query(
    `insert into nectar.synthetic_users
       (user_id, region, city, state, timezone, activity_type, window_start, window_end, seed)
     values ($1, 'South', 'Dallas', 'TX', 'America/Chicago', 'walk', '06:00', '08:00', 'stage')`,
    [owner],
  );
  await admin.query(
    "insert into nectar.battles (week_start_date, battle_status) values ('2026-11-16', 'in_progress') on conflict do nothing",
  );
  await admin.query(
    `insert into nectar.mosaics
       (date, image_key, total_participants, pending_count, digest, seen_at)
     values ('2026-11-20', 'mosaics/stage.png', 1, 1, 'stage', '2026-11-20') on conflict do nothing`,
  );
  await admin.query(
    `insert into nectar.mosaic_sections (date, position, user_id, status, team_color)
     values ('2026-11-20', 0, $1, 'pending', 'red') on conflict do nothing`,
    [owner],
  );
  await admin.query(
    `insert into nectar.weekly_workout_stats
       (week_start_date, user_id, days_planned, completed_count, failed_count, pending_count, chips_earned)
     values ('2026-11-09', $1, 7, 5, 2, 0, 11)`,
    [owner],
  );
  await admin.query(
    "insert into private.game_notices (user_id, date, kind) values ($1, '2026-11-20', 'checkin_reminder')",
    [owner],
  );
  await admin.query(
    "insert into private.battle_announcements (week_start_date) values ('2026-11-16') on conflict do nothing",
  );
  await admin.query("insert into nectar.notification_settings (user_id) values ($1)", [owner]);
  // The trigger queues the notification for the device.
  await admin.query(
    `insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
     values ($1::uuid, 'https://push.example.test/' || $1::uuid, repeat('A', 87), repeat('A', 22))`,
    [owner],
  );
  await admin.query("insert into nectar.notifications (user_id, type) values ($1, 'drop_received')", [owner]);
  await admin.query(
    `insert into nectar.team_messages (team_id, squad_id, sender_id, content)
     select $1::uuid, null, $2::uuid, 'To the team'
     union all select null, q.id, $2, 'To the squad' from nectar.squads q where q.user_1_id = $2`,
    [team, owner],
  );
  // The team mate was notified of the first one.
  await admin.query("delete from nectar.notifications where type = 'team_message'");
  await admin.query(
    "insert into nectar.drop_templates (id, type, title, content) values ($1, 'encouragement', 'A draft', 'Not yet')",
    [ids.draft],
  );
  await admin.query(
    `insert into nectar.encouragement_allowances (user_id, date, daily_allowance, drops_used, custom_drops_used)
     values ($1, '2026-11-21', 5, 1, 1)`,
    [owner],
  );
  await admin.query(
    `insert into nectar.encouragement_drops
       (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until)
     values ($1, $2, 'Between the two of us', true, '2026-11-21', '2026-11-21', '2026-11-22')`,
    [owner, ids.teamMate],
  );
  await admin.query(
    `insert into nectar.note_analyses
       (user_id, analysis_date, summary, mood_trends, topics, patterns, recommendations, insights, entry_count)
     values ($1, '2026-11-20', 'A quiet week', '{}', '[]', '[]', 'Rest', '{}', 3)`,
    [owner],
  );
  await admin.query(
    `insert into nectar.note_analysis_sources (analysis_id, user_id, entry_id)
     select n.id, n.user_id, e.id from nectar.note_analyses n join nectar.journal_entries e on e.user_id = n.user_id
     where n.user_id = $1`,
    [owner],
  );
  await admin.query(
    "insert into private.assistant_turns (user_id, job, day, attempts) values ($1, 'note_analysis', '2026-11-20', 0)",
    [owner],
  );
  await admin.query(
    `insert into private.email_messages (user_id, recipient, subject, state, created_at, updated_at)
     values ($1, 'someone@example.test', 'Hi', 'sent', now(), now())`,
    [owner],
  );
  await admin.query(
    `insert into private.email_suppressions (address_hash, reason, event_id)
     values (private.email_address_hash($1 || '@example.test'), 'bounced', 'msg_' || $1)`,
    [owner],
  );
  await admin.query(
    "insert into private.email_events (id, is_verified, type) values ('msg_' || $1::text, true, 'email.received')",
    [owner],
  );
  await admin.query(
    `insert into private.email_received (event_id, is_verified, sender, recipients, subject)
     values ('msg_' || $1, true, 'someone@example.test', '{hello@example.test}', 'Hello')`,
    [owner],
  );
  await admin.query("insert into private.kept_suspensions values (sha256($1::text::bytea), now() + interval '1 day')", [
    owner,
  ]);
  await admin.query("insert into private.erasure_receipts (address, erased_at) values ('gone@example.test', now())");
  await admin.query(
    "insert into private.subscriptions_to_cancel (payment_subscription_id) values ('sub_' || $1::text)",
    [owner],
  );
  await admin.query("insert into private.unsettled_shares (group_id, user_id) values (gen_random_uuid(), $1)", [owner]);
  await admin.query("select private.count_leaderboard(now(), 0)");
  await admin.query(
    "insert into private.jobs (name, known_since) values ('housekeeping', now()) on conflict do nothing",
  );
  await admin.query("insert into private.job_runs (job, key) values ('housekeeping', 'all')");
  await admin.query("commit");
  return {
    ids: { ...ids, goal },
    actors: {
      owner: { person: ids.owner },
      teamMate: { person: ids.teamMate },
      orgMate: { person: ids.orgMate },
      stranger: { person: ids.stranger },
      exMember: { person: ids.exMember },
      blocked: { person: ids.blocked },
      superAdmin: { person: ids.superAdmin },
      anonymous: "anonymous",
    },
  };
}
