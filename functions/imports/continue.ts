import { job } from "#http/jobs/jobs";
import { scheduleOf } from "../schedules.ts";

/** Queues all running imports. One that is being worked on is left alone. */
export const continueImports = job(scheduleOf("imports"), async ({ services, transaction }) => {
  const running = await transaction((tx) =>
    tx.selectFrom("journal_imports").select("id").where("status", "=", "running").execute(),
  );
  await services.queue.send(running.map(({ id }) => ({ name: "import", id })));
  return { queued: running.length };
});
