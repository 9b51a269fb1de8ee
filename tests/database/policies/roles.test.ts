import { beforeAll, describe, expect, it } from "vitest";
import { useActing } from "../support/acting.ts";
import { ROLES, type Stage, setStage } from "../support/stage.ts";
import { everybody, expectOutcomes, named, only, REFUSED } from "./matrix.ts";
import { TABLE_ACCESS } from "./table-access.ts";

const acting = useActing();
let stage: Stage;
beforeAll(async () => {
  stage = await setStage(acting.adminUrl, acting.admin);
});

describe("the login role without another role", () => {
  it.each(Object.keys(TABLE_ACCESS))("reads and writes nothing in %s", async (table) => {
    const access = TABLE_ACCESS[table];
    for (const [statement] of [access?.select, access?.insert, access?.update, access?.delete].filter(isPresent)) {
      expect(await acting.outcome("login role", named(stage, statement)), statement).toBe(REFUSED);
    }
  });

  it("calls no function of ours, changes into no other role, and creates nothing", async () => {
    expect(await acting.outcome("login role", "select private.is_super_admin()")).toBe(REFUSED);
    const { rows: others } = await acting.admin.query<{ name: string }>(
      "select rolname as name from pg_catalog.pg_roles where rolname !~ '^nectar_'",
    );
    expect(others.length).toBeGreaterThan(0);
    for (const { name } of others) {
      expect(await acting.outcome("login role", `set local role ${name}`), name).toBe(REFUSED);
    }
    expect(await acting.outcome("login role", "create table nectar.mine (id int)")).toBe(REFUSED);
    expect(await acting.outcome("login role", "create table private.mine (id int)")).toBe(REFUSED);
  });
});

