import { aboutNobody, LEFT, type PersonalTable } from "./kinds.ts";

/** What people share with each other: groups, drops, badges, tone packs, messages, and reports. */
export const SHARING_TABLES = {
  "nectar.organizations": {
    exported: { organizations: "id name description owner_id settings created_at updated_at" },
    left: { [LEFT.internal]: "received_at received_from is_used" },
    cleared: "received_from",
    stays: "The name and description of an organization that others run now.",
    erased: {
      by: "private.hand_over_organizations, which gives it to another member, or deletes it without one",
    },
  },
  "nectar.organization_members": {
    exported: { organizations: "org_id>id role>my_role joined_at" },
    left: { [LEFT.derived]: "user_id", [LEFT.internal]: "acted_at" },
    erased: "by cascade",
  },
  "nectar.member_names": {
    left: { [LEFT.derived]: "org_id user_id full_name search_text word_number" },
    erased: "by cascade",
  },
  "nectar.teams": {
    exported: { teams: "id name description org_id admin_id settings created_at updated_at" },
    stays: "The name and description of a team that others run now.",
    erased: { by: "the triggers that give it to another member, or its organization's deletion" },
  },
  "nectar.team_members": {
    exported: { teams: "team_id>id org_id role>my_role joined_at" },
    left: { [LEFT.derived]: "user_id" },
    erased: "by cascade",
  },
  "nectar.invitations": {
    exported: {
      invitations:
        "id org_id email role team_ids max_uses uses email_status expires_at invited_by created_at revoked_at>status",
    },
    left: { [LEFT.secret]: "token_hash" },
    stays: "A pending invitation, with its address, which is the owner's of the organization from then on.",
    erased: "by cascade",
  },
  "nectar.team_messages": {
    exported: { messages: "id team_id squad_id sender_id>sender content created_at" },
    left: { [LEFT.derived]: "room_id", [LEFT.internal]: "hidden_at" },
    erased: "by cascade",
  },
  "nectar.encouragement_drops": {
    exported: {
      drops_sent:
        "id sender_id recipient_id drop_type is_custom template_id title content media_type media_url thumbnail_url date_sent created_at entry_id engagement engaged_at bonus_drops_awarded",
      drops_received:
        "id sender_id recipient_id drop_type is_custom template_id title content media_type media_url thumbnail_url date_sent created_at read_at entry_id",
    },
    left: { [LEFT.derived]: "engagement_until", [LEFT.internal]: "hidden_at" },
    erased: "by cascade",
  },
  "nectar.encouragement_allowances": {
    left: { [LEFT.derived]: "user_id date bonus_carried bonus_earned custom_drops_used daily_allowance drops_used" },
    erased: "by cascade",
  },
  "nectar.user_badges": {
    exported: {
      badge:
        "user_id level total_drops_sent engagement_increases success_rate bonus_drops_earned run_days>consecutive_days",
    },
    left: { [LEFT.derived]: "is_ai is_hidden is_listed last_sent_on leaderboard_key" },
    erased: "by cascade",
  },
  "nectar.badge_milestones": {
    exported: { badge_milestones: "id user_id level badge_name achieved_at stats" },
    erased: "by cascade",
  },
  "private.leaderboard_checkpoints": {
    left: { [LEFT.derived]: "user_id leaderboard_key people_ahead counted_at" },
    erased: { by: "the next count of the leaderboard" },
  },
  "nectar.tone_packs": {
    exported: {
      tone_packs: "id owner_id name description theme is_public price_drops hidden_at>moderation created_at updated_at",
    },
    left: { "A deleted pack is only its buyers', and theirs to see.": "deleted_at" },
    stays: "A pack that others bought, for the buyers only, without a text of its owner.",
    erased: "by cascade",
  },
  "nectar.tone_pack_images": {
    exported: { "tone_packs.images": "tone file_path>image_url" },
    left: { [LEFT.derived]: "id pack_id owner_id created_at" },
    stays: "The images of such a pack; their path has the owner's id.",
    erased: "by cascade",
  },
  "nectar.tone_pack_purchases": {
    exported: { purchases: "id pack_id user_id price_drops created_at" },
    left: { [LEFT.derived]: "transaction_id refunded_at" },
    erased: "by cascade",
  },
  "nectar.tone_pack_shares": {
    left: {
      "Who was given a pack is about them; one's own packs are exported.":
        "id pack_id owner_id user_id by_address created_at",
    },
    erased: "by cascade",
  },
  "nectar.reports": {
    exported: { reports: "id target_type target_id reason details status created_at decided_at" },
    left: { [LEFT.derived]: "reporter_id decision_id", [LEFT.others]: "owner_id excerpt" },
    erased: "by cascade",
  },
  "nectar.moderation_decisions": {
    exported: {
      moderation_decisions: "id target_type target_id decision reason decided_at suspended_until",
    },
    left: {
      [LEFT.derived]: "owner_id",
      [LEFT.others]: "decided_by",
      "Admins' own: what they looked at, and whether they corrected it.": "excerpt reversed_at",
    },
    erased: "by cascade",
    cleared: "decided_by",
  },
  "nectar.moderation_appeals": {
    exported: { "moderation_decisions.appeal": "status reason answer decided_at" },
    left: { [LEFT.derived]: "id decision_id owner_id created_at", [LEFT.others]: "decided_by" },
    erased: "by cascade",
    cleared: "decided_by",
  },
  "nectar.badge_definitions": aboutNobody(
    "level name color emoji min_consecutive_days min_engagement_increases min_success_rate",
  ),
  "nectar.drop_templates": aboutNobody(
    "id type title content media_type media_url thumbnail_url is_approved usage_count created_at updated_at",
  ),
  "nectar.encouragement_config": aboutNobody(
    "id daily_allowance engagement_window_hours max_custom_drops_per_day bonus_drops_per_engagement updated_at",
  ),
} as const satisfies Readonly<Record<string, PersonalTable>>;
