import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { MessageResponse } from "@nectar/http/message";
import { respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { idParam, json, query } from "@nectar/http/validate";
import { checkIn, listCheckIns, readGoalWithCheckIns } from "./check-ins.ts";
import { createGoal, deleteGoal, listGoals, updateGoal } from "./goals.ts";
import {
  CheckInResponse,
  CheckInsResponse,
  GoalQuery,
  GoalResponse,
  GoalsResponse,
  GoalUpdate,
  GoalWithCheckInsResponse,
  NewCheckIn,
  NewGoal,
  PageQuery,
} from "./schema.ts";

/** Goals of a person, and check-ins that say how it goes. */
export function goalsApp(services: Services) {
  return createApp(services)
    .get(
      "/api/goals",
      describe({ summary: "List one's goals, newest first", response: GoalsResponse }),
      user,
      query(GoalQuery),
      async (c) => {
        const page = await c.var.asUser((tx) => listGoals(tx, c.var.actor.userId, c.req.valid("query")));
        return answer(c, 200, page);
      },
    )
    .get(
      "/api/goals/:id",
      describe({ summary: "Read one goal with its check-ins", response: GoalWithCheckInsResponse, errors: [404] }),
      user,
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const goal = await c.var.asUser((tx) => readGoalWithCheckIns(tx, c.var.actor.userId, id));
        return answer(c, 200, { goal });
      },
    )
    .post(
      "/api/goals",
      describe({ summary: "Set a goal", status: 201, response: GoalResponse, errors: [409] }),
      user,
      json(NewGoal),
      (c) => respondOnce(c, 201, async (tx) => ({ goal: await createGoal(tx, c.req.valid("json")) })),
    )
    .put(
      "/api/goals/:id",
      describe({ summary: "Change a goal", response: GoalResponse, errors: [404, 409] }),
      user,
      json(GoalUpdate),
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const goal = await c.var.asUser((tx) => updateGoal(tx, id, c.req.valid("json")));
        return answer(c, 200, { goal });
      },
    )
    .delete(
      "/api/goals/:id",
      describe({ summary: "Delete a goal and its check-ins", response: MessageResponse, errors: [404] }),
      user,
      idParam,
      async (c) => {
        await c.var.asUser((tx) => deleteGoal(tx, c.req.valid("param").id));
        return answer(c, 200, { message: "The goal was deleted." });
      },
    )
    .get(
      "/api/goals/:id/check-ins",
      describe({ summary: "List check-ins of a goal, newest first", response: CheckInsResponse, errors: [404] }),
      user,
      idParam,
      query(PageQuery),
      async (c) => {
        const { id } = c.req.valid("param");
        const page = await c.var.asUser((tx) => listCheckIns(tx, c.var.actor.userId, id, c.req.valid("query")));
        return answer(c, 200, page);
      },
    )
    .post(
      "/api/goals/:id/check-ins",
      describe({ summary: "Check in to a goal", status: 201, response: CheckInResponse, errors: [404, 409] }),
      user,
      json(NewCheckIn),
      idParam,
      (c) =>
        respondOnce(c, 201, async (tx) => {
          const { id } = c.req.valid("param");
          return { check_in: await checkIn(tx, c.var.actor.userId, id, c.req.valid("json"), services.clock.now()) };
        }),
    );
}
