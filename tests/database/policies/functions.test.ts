import { describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";
import { named, ROLES, setStage } from "../support/stage.ts";
import { expectOutcomes, only } from "./matrix.ts";

const acting = useActing();
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));

/** In the schema private. Those that users may call are in definer-arguments.test.ts, as far as they have other rights. */
const SERVICE = `
  accept_import actor_id add_work analysis_for_message assistant_range_ends award_monthly_batch battle_days
  battle_members battle_totals bootstrap_role cancel_for_erased_person check_import_batch claim_assistant_turns
  claim_erasure_receipt claim_push_deliveries count_leaderboard count_week day_state due_deliveries
  email_address_hash end_battle end_days end_export end_import erase_account erase_rows expect_mosaic expire_exports
  expire_rejected_photos import_entries import_to_do is_final_subscription_status
  is_super_admin job_states lock_battle lock_for_review lock_profile lock_report lock_writer matching_lock
  max_settled_at_once mosaics_to_draw notes_for_analysis notify notify_battle_results oldest_reviews open_battle open_synthetic_turns
  process_engagement read_matching recalculate_recent_badges reconcile_drops record_appeal_decision record_check_ins
  record_decision record_email_event record_push_results record_subscription_event release_assistant_turn
  remind_players remind_to_write remove_dead_device review_check_in rfc3339 send_assistant_drop settle_entries
  settle_next start_erasure stop_writes store_mosaic store_note_analysis system_user_id token_usage_monthly week_start
  write_chains
`;

it("the service may call these functions and no others", async () => {
  const rows = await acting.query<{ name: string }>`
    select p.proname::text as name from pg_catalog.pg_proc p
    where p.pronamespace in ('nectar'::regnamespace, 'private'::regnamespace)
      and has_function_privilege('nectar_service', p.oid, 'execute')`;
  expect(rows.map(({ name }) => name).toSorted()).toEqual(SERVICE.trim().split(/\s+/));
});

describe("the function", () => {
  it.each([
    ["change_user_role", "select private.change_user_role(:stranger, 'admin')"],
    ["create_synthetic_users", "select count(*) from private.create_synthetic_users('[]', 'a seed')"],
    ["toggle_synthetic_user", "select private.toggle_synthetic_user(:owner, false)"],
    ["delete_synthetic_user", "select private.delete_synthetic_user(:stranger, now())"],
  ])("%s works for the super admin only", async (_, statement) => {
    await expectOutcomes(acting, stage, statement, only({ superAdmin: 1 }, "auth.forbidden"));
  });

  it.each([
    ["transfer_organization", "select private.transfer_organization(:organization, :orgMate)", "owner"],
    ["change_team_admin", "select private.change_team_admin(:team, :orgMate)", "owner"],
  ])("%s works for the owner and the super admin only", async (_, statement, owner) => {
    for (const role of ROLES) {
      const allowed = role === owner || role === "superAdmin";
      expect(await acting.outcome(stage.actors[role], named(stage, statement)), role).toBe(
        allowed ? 1 : "auth.forbidden",
      );
    }
  });
});
