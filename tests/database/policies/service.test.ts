import { describe, expect, it } from "vitest";
import { beforeTests } from "../../support/prepare.ts";
import { useActing } from "../support/acting.ts";
import { setStage } from "../support/stage.ts";
import { named, REFUSED } from "./matrix.ts";

const acting = useActing();
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));

/** The columns that the service may select, insert and update, and the tables that it may delete from; `*` is all. */
const PRIVILEGES = {
  "nectar.accounts": { select: "drops_balance, email, erases_at, erasure_attempts, is_premium, user_id" },
  "nectar.audit_events": { insert: "action, actor_id, actor_role, changed, request_id, target_id, target_type" },
  "nectar.battles": { select: "*", update: "updated_at" },
  "nectar.chains": { select: "*" },
  "private.open_days": { select: "*" },
  "nectar.conversion_rates": { select: "*" },
  "nectar.moderation_appeals": { select: "*" },
  "nectar.moderation_decisions": { select: "*" },
  "nectar.exports": { select: "created_at, id", delete: "*" },
  "private.export_work": { select: "claimed_until, export_id" },
  "private.export_parts": { select: "*" },
  "nectar.invitations": { select: "expires_at, id", delete: "*" },
  "nectar.journal_imports": { select: "created_at, id, status", delete: "*" },
  "nectar.mosaic_sections": { select: "*" },
  "nectar.mosaics": { select: "*" },
  "nectar.notifications": { select: "created_at, id, read_at", delete: "*" },
  "nectar.profiles": { select: "avatar_url, created_at, full_name, id, is_ai" },
  "nectar.reports": { select: "*" },
  "nectar.squads": { select: "*" },
  "nectar.subscriptions": {
    select: "*",
    insert: "event_created, event_id, event_rank, payment_customer_id, payment_subscription_id, status, user_id",
    update: "event_created, event_id, event_rank, invoice_created, payment_customer_id, status",
  },
  "nectar.synthetic_users": { select: "*" },
  "nectar.team_colors": { select: "*" },
  "nectar.team_messages": { select: "created_at, id, squad_id", delete: "*" },
  "nectar.trashed_entries": { select: "expires_at, id", delete: "*" },
  "nectar.token_usage": {
    select: "*",
    insert:
      "cost_usd, has_reply, image_count, image_quality, input_tokens, model, output_tokens, reference_id, reference_type, usage_type, user_id",
  },
  "nectar.user_locations": { select: "*" },
  "nectar.user_roles": { select: "*" },
  "nectar.workout_checkin_photos": { select: "*" },
  "nectar.workout_checkins": {
    select: "*",
    update: "battle_week_start, is_counted, review_reason, reviewed_at, reviewed_by, status, verified_at",
  },
  "nectar.workout_windows": { select: "*" },
  "private.battle_announcements": { select: "*" },
  "private.email_events": { select: "created_at, id, is_verified", insert: "id, is_verified, type", delete: "*" },
  "private.email_messages": {
    select: "created_at, delivery, delivery_is_verified, id, provider_id, recipient_hash",
    update: "delivery, delivery_at, delivery_is_verified, updated_at",
    delete: "*",
  },
  "private.email_policy": { select: "*", update: "recipient_policy" },
  "private.email_received": {
    select: "*",
    insert: "content_attempts, content_due_at, event_id, is_verified, provider_id, recipients, sender, subject",
    update: "body_html, body_text, content_attempts, content_due_at, content_fetched_at, recipients, sender, subject",
    delete: "*",
  },
  "private.email_suppressions": {
    select: "address_hash, event_id, reason",
    insert: "address_hash, event_id, reason",
    update: "event_id, reason",
  },
  "private.entry_reads": { select: "created_at, id", delete: "*" },
  "private.erased_totals": { select: "*" },
  "private.erasure_receipts": { delete: "*", select: "id" },
  "private.game_notices": { select: "date", delete: "*" },
  "private.idempotency_keys": { select: "created_at", delete: "*" },
  "private.job_runs": {
    select: "*",
    insert: "due_at, job, key",
    update: "finished_at, results, succeeded",
    delete: "*",
  },
  "private.jobs": { select: "*", insert: "*" },
  "private.kept_suspensions": { select: "*", delete: "*" },
  "private.leaderboard_checkpoints": { select: "*" },
  "private.payment_events": { select: "*", insert: "*" },
  "private.player_areas": { select: "*" },
  "private.players_to_match": { select: "*", delete: "*" },
  "private.push_deliveries": { select: "*", delete: "*" },
  "private.stored_files_to_remove": { select: "*", delete: "*" },
  "private.subscriptions_to_cancel": { select: "*", delete: "*" },
  "private.unsettled_shares": { select: "*", update: "after_id, after_time, settled_at", delete: "*" },
};

