import { describe, expect, it } from "vitest";
import { useRaces } from "./race.ts";

const { acting, stage, race } = useRaces();

const CHECK_IN =
  "insert into nectar.goal_check_ins (goal_id, status, check_in_date) values (:goal, 'completed', '2026-11-21')";
const END = "select private.set_goal_status(:goal, 'completed', now())";
const PAUSE = "select private.set_goal_status(:goal, 'paused', now())";
const DELETE = "delete from nectar.goals where id = :goal";

/** The errors that the second side may get. */
const ENDED = "goal.not_open";
const ILLEGAL = "goal.illegal_transition";
const NOTHING_THERE = "23503";

describe("two changes of a goal at the same time happen one after the other", () => {
  it.each([
    ["a check-in after its end", END, CHECK_IN, ENDED, { status: "completed", raced: 0 }],
    ["its end after a check-in", CHECK_IN, END, 1, { status: "completed", raced: 1 }],
    ["a check-in after a pause", PAUSE, CHECK_IN, 1, { status: "paused", raced: 1 }],
    ["a pause after its end", END, PAUSE, ILLEGAL, { status: "completed", raced: 0 }],
    ["its end after a pause", PAUSE, END, 1, { status: "completed", raced: 0 }],
    // The API runs the check-in again, and then there is no such goal.
    ["a check-in after it was deleted", DELETE, CHECK_IN, NOTHING_THERE, undefined],
    ["deleting it after a check-in", CHECK_IN, DELETE, 1, undefined],
    ["its end after it was deleted", DELETE, END, 1, undefined],
  ])("%s", async (_, first, second, heard, left) => {
    expect(await race(["owner", first], ["owner", second])).toEqual({ waited: true, second: heard });
    const [goal] = await acting.query`
      select g.status, (
        select count(*)::int from nectar.goal_check_ins c where c.goal_id = g.id and c.check_in_date = '2026-11-21'
      ) as raced
      from nectar.goals g where g.id = ${stage.ids.goal}`;
    expect(goal).toEqual(left);
  });
});
