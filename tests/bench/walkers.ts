import { cloneDatabase, type TestCluster } from "#local/database/test-cluster";
import { closeSuperuser } from "#tests/people";
import { analyzeWithWalkers, type Walked } from "#tests/walkers";
import type { Figure } from "./figures.ts";
import type { Note } from "./requests.ts";

const PEOPLE = 10_000;
/** Enough to measure one walker, whose time grows with the number of people. */
const PEOPLE_OF_ONE = 500;
const WALKERS = 8;
const KILLS = 5;
const CALL_MS = 500;

/** Several workers of a queue against one, while calls fail and workers are killed. */
export async function walkerFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  // For the queue.
  process.env.AWS_ACCESS_KEY_ID ??= "bench";
  process.env.AWS_SECRET_ACCESS_KEY ??= "bench";
  note(`walkers: one for ${PEOPLE_OF_ONE} people`);
  const one = await walk(cluster, { people: PEOPLE_OF_ONE, walkers: 1, kills: 0 });
  note(`walkers: ${WALKERS} for ${PEOPLE.toLocaleString("en")} people, ${KILLS} kills`);
  const all = await walk(cluster, { people: PEOPLE, walkers: WALKERS, kills: KILLS });
  const [msPerPersonOfOne, msPerPerson] = [one.firstRoundMs / PEOPLE_OF_ONE, all.firstRoundMs / PEOPLE];
  return [
    {
      name: `walkers, time per person: ${WALKERS} with ${KILLS} kills / 1 without`,
      ratio: msPerPerson / msPerPersonOfOne,
      bar: { atMost: 1 / 6 },
      measured: `${msPerPerson.toFixed(1)} / ${msPerPersonOfOne.toFixed(1)} ms, calls of ${CALL_MS} ms`,
    },
    {
      name: `walkers, people lost or analyzed twice among ${PEOPLE.toLocaleString("en")}`,
      ratio: PEOPLE - all.analyzed + Math.abs(all.doubled),
      bar: { atMost: 0 },
      measured: `${all.failedCalls} of ${all.calls} calls failed`,
    },
  ];
}

async function walk(
  cluster: TestCluster,
  how: { readonly people: number; readonly walkers: number; readonly kills: number },
): Promise<Walked> {
  const database = await cloneDatabase(cluster, `bench_walkers_${how.walkers}`);
  const walked = await analyzeWithWalkers({ ...database, ...how, callMs: CALL_MS });
  await closeSuperuser(database.adminUrl);
  return walked;
}
