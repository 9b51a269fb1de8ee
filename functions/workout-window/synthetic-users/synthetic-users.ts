import { AppError } from "@nectar/core/errors";
import { drawSyntheticPeople, SYNTHETIC_DEFAULTS, type SyntheticConfig } from "@nectar/core/game/synthetic";
import { currentOrNextGameDate } from "@nectar/core/game/time";
import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { all, maybeOne, one } from "@nectar/database/query";
import { byCreation, pageOf } from "@nectar/http/paging";
import { sql } from "kysely";
import type { NewSyntheticUsers, NewSyntheticUsersResponse, SyntheticUser, SyntheticUsersQuery } from "./schema.ts";

/** A row of the table with the name of its profile; exact numerics arrive as text. */
interface Row extends Omit<SyntheticUser, "check_in_probability"> {
  readonly check_in_probability: string;
  readonly created_at: string;
}

const columns = sql.raw(`
  s.user_id as id, p.full_name, s.region, s.city, s.state, s.timezone, s.activity_type,
  to_char(s.window_start, 'HH24:MI') as window_start, to_char(s.window_end, 'HH24:MI') as window_end,
  s.check_in_probability, s.is_active, s.created_at`);

/**
 * Makes synthetic users with account, profile, place, and a window that counts from its instance that is running or comes
 * next, like everybody's first. The database lets in super admins alone.
 * @returns them in the order in which they were drawn
 */
export async function generateSyntheticUsers(
  tx: Tx,
  { count, config = {} }: NewSyntheticUsers,
  now: Date,
): Promise<NewSyntheticUsersResponse> {
  const { seed = await freshSeed(tx), ...wanted } = config;
  const people = drawSyntheticPeople(count, configOf(wanted), seed).map((person) => {
    const times = { start: person.window_start, end: person.window_end, timezone: person.timezone };
    return { ...person, effective_from: currentOrNextGameDate(times, now) };
  });
  const made = await all<{ id: string }>(tx)`
    select s.user_id as id from private.create_synthetic_users(${JSON.stringify(people)}::jsonb, ${seed}) s
  `;
  // A statement of its own: the one that makes profiles does not see them.
  const rows = await all<Row>(tx)`
    select ${columns}
    from synthetic_users s
    join profiles p on p.id = s.user_id
    where s.user_id = any (${made.map(({ id }) => id)}::uuid[])
  `;
  // No two of one call have the same name.
  const positions = new Map(people.map(({ full_name }, index) => [full_name, index]));
  const positionOf = ({ full_name }: Row) => positions.get(full_name ?? "") ?? 0;
  const users = rows.toSorted((one, other) => positionOf(one) - positionOf(other)).map(asUser);
  return { created: users.length, failed: 0, users, errors: [], seed };
}

/** Synthetic users, newest first; the policies show them to super admins alone. */
export async function listSyntheticUsers(tx: Tx, { limit, cursor }: SyntheticUsersQuery) {
  const rows = await all<Row>(tx)`
    select ${columns}
    from synthetic_users s
    join profiles p on p.id = s.user_id
    where ${afterCursor(["s.created_at", "s.user_id"], cursor)}
    order by s.created_at desc, s.user_id desc limit ${limit + 1}
  `;
  const page = pageOf(rows, limit, byCreation);
  return { users: page.rows.map(asUser), nextCursor: page.next_cursor };
}

/**
 * Deletes a synthetic user and everything of theirs.
 * @returns who was linked to them, or in a squad with them, on a day that is not over
 * @throws AppError 404 when it is none
 */
export async function deleteSyntheticUser(tx: Tx, id: string, now: Date): Promise<readonly string[]> {
  const { linked } = await one<{ linked: readonly string[] | null }>(tx)`
    select private.delete_synthetic_user(${id}, ${now.toISOString()}::timestamptz) as linked
  `;
  if (linked === null) throw new AppError("synthetic_user.not_found");
  return linked;
}

/** Lets a synthetic user play or rest. @throws AppError 404 when it is none */
export async function toggleSyntheticUser(tx: Tx, id: string, isActive: boolean): Promise<SyntheticUser> {
  const row = await maybeOne<Row>(tx)`
    select ${columns}
    from private.toggle_synthetic_user(${id}, ${isActive}) s
    join profiles p on p.id = s.user_id
  `;
  if (row === undefined) throw new AppError("synthetic_user.not_found");
  return asUser(row);
}

/** What is not said is as usual. */
function configOf(
  wanted: Partial<{ [Key in keyof SyntheticConfig]: SyntheticConfig[Key] | undefined }>,
): SyntheticConfig {
  return {
    regions: wanted.regions ?? SYNTHETIC_DEFAULTS.regions,
    activities: wanted.activities ?? SYNTHETIC_DEFAULTS.activities,
    windows: wanted.windows ?? SYNTHETIC_DEFAULTS.windows,
    checkInProbability: wanted.checkInProbability ?? SYNTHETIC_DEFAULTS.checkInProbability,
  };
}

/** The database is where randomness comes from. */
async function freshSeed(tx: Tx): Promise<string> {
  const row = await one<{ seed: string }>(tx)`select gen_random_uuid()::text as seed`;
  return row.seed;
}

function asUser({ created_at: _, check_in_probability, ...row }: Row): SyntheticUser {
  return { ...row, check_in_probability: Number(check_in_probability) };
}
