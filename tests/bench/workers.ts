import { cloneDatabase } from "#local/database/test-cluster";
import { closeSuperuser } from "#tests/people";
import { analyzeWithWorkers } from "#tests/workers";
import { type Figure, none, type Run, rounded, sized } from "./figures.ts";

const PEOPLE = sized(3_000, 400);
/** Enough to measure one worker, whose time grows with the number of people. */
const PEOPLE_OF_ONE = sized(250, 50);
const WORKERS = 8;
const KILLS = 5;
const CALL_MS = 500;

/** Several workers of a queue against one, while calls fail and workers are killed. */
export async function workerFigures(run: Run): Promise<Figure[]> {
  // For the queue.
  process.env.AWS_ACCESS_KEY_ID ??= "bench";
  process.env.AWS_SECRET_ACCESS_KEY ??= "bench";
  const one = await analyzeAll(run, PEOPLE_OF_ONE, 1, 0);
  const all = await analyzeAll(run, PEOPLE, WORKERS, KILLS);
  const [msPerPersonOfOne, msPerPerson] = [one.firstRoundMs / PEOPLE_OF_ONE, all.firstRoundMs / PEOPLE];
  return [
    {
      name: `workers, time per person: ${WORKERS} with ${KILLS} kills / 1 without`,
      ratio: msPerPerson / msPerPersonOfOne,
      bar: { atMost: 1 / 6 },
      measured: `${rounded(msPerPerson)} / ${rounded(msPerPersonOfOne)} ms, calls of ${CALL_MS} ms`,
    },
    none(
      `workers, people lost or analyzed twice among ${rounded(PEOPLE)}`,
      PEOPLE - all.analyzed + Math.abs(all.doubled),
      `${all.failedCalls} of ${all.calls} calls failed`,
    ),
  ];
}

async function analyzeAll({ cluster, note }: Run, people: number, workers: number, kills: number) {
  note(`${workers} for ${people} people, ${kills} kills`);
  const database = await cloneDatabase(cluster, `bench_workers_${workers}`);
  const result = await analyzeWithWorkers({ ...database, people, workers, kills, callMs: CALL_MS });
  await closeSuperuser(database.adminUrl);
  return result;
}
