import pg from "pg";
import type { DatabaseOfFile } from "./database.ts";

/** Deletes accounts while something else is done that writes of them, in either order and without guessing at times. */
export function deletionsOf(api: Pick<DatabaseOfFile, "inTransaction" | "untilWaiting" | "query">) {
  const { inTransaction, untilWaiting } = api;
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
        const deleting = api.query`delete from auth.users where id = ${account.id} returning id`;
        await untilWaiting(2, deleting);
        await client.query("rollback");
        const [answer, deleted] = await Promise.all([working, deleting]);
        return { answer, isDeleted: deleted.length === 1 };
      }),
  };
}
