import { AppError } from "#core/errors";
import { addDays, dateIn } from "#core/time/calendar-date";
import type { Tx } from "#database/database";
import { one } from "#database/query";
import { type PageQuery, readPage } from "#http/response/paging";
import { ownSharing, refusal } from "#journal/sharing";
import { readGoal } from "./goals.ts";
import { CheckIn, type CheckInUpdate, type Goal, MAX_DAYS_LATE, MAX_WITH_GOAL, type NewCheckIn } from "./schema.ts";

/** How many check-ins a goal is read with. */

/** Reads a visible goal with its newest check-ins. @throws AppError 404 */
export async function readGoalWithCheckIns(tx: Tx, id: string, now: Date) {
  const goal = await readGoal(tx, id, now);
  const { check_ins } = await readCheckIns(tx, goal, { limit: MAX_WITH_GOAL });
  return { ...goal, check_ins };
}

/** A page of the check-ins of a visible goal, newest first. @throws AppError 404 */
export async function listCheckIns(tx: Tx, goalId: string, query: PageQuery, now: Date) {
  return readCheckIns(tx, await readGoal(tx, goalId, now), query);
}

async function readCheckIns(tx: Tx, goal: Goal, page: Pick<PageQuery, "limit"> & Partial<Pick<PageQuery, "cursor">>) {
  const checkIns = tx
    .selectFrom("readable_goal_check_ins")
    .select(CheckIn.keyof().options)
    .where("goal_id", "=", goal.id)
    .where("user_id", "=", goal.user_id);
  const { rows, next_cursor } = await readPage(checkIns, page);
  return { check_ins: rows, next_cursor };
}

/**
 * Checks in to a goal of the caller.
 * @param now says, in the time zone of the caller, which day is today
 * @throws AppError 400 if the day is in the future or too long ago, 404 if the goal is not visible, 403 if it belongs to
 *   someone else, 409 if it has ended
 */
export async function checkIn(
  tx: Tx,
  userId: string,
  goalId: string,
  { id, status, notes, check_in_date }: NewCheckIn,
  now: Date,
): Promise<CheckIn> {
  const account = await tx.selectFrom("accounts").select("timezone").where("user_id", "=", userId).executeTakeFirst();
  const today = dateIn(account?.timezone ?? "UTC", now);
  const day = check_in_date ?? today;
  if (day > today || day < addDays(today, -MAX_DAYS_LATE)) {
    const message = `must be today or one of the ${MAX_DAYS_LATE} days before`;
    throw new AppError("request.invalid", { issues: [{ path: "check_in_date", message }] });
  }
  if ((await ownSharing(tx, "goals", goalId).executeTakeFirst()) === undefined)
    throw await refusal(tx, "goals", goalId);
  return one<CheckIn>(tx)`
    with check_in as (
      insert into goal_check_ins (id, goal_id, status, check_in_date)
      values (coalesce(${id ?? null}, gen_random_uuid()), ${goalId}, ${status}, ${day}) returning *
    ), content as (
      insert into goal_check_in_contents (check_in_id, goal_id, notes)
      select id, goal_id, ${notes ?? ""} from check_in returning notes
    )
    select k.id, k.goal_id, k.user_id, k.status, c.notes, k.check_in_date, k.created_at from check_in k, content c
  `;
}

/** Corrects a check-in of the caller, also to a goal that has ended. @throws AppError 404, 403 if the goal belongs to someone else */
export async function updateCheckIn(
  tx: Tx,
  userId: string,
  goalId: string,
  id: string,
  { status, notes }: CheckInUpdate,
): Promise<CheckIn> {
  await lockCheckIn(tx, userId, goalId, id);
  if (status !== undefined) await tx.updateTable("goal_check_ins").set({ status }).where("id", "=", id).execute();
  if (notes !== undefined) {
    await tx
      .updateTable("goal_check_in_contents")
      .set({ notes: notes ?? "" })
      .where("check_in_id", "=", id)
      .execute();
  }
  return readCheckIn(tx, id);
}

/** Reads a check-in that is known to exist. */
export async function readCheckIn(tx: Tx, id: string): Promise<CheckIn> {
  return tx
    .selectFrom("readable_goal_check_ins")
    .select(CheckIn.keyof().options)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** Deletes a check-in of the caller, also to a goal that has ended. @throws AppError 404, 403 if the goal belongs to someone else */
export async function deleteCheckIn(tx: Tx, userId: string, goalId: string, id: string): Promise<void> {
  await lockCheckIn(tx, userId, goalId, id);
  await tx.deleteFrom("goal_check_ins").where("id", "=", id).execute();
}

async function lockCheckIn(tx: Tx, userId: string, goalId: string, id: string): Promise<void> {
  const goal = await tx.selectFrom("goals").select("user_id").where("id", "=", goalId).executeTakeFirst();
  if (goal !== undefined && goal.user_id !== userId) throw new AppError("goal.not_yours");
  await tx
    .selectFrom("goal_check_ins")
    .select("id")
    .where("goal_id", "=", goalId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError("goal.check_in_not_found"));
}
