import { startModel } from "@nectar/local/stand-ins/model";
import { cloneDatabase, type TestCluster } from "@nectar/local/test-cluster";
import { tokenFor } from "../support/people.ts";
import { fillWallets, personWithNumber } from "./data.ts";
import type { Figure } from "./figures.ts";
import { alternate, load, median, medianRatio, startServer } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const ENTRY = { title: "A walk", content: "I feel calm and peaceful after a long walk through the rain." };

/** What detecting a mood adds to creating an entry if the model responds at once. In production, the model takes most of the time. */
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
    const write = async (url: string) =>
      (await load(`${url}/api/journal`, { connections: 1, seconds: 2, token, post: ENTRY })).p50;
    const [ours = [], theirs = []] = await alternate(5, [() => write(withModel.url), () => write(without.url)]);
    if (model.requests.length === 0) throw new Error("The model was never asked.");
    return [
      {
        name: "creating an entry, with a model that responds at once / without a model",
        ratio: medianRatio(ours, theirs),
        measured: `${median(ours).toFixed(2)} / ${median(theirs).toFixed(2)} ms (p50)`,
      },
    ];
  } finally {
    await Promise.all([withModel.stop(), without.stop(), model.stop()]);
  }
}
