import { AppError } from "#core/errors";
import { addDays, dateIn } from "#core/time/calendar-date";
import type { Tx } from "#database/database";
import { type PageQuery, readPage } from "#http/response/paging";
import { readGoal } from "./goals.ts";
import { CheckIn, type CheckInUpdate, MAX_DAYS_LATE, type NewCheckIn } from "./schema.ts";

/** How many check-ins a goal is read with. */
const MAX_WITH_GOAL = 500;

const COLUMNS = CheckIn.keyof().options;
const notFound = () => new AppError("goal.check_in_not_found");

/** Reads a goal of the caller with its newest check-ins. @throws AppError 404 */
export async function readGoalWithCheckIns(tx: Tx, userId: string, id: string) {
  const goal = await readGoal(tx, id);
  const { check_ins } = await readCheckIns(tx, userId, id, { limit: MAX_WITH_GOAL });
  return { ...goal, check_ins };
}

/** A page of the check-ins of a goal of the caller, newest first. @throws AppError 404 */
export async function listCheckIns(tx: Tx, userId: string, goalId: string, query: PageQuery) {
  await readGoal(tx, goalId);
  return readCheckIns(tx, userId, goalId, query);
}

async function readCheckIns(
  tx: Tx,
  userId: string,
  goalId: string,
  page: Pick<PageQuery, "limit"> & Partial<Pick<PageQuery, "cursor">>,
) {
  const checkIns = tx
    .selectFrom("goal_check_ins")
    .select(COLUMNS)
    .where("goal_id", "=", goalId)
    .where("user_id", "=", userId);
  const { rows, next_cursor } = await readPage(checkIns, page);
  return { check_ins: rows, next_cursor };
}

/**
 * Checks in to a goal of the caller.
 * @param now says, in the time zone of the caller, which day is today
 * @throws AppError 400 if the day is in the future or too long ago, 404, 409 if the goal has ended
 */
export async function checkIn(
  tx: Tx,
  userId: string,
  goalId: string,
  { status, notes, check_in_date }: NewCheckIn,
  now: Date,
): Promise<CheckIn> {
  const account = await tx.selectFrom("accounts").select("timezone").where("user_id", "=", userId).executeTakeFirst();
  const today = dateIn(account?.timezone ?? "UTC", now);
  const day = check_in_date ?? today;
  if (day > today || day < addDays(today, -MAX_DAYS_LATE)) {
    const message = `must be today or one of the ${MAX_DAYS_LATE} days before`;
    throw new AppError("request.invalid", { issues: [{ path: "check_in_date", message }] });
  }
  await readGoal(tx, goalId);
  return tx
    .insertInto("goal_check_ins")
    .values({ goal_id: goalId, status, notes: notes ?? "", check_in_date: day })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Corrects a check-in of the caller, also to a goal that has ended. @throws AppError 404 */
export async function updateCheckIn(
  tx: Tx,
  goalId: string,
  id: string,
  { status, notes }: CheckInUpdate,
): Promise<CheckIn> {
  return tx
    .updateTable("goal_check_ins")
    .set({ status, notes: notes === null ? "" : notes })
    .where("goal_id", "=", goalId)
    .where("id", "=", id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow(notFound);
}

/** Deletes a check-in of the caller, also to a goal that has ended. @throws AppError 404 */
export async function deleteCheckIn(tx: Tx, goalId: string, id: string): Promise<void> {
  await tx
    .deleteFrom("goal_check_ins")
    .where("goal_id", "=", goalId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirstOrThrow(notFound);
}
