import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refusal, type Step, scripted } from "./scripted.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A response to a write that ended at a position. */
const wrote = (position: string) => Response.json({ message: "done" }, { headers: { "x-nectar-position": position } });
const success = () => Response.json({ message: "done" });

/** Makes calls one after the other; each step is the response to one. @returns the positions that they sent */
async function positionsOf(steps: readonly (readonly ["read" | "write", Step, waitMs?: number])[]) {
  const { nectar, sent } = scripted(
    steps.map(([, step]) => step),
    { retries: 0 },
  );
  for (const [kind, , waitMs = 0] of steps) {
    vi.advanceTimersByTime(waitMs);
    await (kind === "read" ? nectar.user.readProfile() : nectar.notifications.markAllRead()).catch(() => undefined);
  }
  return sent.map(({ headers }) => headers.get("x-nectar-position"));
}

test("a client sends the greatest position of its writes for a minute", async () => {
  const positions = await positionsOf([
    ["read", success()],
    ["write", wrote("99")],
    ["write", wrote("1000")],
    ["write", wrote("100")],
    ["read", success()],
    ["read", success(), 59_999],
    ["read", success(), 1],
  ]);
  expect(positions).toEqual(["", "", "99", "1000", "1000", "1000", ""]);
});

test.each<[string, Step]>([
  ["no response arrived", new TypeError("fetch failed")],
  ["the service failed", refusal(503, "service.busy")],
])("after a write for which %s, it sends no position for a minute, so that nothing is old", async (_, step) => {
  const positions = await positionsOf([
    ["write", step],
    ["read", success()],
    ["read", success(), 60_000],
  ]);
  expect(positions).toEqual(["", null, ""]);
});

test("a read that fails, and a write that is refused, change nothing", async () => {
  const positions = await positionsOf([
    ["read", new TypeError("fetch failed")],
    ["write", refusal(404, "notification.not_found")],
    ["read", success()],
  ]);
  expect(positions).toEqual(["", "", ""]);
});
