import { describe, expect, it } from "vitest";
import { beforeTests } from "../../support/prepare.ts";
import { useActing } from "../support/acting.ts";
import { ROLES, setStage } from "../support/stage.ts";
import { expectOutcomes, named, only } from "./matrix.ts";

const acting = useActing();
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));

describe("functions", () => {
  const signatures = async (role: string) => {
    const rows = await acting.query<{ name: string }>`select n.nspname || '.' || p.proname as name
      from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('nectar', 'private') and has_function_privilege(${role}, p.oid, 'execute') order by name`;
    return rows.map(({ name }) => name);
  };

  it("that users may call are these and no others", async () => {
    expect(await signatures("nectar_user")).toEqual([
      "private.activate_tone_pack",
      "private.actor_id",
      "private.adjust_drops",
      "private.audiences_of_scope",
      "private.award_monthly_drops",
      "private.battle_days",
      "private.battle_members",
      "private.blocked_users",
      "private.cancel_note_analysis",
      "private.change_team_admin",
      "private.change_user_role",
      "private.check_in",
      "private.check_in_details",
      "private.check_ins_of",
      "private.consume_quota",
      "private.content_audience",
      "private.content_keys",
      "private.create_block",
      "private.create_email_message",
      "private.create_entry",
      "private.create_report",
      "private.create_synthetic_users",
      "private.day_state",
      "private.decide_report",
      "private.delete_synthetic_user",
      "private.delete_tone_pack",
      "private.entry_page",
      "private.expect_new_file",
      "private.expect_tone_image",
      "private.find_entries",
      "private.forget_check_in_photo",
      "private.has_profile",
      "private.is_admin",
      "private.is_checked_in",
      "private.is_human",
      "private.is_in_room",
      "private.is_in_scope",
      "private.is_super_admin",
      "private.leaderboard_rank",
      "private.list_badges",
      "private.list_check_ins",
      "private.list_entries",
      "private.list_goals",
      "private.list_leaderboard",
      "private.list_notebooks",
      "private.list_notifications",
      "private.list_received_drops",
      "private.lock_group",
      "private.lock_membership",
      "private.lock_pair",
      "private.lock_profile",
      "private.lock_profiles",
      "private.lock_writer",
      "private.log_entry_reads",
      "private.lowercase_tags",
      "private.metadata_keys",
      "private.mood_term",
      "private.my_administered_team_ids",
      "private.my_audiences",
      "private.my_content_audiences",
      "private.my_organization_ids",
      "private.my_organization_role",
      "private.my_owned_organization_ids",
      "private.my_team_role",
      "private.my_tone_pack_ids",
      "private.newest_visible_journal_entries",
      "private.newest_visible_notebooks",
      "private.note_member_acted",
      "private.oldest_visible_journal_entries",
      "private.open_current_battle",
      "private.person_with_email",
      "private.player_record",
      "private.players_of_date",
      "private.public_audience",
      "private.purchase_tone_pack",
      "private.read_allowance",
      "private.read_badge",
      "private.read_balance",
      "private.read_chain",
      "private.read_entry",
      "private.read_location",
      "private.read_profile",
      "private.read_window",
      "private.recalculate_my_badge",
      "private.record_check_in",
      "private.record_email_result",
      "private.record_encouragement_drop",
      "private.refund_purchase",
      "private.require_reachable",
      "private.rfc3339",
      "private.search_key",
      "private.search_keys",
      "private.search_terms",
      "private.sees_all_entries",
      "private.sees_tone_pack",
      "private.send_encouragement_drop",
      "private.start_check_in",
      "private.store_response",
      "private.subscribe_device",
      "private.system_user_id",
      "private.tag_terms",
      "private.take_idempotency_key",
      "private.terms_within",
      "private.toggle_synthetic_user",
      "private.transfer_organization",
      "private.unused_bonus",
      "private.verified_streaks",
      "private.week_start",
    ]);
  });

  it("that the service may call are these and no others", async () => {
    expect(await signatures("nectar_service")).toEqual([
      "private.actor_id",
      "private.analysis_for_message",
      "private.assistant_range_ends",
      "private.award_monthly_slice",
      "private.battle_days",
      "private.battle_members",
      "private.battle_totals",
      "private.bootstrap_role",
      "private.chip_breakdown",
      "private.claim_assistant_turns",
      "private.claim_push_deliveries",
      "private.claim_received_email",
      "private.compact_battle_changes",
      "private.compact_player_changes",
      "private.count_week",
      "private.day_state",
      "private.email_address_hash",
      "private.end_battle",
      "private.end_days",
      "private.expect_mosaic",
      "private.expire_received_emails",
      "private.is_final_subscription_status",
      "private.is_super_admin",
      "private.job_lock",
      "private.job_states",
      "private.join_battle",
      "private.lock_for_review",
      "private.lock_profile",
      "private.matching_lock",
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
