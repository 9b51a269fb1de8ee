import { sql } from "kysely";
import { AppError } from "#core/errors";
import { SYNTHETIC_DEFAULTS } from "#core/game/synthetic";
import { currentOrNextGameDate } from "#core/game/time";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { all, one } from "#database/query";
import { byCreation, pageOf } from "#http/response/paging";
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
  const rows = await all<Row>(tx)`
    select ${columns}
    from synthetic_users s
    join profiles p on p.id = s.user_id
    where s.user_id = any (${created.map(({ user_id }) => user_id)}::uuid[])
  `;
  // Names are unique within a call.
  const positions = new Map(people.map(({ full_name }, index) => [full_name, index]));
  const positionOf = ({ full_name }: Row) => positions.get(full_name ?? "") ?? 0;
  const users = rows.toSorted((one, other) => positionOf(one) - positionOf(other)).map(asUser);
  return { created: users.length, failed: 0, users, errors: [], seed };
}

/** Synthetic users, newest first; the policies show them to super admins only. */
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
  const row = await one<Row>(tx, "synthetic_user.not_found")`
    select ${columns}
    from private.toggle_synthetic_user(${id}, ${isActive}) s
    join profiles p on p.id = s.user_id
  `;
  return asUser(row);
}

async function randomSeed(tx: Tx): Promise<string> {
  const row = await one<{ seed: string }>(tx)`select gen_random_uuid()::text as seed`;
  return row.seed;
}

function asUser({ created_at: _, check_in_probability, ...row }: Row): SyntheticUser {
  return { ...row, check_in_probability: Number(check_in_probability) };
}
