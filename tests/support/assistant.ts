import type { Hono } from "hono";
import * as z from "zod";
import type { TestApi } from "./api.ts";
import { clientOf } from "./client.ts";
import { LONG } from "./long.ts";

/** The secret of the scheduler in tests of the assistant. */
export const CRON_SECRET = "a-secret-of-the-scheduler";

/** What a job of the assistant answers; a run that found another one running has no results. */
export const JobBody = z.object({
  success: z.boolean(),
  message: z.string(),
  results: z
    .object({ total: z.int(), failed: z.int(), errors: z.array(z.string()) })
    .catchall(z.int())
    .optional(),
});
export type JobBody = z.infer<typeof JobBody>;

/** Calls the cron route of an app that is not the usual one. */
export async function callJob(app: Pick<Hono, "fetch">, path: string): Promise<JobBody> {
  const { status, body } = await clientOf(app.fetch).send("POST", path, { headers: { "x-cron-secret": CRON_SECRET } });
  if (status !== 200) throw new Error(`The job responded with ${status}.`);
  return JobBody.parse(body);
}

/** Calls the cron route of the usual app. */
export function callUsualJob<Path extends string>(api: TestApi, path: Path) {
  return api.send("POST", path, { headers: { "x-cron-secret": CRON_SECRET } });
}

/** How many people of a crowd the model has which trouble with; it serves the rest as it should. */
export interface Troubles {
  readonly failing: number;
  readonly hanging: number;
  readonly talking: number;
}

/** What a person of a crowd has in their text, by their number `n` from 1 on; an expression of SQL. */
export function troubleSql({ failing, hanging, talking }: Troubles): string {
  return `case when n <= ${failing} then 'stand-in: fail'
    when n <= ${failing + hanging} then 'stand-in: hang'
    when n <= ${failing + hanging + talking} then 'stand-in: prose'
    else 'A calm walk in the garden' end`;
}

/** A crowd whose size shows what a run does with many: few in the usual tests, as many as a town in the long ones. */
export const CROWD = {
  people: LONG ? 2_000 : 200,
  troubles(people: number): Troubles {
    return { failing: people / 10, hanging: people / 100, talking: people / 50 };
  },
} as const;

/** Minutes after which a turn that failed once, and twice, is tried again. */
const WAITS = [20, 120] as const;

/** Time of today (UTC) from an hour on, so that the waits of a test end on the same day; it goes on further by hand. */
export function clockOfToday(hour: number) {
  const begun = Date.now();
  let now = new Date(begun).setUTCHours(hour, 0, 0, 0);
  return {
    now: () => new Date(now + Date.now() - begun),
    goOn(minutes: number) {
      now += minutes * 60_000;
    },
  };
}

/**
 * Calls a job again and again, two calls at a time, until a call finds nothing more to do, also after the waits of those
 * with whom it failed.
 * @param goOn lets minutes pass
 * @throws Error when that does not happen
 */
export async function callUntilDone(call: () => Promise<JobBody>, goOn: (minutes: number) => void): Promise<JobBody[]> {
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
    goOn(wait.value);
  }
  throw new Error("The job does not come to an end.");
}

/** What one number comes to over all calls. */
export function sumOf(bodies: readonly JobBody[], name: string): number {
  return bodies.reduce((sum, { results }) => sum + Number(results?.[name] ?? 0), 0);
}
