import type pg from "pg";

/** Lets people's functions act at any moment. SQL that only the owner of the database can run. */
export const ALLOW_ANY_MOMENT = `create or replace function private.moment_tolerance() returns interval
  language sql immutable security invoker set search_path = '' as $$ select interval '1000 years' $$`;

/**
 * Runs work of the database's owner that acts as people in the past. People's functions refuse a moment that is not now
 * (`private.check_moment`), so the tolerance is widened within the transaction of the client and restored at its end: no
 * other session ever sees it.
 */
export async function atAnyMoment(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ definition: string }>(
    "select pg_get_functiondef('private.moment_tolerance()'::regprocedure) as definition",
  );
  const [tolerance] = rows;
  if (tolerance === undefined) throw new Error("The tolerance of moments is one function.");
  await client.query(ALLOW_ANY_MOMENT);
  await work();
  await client.query(tolerance.definition);
}