describe("the service", () => {
  /** Everything that the service may do; a missing line is a refusal. */
  const ALLOWED: readonly [statement: string, rows: number][] = [
    ["select role from nectar.user_roles where user_id = :superAdmin", 1],
    ["select id, full_name, avatar_url, is_ai, created_at from nectar.profiles where id = :owner", 1],
    ["select email, drops_balance, is_premium from nectar.accounts where user_id = :owner", 1],
    ["select * from nectar.token_usage where user_id = :owner", 1],
    [
      "insert into nectar.token_usage (user_id, usage_type, model, cost_usd) values (:owner, 'assistant_drop', 'small', 0)",
      1,
    ],
    ["select * from nectar.conversion_rates", 1],
    ["select * from private.token_usage_monthly(:owner, 2026, 11)", 1],
    ["select * from nectar.subscriptions where user_id = :owner", 1],
    ["update nectar.subscriptions set status = 'active' where user_id = :owner", 1],
    ['select private.record_subscription_event(\'{"id": "evt", "type": "x", "happened_at": "now"}\')', 1],
    ["insert into private.payment_events (id, type, created) values ('evt', 'x', now())", 1],
    ["select created_at from private.idempotency_keys", 1],
    ["delete from private.idempotency_keys where created_at <= now()", 1],
    ["select * from private.process_engagement(now(), null, null, 10)", 1],
    ["select * from private.recalculate_recent_badges(now(), null, null, 10)", 1],
    ["select * from private.leaderboard_changes", 1],
    ["select private.rebuild_leaderboard_checkpoints()", 1],
    ["select * from private.job_runs", 1],
    ["insert into private.job_runs (job, key) values ('housekeeping', 'all')", 1],
    ["update private.job_runs set finished_at = now(), succeeded = true, results = '{}'", 1],
    ["delete from private.job_runs", 1],
    ["select private.notify(:owner, 'badge_earned', 'A badge', 'You have earned it.')", 1],
    ["select * from private.claim_push_deliveries(10, 60, 10)", 1],
    ["select * from private.claim_push_deliveries(10, 60, 10, array[:stranger]::uuid[])", 0],
    ["select private.record_push_results('[]')", 1],
    ["select private.remove_dead_device(:owner, '', '')", 1],
    ["select created_at from private.push_deliveries", 1],
    ['select private.record_email_event(\'{"id": "e", "is_verified": true, "type": "x"}\')', 1],
    [
      `insert into private.email_received (event_id, is_verified, sender, recipients, subject)
       values ('e', true, 'x', '{y}', 'z')`,
      1,
    ],
    ["update private.email_messages set delivery = 'delivered', delivery_at = now(), updated_at = now()", 1],
    ["select recipient_policy from private.email_policy", 1],
    ["update private.email_policy set recipient_policy = 'self'", 1],
    ["select * from private.email_received", 1],
    ["update private.email_received set body_text = 'x', content_fetched_at = now(), content_attempts = 1", 1],
    ["select * from private.claim_received_email(now())", 0],
    ["select private.expire_received_emails(now())", 1],
    ["delete from private.push_deliveries", 1],
    ["select * from nectar.workout_windows where user_id = :owner", 1],
    ["select * from nectar.user_locations where user_id = :owner", 1],
    ["select * from nectar.chains", 1],
    ["select * from nectar.squads", 1],
    ["select * from nectar.team_colors", 1],
    ["select * from private.player_areas", 1],
    ["delete from private.players_to_match where user_id = :owner", 2],
    ["update nectar.chains set closed_at = now()", 1],
    ["select * from private.read_matching('2026-11-20')", 1],
    ["select private.write_chains('2026-11-20', '{}')", 1],
    ["select * from nectar.battles", 1],
    ["select from nectar.battles where week_start_date = '2026-11-16' for update", 1],
    ["select * from nectar.mosaics", 1],
    ["select * from nectar.mosaic_sections", 1],
    ["delete from private.game_notices where date <= '2026-11-20'", 1],
    ["select private.join_battle('2026-11-20')", 1],
    ["select * from private.open_battle('2026-11-16', now())", 1],
    ["select * from private.battle_totals('2026-11-16')", 1],
    ["select * from private.end_days(now(), 10)", 0],
    ["select private.remind_players(now(), 10)", 1],
    ["select * from private.battle_days('2026-11-16')", 1],
    ["select * from private.battle_members('2026-11-16')", 1],
    ["select private.notify_battle_results('2026-11-16', 10)", 1],
    ["select * from private.battle_announcements", 1],
    ["select private.compact_chip_changes()", 1],
    ["select private.count_week('2026-11-09', now(), 15, '{}')", 1],
    ["select private.expect_mosaic('2026-11-20')", 1],
    [
      "select private.store_mosaic('2026-11-20', jsonb_build_object('image_key', 'mosaics/new.png', 'image_side', 1600, 'digest', 'new', 'seen_at', now(), 'sections', '[]'::jsonb))",
      1,
    ],
    ["select private.mosaics_to_draw('2026-11-20T12:00:00Z')", 1],
    ["select * from private.open_synthetic_turns(now(), '-infinity', :owner, 10)", 0],
    // Only what is a month old, and here everything is young.
    ["delete from private.email_messages", 0],
    ["delete from private.email_events", 0],
    ["delete from private.email_received", 0],
  ];

  it.each(ALLOWED)("may %s", async (statement, rows) => {
    expect(await acting.outcome("service", named(stage, statement))).toBe(rows);
  });

  it.each([
    "select * from private.idempotency_keys",
    "select body from private.idempotency_keys",
    "update private.job_runs set job = 'other'",
    "update nectar.subscriptions set user_id = :stranger",
    "delete from nectar.subscriptions",
    "select * from nectar.user_badges",
    "delete from private.leaderboard_changes",
    "select * from nectar.notifications",
    "select * from nectar.push_subscriptions",
    "update private.push_deliveries set attempts = 0",
    "select private.subscribe_device('https://push.example.test/x', '', '')",
    "select private.open_notifications_to_realtime()",
    "select * from private.email_messages",
    "update private.email_messages set state = 'sent'",
    "select recipient from private.email_messages",
    "insert into private.email_messages (user_id, recipient, subject, state, created_at, updated_at) values (:owner, 'a@example.test', 'x', 'sent', now(), now())",
    "delete from private.email_policy",
    "delete from private.email_suppressions",
    "update private.email_events set is_verified = true",
    "update private.email_received set is_verified = true",
    "select * from private.create_email_message('a@example.test', 'Hi', null, now())",
    "update private.payment_events set type = 'other'",
    "delete from private.payment_events",
    "update nectar.accounts set is_premium = true",
    "insert into nectar.user_roles (user_id, role) values (:owner, 'admin')",
    "select preferences from nectar.accounts",
    "update nectar.accounts set drops_balance = 1000000",
    "insert into nectar.conversion_rates (rate) values (1)",
    "select private.change_user_role(:owner, 'admin')",
    "update nectar.workout_windows set away = '{(,)}'",
    "delete from nectar.workout_windows",
    "update nectar.user_locations set city = 'Bern'",
    "update nectar.chains set team_color = 'blue'",
    "delete from nectar.chains",
    "update nectar.squads set team_color = 'blue'",
    "delete from nectar.squads",
    "update nectar.team_colors set color = 'blue'",
    "delete from nectar.team_colors",
    "update private.player_areas set area_key = 'forged'",
    "insert into private.players_to_match (user_id) values (:owner)",
    "delete from nectar.user_locations",
    "insert into nectar.battles (week_start_date) values ('2026-11-23')",
    "update nectar.battles set battle_status = 'completed'",
    "delete from nectar.battles",
    "update nectar.mosaics set image_key = 'other'",
    "delete from nectar.mosaics",
    "update nectar.mosaic_sections set status = 'completed'",
    "select * from nectar.weekly_workout_stats",
    "select * from private.game_notices",
    "insert into private.game_notices (user_id, date, kind) values (:owner, '2026-11-21', 'chain_broken')",
    "insert into private.chip_changes (battle_week_start, date, team_color, chips) values ('2026-11-16', '2026-11-16', 'red', 9)",
    "delete from private.chip_changes",
    "delete from private.battle_announcements",
    "select private.discard_file('private', 'mosaics/new.png')",
    "select private.expect_file('private', 'mosaics/new.png')",
    "select private.keep_file('private', 'mosaics/new.png')",
  ])("may not %s", async (statement) => {
    expect(await acting.outcome("service", named(stage, statement))).toBe(REFUSED);
  });

  it("has no privilege on any other table", async () => {
    const { rows } = await acting.admin.query(
      `select distinct table_schema || '.' || table_name as name
       from information_schema.column_privileges where grantee = 'nectar_service' order by name`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      "nectar.accounts",
      "nectar.battles",
      "nectar.chains",
      "nectar.conversion_rates",
      "nectar.mosaic_sections",
      "nectar.mosaics",
      "nectar.profiles",
      "nectar.squads",
      "nectar.subscriptions",
      "nectar.synthetic_users",
      "nectar.team_colors",
      "nectar.token_usage",
      "nectar.user_locations",
      "nectar.user_roles",
      "nectar.workout_checkin_photos",
      "nectar.workout_checkins",
      "nectar.workout_windows",
      "private.battle_announcements",
      "private.chip_changes",
      "private.email_events",
      "private.email_messages",
      "private.email_policy",
      "private.email_received",
      "private.email_suppressions",
      "private.game_notices",
      "private.idempotency_keys",
      "private.job_runs",
      "private.leaderboard_changes",
      "private.leaderboard_checkpoints",
      "private.payment_events",
      "private.player_areas",
      "private.players_to_match",
      "private.push_deliveries",
      "private.stored_files_to_remove",
    ]);
  });
});

