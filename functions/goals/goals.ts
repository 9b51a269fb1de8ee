import { AppError } from "#core/errors";
import { called } from "#database/call";
import type { Tx } from "#database/database";
import { FIRST_PAGE } from "#database/keyset";
import { byCreation, pageOf } from "#http/response/paging";
import { Goal, type GoalQuery, type GoalUpdate, type NewGoal } from "./schema.ts";

const COLUMNS = Goal.keyof().options;
const notFound = () => new AppError("goal.not_found");

/** A page of the caller's goals, newest first. */
export async function listGoals(tx: Tx, userId: string, { status, cursor, limit }: GoalQuery) {
  const { at, id } = cursor ?? FIRST_PAGE;
  const rows = await tx
    .selectFrom(called("list_goals", { userId, status, after: at, afterId: id, max: limit + 1 }).as("g"))
    .select(COLUMNS)
    .execute();
  const page = pageOf(rows, limit, byCreation);
  return { goals: page.rows, next_cursor: page.next_cursor };
}

/** Reads a goal of the caller. @throws AppError 404 */
export async function readGoal(tx: Tx, id: string): Promise<Goal> {
  return tx.selectFrom("goals").select(COLUMNS).where("id", "=", id).executeTakeFirstOrThrow(notFound);
}

export async function createGoal(tx: Tx, { title, description, target_date }: NewGoal): Promise<Goal> {
  return tx
    .insertInto("goals")
    .values({ title, description: description ?? "", target_date: target_date ?? null })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Updates a goal of the caller. @throws AppError 404, 409 for a status that cannot follow its current one */
export async function updateGoal(tx: Tx, id: string, change: GoalUpdate): Promise<Goal> {
  const { title, description, target_date, status } = change;
  return tx
    .updateTable("goals")
    .set({ title, description: description === null ? "" : description, target_date, status })
    .where("id", "=", id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow(notFound);
}

/** Deletes a goal of the caller and its check-ins. @throws AppError 404 */
export async function deleteGoal(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("goals").where("id", "=", id).returning("id").executeTakeFirstOrThrow(notFound);
}
