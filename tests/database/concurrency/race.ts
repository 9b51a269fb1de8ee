import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Actor, become, connect, refusalOf } from "../support/acting.ts";

/** One side of a race: who does what. */
export interface Move {
  readonly by: Actor;
  readonly statement: string;
}

/** How the second side fared: whether it had to wait for the first, and what became of it. */
export interface RaceResult {
  readonly waited: boolean;
  /** Rows, or the error code that refused it; "at commit" when only the commit was refused. */
  readonly second: number | string;
}

/**
 * Runs two statements so that the second begins when the first is done but not committed. Then the first commits and the
 * second goes on.
 */
export async function race(url: string, admin: pg.Client, first: Move, second: Move): Promise<RaceResult> {
  const [one, two] = await Promise.all([connect(url), connect(url)]);
  try {
    await begin(one, first.by);
    await begin(two, second.by);
    await one.query(first.statement);
    const processId = await processIdOf(two);
    const settled = two.query(second.statement).then(
      (result) => result.rowCount ?? 0,
      (error: unknown) => refusalOf(error),
    );
    const waited = await isWaiting(admin, processId, settled);
    await one.query("commit");
    const outcome = await settled;
    if (typeof outcome === "string") {
      await two.query("rollback");
      return { waited, second: outcome };
    }
    try {
      await two.query("commit");
      return { waited, second: outcome };
    } catch (error) {
      return { waited, second: `${refusalOf(error)} at commit` };
    }
  } finally {
    await Promise.all([one.end(), two.end()]);
  }
}

async function processIdOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_catalog.pg_backend_pid() as pid");
  return rows[0]?.pid ?? 0;
}

async function begin(client: pg.Client, actor: Actor): Promise<void> {
  await client.query("begin");
  await become(client, actor);
}

/** Whether a backend comes to wait for a lock before its statement is through. */
async function isWaiting(admin: pg.Client, processId: number, settled: Promise<unknown>): Promise<boolean> {
  let done = false;
  void settled.then(() => {
    done = true;
  });
  while (!done) {
    const { rows } = await admin.query(
      "select from pg_catalog.pg_stat_activity where pid = $1 and wait_event_type = 'Lock'",
      [processId],
    );
    if (rows.length > 0) return true;
    await sleep(5);
  }
  return false;
}
