import type pg from "pg";

/** SQL for the owner of the database: users' functions then accept any time. */
export const ALLOW_ANY_MOMENT = `create or replace function private.moment_tolerance() returns interval
  language sql immutable security invoker set search_path = '' as $$ select interval '1000 years' $$`;

/**
 * Runs work that calls users' functions with times in the past, which `private.check_moment` refuses otherwise. The tolerance
 * is widened within the client's transaction and restored at its end, so no other session ever sees it.
 */
export async function atAnyMoment(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ definition: string }>(
    "select pg_get_functiondef('private.moment_tolerance()'::regprocedure) as definition",
  );
  const [tolerance] = rows;
  if (tolerance === undefined) throw new Error("private.moment_tolerance() does not exist.");
  await client.query(ALLOW_ANY_MOMENT);
  await work();
  await client.query(tolerance.definition);
}
