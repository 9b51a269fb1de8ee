import { randomUUID } from "node:crypto";
import { payloadOf, topicOf } from "@nectar/notifications/payload";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const announced = (more: { title?: string; body?: string; data?: Record<string, string> }) => ({
  notification_id: randomUUID(),
  type: "drop_received",
  title: "A drop",
  body: "Someone thought of you.",
  data: {},
  ...more,
});
/** Text of at most so many code points of any kind, as the database lets in. */
const text = (maxLength: number) => fc.string({ unit: "binary", maxLength }).map((value) => value.replaceAll("\0", ""));

describe("a payload", () => {
  it("is whole when it fits", () => {
    const one = announced({ data: { drop_id: "17" } });
    const { notification_id: id, ...rest } = one;
    expect(JSON.parse(payloadOf(one))).toEqual({ id, ...rest });
  });

  it("has at most 3 KB whatever the database lets in, with whole characters and all but the body's end", () => {
    fc.assert(
      fc.property(text(200), text(1_000), text(150), (title, body, value) => {
        const one = announced({ title, body, data: { value } });
        const payload = payloadOf(one);
        expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(3_072);
        const read = JSON.parse(payload);
        expect(read).toMatchObject({ id: one.notification_id, title, data: { value } });
        expect(read.body === body || (read.body.endsWith("…") && body.startsWith(read.body.slice(0, -1)))).toBe(true);
        expect(read.body.isWellFormed()).toBe(true);
      }),
    );
  });

  it("is cut no further than it must be", () => {
    for (const character of ["x", "é", "🌻", "\u0001"]) {
      const payload = payloadOf(announced({ body: character.repeat(4_000) }));
      expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(3_072);
      expect(Buffer.byteLength(payload)).toBeGreaterThan(3_072 - 7);
    }
  });
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
