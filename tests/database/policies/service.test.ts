import { describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";
import { setStage } from "../support/stage.ts";
import { named, REFUSED } from "./matrix.ts";

const acting = useActing();
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));

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
