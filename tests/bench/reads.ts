import assert from "node:assert/strict";
import type { TestCluster } from "#local/database/test-cluster";
import { tokenFor } from "#tests/people";
import { VIEWERS } from "./data.ts";
import { largeDatabase } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { HOT_READS, type HotRead } from "./hot-reads.ts";
import { load } from "./load.ts";
import { compareRates } from "./load-figures.ts";
import { startServer } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

/** Further requests of a person would wait for these. */
const AT_ONCE = 3;

/** Compares the hot reads with bare SQL that gives the same rows and fields behind node:http, without row-level security. */
export async function readFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const database = await largeDatabase(cluster, note);
  const api = await startServer("api", environmentOf(database));
  const prepared = await startServer("api", { ...environmentOf(database), DATABASE_PREPARED_STATEMENTS: "on" });
  const bare = await startServer("bare", { ...environmentOf(database), DATABASE_URL: database.adminUrl });
  try {
    const figures: Figure[] = [];
    for (const { read, reader, readerId, atLeast } of readsAndReaders()) {
      const token = await tokenFor({ sub: readerId });
      await requireSameBody(api.url + read.path, bare.url + read.path, token);
      const loading = (url: string) => () =>
        load(url + read.path, { connections: AT_ONCE, until: { seconds: 1 }, token });
      for (const [how, { url }] of [
        ["", api],
        [", DATABASE_PREPARED_STATEMENTS=on", prepared],
      ] as const) {
        const name = `${read.name}, reader in ${reader}${how} / bare prepared SQL behind node:http`;
        note(name);
        figures.push(
          await compareRates({ name, bar: { atLeast }, rounds: 5, ours: loading(url), theirs: loading(bare.url) }),
        );
      }
    }
    return figures;
  } finally {
    await Promise.all([api, prepared, bare].map((server) => server.stop()));
  }
}

/** Every read by the same reader, and the list also by one in many teams. */
function readsAndReaders(): { read: HotRead; reader: string; readerId: string; atLeast: number }[] {
  return HOT_READS.flatMap((read, index) => {
    const few = { read, reader: "3 teams", readerId: VIEWERS.calm };
    if (index > 0) return [{ ...few, atLeast: 0.5 }];
    return [
      { ...few, atLeast: 0.6 },
      { read, reader: "500 teams", readerId: VIEWERS.busy, atLeast: 0.7 },
    ];
  });
}

async function requireSameBody(url: string, otherUrl: string, token: string): Promise<void> {
  const [body, other] = await Promise.all(
    [url, otherUrl].map(async (one) => {
      const response = await fetch(one, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(response.status, 200, one);
      return response.json();
    }),
  );
  assert.deepEqual(other, body, `The bare SQL for ${url} gives something else than the service.`);
}
