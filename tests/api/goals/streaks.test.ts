import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, dateIn } from "#core/time/calendar-date";
import type { Tx } from "#database/database";
import { checkIn, deleteCheckIn, updateCheckIn } from "#functions/goals/check-ins";
import { createGoal, readGoal, updateGoal } from "#functions/goals/goals";
import { useApi } from "#tests/api";
import { LONG } from "#tests/long";
import { beforeTests } from "#tests/prepare";
import { type History, streakOn } from "./streak-reference.ts";

const HISTORIES = LONG ? 5_000 : 34;

const api = useApi();
const ada = beforeTests(() => api.person());

const outcome = fc.constantFrom("completed", "completed", "completed", "partial", "missed", "skipped");
const weekdays = fc.option(fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }), { freq: 2 });
const event = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("check in"),
      status: outcome,
      daysLate: fc.constantFrom(0, 0, 0, 1, 2, 7),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("correct"), status: outcome, pick: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete"), pick: fc.nat(20) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("set status"),
      status: fc.constantFrom("active", "active", "paused", "paused", "completed", "abandoned"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("set weekdays"), weekdays }) },
);
const history = fc.record({
  timezone: fc.constantFrom("UTC", "Pacific/Kiritimati", "America/Los_Angeles"),
  weekdays,
  /** Each some days after the one before. */
  events: fc.array(fc.record({ event, daysLater: fc.constantFrom(0, 0, 1, 1, 1, 2, 3, 9) }), {
    minLength: 1,
    maxLength: 25,
    size: "max",
  }),
});
type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

it(`streaks are as the reference says, after each change of ${HISTORIES} random histories`, async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(history, async ({ timezone, weekdays: first, events }) => {
      await api.put("/api/user/profile", ada, { timezone }).ok();
      await api.database.asUser(ada.id, async (tx) => {
        const { id } = await createGoal(tx, { title: "Run", weekdays: first }, new Date());
        const { started_on } = await tx
          .selectFrom("goals")
          .select("started_on")
          .where("id", "=", id)
          .executeTakeFirstOrThrow();
        const past: History = { startedOn: started_on, weekdays: first, checkIns: new Map(), statuses: [] };
        let day = started_on;
        for (const { event: next, daysLater } of events) {
          day = addDays(day, daysLater);
          const moment = new Date(`${day}T12:00:00Z`);
          await take(tx, id, past, next, moment, dateIn(timezone, moment));
          for (const later of [0, 1, 4]) {
            const now = new Date(moment.getTime() + later * 86_400_000);
            const { streak } = await readGoal(tx, id, now);
            expect(streak, `${later} days later`).toEqual(streakOn(past, dateIn(timezone, now)));
            seen.add(streak.current === 0 ? "ended" : streak.current < streak.longest ? "shorter" : "longest");
          }
        }
      });
    }),
    { numRuns: HISTORIES },
  );
  expect(seen.size).toBe(3);
});

/** Makes a change in the service and in the reference, if the service allows it. */
async function take(tx: Tx, id: string, past: History, next: Event, now: Date, today: string): Promise<void> {
  const status = past.statuses.at(-1)?.status ?? "active";
  const hasEnded = status === "completed" || status === "abandoned";
  const picked = "pick" in next ? [...past.checkIns.keys()][next.pick % Math.max(past.checkIns.size, 1)] : undefined;
  if (next.kind === "check in" && !hasEnded) {
    const date = addDays(today, -next.daysLate);
    const created = await checkIn(tx, ada.id, id, { status: next.status, check_in_date: date }, now);
    past.checkIns.set(created.id, { date, status: next.status });
  } else if (next.kind === "correct" && picked !== undefined) {
    const { status: corrected, check_in_date: date } = await updateCheckIn(tx, ada.id, id, picked, {
      status: next.status,
    });
    past.checkIns.set(picked, { date, status: corrected });
  } else if (next.kind === "delete" && picked !== undefined) {
    await deleteCheckIn(tx, ada.id, id, picked);
    past.checkIns.delete(picked);
  } else if (next.kind === "set status" && next.status !== status && (!hasEnded || next.status === "active")) {
    await updateGoal(tx, id, { status: next.status }, now);
    past.statuses.push({ date: today, status: next.status });
  } else if (next.kind === "set weekdays") {
    await updateGoal(tx, id, { weekdays: next.weekdays }, now);
    past.weekdays = next.weekdays;
  }
}

describe("weekdays", () => {
  it("of a goal are refused with the same day twice", async () => {
    await api.post("/api/goals", ada, { title: "Run", weekdays: [1, 1] }).invalid("weekdays");
  });

  it("are sent in their order, and null removes them", async () => {
    const { goal } = await api.post("/api/goals", ada, { title: "Run", weekdays: [7, 1, 3] }).created();
    expect(goal).toMatchObject({ weekdays: [1, 3, 7], streak: { current: 0, longest: 0 } });
    expect((await api.put(`/api/goals/${goal.id}`, ada, { title: "Row" }).ok()).goal.weekdays).toEqual([1, 3, 7]);
    expect((await api.put(`/api/goals/${goal.id}`, ada, { weekdays: null }).ok()).goal.weekdays).toBeNull();
  });
});

it("a streak is seen by everyone who sees the goal, by the calendar of its owner", async () => {
  const [cleo, dan] = [await api.person(), await api.person()];
  await api.put("/api/user/profile", cleo, { timezone: "Pacific/Kiritimati" }).ok();
  const shared = { metadata_visibility: "public", weekdays: [1, 2, 3, 4, 5, 6, 7] };
  const { goal } = await api.post("/api/goals", cleo, { title: "Row", ...shared }).created();
  const path = `/api/goals/${goal.id}` as const;
  const { check_in } = await api.post(`${path}/check-ins`, cleo, { status: "completed" }).created();
  const streakAt = async (daysLater: number, time: string) => {
    api.at(`${addDays(check_in.check_in_date, daysLater)}T${time}Z`);
    return (await api.get(path, dan).ok()).goal.streak;
  };
  // Midnight in Kiritimati is 10:00 UTC of the day before.
  expect(await streakAt(1, "09:59:00")).toEqual({ current: 1, longest: 1 });
  expect(await streakAt(1, "10:00:00")).toEqual({ current: 0, longest: 1 });
});
