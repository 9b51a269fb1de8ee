import { ANOTHER, AT, type Topic } from "./rows.ts";

/** What belongs to an account, its notifications and mail, and what admins decided about it. */
export const ACCOUNTS: Topic = {
  "nectar.personal_tokens": {
    each: 3,
    values: { scopes: "'{journal:write}'", hint: "'aaaa'", expires_at: "now() + interval '1 week'" },
  },
  "nectar.exports": { each: 3, values: { status: "'failed'" } },
  "nectar.audit_events": {
    each: 2,
    values: {
      actor_id: "p.id",
      actor_role: "'admin'",
      action: "'adjustDrops'",
      target_type: "'user'",
      target_id: "p.id",
    },
  },
  "nectar.moderation_decisions": {
    each: 2,
    values: { target_type: "'user'", target_id: "p.id", decision: "'warn'", reason: "'Reported for a test.'" },
  },
  "nectar.reports": {
    of: "nectar.moderation_decisions",
    joined: ANOTHER,
    values: {
      reporter_id: "x.id",
      owner_id: "p.id",
      target_type: "'user'",
      target_id: "p.id",
      reason: "'spam'",
      status: "'actioned'",
      decision_id: "o.id",
      decided_at: "o.decided_at",
      created_at: "o.decided_at - interval '1 hour'",
    },
  },
  "nectar.moderation_appeals": {
    values: {
      reason: "'Appealed for a test.'",
      status: "'upheld'",
      answer: "'Answered for a test.'",
      decided_at: "now()",
    },
  },
  "nectar.notification_settings": {
    values: {
      quiet_start: "'22:00'",
      quiet_end: "'07:00'",
      reminder_time: "'20:00'",
      reminder_weekdays: "'{1,2,3,4,5,6,7}'",
      reminder_only_if_not_written: "true",
      reminder_due_at: "now() + p.n * interval '1 minute'",
    },
  },
  "nectar.notifications": {
    each: 10,
    values: {
      type: "'chain_update'",
      data: "jsonb_build_object('number', k)",
      read_at: "case when k % 5 > 0 then now() end",
    },
  },
  // Everyone has a device of each service.
  "nectar.push_subscriptions": {
    joined: "cross join unnest(enum_range(null::nectar.push_service)) d (service)",
    values: {
      service: "d.service",
      endpoint: "case d.service when 'web' then 'https://push.example.test/' || p.id end",
      p256dh: "case d.service when 'web' then repeat('A', 87) end",
      auth: "case d.service when 'web' then repeat('A', 22) end",
      token:
        "case d.service when 'fcm' then 'token:' || p.id when 'apns' then replace(p.id::text, '-', '') || repeat('0a', 16) end",
      app: "case d.service when 'apns' then 'org.example.app' end",
    },
  },
  "private.push_deliveries": {
    joined: "join nectar.push_subscriptions s on s.user_id = p.id",
    values: { subscription_id: "s.id", outcome: "'sent'", finished_at: "now()" },
  },
  "private.email_messages": {
    each: 2,
    values: { recipient: "'p' || p.n || '@example.test'", state: "'sent'", updated_at: AT },
  },
  "private.email_received": {
    each: 1,
    values: { event_id: "'event' || p.n", sender: "'p@example.test'", recipients: "'{us@example.test}'" },
  },
};
