import { randomUUID } from "node:crypto";
import type pg from "pg";
import { signUp } from "#tests/people";
import { fillTables } from "../../world/world.ts";
import type { Actor } from "./acting.ts";

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
  | "publicGoal"
  | "privateGoal"
  | "draft";

/** Text that everyone reads, apart from those with a block between them and its author. */
export const PUBLIC_TEXT = "what everyone reads";

/** Text that only a reader of the content may ever meet. */
export const SECRETS = { shared: "what only the team reads", private: "what no one else reads" } as const;

/** Fills the ids of the stage into a statement. @throws Error for a name that is not on it */
export function named({ ids }: Pick<Stage, "ids">, statement: string): string {
  const all: Readonly<Record<string, string>> = ids;
  return statement.replaceAll(/(?<![:\w]):([a-zA-Z]+)/g, (_, name: string) => {
    const id = all[name];
    if (id === undefined) throw new Error(`There is no ${name} on the stage.`);
    return `'${id}'`;
  });
}

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
    goal: randomUUID(),
    publicGoal: randomUUID(),
    privateGoal: randomUUID(),
    tonePack: randomUUID(),
    publicTonePack: randomUUID(),
    draft: randomUUID(),
  };
  await admin.query("begin");
  const stage = { ids };
  await admin.query(named(stage, THINGS));
  await fillTables(admin, [ids.owner], "what is missing");
  await admin.query("commit");
  return {
    ...stage,
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

const THINGS = `
  insert into nectar.organizations (id, name, owner_id) values (:organization, 'Hive', :owner);
  insert into nectar.organization_members (org_id, user_id)
    select :organization, unnest(array[:teamMate, :orgMate, :exMember, :blocked]::uuid[]);
  insert into nectar.teams (id, org_id, name, admin_id) values (:team, :organization, 'Comb', :owner);
  insert into nectar.team_members (team_id, org_id, user_id)
    select :team, :organization, unnest(array[:teamMate, :exMember]::uuid[]);
  delete from nectar.organization_members where user_id = :exMember;
  insert into nectar.blocks (user_id, blocked_id) values (:owner, :blocked);
  insert into nectar.notebooks (id, user_id, name, metadata_visibility, team_id)
    values (:notebook, :owner, 'Diary', 'team', :team), (:publicNotebook, :owner, 'Essays', 'public', null);
  insert into nectar.journal_entries (
      id, user_id, title, mood, mood_source, metadata_visibility, content_visibility, team_id, org_id
    ) values (:sharedEntry, :owner, 'Shared', null, null, 'org', 'team', :team, :organization),
           (:privateEntry, :owner, 'Private', 'calm', 'ai', 'user', 'public', null, null),
           (:emptyEntry, :owner, 'Empty', null, null, 'user', 'user', null, null),
           (:publicEntry, :owner, 'Public', null, null, 'public', 'public', null, null);
  insert into nectar.journal_entry_contents (entry_id, content)
    values (:sharedEntry, '${SECRETS.shared}'), (:privateEntry, '${SECRETS.private}'), (:publicEntry, '${PUBLIC_TEXT}');
  insert into nectar.audit_events (actor_id, actor_role, action, target_type)
    values (:superAdmin, 'admin', 'updateDropConfig', 'drop_config');
  insert into private.logged_reads (entry_id, user_id, reader_id, date)
    values (:privateEntry, :owner, :superAdmin, '2026-11-20');
  insert into nectar.trashed_entries (id, user_id, title, content, mood, mood_source, tags, entry_date, ai_excluded,
      metadata_visibility, content_visibility, inherit_visibility, drop_ids, created_at, updated_at)
    values (gen_random_uuid(), :owner, 'Trashed', 'Text', 'calm', 'ai', '{}', current_date, false, 'public', 'public', true, '{}',
      now(), now());
  -- A dismissal, of which the owner is not notified, and a warning with an appeal.
  with decision as (
      insert into nectar.moderation_decisions (owner_id, target_type, target_id, decision, reason, decided_at)
      select :owner, 'entry', :sharedEntry, d, 'The entry was examined.', now()
      from unnest(array['dismiss', 'warn']::nectar.moderation_decision[]) d
      returning id, decision
    ),
    appeal as (
      insert into nectar.moderation_appeals (decision_id, owner_id, reason, created_at)
      select d.id, :owner, 'The entry is harmless.', now() from decision d where d.decision = 'warn'
    )
    insert into nectar.reports
      (reporter_id, owner_id, target_type, target_id, reason, details, status, decision_id, decided_at)
    select :teamMate, :owner, 'entry', :sharedEntry, 'spam', 'For the admins.', 'actioned', d.id, now()
    from decision d where d.decision = 'warn';
  insert into nectar.entry_backgrounds (user_id, entry_id, quality)
    values (:owner, :sharedEntry, 'standard'), (:owner, :publicEntry, 'standard');
  insert into nectar.entry_pictures (id, thumbnail_id, user_id, entry_id, position, width, height, size_bytes)
    select gen_random_uuid(), gen_random_uuid(), :owner, e, 0, 1, 1, 1 from unnest(array[:sharedEntry, :publicEntry]::uuid[]) e;
  insert into nectar.tone_packs (id, owner_id, name, theme, is_public)
    values (:tonePack, :owner, 'Cranes', 'origami', false), (:publicTonePack, :owner, 'Frogs', 'origami', true);
  insert into nectar.tone_pack_images (pack_id, owner_id, tone, file_path)
    select id, owner_id, 'calm', owner_id || '/' || id || '/calm.png' from nectar.tone_packs where owner_id = :owner;
  insert into nectar.tone_pack_shares (pack_id, owner_id, user_id) values (:tonePack, :owner, :teamMate);
  insert into nectar.tone_pack_purchases (pack_id, user_id, price_drops, transaction_id)
    select :tonePack, t.user_id, 0, t.id from nectar.drop_transactions t where t.user_id = :orgMate;
  insert into nectar.monthly_drop_awards (user_id, month, amount, transaction_id)
    select t.user_id, '2026-11-01', 30, t.id from nectar.drop_transactions t where t.user_id = :owner;
  insert into private.payment_events (id, type, created) values ('evt_paid_' || :owner, 'invoice.paid', now());
  insert into private.stored_files_to_remove (store, path, remove_after)
    values ('private', 'backgrounds/' || :owner, now());
  insert into nectar.goals (id, user_id, title, metadata_visibility, content_visibility, team_id)
    values (:goal, :owner, 'Shared', 'team', 'team', :team), (:publicGoal, :owner, 'Public', 'public', 'public', null),
           (:privateGoal, :owner, 'Private', 'user', 'user', null);
  insert into nectar.goal_check_ins (goal_id, user_id, status, check_in_date)
    values (:goal, :owner, 'completed', '2026-11-20'), (:publicGoal, :owner, 'completed', '2026-11-20');
  insert into nectar.goal_check_in_contents (check_in_id, goal_id, user_id, notes)
    select id, goal_id, user_id, 'Ten kilometres' from nectar.goal_check_ins where user_id = :owner;
  insert into nectar.goal_check_ins (goal_id, user_id, status, check_in_date)
    values (:privateGoal, :owner, 'completed', '2026-11-20');
  insert into nectar.exports (user_id, status, ready_at, expires_at, size_bytes, sha256)
    values (:owner, 'expired', now(), now(), 1, 'hash');
  insert into nectar.workout_windows (
      user_id, activity_type, window_start_time, window_end_time, timezone, effective_from
    ) values (:owner, 'cardio', '06:00', '08:00', 'Europe/Zurich', '2026-11-20');
  with squad as (
      insert into nectar.squads (date, user_1_id, team_color) values ('2026-11-20', :owner, 'red') returning id
    ), team as (
      insert into nectar.team_colors (user_id, week_start_date, color) values (:owner, '2026-11-16', 'red')
    )
    insert into nectar.chains
      (date, user_id, team_color, squad_id, area_key, activity_type, timezone, window_start_time, window_end_time,
       window_starts_at, window_ends_at, day_ends_at)
    select '2026-11-20', :owner, 'red', squad.id, 'city:zurich', 'cardio', 'Europe/Zurich', '06:00', '08:00',
      '2026-11-20T05:00Z', '2026-11-20T07:00Z', '2026-11-20T23:00Z'
    from squad;
  with checkin as (
      insert into nectar.workout_checkins
        (user_id, date, activity_type, chain_status, battle_week_start, team_color, status, verified_at)
      values (:owner, '2026-11-20', 'cardio', 'continued', '2026-11-16', 'red', 'verified', now())
      returning id
    )
    insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash, location_lat, location_lng)
    select id, :owner, id, repeat('01', 32)::bit(64), 47.37, 8.54 from checkin;
  insert into nectar.battles (week_start_date, battle_status)
    values ('2026-11-16', 'in_progress') on conflict do nothing;
  insert into nectar.mosaics (
      date, image_key, total_participants, pending_count, digest, seen_at
    ) values ('2026-11-20', 'mosaics/stage.png', 1, 1, 'stage', '2026-11-20') on conflict do nothing;
  insert into nectar.mosaic_sections (date, position, user_id, status, team_color)
    values ('2026-11-20', 0, :owner, 'pending', 'red') on conflict do nothing;
  insert into private.game_notices (user_id, date, kind) values (:owner, '2026-11-20', 'checkin_reminder');
  insert into private.battle_announcements (week_start_date) values ('2026-11-16') on conflict do nothing;
  insert into nectar.team_messages (team_id, squad_id, entry_id, goal_id, sender_id, content)
    values (:team, null, null, null, :owner, 'To the team'), (null, null, :sharedEntry, null, :owner, 'On the entry'),
           (null, null, null, :privateGoal, :owner, 'On the goal');
  insert into nectar.team_messages (squad_id, sender_id, content)
    select q.id, :owner, 'To the squad' from nectar.squads q where q.user_1_id = :owner;
  -- The team mate was notified of the first one.
  delete from nectar.notifications where type = 'team_message';
  insert into nectar.drop_templates (id, type, title, content) values (:draft, 'encouragement', 'A draft', 'Not yet');
  insert into nectar.encouragement_drops (
      sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until
    ) values (:owner, :teamMate, 'Between the two of us', true, '2026-11-21', '2026-11-21', '2026-11-22');
  insert into private.email_suppressions (address_hash, reason, event_id)
    values (private.email_address_hash(:owner || '@example.test'), 'bounced', 'msg_' || :owner);
  insert into private.email_events (id, is_verified, type) values ('msg_' || :owner::text, true, 'email.received');
  insert into private.email_received (event_id, is_verified, sender, recipients, subject)
    values ('msg_' || :owner, true, 'someone@example.test', '{hello@example.test}', 'Hello');
  insert into private.kept_suspensions values (sha256(:owner::text::bytea), now() + interval '1 day');
  insert into private.erasure_receipts (address, erased_at) values ('gone@example.test', now());
  insert into private.subscriptions_to_cancel (payment_subscription_id) values ('sub_' || :owner::text);
  insert into private.unsettled_shares (group_id, user_id) values (gen_random_uuid(), :owner);
  select private.count_leaderboard(now(), 0);
  insert into private.jobs (name, known_since) values ('housekeeping', now()) on conflict do nothing;
  insert into private.job_runs (job, key) values ('housekeeping', 'all');
  insert into private.work (kind, key, due_at) values ('a task', 'all', now()) on conflict do nothing;
  insert into private.push_holds (service, held_until) values ('web', now() - interval '1 minute') on conflict do nothing;
`;
