import type { Hono } from "hono";
import * as z from "zod";
import type { TestApi } from "./api.ts";
import { clientOf } from "./client.ts";
import { LONG } from "./long.ts";

export const CRON_SECRET = "a-secret-of-the-scheduler";

/** The response of a job of the assistant. It has no results if another run was still working. */
export const JobBody = z.object({
  success: z.boolean(),
  message: z.string(),
  results: z
    .object({ total: z.int(), failed: z.int(), errors: z.array(z.string()) })
    .catchall(z.int())
    .optional(),
});
export type JobBody = z.infer<typeof JobBody>;

/** Runs a job of an app with its own options. */
export async function callJob(app: Pick<Hono, "fetch">, path: string): Promise<JobBody> {
  const { status, body } = await clientOf(app.fetch).send("POST", path, { headers: { "x-cron-secret": CRON_SECRET } });
  if (status !== 200) throw new Error(`The job responded with ${status}.`);
  return JobBody.parse(body);
}

/** Runs a job of the default app. */
export function callUsualJob<Path extends string>(api: TestApi, path: Path) {
  return api.send("POST", path, { headers: { "x-cron-secret": CRON_SECRET } });
}

/** Numbers of people for whom the model fails, by the kind of failure. */
export interface Troubles {
  readonly failing: number;
  readonly hanging: number;
  readonly talking: number;
}

/** The text of person number `n` (from 1) of a crowd, as an SQL expression. */
export function troubleSql({ failing, hanging, talking }: Troubles): string {
  return `case when n <= ${failing} then 'stand-in: fail'
    when n <= ${failing + hanging} then 'stand-in: hang'
    when n <= ${failing + hanging + talking} then 'stand-in: prose'
    else 'A calm walk in the garden' end`;
}

/** Enough people for many batches; more in the long tests. */
export const CROWD = {
  people: LONG ? 2_000 : 100,
  troubles(people: number): Troubles {
    return { failing: people / 10, hanging: people / 100, talking: people / 50 };
  },
} as const;

/** Minutes until a turn is tried again after the first and the second failure. */
const WAITS = [20, 120] as const;

/** A clock that starts at an hour of today (UTC), so that the waits of a test end on the same day. */
export function clockOfToday(hour: number) {
  const started = Date.now();
  let now = new Date(started).setUTCHours(hour, 0, 0, 0);
  return {
    now: () => new Date(now + Date.now() - started),
    advance(minutes: number) {
      now += minutes * 60_000;
    },
  };
}

/**
 * Runs a job, two runs at a time, until a run finds nothing more to do, even after the waits of failed turns.
 * @param advance lets minutes pass
 * @throws Error if that does not happen
 */
export async function callUntilDone(
  call: () => Promise<JobBody>,
  advance: (minutes: number) => void,
): Promise<JobBody[]> {
  const bodies: JobBody[] = [];
  const waits = WAITS.values();
  for (let round = 0; round < 1_000; round += 1) {
    const pair = await Promise.all([call(), call()]);
    bodies.push(...pair);
    const worked = pair.flatMap(({ results }) => (results === undefined ? [] : [results]));
    const nothingDone = worked.every(
      ({ failed, successful = 0, generated = 0 }) => failed + successful + generated === 0,
    );
    if (!nothingDone || worked.some(({ errors }) => errors.some((text) => text.includes("time was up")))) continue;
    const wait = waits.next();
    if (wait.done === true) return bodies;
    advance(wait.value);
  }
  throw new Error("The job does not come to an end.");
}

/** The sum of a count over all runs. */
export function sumOf(bodies: readonly JobBody[], name: string): number {
  return bodies.reduce((sum, { results }) => sum + Number(results?.[name] ?? 0), 0);
}
