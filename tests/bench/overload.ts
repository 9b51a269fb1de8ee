import { cloneDatabase, type TestCluster } from "#local/database/test-cluster";
import { asSuperuser, tokenFor } from "#tests/people";
import { fill, VIEWERS } from "./data.ts";
import type { Figure } from "./figures.ts";
import { type LoadRequest, loadTolerantly } from "./load.ts";
import { startServer } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const ENTRIES = 100_000;
const SEARCHES = 24;
const PREVIEWS = 16;
const SECONDS = 20;
/** That of the diarist, who is the third person. */
const NOTEBOOK = "00000000-0000-4000-a000-000000000003";

/** How long one person waits while another one keeps the most expensive requests running. */
export async function overloadFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const database = await cloneDatabase(cluster, "bench_overload");
  note(`filling a database with ${ENTRIES.toLocaleString("en")} entries of one person`);
  await fill(database.adminUrl, { people: 100, entries: ENTRIES + 1_000, teams: 10, diary: ENTRIES });
  await asSuperuser(database.adminUrl, async (client) => {
    // Otherwise a preview would have nothing to compute.
    await client.query("set session_replication_role = replica");
    await client.query("update nectar.journal_entries set inherit_visibility = true where notebook_id = $1", [
      NOTEBOOK,
    ]);
    await client.query("set session_replication_role = origin");
  });
  const api = await startServer("api", environmentOf(database));
  const headersOf = async (sub: string) => ({
    authorization: `Bearer ${await tokenFor({ sub })}`,
    "content-type": "application/json",
  });
  const headers = await headersOf(VIEWERS.diarist);
  const search: LoadRequest = { method: "GET", path: "/api/journal?q=zq", headers };
  const preview: LoadRequest = {
    method: "POST",
    path: `/api/notebooks/${NOTEBOOK}/audience-preview`,
    headers,
    body: JSON.stringify({ metadata_visibility: "public", content_visibility: "public" }),
  };
  const ordinary = await headersOf(VIEWERS.calm);
  note(`${SEARCHES} searches and ${PREVIEWS} previews of one person at once, ${SECONDS} seconds`);
  try {
    const [attack, other] = await Promise.all([
      loadTolerantly(api.url, {
        connections: SEARCHES + PREVIEWS,
        until: { seconds: SECONDS },
        requestsOf: (connection) => [connection < SEARCHES ? search : preview],
      }),
      loadTolerantly(api.url, {
        connections: 1,
        until: { seconds: SECONDS },
        requestsOf: () => [
          { method: "GET", path: "/api/journal?limit=20", headers: ordinary },
          { method: "GET", path: "/api/user/profile", headers: ordinary },
          {
            method: "POST",
            path: "/api/journal",
            headers: ordinary,
            body: JSON.stringify({ title: "A walk", content: "Along the lake and back." }),
          },
        ],
      }),
    ]);
    const what = `${SEARCHES} searches and ${PREVIEWS} previews of one person over ${ENTRIES.toLocaleString("en")} entries`;
    return [
      {
        name: `${what}: errors of another person`,
        ratio: other.failures,
        bar: { atMost: 0 },
        measured: `${other.requestsPerSecond.toFixed(0)} requests/s; of the one ${attack.requestsPerSecond.toFixed(0)}, ${attack.failures} refused`,
      },
      {
        name: `${what}: p99 of another person / 1 s`,
        ratio: other.p99 / 1_000,
        bar: { atMost: 1 },
        measured: `${other.p99.toFixed(0)} ms, p50 ${other.p50.toFixed(0)} ms; of the one p50 ${attack.p50.toFixed(0)} ms`,
      },
    ];
  } finally {
    await api.stop();
  }
}
