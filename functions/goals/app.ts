import { userOrProgram } from "#http/access/guards";
import { endpoint } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { wakePushes } from "#http/jobs/wake";
import { createOnce } from "#http/request/chosen-id";
import { MessageResponse } from "#http/response/message";
import { PageQuery } from "#http/response/paging";
import type { Services } from "#http/services/services";
import {
  AudienceResponse,
  previewAudience,
  previewProblems,
  ReaderId,
  readAudience,
  readAudienceMember,
  SeesResponse,
} from "#journal/audience";
import { SHARING_ERRORS, updateProblems } from "#journal/sharing";
import { commentEndpoints } from "#messages/comments";
import { checkIn, deleteCheckIn, listCheckIns, readCheckIn, readGoalWithCheckIns, updateCheckIn } from "./check-ins.ts";
import { createGoal, deleteGoal, listGoals, readGoal, updateGoal } from "./goals.ts";
import {
  CheckInId,
  CheckInResponse,
  CheckInsResponse,
  CheckInUpdate,
  GoalAudiencePreview,
  GoalId,
  GoalQuery,
  GoalResponse,
  GoalsResponse,
  GoalUpdate,
  GoalWithCheckInsResponse,
  NewCheckIn,
  NewGoal,
} from "./schema.ts";

/** Goals, who they are shared with, and check-ins that say how they go. */
export function goalsApp(services: Services) {
  return groupApp(services, "goals", [
    endpoint(
      "GET /api/goals",
      {
        id: "listGoals",
        summary: "List your goals, or those that you may see",
        description: "Newest first.",
        guard: userOrProgram("goals:read"),
        access: "read once, logged",
        replica: "shared",
        query: GoalQuery,
        response: GoalsResponse,
      },
      ({ tx, query, now }) => listGoals(tx, query, now),
    ),
    endpoint(
      "GET /api/goals/:id",
      {
        id: "readGoal",
        summary: "Read a goal with its check-ins",
        guard: userOrProgram("goals:read"),
        access: "read, logged",
        replica: "shared",
        params: { id: GoalId },
        versioned: "goal",
        response: GoalWithCheckInsResponse,
        errors: ["goal.not_found"],
      },
      async ({ tx, tagged, params, now }) => ({ goal: tagged(await readGoalWithCheckIns(tx, params.id, now)) }),
    ),
    endpoint(
      "POST /api/goals",
      {
        id: "createGoal",
        summary: "Create a goal",
        guard: userOrProgram("goals:write"),
        body: NewGoal,
        status: "201 or 200",
        versioned: "goal",
        response: GoalResponse,
        errors: ["sync.id_taken", ...SHARING_ERRORS],
      },
      async ({ tx, existed, tagged, body, now }) => {
        const goal = await createOnce(tx, { type: "goal", id: body.id }, existed, {
          read: (id) => readGoal(tx, id, now),
          create: () => createGoal(tx, body, now),
        });
        return { goal: tagged(goal) };
      },
    ),
    endpoint(
      "PUT /api/goals/:id",
      {
        id: "updateGoal",
        summary: "Update a goal",
        guard: userOrProgram("goals:write"),
        params: { id: GoalId },
        body: GoalUpdate,
        storedProblems: (tx, body, { id }) => updateProblems(tx, "goals", body, id),
        versioned: "goal",
        response: GoalResponse,
        errors: ["goal.not_found", "goal.not_yours", "goal.illegal_transition", ...SHARING_ERRORS],
      },
      async ({ tx, tagged, params, body, now }) => ({ goal: tagged(await updateGoal(tx, params.id, body, now)) }),
    ),
    endpoint(
      "DELETE /api/goals/:id",
      {
        id: "deleteGoal",
        summary: "Delete a goal and its check-ins",
        guard: userOrProgram("goals:write"),
        params: { id: GoalId },
        versioned: "goal",
        response: MessageResponse,
        errors: ["goal.not_found", "goal.not_yours"],
      },
      async ({ tx, params }) => {
        await deleteGoal(tx, params.id);
        return { message: "The goal was deleted." };
      },
    ),
    endpoint(
      "GET /api/goals/:id/check-ins",
      {
        id: "listGoalCheckIns",
        summary: "List the check-ins of a goal",
        description: "Newest first.",
        guard: userOrProgram("goals:read"),
        access: "read, logged",
        replica: "shared",
        params: { id: GoalId },
        query: PageQuery,
        response: CheckInsResponse,
        errors: ["goal.not_found"],
      },
      ({ tx, params, query, now }) => listCheckIns(tx, params.id, query, now),
    ),
    endpoint(
      "POST /api/goals/:id/check-ins",
      {
        id: "createGoalCheckIn",
        summary: "Check in to a goal",
        description: "Notifies the members of the team if the goal is shared with one.",
        guard: userOrProgram("goals:write"),
        quota: { name: "goal_update", counted: "by the handler" },
        params: { id: GoalId },
        body: NewCheckIn,
        status: "201 or 200",
        response: CheckInResponse,
        errors: ["goal.not_found", "goal.not_yours", "goal.not_open", "sync.id_taken"],
      },
      async ({ tx, existed, actor, params, body, now, afterCommit }) => {
        const check_in = await createOnce(tx, { type: "goal_check_in", id: body.id, goalId: params.id }, existed, {
          read: (id) => readCheckIn(tx, id),
          create: () => checkIn(tx, actor.userId, params.id, body, now),
        });
        afterCommit(() => wakePushes(services));
        return { check_in };
      },
    ),
    endpoint(
      "PUT /api/goals/:id/check-ins/:checkInId",
      {
        id: "updateGoalCheckIn",
        summary: "Correct a check-in to a goal",
        description: "Also if the goal has ended.",
        guard: userOrProgram("goals:write"),
        params: { id: GoalId, checkInId: CheckInId },
        body: CheckInUpdate,
        response: CheckInResponse,
        errors: ["goal.check_in_not_found", "goal.not_yours"],
      },
      async ({ tx, actor, params, body }) => ({
        check_in: await updateCheckIn(tx, actor.userId, params.id, params.checkInId, body),
      }),
    ),
    endpoint(
      "DELETE /api/goals/:id/check-ins/:checkInId",
      {
        id: "deleteGoalCheckIn",
        summary: "Delete a check-in to a goal",
        description: "Also if the goal has ended.",
        guard: userOrProgram("goals:write"),
        params: { id: GoalId, checkInId: CheckInId },
        response: MessageResponse,
        errors: ["goal.check_in_not_found", "goal.not_yours"],
      },
      async ({ tx, actor, params }) => {
        await deleteCheckIn(tx, actor.userId, params.id, params.checkInId);
        return { message: "The check-in was deleted." };
      },
    ),
    endpoint(
      "GET /api/goals/:id/audience",
      {
        id: "readGoalAudience",
        summary: "See who can see a goal of yours",
        description: "For its metadata and its content: how many people can see it, and why.",
        guard: userOrProgram("goals:read"),
        access: "read, logged",
        replica: "shared",
        params: { id: GoalId },
        response: AudienceResponse,
        errors: ["goal.not_found", "goal.not_yours"],
      },
      async ({ tx, params }) => ({ audience: await readAudience(tx, "goals", params.id) }),
    ),
    endpoint(
      "GET /api/goals/:id/audience/:userId",
      {
        id: "readGoalAudienceMember",
        summary: "See what someone can see of a goal of yours",
        description: "404 for everyone who shares no organization with you.",
        guard: userOrProgram("goals:read"),
        access: "read, logged",
        replica: "shared",
        params: { id: GoalId, userId: ReaderId },
        response: SeesResponse,
        errors: ["goal.not_found", "goal.not_yours", "user.not_found"],
      },
      async ({ tx, params }) => ({ sees: await readAudienceMember(tx, "goals", params.id, params.userId) }),
    ),
    endpoint(
      "POST /api/goals/audience-preview",
      {
        id: "previewGoalAudience",
        summary: "Preview who could see a goal",
        description:
          "Shows the audience of a goal before you create it or, with `goal_id`, update it. Fails with the errors of writing it. Changes nothing.",
        guard: userOrProgram("goals:read"),
        access: "read, logged",
        body: GoalAudiencePreview,
        storedProblems: (tx, body) => previewProblems(tx, "goals", body),
        response: AudienceResponse,
        errors: ["goal.not_found", "goal.not_yours", ...SHARING_ERRORS],
      },
      async ({ tx, body: { goal_id = null, ...input } }) => ({
        audience: await previewAudience(tx, "goals", goal_id, input),
      }),
    ),
    ...commentEndpoints(services, {
      path: "/api/goals/:id",
      noun: "a goal",
      name: "Goal",
      scope: "goals",
      idParam: GoalId,
      room: "goalId",
      canSee: "can_see_goal",
      unseen: "goal.not_found",
    }),
  ]);
}
