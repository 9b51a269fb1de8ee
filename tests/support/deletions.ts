import { beforeAll, expect } from "vitest";
import type { DatabaseOfFile } from "./database.ts";
import type { Person } from "./people.ts";
import type { Queries } from "./sql.ts";

/** A response, or the result of a job. */
interface Outcome {
  readonly status: number;
  readonly body?: unknown;
}

/** A request about a person whose account is deleted at the same time. */
export interface Race {
  readonly goes: Pick<Person, "id">;
  /**
   * Rows that the deletion has locked, beside the profile `p`, when the request begins: a table `r` with a condition. With
   * neither this nor `held`, it has only the profile.
   */
  readonly reached?: string;
  /** Locks rows that the request needs in its middle. The deletion begins when the request waits for them. */
  readonly held?: string;
  readonly request: () => Promise<Outcome>;
  readonly status: number;
  /** Fields that the response has. */
  readonly body?: object;
  /** Looks at what is left. */
  readonly check?: () => Promise<unknown>;
}

/**
 * Deletes accounts while something else is done about them, in either order and without guessing at times. Of a deadlock
 * always the deletion is told, which then fails, and never the request, which would be tried again.
 */
export function deletionsOf(api: Pick<DatabaseOfFile, "inTransaction" | "untilWaiting" | "query" | "one">) {
  beforeAll(async () => {
    const { name } = await api.one`select quote_ident(current_database()) as name`;
    await api.query(`alter database ${name} set deadlock_timeout = '1min'`);
  });

  async function deleteAccount({ query }: Queries, person: Pick<Person, "id">, end = "commit") {
    await query`set local deadlock_timeout = '200ms'`;
    await query`delete from auth.users where id = ${person.id}`;
    await query(end);
  }

  /**
   * The deletion has locked the profile, and the rows that it has reached, when the work begins. It goes on when the work is
   * done or waits.
   */
  const deletedBefore = <Result>(person: Pick<Person, "id">, work: () => Promise<Result>, reached?: string) =>
    api.inTransaction(async (client) => {
      const rows = reached === undefined ? "" : `join ${reached}`;
      await client.query(`select from nectar.profiles p ${rows} where p.id = $1 for update`, [person.id]);
      const working = work();
      await api.untilWaiting(1, working);
      await deleteAccount(client, person);
      return working;
    });

  /**
   * The work waits for rows that a third transaction has locked, unless it does not need them; then the deletion begins.
   * @param held locks the rows
   * @param end "rollback" if the account is to stay for another race
   */
  const deletedAfter = <Result>(
    person: Pick<Person, "id">,
    work: () => Promise<Result>,
    held: string,
    end?: "rollback",
  ) =>
    api.inTransaction(async (third) => {
      await third.query(held);
      let isDone = false;
      const working = work().finally(() => {
        isDone = true;
      });
      await api.untilWaiting(1, working);
      const deleting = api.inTransaction((client) => deleteAccount(client, person, end));
      await api.untilWaiting(isDone ? 1 : 2, deleting);
      await third.query("rollback");
      await deleting;
      return working;
    });

  return {
    deletedBefore,
    deletedAfter,
    /** Holds a race, and expects its outcome. */
    async race({ goes, reached, held, request, status, body = {}, check }: Race) {
      const outcome = await (held === undefined
        ? deletedBefore(goes, request, reached)
        : deletedAfter(goes, request, held));
      expect(outcome).toMatchObject({ status, ...(Object.keys(body).length > 0 ? { body } : {}) });
      expect(await api.query`select from nectar.profiles where id = ${goes.id}`).toEqual([]);
      await check?.();
    },
  };
}
