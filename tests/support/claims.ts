import type { Tx } from "#database/database";
import type { Services } from "#http/services/services";
import type { DatabaseOfFile } from "./database.ts";

/** Ends all claims of work, as the passing of time does if their processes have died. */
export async function expireAllClaims({ query }: Pick<DatabaseOfFile, "query">): Promise<void> {
  await query`update private.work set due_at = '-infinity'`;
}

/** Does work while every claim expires at once, so that runs overlap as after a process was paused. */
export async function whileOverlapping<Result>(
  { query }: Pick<DatabaseOfFile, "query">,
  work: () => Promise<Result>,
): Promise<Result> {
  await query`create function private.expire() returns trigger language plpgsql as
    $$ begin new.due_at := '-infinity'; return new; end $$`;
  await query`create trigger expire before insert or update on private.work
    for each row execute function private.expire()`;
  try {
    return await work();
  } finally {
    await query`drop function private.expire() cascade`;
  }
}

/** Services whose process dies before the end of the first transaction that begins once it is time. */
export function dying(services: Services, isTime: () => boolean | Promise<boolean>): Services {
  const { database } = services;
  const until =
    <Result>(work: (tx: Tx) => Promise<Result>) =>
    async (tx: Tx) => {
      const isLast = await isTime();
      const result = await work(tx);
      if (isLast) throw new Error("The process died.");
      return result;
    };
  const asUser: typeof database.asUser = (id, work, purpose) => database.asUser(id, until(work), purpose);
  return { ...services, database: { ...database, asUser, asService: (work) => database.asService(until(work)) } };
}
