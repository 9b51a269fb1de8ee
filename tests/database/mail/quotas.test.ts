import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { beforeEachTest } from "#tests/prepare";
import { useActing } from "../support/acting.ts";

const acting = useActing();
const person = beforeEachTest(() => acting.person());

const HOUR = 3_600;
const DAY = 24 * HOUR;
const START = Date.parse("2026-11-21T23:30:00.000Z");

/** Begins a mail so many seconds after the start. @returns seconds to wait, 0 when it was counted */
async function begin(seconds: number, { to = "", as = person.id, request = "" } = {}) {
  // A request that is tried again is to the same recipient.
  const recipient = to || (request === "" ? `${randomUUID()}@example.test` : "same@example.test");
  const moment = new Date(START + seconds * 1000).toISOString();
  const { rows } = await acting.run(
    { person: as },
    "select * from private.create_email_message($1, 'Hi', nullif($2, ''), $3)",
    [recipient, request, moment],
    "keep",
  );
  expect(rows).toHaveLength(1);
  return { wait: rows[0]?.retry_after, id: rows[0]?.message_id };
}

/** Begins so many mails at these times; all of them count. */
async function fill(times: readonly number[], to?: string) {
  for (const time of times) expect((await begin(time, to === undefined ? {} : { to })).wait).toBe(0);
}

const every = (step: number, count: number) => Array.from({ length: count }, (_, index) => index * step);

describe("the limit of 20 mails in an hour", () => {
  it("applies across midnight, and ends exactly an hour after the first mail", async () => {
    await fill(every(60, 20));
    expect((await begin(19 * 60)).wait).toBe(HOUR - 19 * 60);
    expect((await begin(HOUR - 0.001)).wait).toBe(1);
    expect((await begin(HOUR)).wait).toBe(0);
    // One has come free, not twenty.
    expect((await begin(HOUR)).wait).toBe(60);
    expect((await begin(HOUR + 60)).wait).toBe(0);
  });

  it("is counted for each person", async () => {
    await fill(every(0, 20));
    const other = (await acting.person()).id;
    expect((await begin(0)).wait).toBe(HOUR);
    expect((await begin(0, { as: other })).wait).toBe(0);
  });

  it("does not count refused mails", async () => {
    await fill(every(0, 20));
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await begin(10)).wait).toBe(HOUR - 10);
    await fill(Array.from({ length: 20 }, () => HOUR));
    expect((await begin(HOUR)).wait).toBe(HOUR);
  });
});

describe("the limit of 50 mails in 24 hours", () => {
  it("applies however the mails are spread, and ends exactly a day after the first", async () => {
    await fill(every(1_000, 50));
    expect((await begin(50_000)).wait).toBe(DAY - 50_000);
    expect((await begin(DAY - 0.001)).wait).toBe(1);
    expect((await begin(DAY)).wait).toBe(0);
    expect((await begin(DAY)).wait).toBe(1_000);
  });

  it("returns the longer of two waits", async () => {
    await fill(every(1_000, 31));
    await fill(Array.from({ length: 19 }, () => 40_000));
    // The hour has room for one more, the day has none.
    expect((await begin(40_001)).wait).toBe(DAY - 40_001);
  });
});

describe("the limit of 5 mails in 24 hours to one recipient", () => {
  it("ignores case, and other recipients still get mail", async () => {
    await fill(every(600, 4), "grace@example.test");
    await fill([2_400], "GRACE@Example.TEST");
    expect((await begin(3_000, { to: "Grace@example.test" })).wait).toBe(DAY - 3_000);
    expect((await begin(3_000, { to: "grace@example.test.uk" })).wait).toBe(0);
    expect((await begin(DAY - 0.001, { to: "grace@example.test" })).wait).toBe(1);
    expect((await begin(DAY, { to: "grace@example.test" })).wait).toBe(0);
    expect((await begin(DAY, { to: "grace@example.test" })).wait).toBe(600);
  });
});

describe("a request that did not end", () => {
  it("keeps its row for a day and is counted once, also when the quota is used up", async () => {
    const { id } = await begin(0, { request: "r" });
    await fill(every(0, 19));
    expect((await begin(0)).wait).toBe(HOUR);
    expect(await begin(60, { request: "r" })).toEqual({ wait: 0, id });
    expect(await begin(DAY - 1, { request: "r" })).toEqual({ wait: 0, id });
    expect(await acting.query`select from private.email_messages where user_id = ${person.id}`).toHaveLength(20);
    // By then the provider has forgotten it.
    const later = await begin(DAY, { request: "r" });
    expect(later.wait).toBe(0);
    expect(later.id).not.toBe(id);
  });

  it("is a new one for another person, and after it was sent", async () => {
    const { id } = await begin(0, { request: "r" });
    const other = (await acting.person()).id;
    expect((await begin(0, { request: "r", as: other })).id).not.toBe(id);
    // The mail of another person cannot be ended.
    await acting.run({ person: other }, "select private.record_email_result($1, 'stolen')", [id], "keep");
    expect((await begin(0, { request: "r" })).id).toBe(id);
    await acting.run({ person: person.id }, "select private.record_email_result($1, 'provider')", [id], "keep");
    await acting.run({ person: person.id }, "select private.record_email_result($1, null)", [id], "keep");
    expect(await acting.query`select state, provider_id from private.email_messages where id = ${id}`).toEqual([
      { state: "sent", provider_id: "provider" },
    ]);
    expect((await begin(0, { request: "r" })).id).not.toBe(id);
  });
});
