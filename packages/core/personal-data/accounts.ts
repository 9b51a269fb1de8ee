import { aboutNobody, LEFT, type PersonalTable } from "./kinds.ts";

/** The account itself: profile, settings, drops and subscription, mail, and what the service keeps to work. */
export const ACCOUNT_TABLES = {
  "nectar.profiles": {
    exported: { profile: "id full_name avatar_url is_ai created_at updated_at" },
    erased: "by cascade",
  },
  "nectar.accounts": {
    exported: {
      profile:
        "user_id>id email preferences drops_balance read_notes_enabled check_in_enabled timezone leaderboard_visible is_premium suspended_until updated_at active_tone_pack_id>preferences.active_tone_pack_id",
    },
    left: {
      "It says that the account is being erased.": "erasure_requested_at erases_at erasing_since erasure_attempts",
    },
    erased: "by cascade",
  },
  "nectar.user_roles": {
    exported: { profile: "user_id>id role" },
    left: { [LEFT.internal]: "granted_at" },
    erased: "by cascade",
  },
  "nectar.audit_events": {
    left: {
      "It is the log of what admins did, kept for the people they did it to.":
        "id action actor_id actor_role changed created_at request_id target_id target_type",
    },
    erased: { kept: "The log of what admins did stays true; it has ids and names of fields, never values." },
  },
  "nectar.blocks": {
    exported: { blocks: "blocked_id>user_id created_at" },
    left: { [LEFT.derived]: "user_id", [LEFT.internal]: "is_named" },
    erased: "by cascade",
  },
  "nectar.drop_transactions": {
    exported: { drop_transactions: "id type amount balance_after description item_id item_type created_at" },
    left: { [LEFT.derived]: "user_id", [LEFT.internal]: "event_key" },
    erased: "by cascade",
  },
  "nectar.monthly_drop_awards": {
    left: { [LEFT.derived]: "user_id month amount created_at transaction_id" },
    erased: "by cascade",
  },
  "nectar.subscriptions": {
    exported: { subscriptions: "id user_id payment_customer_id payment_subscription_id status created_at" },
    left: { [LEFT.internal]: "event_created event_id event_rank invoice_created" },
    erased: "by cascade",
  },
  "nectar.token_usage": {
    exported: { ai_uses: "created_at>at usage_type model reference_id>entry_id" },
    left: {
      [LEFT.derived]: "user_id reference_type",
      [LEFT.cost]: "id cost_usd has_reply image_count image_quality input_tokens output_tokens",
    },
    erased: "by cascade",
  },
  "nectar.notifications": {
    exported: { notifications: "id type data created_at read_at" },
    left: { [LEFT.derived]: "user_id room_id", [LEFT.others]: "caused_by" },
    stays: "The id of the person who caused a notification of someone else.",
    erased: "by cascade",
  },
  "nectar.notification_settings": {
    exported: {
      notification_settings:
        "push quiet_start>quiet_hours.start quiet_end>quiet_hours.end reminder_time>journal_reminder.time reminder_weekdays>journal_reminder.weekdays reminder_only_if_not_written>journal_reminder.only_if_not_written",
    },
    left: { [LEFT.derived]: "user_id", [LEFT.internal]: "reminded_on reminder_due_at" },
    erased: "by cascade",
  },
  "nectar.push_subscriptions": {
    exported: { devices: "id endpoint created_at renewed_at" },
    left: { [LEFT.derived]: "user_id", [LEFT.secret]: "auth p256dh" },
    erased: "by cascade",
  },
  "nectar.exports": {
    left: {
      "It is about exports themselves.": "id user_id status file_key created_at ready_at expires_at size_bytes sha256",
    },
    erased: "by cascade",
  },
  "private.export_work": {
    left: { [LEFT.internal]: "export_id claim claimed_until attempts upload_id checkpoint" },
    erased: "by cascade",
  },
  "private.export_parts": { left: { [LEFT.internal]: "export_id number etag records files" }, erased: "by cascade" },
  "nectar.conversion_rates": {
    left: { [LEFT.noPerson]: "id rate effective_date created_at", [LEFT.internal]: "created_by" },
    erased: { kept: "A price stays when the admin who set it is gone." },
    cleared: "created_by",
  },
  "private.email_messages": {
    exported: { email_messages: "id recipient>to subject state>status delivery created_at updated_at" },
    left: {
      [LEFT.derived]: "user_id recipient_hash",
      [LEFT.internal]: "delivery_at delivery_is_verified erased_hash provider_id request",
    },
    stays: "The fingerprint of the address, in mails that others sent to it.",
    erased: "by cascade",
  },
  "private.email_suppressions": {
    left: { [LEFT.internal]: "address_hash reason created_at event_id" },
    erased: {
      kept: "An address that asked for no more mail gets none, also after its account is gone; only its hash is kept.",
    },
  },
  "private.kept_suspensions": {
    left: { [LEFT.internal]: "address_hash expires_at" },
    erased: {
      kept: "A suspension cannot be ended by erasing the account and signing up again; only the hash of the address is kept, until it ends.",
    },
  },
  "private.email_received": {
    left: {
      "It is mail to the service, which its sender has.":
        "id event_id provider_id is_verified sender recipients subject body_text body_html created_at content_attempts content_due_at content_fetched_at",
    },
    erased: { by: "private.forget_address, for a confirmed address" },
  },
  "private.unsettled_shares": {
    left: { [LEFT.internal]: "id notebook_id group_id user_id withdrawn_from after_time after_id settled_at" },
    erased: "by cascade",
  },
  "private.erasure_receipts": {
    left: { [LEFT.internal]: "id address erased_at first_tried_at claimed_until" },
    erased: { by: "the job that erases accounts, when it has mailed the receipt" },
  },
  "private.subscriptions_to_cancel": {
    left: { [LEFT.internal]: "payment_subscription_id" },
    erased: { by: "the job that erases accounts, when it has cancelled the subscription" },
  },
  "private.idempotency_keys": {
    left: { [LEFT.derived]: "user_id key route body_hash status body resource_id is_final created_at" },
    erased: "by cascade",
  },
  "private.push_deliveries": {
    left: {
      [LEFT.internal]:
        "notification_id subscription_id attempts next_attempt_at outcome waited_until created_at finished_at",
    },
    erased: "by cascade",
  },
  "private.quota_uses": { left: { [LEFT.internal]: "user_id name period_start used" }, erased: "by cascade" },
  "private.stored_files_to_remove": {
    left: { [LEFT.internal]: "store path remove_after" },
    erased: { by: "housekeeping, after it has removed the file" },
  },
  "private.erased_totals": {
    left: { "Sums over everyone whose account is deleted.": "id issued spent refunded adjusted balance" },
    erased: { kept: "They keep the supply of drops adding up, and have no names." },
  },
  "private.email_events": aboutNobody("id type is_verified created_at"),
  "private.email_policy": aboutNobody("is_only recipient_policy"),
  "private.job_runs": aboutNobody("id job key due_at started_at finished_at succeeded results"),
  "private.jobs": aboutNobody("name known_since"),
  "private.payment_events": aboutNobody("id type created"),
} as const satisfies Readonly<Record<string, PersonalTable>>;
