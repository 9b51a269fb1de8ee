import { type Selectable, sql } from "kysely";
import { AppError } from "#core/errors";
import { utcDate } from "#core/time/calendar-date";
import { call, called } from "#database/call";
import type { Tx } from "#database/database";
import { FIRST_PAGE } from "#database/keyset";
import type { ReadableGoals } from "#database/types.generated";
import { unversioned } from "#database/unversioned";
import { byCreation, pageOf } from "#http/response/paging";
import { applySharing, lockOwn } from "#journal/sharing";
import type { GoalQuery, GoalUpdate, NewGoal, VersionedGoal } from "./schema.ts";

/** A page of the goals that the caller may see, newest first. */
export async function listGoals(tx: Tx, { scope, status, cursor, limit }: GoalQuery, now: Date) {
  const { at, id } = cursor ?? FIRST_PAGE;
  const listed = called("list_goals", { scope, status: status ?? null, after: at, afterId: id, max: limit + 1 });
  const goals = await tx.selectFrom(listed.as("g")).selectAll().select(currentStreak(now)).execute();
  const page = pageOf(goals.map(present).map(unversioned), limit, byCreation);
  return { goals: page.rows, next_cursor: page.next_cursor };
}

/** Reads one visible goal. @throws AppError 404 */
export async function readGoal(tx: Tx, id: string, now: Date): Promise<VersionedGoal> {
  const goal = await tx
    .selectFrom(called("read_goal", { id }).as("g"))
    .selectAll()
    .select(currentStreak(now))
    .executeTakeFirstOrThrow(() => new AppError("goal.not_found"));
  return present(goal);
}

/** The visible goals of some ids. */
export async function readGoals(tx: Tx, ids: readonly string[], now: Date): Promise<VersionedGoal[]> {
  const goals = await tx
    .selectFrom("readable_goals")
    .selectAll()
    .select(currentStreak(now))
    .where("id", "=", sql<string>`any (${ids}::uuid[])`)
    .execute();
  return goals.map(present);
}

/** A column with the streak at a moment. Few goals need the date of their owner, which is at most a day from that of UTC. */
function currentStreak(now: Date) {
  return sql<number>`case when streak_ends_on <= ${utcDate(now)}
    then private.current_streak(user_id, streak, streak_ends_on, ${now.toISOString()}) else streak
  end`.as("current");
}

/** A goal as it is sent, with its version. */
function present({
  id,
  user_id,
  full_name,
  avatar_url,
  is_ai,
  longest_streak: longest,
  streak_ends_on: _,
  current,
  ...goal
}: Selectable<ReadableGoals> & { readonly current: number }): VersionedGoal {
  return { id, user_id, user: { id: user_id, full_name, avatar_url, is_ai }, ...goal, streak: { current, longest } };
}

/** Creates a goal of the caller. @throws AppError 400, 403 or 404 if it cannot be shared like this */
export async function createGoal(tx: Tx, input: NewGoal, now: Date): Promise<VersionedGoal> {
  const { id: chosenId, title, description, target_date, weekdays, comments_enabled } = input;
  const sharing = await applySharing(tx, null, input);
  const { id } = await tx
    .insertInto("goals")
    .values({
      id: chosenId,
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
export async function updateGoal(tx: Tx, id: string, change: GoalUpdate, now: Date): Promise<VersionedGoal> {
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
