import { AppError } from "#core/errors";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { FIRST_PAGE } from "#database/keyset";
import { byCreation, pageOf } from "#http/response/paging";
import { applySharing, lockOwn } from "#journal/sharing";
import type { Goal, GoalQuery, GoalUpdate, NewGoal } from "./schema.ts";

/** A page of the goals that the caller may see, newest first. */
export async function listGoals(tx: Tx, { scope, status, cursor, limit }: GoalQuery, now: Date) {
  const { at, id } = cursor ?? FIRST_PAGE;
  const goals = await call(tx, "list_goals", { scope, status, after: at, afterId: id, max: limit + 1, moment: now });
  const page = pageOf(goals, limit, byCreation);
  return { goals: page.rows, next_cursor: page.next_cursor };
}

/** Reads one visible goal. @throws AppError 404 */
export async function readGoal(tx: Tx, id: string, now: Date): Promise<Goal> {
  const [goal] = await call(tx, "read_goal", { id, moment: now });
  if (goal === undefined) throw new AppError("goal.not_found");
  return goal;
}

/** Creates a goal of the caller. @throws AppError 400, 403 or 404 if it cannot be shared like this */
export async function createGoal(tx: Tx, input: NewGoal, now: Date): Promise<Goal> {
  const { title, description, target_date, weekdays, comments_enabled } = input;
  const sharing = await applySharing(tx, null, input);
  const { id } = await tx
    .insertInto("goals")
    .values({
      title,
      target_date: target_date ?? null,
      weekdays: weekdays ?? null,
      comments_enabled: comments_enabled ?? true,
      ...sharing,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await writeDescription(tx, id, description);
  return readGoal(tx, id, now);
}

/**
 * Updates a goal of the caller.
 * @throws AppError 404 if it is not visible, 403 if it belongs to someone else, 409 for a status that cannot follow its
 *   current one
 */
export async function updateGoal(tx: Tx, id: string, change: GoalUpdate, now: Date): Promise<Goal> {
  const { title, description, target_date, status, weekdays, comments_enabled } = change;
  const sharing = await applySharing(tx, await lockOwn(tx, "goals", id), change);
  await tx
    .updateTable("goals")
    .set({ title, target_date, weekdays, comments_enabled, ...sharing })
    .where("id", "=", id)
    .execute();
  if (status !== undefined) await call(tx, "set_goal_status", { goalId: id, status, moment: now });
  await writeDescription(tx, id, description);
  return readGoal(tx, id, now);
}

/** Deletes a goal of the caller and its check-ins. @throws AppError 404 if it is not visible, 403 if it belongs to someone else */
export async function deleteGoal(tx: Tx, id: string): Promise<void> {
  await lockOwn(tx, "goals", id);
  await tx.deleteFrom("goals").where("id", "=", id).execute();
}

async function writeDescription(tx: Tx, id: string, description: string | null | undefined): Promise<void> {
  if (description === undefined) return;
  await tx
    .updateTable("goal_contents")
    .set({ description: description ?? "" })
    .where("goal_id", "=", id)
    .execute();
}
