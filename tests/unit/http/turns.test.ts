import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Turns } from "#http/services/turns";

const { signal: connected } = new AbortController();
let turns: Turns;
let begun: string[];

beforeEach(() => {
  vi.useFakeTimers();
  turns = new Turns();
  begun = [];
});
afterEach(() => {
  vi.useRealTimers();
});

/** Takes a turn that lasts until `end` is called. */
function take(name: string, { person = "ada", signal = connected } = {}) {
  const work = Promise.withResolvers<string>();
  const result = turns.take(person, { signal }, () => {
    begun.push(name);
    return work.promise;
  });
  result.catch(() => undefined);
  return { result, end: () => work.resolve(name), fail: () => work.reject(new Error(name)) };
}

it("three of a person work at once, others in the order in which they came, also behind one that failed", async () => {
  const [first, second, third, fourth, fifth] = ["1", "2", "3", "4", "5"].map((name) => take(name));
  expect(begun).toEqual(["1", "2", "3"]);
  second?.fail();
  await expect(second?.result).rejects.toThrow("2");
  first?.end();
  await expect(first?.result).resolves.toBe("1");
  expect(begun).toEqual(["1", "2", "3", "4", "5"]);
  for (const turn of [third, fourth, fifth]) turn?.end();
  await expect(fifth?.result).resolves.toBe("5");
  await vi.runAllTimersAsync();
  expect(turns.size).toBe(0);
});

it("one person does not wait for another", () => {
  for (const name of ["1", "2", "3", "4"]) take(name);
  take("ben's", { person: "ben" });
  expect(begun).toEqual(["1", "2", "3", "ben's"]);
});

it("what waited two seconds is refused, and the one behind it is next", async () => {
  const running = ["1", "2", "3"].map((name) => take(name));
  const late = take("late");
  await vi.advanceTimersByTimeAsync(1_500);
  take("next");
  await vi.advanceTimersByTimeAsync(500);
  await expect(late.result).rejects.toMatchObject({ code: "quota.too_many_at_once", retryAfterSeconds: 1 });
  running[0]?.end();
  await running[0]?.result;
  expect(begun).toEqual(["1", "2", "3", "next"]);
});

it("a request whose client disconnects waits no longer, and takes no turn", async () => {
  const running = ["1", "2", "3"].map((name) => take(name));
  const leaving = new AbortController();
  const left = take("left", { signal: leaving.signal });
  leaving.abort();
  await expect(left.result).rejects.toMatchObject({ code: "request.aborted" });
  await expect(take("gone already", { signal: leaving.signal }).result).rejects.toMatchObject({
    code: "request.aborted",
  });
  for (const turn of running) turn.end();
  await Promise.all(running.map(({ result }) => result));
  expect(begun).toEqual(["1", "2", "3"]);
  expect(turns.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
