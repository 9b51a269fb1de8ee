import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { payloadOf, topicOf } from "#notifications/payload";

const id = randomUUID();
/** A name of at most 100 code points of any kind, as the database lets in. */
const name = fc.string({ unit: "binary", maxLength: 100 }).map((text) => text.replaceAll("\0", ""));

test("a payload has at most 3 KB with whole texts, whatever names the database lets in", () => {
  fc.assert(
    fc.property(fc.oneof(name, fc.constant("\u0001".repeat(100))), (full_name) => {
      const data = { checkin_id: id, date: "2026-11-18", week_start_date: "2026-11-16", full_name, chips: 1_000 };
      const payload = payloadOf({ notification_id: id, type: "battle_update", data });
      expect(JSON.parse(payload)).toEqual({
        ...{ id, type: "battle_update", title: "Chips for your team", data },
        body: `${full_name} brought 1000 for your team.`,
      });
      expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(3_072);
    }),
  );
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
