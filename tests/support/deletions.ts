import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { TestApi } from "./api.ts";
import { asSuperuser, query } from "./people.ts";

/** Deletes accounts while something else is done that writes of them, in either order and without guessing at times. */
export function deletionsOf(api: Pick<TestApi, "adminUrl">) {
  /** Until so many wait for a lock of somebody else, or the last of them is done after all. */
  async function untilWaiting(people: number, last: Promise<unknown>): Promise<void> {
    const isDone = last.then(
      () => true,
      () => true,
    );
    const waiting = () =>
      query(
        api.adminUrl,
        "select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0",
      );
    while ((await waiting()).length < people && !(await Promise.race([isDone, sleep(10, false)])));
  }

  // Over a connection that was used before: a new one would take a tenth of a second to plan the deletion of an account.
  const inTransaction = <R>(work: (client: pg.Client) => Promise<R>): Promise<R> =>
    asSuperuser(api.adminUrl, async (client) => {
      await client.query("begin");
      try {
        return await work(client);
      } finally {
        await client.query("rollback");
      }
    });

  return {
    /**
     * The deletion is first. It happens in two steps, as PostgreSQL takes an account apart: the profile, then what refers to
     * it. The work begins after the first step; the second one and the commit follow once the work is done or waits.
     * @param lock locks other rows in the first step: the work stands before them in its middle, and finds them gone. That is
     * not the order in which a deletion locks, so it may lose a deadlock; then it is done again
     */
    deletedDuring: <R>(
      account: { readonly id: string },
      work: () => Promise<R>,
      lock = "select from nectar.profiles where id = $1 for update",
    ): Promise<R> =>
      inTransaction(async (client) => {
        await client.query(lock, [account.id]);
        const working = work();
        await untilWaiting(1, working);
        const deleteIt = () => client.query("delete from auth.users where id = $1", [account.id]);
        await deleteIt().catch(async (error: unknown) => {
          if (!(error instanceof pg.DatabaseError) || error.code !== "40P01") throw error;
          await client.query("rollback; begin");
          await deleteIt();
        });
        await client.query("commit");
        return working;
      }),
    /**
     * The work is first. It stands in its middle, before rows that a third one holds, until the deletion waits as well.
     * @param hold locks these rows
     */
    deletedAfter: <R>(
      account: { readonly id: string },
      hold: { text: string; values?: unknown[] },
      work: () => Promise<R>,
    ) =>
      inTransaction(async (client) => {
        await client.query(hold.text, hold.values);
        const working = work();
        await untilWaiting(1, working);
        const deleting = query(api.adminUrl, "delete from auth.users where id = $1 returning id", [account.id]);
        await untilWaiting(2, deleting);
        await client.query("rollback");
        const [answer, deleted] = await Promise.all([working, deleting]);
        return { answer, isDeleted: deleted.length === 1 };
      }),
  };
}
