import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NectarError } from "#client";
import { refusal, type Step, scripted } from "./scripted.ts";

const NETWORK = new TypeError("fetch failed");
const BUSY = refusal(503, "service.busy");
const success = () => Response.json({ message: "done" });

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Awaits a call whose waits pass at once. @returns its result or error, and the milliseconds it would have waited */
async function finished<Result>(call: Promise<Result>) {
  const started = Date.now();
  const outcome = call.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { outcome: await outcome, waited: Date.now() - started };
}

describe("a call is repeated", () => {
  test.each<[string, Step]>([
    ["the network fails", NETWORK],
    ["the service is busy", BUSY],
    ["there were too many requests", refusal(429, "quota.exhausted")],
    ["a gateway is overloaded", new Response("<html>", { status: 503 })],
  ])("if %s", async (_, step) => {
    const { nectar, sent } = scripted([step, success()]);
    expect((await finished(nectar.notifications.markAllRead())).outcome).toEqual({ message: "done" });
    expect(sent).toHaveLength(2);
  });

  test("with the same Idempotency-Key, and a new one for the next call", async () => {
    const { nectar, sent } = scripted([NETWORK, BUSY, success()]);
    await finished(nectar.notifications.markAllRead());
    await finished(nectar.notifications.markAllRead());
    const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[3]).not.toBe(keys[0]);
  });

  test("after the token was asked for again", async () => {
    const tokens = ["first", "second"];
    const { nectar, sent } = scripted([NETWORK, success()], { token: async () => tokens.shift() ?? "" });
    await finished(nectar.user.readProfile());
    expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer first", "Bearer second"]);
  });

  test("while our own earlier attempt still runs, but not if another call has the key", async () => {
    const inProgress = refusal(409, "idempotency.in_progress");
    const own = scripted([NETWORK, inProgress, success()]);
    expect((await finished(own.nectar.notifications.markAllRead())).outcome).toEqual({ message: "done" });
    const other = scripted([inProgress, success()]);
    const { outcome } = await finished(other.nectar.notifications.markAllRead({}, { idempotencyKey: "mine" }));
    expect(outcome).toMatchObject({ code: "idempotency.in_progress" });
  });

  test("three times at most, or as often as the call or the client says", async () => {
    const three = scripted([NETWORK]);
    expect((await finished(three.nectar.user.readProfile())).outcome).toMatchObject({
      code: "client.network",
      status: 0,
    });
    expect(three.sent).toHaveLength(4);
    const once = scripted([BUSY], { retries: 1 });
    await finished(once.nectar.user.readProfile());
    expect(once.sent).toHaveLength(2);
    const never = scripted([BUSY]);
    await finished(never.nectar.user.readProfile({}, { retries: 0 }));
    expect(never.sent).toHaveLength(1);
  });
});

describe("a call is not repeated", () => {
  test.each<[string, Step]>([
    ["the request is wrong", refusal(400, "request.invalid")],
    ["the token is wrong", refusal(401, "auth.invalid_token")],
    ["the service has an error of its own", refusal(500, "service.unexpected")],
    ["a feature is not set up", refusal(503, "provider.not_configured")],
    ["it took the database too long", refusal(503, "service.query_timeout")],
    ["the limit ends tomorrow", refusal(429, "quota.exhausted", { "retry-after": "86400" })],
  ])("if %s", async (_, step) => {
    const { nectar, sent } = scripted([step, success()]);
    expect((await finished(nectar.notifications.markAllRead())).outcome).toBeInstanceOf(NectarError);
    expect(sent).toHaveLength(1);
  });

  test("if it is a POST that takes no key", async () => {
    const verify = scripted([NETWORK]);
    await finished(verify.nectar.auth.verifyToken({ token: "x" }));
    expect(verify.sent).toHaveLength(1);
    const job = scripted([NETWORK]);
    await finished(job.nectar.health.runHousekeeping({}, { headers: { "x-cron-secret": "s" } }));
    expect(job.sent).toHaveLength(1);
  });
});

describe("the wait before a retry", () => {
  test("is a random part of a limit that doubles", async () => {
    const { nectar } = scripted([NETWORK]);
    const { waited } = await finished(nectar.user.readProfile({}, { retries: 6 }));
    expect(waited).toBe((500 + 1_000 + 2_000 + 4_000 + 8_000 + 8_000) / 2);
  });

  test("comes after the seconds of Retry-After", async () => {
    const { nectar } = scripted([refusal(429, "quota.exhausted", { "retry-after": "7" }), success()]);
    expect((await finished(nectar.user.readProfile())).waited).toBe(7_250);
  });

  test("comes after the date of Retry-After, by the clock of the service", async () => {
    const dates = { date: "Wed, 01 Jan 2020 00:00:00 GMT", "retry-after": "Wed, 01 Jan 2020 00:00:09 GMT" };
    const { nectar } = scripted([refusal(503, "service.busy", dates), success()]);
    expect((await finished(nectar.user.readProfile())).waited).toBe(9_250);
    vi.setSystemTime("2026-01-01T00:00:00Z");
    const own = scripted([refusal(503, "service.busy", { "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" }), success()]);
    expect((await finished(own.nectar.user.readProfile())).waited).toBe(5_250);
  });

  test("ends when the caller aborts", async () => {
    const { nectar, sent } = scripted([NETWORK]);
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error("The page was left.")), 100);
    const { outcome } = await finished(nectar.user.readProfile({}, { signal: abort.signal }));
    expect(outcome).toEqual(new Error("The page was left."));
    expect(sent).toHaveLength(1);
  });
});
