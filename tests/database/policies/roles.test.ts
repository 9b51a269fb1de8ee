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
    ["select private.record_subscription_event('evt', 'x', now(), 2, :owner, 'cus', 'sub', 'active')", 1],
    ["insert into private.payment_events (id, type, created) values ('evt', 'x', now())", 1],
    ["select created_at from private.idempotency_keys", 1],
    ["delete from private.idempotency_keys where created_at <= now()", 1],
    ["select * from private.process_engagement(now(), null, null, 10)", 1],
    ["select * from private.recalculate_recent_badges(now(), null, null, 10)", 1],
    ["select * from private.leaderboard_changes", 1],
    ["select private.rebuild_leaderboard_fences()", 1],
    ["select * from private.job_runs", 1],
    ["insert into private.job_runs (job, key) values ('housekeeping', 'all')", 1],
    ["update private.job_runs set finished_at = now(), succeeded = true, results = '{}'", 1],
    ["delete from private.job_runs", 1],
    ["select private.notify(:owner, 'badge_earned', 'A badge', 'You have earned it.')", 1],
    ["select * from private.claim_push_deliveries(10, 60, 10)", 1],
    ["select * from private.claim_push_deliveries(10, 60, 10, array[:stranger]::uuid[])", 0],
    ["select private.settle_push_deliveries('{}', '{}', '{}', '{}')", 1],
    ["select private.remove_dead_device(:owner, '', '')", 1],
    ["select created_at from private.push_deliveries", 1],
    ["select private.record_email_event('e', true, 'x', now(), 'complained', null, null, 'a@example.test', true)", 1],
    [
      `insert into private.email_received (event_id, is_verified, sender, recipients, subject)
       values ('e', true, 'x', '{y}', 'z')`,
      1,
    ],
    ["update private.email_messages set delivery = 'delivered', delivery_at = now()", 1],
    ["delete from private.push_deliveries", 1],
    ["select id, created_at from private.email_received", 1],
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
    "select private.subscribe_device('https://push.example.test/x', '', '', 20)",
    "select private.open_notifications_to_realtime()",
    "select * from private.email_messages",
    "update private.email_messages set state = 'sent'",
    "insert into private.email_messages (user_id, recipient_hash, state, created_at) values (:owner, '', 'sent', now())",
    "delete from private.email_suppressions",
    "update private.email_events set is_verified = true",
    "select * from private.email_received",
    "update private.email_received set is_verified = true",
    "select * from private.begin_email('a@example.test', 'any', null, now())",
    "update private.payment_events set type = 'other'",
    "delete from private.payment_events",
    "update nectar.accounts set is_premium = true",
    "insert into nectar.user_roles (user_id, role) values (:owner, 'admin')",
    "select preferences from nectar.accounts",
    "update nectar.accounts set drops_balance = 1000000",
    "insert into nectar.conversion_rates (rate) values (1)",
    "select private.change_user_role(:owner, 'admin')",
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
      "nectar.conversion_rates",
      "nectar.profiles",
      "nectar.subscriptions",
      "nectar.token_usage",
      "nectar.user_roles",
      "private.email_events",
      "private.email_messages",
      "private.email_received",
      "private.email_suppressions",
      "private.idempotency_keys",
      "private.job_runs",
      "private.leaderboard_changes",
      "private.leaderboard_fences",
      "private.payment_events",
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
      "private.begin_email",
      "private.carried_bonus",
      "private.change_team_admin",
      "private.change_user_role",
      "private.delete_tone_pack",
      "private.end_email",
      "private.expect_file",
      "private.fold_tags",
      "private.is_admin",
      "private.is_super_admin",
      "private.keep_file",
      "private.leaderboard_rank",
      "private.my_administered_team_ids",
      "private.my_audience_ids",
      "private.my_organization_ids",
      "private.my_owned_organization_ids",
      "private.my_team_ids",
      "private.my_tone_pack_ids",
      "private.organization_standing",
      "private.person_with_email",
      "private.public_audience",
      "private.purchase_tone_pack",
      "private.recalculate_my_badge",
      "private.refund_purchase",
      "private.sees_tone_pack",
      "private.send_encouragement_drop",
      "private.subscribe_device",
      "private.system_user_id",
      "private.team_standing",
      "private.transfer_organization",
      "private.use_quota",
    ]);
  });

  it("that the service may call are these and no others", async () => {
    expect(await signatures("nectar_service")).toEqual([
      "private.actor_id",
      "private.analysis_for_message",
      "private.award_monthly_slice",
      "private.bootstrap_role",
      "private.claim_assistant_turns",
      "private.claim_push_deliveries",
      "private.email_address_hash",
      "private.give_assistant_drop",
      "private.is_final_subscription_status",
      "private.is_super_admin",
      "private.notes_for_analysis",
      "private.notify",
      "private.process_engagement",
      "private.rebuild_leaderboard_fences",
      "private.recalculate_recent_badges",
      "private.record_email_event",
      "private.record_subscription_event",
      "private.release_assistant_turn",
      "private.remove_dead_device",
      "private.settle_push_deliveries",
      "private.store_note_analysis",
      "private.system_user_id",
      "private.token_usage_monthly",
    ]);
  });

  it.each([
    "select private.may_email(:owner, 'a@example.test', 'b@example.test', 'members')",
    "select private.record_email_event('e', true, 'x', now(), 'complained', null, null, 'a@example.test', true)",
    "select private.post_drop_transaction(:owner, 'refund', 1000, 'gift', 'a gift')",
    "select private.post_drop_transactions(array[:owner]::uuid[], '{1000}', 'refund', 'gift', 'a gift')",
    "select private.book_monthly_awards(array[:owner]::uuid[], '{1000}', '2026-11-01')",
    "select private.award_monthly_slice('2026-11-01', null, 10)",
    "select private.bootstrap_role(:owner, 'x@example.test', 'super_admin')",
    "select private.effective_share(:owner, 'team', :team, null)",
    "select private.allowance_row(:owner, now())",
    "select private.advance_badges(array[:owner]::uuid[], null, '{100}', null, null, null, now())",
    "select private.recalculate_badges(array[:owner]::uuid[], now())",
    "select private.grant_encouragement_bonus(array[:owner]::uuid[], '{100}', now())",
    "select * from private.process_engagement(now(), null, null, 10)",
    "select * from private.recalculate_recent_badges(now(), null, null, 10)",
    "select private.rebuild_leaderboard_fences()",
    "select private.fold_leaderboard_changes()",
    "select private.notify(:owner, 'badge_earned', 'Forged', '')",
    "select * from private.claim_push_deliveries(10, 60, 10)",
    "select private.settle_push_deliveries('{}', '{}', '{}', '{}')",
    "select private.remove_dead_device(:owner, '', '')",
    "select private.open_notifications_to_realtime()",
    "select * from private.claim_assistant_turns('note_analysis', now(), null, 5)",
    "select private.release_assistant_turn(:owner, 'daily_drop')",
    "select * from private.notes_for_analysis(:owner, now())",
    "select private.store_note_analysis(:owner, now(), '{}', 1, now())",
    "select private.analysis_for_message(:owner)",
    "select private.give_assistant_drop(:owner, now(), 'Forged', 'Forged')",
  ])("refuse everybody: %s", async (statement) => {
    await expectOutcomes(acting, stage, statement, everybody(REFUSED));
  });

  it("change_user_role works for the super admin alone", async () => {
    const statement = "select private.change_user_role(:stranger, 'admin')";
    await expectOutcomes(acting, stage, statement, only({ superAdmin: 1 }, "NX003"));
  });

  it.each([
    ["transfer_organization", "select private.transfer_organization(:organization, :orgMate)", "owner"],
    ["change_team_admin", "select private.change_team_admin(:team, :orgMate)", "owner"],
  ])("%s works for the owner and the super admin alone", async (_, statement, owner) => {
    for (const role of ROLES) {
      const allowed = role === owner || role === "superAdmin";
      expect(await acting.outcome(stage.actors[role], named(stage, statement)), role).toBe(allowed ? 1 : "NX003");
    }
  });
});

function isPresent<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
