import type { Tx } from "#database/database";
import { job } from "#http/jobs/jobs";
import type { Services } from "#http/services/services";
import { scheduleOf } from "../schedules.ts";

/** Queues all running imports. One that is being worked on is left alone. */
export const continueImports = job(scheduleOf("imports"), async ({ services, transaction }) => ({
  queued: await queueRunningImports(services, transaction),
}));

/** @returns how many it queued */
export async function queueRunningImports(
  { queue }: Pick<Services, "queue">,
  transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>,
): Promise<number> {
  const running = await transaction((tx) =>
    tx.selectFrom("journal_imports").select("id").where("status", "=", "running").execute(),
  );
  await queue.send(running.map(({ id }) => ({ name: "import", id })));
  return running.length;
}
