import { sql } from "kysely";
import { AppError } from "#core/errors";
import { SYNTHETIC_DEFAULTS } from "#core/game/synthetic";
import { currentOrNextGameDate, toMinutes } from "#core/game/time";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { byCreation, pageOf } from "#http/response/paging";
import type { NewSyntheticUsers, NewSyntheticUsersResponse, SyntheticUser, SyntheticUsersQuery } from "./schema.ts";

/** Synthetic users with the names of their profiles. */
function syntheticUsers(tx: Tx) {
  return tx
    .selectFrom("synthetic_users as s")
    .innerJoin("profiles as p", "p.id", "s.user_id")
    .select(["s.user_id as id", "p.full_name", "s.region", "s.city", "s.state", "s.timezone", "s.activity_type"])
    .select(["s.window_start", "s.window_end", "s.check_in_probability", "s.is_active", "s.created_at"]);
}
type Row = Awaited<ReturnType<ReturnType<typeof syntheticUsers>["executeTakeFirstOrThrow"]>>;

/**
 * Creates synthetic users with account, profile, location and window; like anyone's first, the window counts from the date
 * whose window is open or opens next. The database allows it to super admins only.
 * @returns the users in the order in which they were drawn
 */
export async function generateSyntheticUsers(
  tx: Tx,
  { count, config = {} }: NewSyntheticUsers,
  now: Date,
): Promise<NewSyntheticUsersResponse> {
  const defaults = SYNTHETIC_DEFAULTS;
  const {
    regions = defaults.regions,
    activities = defaults.activities,
    windows = defaults.windows,
    checkInProbability = defaults.checkInProbability,
    seed = await randomSeed(tx),
  } = config;
  const wanted = { regions, activities, windows, checkInProbability };
  // Loaded on use, because names and cities are a part of the bundle that hardly anyone needs.
  const { drawSyntheticPeople } = await import("#core/game/synthetic-people");
  const people = drawSyntheticPeople(count, wanted, seed).map((person) => {
    const times = { start: person.window_start, end: person.window_end, timezone: person.timezone };
    return { ...person, effective_from: currentOrNextGameDate(times, now) };
  });
  const created = await call(tx, "create_synthetic_users", { people, seed });
  // A separate statement: the one that creates profiles does not see them.
  const ids = created.map(({ user_id }) => user_id);
  const rows = await syntheticUsers(tx).where("s.user_id", "=", sql<string>`any (${ids}::uuid[])`).execute();
  // Names are unique within a call.
  const positions = new Map(people.map(({ full_name }, index) => [full_name, index]));
  const positionOf = ({ full_name }: Row) => positions.get(full_name ?? "") ?? 0;
  const users = rows.toSorted((one, other) => positionOf(one) - positionOf(other)).map(asUser);
  return { created: users.length, failed: 0, users, errors: [], seed };
}

/** Synthetic users, newest first; the policies show them to super admins only. */
export async function listSyntheticUsers(tx: Tx, { limit, cursor }: SyntheticUsersQuery) {
  const rows = await syntheticUsers(tx)
    .where(afterCursor(["s.created_at", "s.user_id"], cursor))
    .orderBy("s.created_at", "desc")
    .orderBy("s.user_id", "desc")
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, byCreation);
  return { users: page.rows.map(asUser), nextCursor: page.next_cursor };
}

/**
 * Deletes a synthetic user and all their data.
 * @returns the players who were linked to them, or in a squad with them, on a date that is not over
 * @throws AppError 404 if there is no such synthetic user
 */
export async function deleteSyntheticUser(tx: Tx, id: string, now: Date): Promise<readonly string[]> {
  const linked = await call(tx, "delete_synthetic_user", { userId: id, moment: now });
  if (linked === null) throw new AppError("synthetic_user.not_found");
  return linked;
}

/** Activates or deactivates a synthetic user. @throws AppError 404 if there is no such synthetic user */
export async function toggleSyntheticUser(tx: Tx, id: string, isActive: boolean): Promise<SyntheticUser> {
  await call(tx, "toggle_synthetic_user", { userId: id, isActive });
  const row = await syntheticUsers(tx)
    .where("s.user_id", "=", id)
    .executeTakeFirstOrThrow(() => new AppError("synthetic_user.not_found"));
  return asUser(row);
}

async function randomSeed(tx: Tx): Promise<string> {
  const row = await tx.selectNoFrom(sql<string>`gen_random_uuid()::text`.as("seed")).executeTakeFirstOrThrow();
  return row.seed;
}

/** Times come with seconds, and exact numerics as text. */
function asUser({ created_at: _, check_in_probability, ...row }: Row): SyntheticUser {
  const times = { window_start: toMinutes(row.window_start), window_end: toMinutes(row.window_end) };
  return { ...row, ...times, check_in_probability: Number(check_in_probability) };
}
