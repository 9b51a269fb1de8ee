import { cloneDatabase, type TestCluster } from "#local/database/test-cluster";
import { startModel } from "#local/stand-ins/model";
import { tokenFor } from "#tests/people";
import { fillWallets, personWithNumber } from "./data.ts";
import type { Figure } from "./figures.ts";
import { load } from "./load.ts";
import { compareLatencies } from "./load-figures.ts";
import { startServer } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const ENTRY = { title: "A walk", content: "I feel calm and peaceful after a long walk through the rain." };

/** Detecting a mood against creating an entry. The model responds at once here, and takes most of the time in production. */
export async function moodFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  note("entries with and without a model");
  const database = await cloneDatabase(cluster, "bench_moods");
  await fillWallets(database.adminUrl, 100, 50);
  const token = await tokenFor({ sub: personWithNumber(1) });
  const model = await startModel();
  const withModel = await startServer("api", {
    ...environmentOf(database),
    AI_PROVIDER_API_KEY: "key-of-the-bench",
    AI_PROVIDER_BASE_URL: model.url,
  });
  const without = await startServer("api", environmentOf(database));
  try {
    const writing = (url: string) => () =>
      load(`${url}/api/journal`, { connections: 1, until: { seconds: 2 }, token, post: ENTRY });
    const figure = await compareLatencies({
      name: "creating an entry, with a model that responds at once / without a model",
      rounds: 5,
      ours: writing(withModel.url),
      theirs: writing(without.url),
    });
    if (model.requests.length === 0) throw new Error("The model was never asked.");
    return [figure];
  } finally {
    await Promise.all([withModel.stop(), without.stop(), model.stop()]);
  }
}