/** What the policies let the service do, with the number of rows on the stage. */
const ALLOWED: readonly [statement: string, rows: number][] = [
  [
    `insert into nectar.audit_events (actor_id, actor_role, action, target_type)
     values (:superAdmin, 'super_admin', 'reviewCheckIn', 'checkin')`,
    1,
  ],
  ["select role from nectar.user_roles where user_id = :superAdmin", 1],
  ["select id, full_name, avatar_url, is_ai, created_at from nectar.profiles where id = :owner", 1],
  ["select email, drops_balance, is_premium from nectar.accounts where user_id = :owner", 1],
  ["select * from nectar.token_usage where user_id = :owner", 1],
  [
    "insert into nectar.token_usage (user_id, usage_type, model, cost_usd) values (:owner, 'assistant_drop', 'small', 0)",
    1,
  ],
  ["select * from nectar.conversion_rates", 1],
  ["select * from nectar.subscriptions where user_id = :owner", 1],
  ["update nectar.subscriptions set status = 'active' where user_id = :owner", 1],
  ["insert into private.payment_events (id, type, created) values ('evt', 'x', now())", 1],
  ["select created_at from private.idempotency_keys", 1],
  ["delete from private.idempotency_keys where created_at <= now()", 1],
  ["select * from private.erased_totals", 1],
  ["select * from private.leaderboard_checkpoints", 1],
  ["select * from private.job_runs", 1],
  ["select * from private.job_states('{housekeeping}', now())", 1],
  ["insert into private.job_runs (job, key) values ('housekeeping', 'all')", 1],
  ["update private.job_runs set finished_at = now(), succeeded = true, results = '{}'", 1],
  ["delete from private.job_runs", 1],
  ["select created_at from private.push_deliveries", 1],
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
  ["delete from private.push_deliveries", 1],
  ["delete from private.entry_reads where created_at <= now()", 1],
  ["select * from nectar.workout_windows where user_id = :owner", 1],
  ["select * from nectar.user_locations where user_id = :owner", 1],
  ["select * from nectar.chains", 1],
  ["select * from nectar.squads", 1],
  ["select * from nectar.team_colors", 1],
  ["select id, squad_id, created_at from nectar.team_messages", 1],
  ["select * from private.player_areas", 1],
  ["delete from private.players_to_match where user_id = :owner", 2],
  ["select * from private.open_days", 1],
  ["select * from nectar.battles", 1],
  ["select from nectar.battles where week_start_date = '2026-11-16' for update", 1],
  ["select * from nectar.mosaics", 1],
  ["select * from nectar.mosaic_sections", 1],
  ["delete from private.game_notices where date <= '2026-11-20'", 1],
  ["select * from private.battle_announcements", 1],
  // Only what is a month old or older; on the stage nothing is.
  ["delete from nectar.notifications", 0],
  ["delete from private.email_messages", 0],
  ["delete from private.email_events", 0],
  ["delete from private.email_received", 0],
  ["delete from nectar.team_messages", 0],
  ["delete from nectar.trashed_entries", 0],
];

describe("the service", () => {
  it("has these privileges and no others", async () => {
    expect(
      (
        await acting.one<{ privileges: unknown }>`with grants as (
        select g.table_schema || '.' || g.table_name as name, lower(g.privilege_type) as command,
          case when count(*) = (
            select count(*) from information_schema.columns c
            where c.table_schema = g.table_schema and c.table_name = g.table_name
          ) then '*' else string_agg(g.column_name, ', ' order by g.column_name) end as columns
        from information_schema.column_privileges g
        where g.grantee = 'nectar_service'
        group by g.table_schema, g.table_name, g.privilege_type
        union all
        select t.table_schema || '.' || t.table_name, 'delete', '*'
        from information_schema.table_privileges t
        where t.grantee = 'nectar_service' and t.privilege_type = 'DELETE'
      ), tables as (
        select name, jsonb_object_agg(command, columns) as privileges from grants group by name
      )
      select jsonb_object_agg(name, privileges) as privileges from tables`
      ).privileges,
    ).toEqual(PRIVILEGES);
  });

  it.each(ALLOWED)("may %s", async (statement, rows) => {
    expect(await acting.outcome("service", named(stage, statement))).toBe(rows);
  });

  it.each([
    "select * from nectar.audit_events",
    "update nectar.audit_events set changed = '{}'",
    "delete from nectar.audit_events",
    "select * from private.idempotency_keys",
    "select preferences from nectar.accounts",
    "update nectar.accounts set drops_balance = 1000000",
    "update private.email_messages set state = 'sent'",
    "delete from nectar.subscriptions",
    "insert into nectar.user_roles (user_id, role) values (:owner, 'admin')",
    "select private.change_user_role(:owner, 'admin')",
    "select private.discard_file('private', 'mosaics/new.png')",
  ])("may not %s", async (statement) => {
    expect(await acting.outcome("service", named(stage, statement))).toBe(REFUSED);
  });
});
