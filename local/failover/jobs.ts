import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Connection } from "../support/connection.ts";
import type { Service } from "./service.ts";
import { until } from "./until.ts";

const AWARD_JOB = "/api/drops/cron/award-monthly-all";
const PUSH_JOB = "/api/notifications/cron/deliver";

/**
 * Starts the monthly award, and returns when its first batch is committed and the last one waits for an account that a
 * connection to the server locks. When that server dies, the job fails; it is started until it succeeds, as a scheduler does.
 */
export async function startAward({ runJob }: Service, serverUrl: string): Promise<{ done: Promise<void> }> {
  const client = new pg.Client({ connectionString: serverUrl });
  client.on("error", () => {});
  await client.connect();
  await client.query("begin");
  await client.query("select from nectar.accounts order by user_id desc limit 1 for update");
  const done = (async () => {
    while (!(await runJob(AWARD_JOB))) await sleep(1_000);
  })();
  await until("the last batch of the job waits for the account", async () => {
    const { rows } = await client.query(
      `select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
       and exists (select from nectar.monthly_drop_awards)`,
    );
    return rows.length > 0;
  });
  return { done };
}

/** Returns a sentence if the award was not interrupted, and one if it did not reach everyone. */
export async function findAwardProblems(client: Connection): Promise<string[]> {
  const { rows } = await client.query<{ interrupted: boolean; missing: number }>(
    `select
       exists (select from private.job_runs where job = 'monthly-drops' and succeeded is not true) as interrupted,
       (select count(*)::int from nectar.profiles p
        where not p.is_ai and not exists (select from nectar.monthly_drop_awards a where a.user_id = p.id)) as missing`,
  );
  const { interrupted = false, missing = 0 } = rows[0] ?? {};
  return [
    ...(interrupted ? [] : ["The job was not interrupted."]),
    ...(missing === 0 ? [] : [`The job has left out ${missing} people.`]),
  ];
}

/** Waits until the outbox of push messages is empty. @returns how many were sent */
export async function drainPushes(client: Connection, { runJob }: Service): Promise<number> {
  // A push whose worker lost its connection can be claimed again after a minute.
  await until("the outbox of push messages is empty", async () => {
    await runJob(PUSH_JOB);
    const { rows } = await client.query("select from private.push_deliveries where finished_at is null limit 1");
    return rows.length === 0;
  });
  const { rows } = await client.query<{ sent: number }>(
    "select count(*)::int as sent from private.push_deliveries where outcome = 'sent'",
  );
  return rows[0]?.sent ?? 0;
}
