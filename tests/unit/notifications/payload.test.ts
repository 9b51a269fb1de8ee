import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { ENUMS } from "#core/enums.generated";
import { messageOf, topicOf } from "#notifications/payload";

const id = randomUUID();
const DELIVERY = {
  notification_id: id,
  subscription_id: randomUUID(),
  attempt: 1,
  service: "web",
  endpoint: "https://push.example.test/x",
  p256dh: "key",
  auth: "secret",
  token: null,
  app: null,
  type: "chain_broken",
  data: { date: "2026-11-18" },
  seconds_left: 60,
  unread: 3,
  claimed_at: "2026-11-18T12:00:00.000Z",
} as const;
/** A name of at most 100 code points of any kind, as the database lets in. */
const name = fc.string({ unit: "binary", maxLength: 100 }).map((text) => text.replaceAll("\0", ""));

test("a payload has at most 3 KB with whole texts, whatever names the database lets in", () => {
  fc.assert(
    fc.property(fc.oneof(name, fc.constant("\u0001".repeat(100))), (full_name) => {
      const data = { checkin_id: id, date: "2026-11-18", week_start_date: "2026-11-16", full_name, chips: 1_000 };
      const { notification } = messageOf({ ...DELIVERY, type: "battle_update", data }, 1_000);
      expect(notification).toEqual({
        ...{ id, type: "battle_update", title: "Chips for your team", data },
        body: `${full_name} brought 1000 for your team.`,
      });
      expect(Buffer.byteLength(JSON.stringify(notification))).toBeLessThanOrEqual(3_072);
    }),
  );
});

test("a message goes to the address that its service needs", () => {
  const phone = { ...DELIVERY, endpoint: null, p256dh: null, auth: null, token: "abc" };
  expect(messageOf(DELIVERY, 1_000)).toMatchObject({
    target: { service: "web", endpoint: DELIVERY.endpoint, p256dh: "key", auth: "secret" },
    ...{ ttlSeconds: 60, unread: 3, timeoutMs: 1_000, topic: topicOf(id) },
  });
  expect(messageOf({ ...phone, service: "fcm" }, 1_000).target).toEqual({ service: "fcm", token: "abc" });
  const apns = { ...phone, service: "apns", app: "org.example.app" } as const;
  expect(messageOf(apns, 1_000).target).toEqual({ service: "apns", token: "abc", app: "org.example.app" });
  expect(() => messageOf({ ...phone, service: "apns" }, 1_000)).toThrow("without its address");
});

test("a message wakes a phone only if it cannot wait", () => {
  const data = { date: "2026-11-18", level: 1, badge_name: "Bee", emoji: "🐝" };
  const urgent = ENUMS.notification_type.filter((type) => messageOf({ ...DELIVERY, type, data }, 1_000).isUrgent);
  expect(urgent.toSorted()).toEqual(["baton_pass", "chain_broken", "checkin_reminder", "journal_reminder"]);
});

describe("a topic", () => {
  it("is of the length and the letters that a push service takes, the same for the same notification alone", () => {
    const ids = Array.from({ length: 100 }, () => randomUUID());
    const topics = ids.map(topicOf);
    expect(topics.every((topic) => /^[\w-]{1,32}$/.test(topic))).toBe(true);
    expect(new Set(topics).size).toBe(100);
    expect(ids.map(topicOf)).toEqual(topics);
  });
});