describe("functions", () => {
  const signatures = async (role: string) => {
    const { rows } = await acting.admin.query<{ name: string }>(
      `select n.nspname || '.' || p.proname as name
       from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
       where n.nspname in ('nectar', 'private') and has_function_privilege($1, p.oid, 'execute') order by name`,
      [role],
    );
    return rows.map(({ name }) => name);
  };

  it("that a person's request may call are these and no others", async () => {
    expect(await signatures("nectar_user")).toEqual([
      "private.activate_tone_pack",
      "private.actor_id",
      "private.adjust_drops",
      "private.award_monthly_drops",
      "private.battle_days",
      "private.battle_members",
      "private.cancel_note_analysis",
      "private.carried_bonus",
      "private.change_team_admin",
      "private.change_user_role",
      "private.check_in_details",
      "private.consume_quota",
      "private.create_email_message",
      "private.create_synthetic_users",
      "private.day_state",
      "private.delete_synthetic_user",
      "private.delete_tone_pack",
      "private.expect_new_file",
      "private.expect_tone_image",
      "private.is_admin",
      "private.is_checked_in",
      "private.is_human",
      "private.is_super_admin",
      "private.leaderboard_rank",
      "private.lock_account",
      "private.lock_group",
      "private.lock_membership",
      "private.lock_profiles",
      "private.lowercase_tags",
      "private.my_administered_team_ids",
      "private.my_audience_ids",
      "private.my_organization_ids",
      "private.my_organization_role",
      "private.my_owned_organization_ids",
      "private.my_team_role",
      "private.my_tone_pack_ids",
      "private.note_member_acted",
      "private.open_current_battle",
      "private.person_with_email",
      "private.player_record",
      "private.public_audience",
      "private.purchase_tone_pack",
      "private.recalculate_my_badge",
      "private.record_check_in",
      "private.record_email_result",
      "private.record_encouragement_drop",
      "private.refund_purchase",
      "private.require_account",
      "private.sees_tone_pack",
      "private.send_encouragement_drop",
      "private.subscribe_device",
      "private.system_user_id",
      "private.toggle_synthetic_user",
      "private.transfer_organization",
      "private.verified_streaks",
      "private.week_start",
    ]);
  });

  it("that the service may call are these and no others", async () => {
    expect(await signatures("nectar_service")).toEqual([
      "private.actor_id",
      "private.analysis_for_message",
      "private.award_monthly_slice",
      "private.battle_days",
      "private.battle_members",
      "private.battle_totals",
      "private.bootstrap_role",
      "private.chip_breakdown",
      "private.claim_assistant_turns",
      "private.claim_push_deliveries",
      "private.claim_received_email",
      "private.compact_chip_changes",
      "private.count_week",
      "private.day_state",
      "private.email_address_hash",
      "private.end_battle",
      "private.end_days",
      "private.expect_mosaic",
      "private.expire_received_emails",
      "private.is_final_subscription_status",
      "private.is_super_admin",
      "private.join_battle",
      "private.lock_for_review",
      "private.lock_profile",
      "private.mosaics_to_draw",
      "private.notes_for_analysis",
      "private.notify",
      "private.notify_battle_results",
      "private.open_battle",
      "private.open_synthetic_turns",
      "private.process_engagement",
      "private.read_matching",
      "private.rebuild_leaderboard_checkpoints",
      "private.recalculate_recent_badges",
      "private.record_check_ins",
      "private.record_email_event",
      "private.record_push_results",
      "private.record_subscription_event",
      "private.release_assistant_turn",
      "private.remind_players",
      "private.remove_dead_device",
      "private.send_assistant_drop",
      "private.store_mosaic",
      "private.store_note_analysis",
      "private.system_user_id",
      "private.token_usage_monthly",
      "private.week_start",
      "private.write_chains",
    ]);
  });

  it.each([
    "select private.may_email(:owner, 'a@example.test', 'b@example.test', 'members')",
    'select private.record_email_event(\'{"id": "e", "is_verified": true, "type": "x"}\')',
    "select private.post_drop_transaction(:owner, 'refund', 1000, 'gift', 'a gift')",
    "select private.post_drop_transactions('[]', 'refund', 'gift', 'a gift')",
    "select private.book_monthly_awards('[]', '2026-11-01')",
    "select private.award_monthly_slice('2026-11-01', null, 10)",
    "select private.bootstrap_role(:owner, 'x@example.test', 'super_admin')",
    "select private.effective_share(:owner, 'team', :team, null)",
    "select private.lock_allowance(:owner, now())",
    "select private.advance_badges(jsonb_build_array(jsonb_build_object('user_id', :owner::uuid, 'engaged', 100)), now())",
    "select private.recalculate_badges(array[:owner]::uuid[], now())",
    "select private.grant_encouragement_bonus('[]', now())",
    "select * from private.process_engagement(now(), null, null, 10)",
    "select * from private.recalculate_recent_badges(now(), null, null, 10)",
    "select private.rebuild_leaderboard_checkpoints()",
    "select private.compact_leaderboard_changes()",
    "select private.notify(:owner, 'badge_earned', 'Forged', '')",
    "select * from private.claim_push_deliveries(10, 60, 10)",
    "select private.record_push_results('[]')",
    "select private.remove_dead_device(:owner, '', '')",
    "select private.open_notifications_to_realtime()",
    "select * from private.claim_assistant_turns('note_analysis', now(), null, 5)",
    "select private.release_assistant_turn(:owner, 'daily_drop', :owner, now(), true)",
    "select * from private.notes_for_analysis(:owner, now())",
    "select private.store_note_analysis(:owner, :owner, now(), '{}', 1, null)",
    "select private.analysis_for_message(:owner)",
    "select private.send_assistant_drop(:owner, now(), 'Forged', 'Forged')",
    "select private.insert_synthetic_users('[]', 'forged')",
    "select * from private.read_matching('2026-11-20')",
    "select private.write_chains('2026-11-20', '{}')",
  ])("refuse everybody: %s", async (statement) => {
    await expectOutcomes(acting, stage, statement, everybody(REFUSED));
  });

  it.each([
    ["change_user_role", "select private.change_user_role(:stranger, 'admin')"],
    ["create_synthetic_users", "select count(*) from private.create_synthetic_users('[]', 'a seed')"],
    ["toggle_synthetic_user", "select private.toggle_synthetic_user(:owner, false)"],
    ["delete_synthetic_user", "select private.delete_synthetic_user(:stranger, now())"],
  ])("%s works for the super admin alone", async (_, statement) => {
    await expectOutcomes(acting, stage, statement, only({ superAdmin: 1 }, "auth.forbidden"));
  });

  it.each([
    ["transfer_organization", "select private.transfer_organization(:organization, :orgMate)", "owner"],
    ["change_team_admin", "select private.change_team_admin(:team, :orgMate)", "owner"],
  ])("%s works for the owner and the super admin alone", async (_, statement, owner) => {
    for (const role of ROLES) {
      const allowed = role === owner || role === "superAdmin";
      expect(await acting.outcome(stage.actors[role], named(stage, statement)), role).toBe(
        allowed ? 1 : "auth.forbidden",
      );
    }
  });
});

function isPresent<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
