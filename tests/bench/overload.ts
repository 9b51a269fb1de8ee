import { tokenFor } from "#tests/people";
import { fillEntries, VIEWERS } from "./data.ts";
import { environmentOf, filledDatabase } from "./databases.ts";
import { type Figure, none, type Run, rounded, sized, within } from "./figures.ts";
import { type LoadRequest, loadTolerantly } from "./load.ts";
import { startServer } from "./processes.ts";

const ENTRIES = sized(100_000);
const SEARCHES = 24;
const PREVIEWS = 16;
const SECONDS = sized(20);
/** That of the diarist, who is the third person. */
const NOTEBOOK = "00000000-0000-4000-a000-000000000003";

/** How long one person waits while another one keeps the most expensive requests running. */
export async function overloadFigures(run: Run): Promise<Figure[]> {
  run.note(`filling a database with ${ENTRIES} entries of one person`);
  const database = await filledDatabase(run, "overload", async (client) => {
    await fillEntries(client, { people: 100, entries: ENTRIES + 1_000, teams: 500, diary: ENTRIES });
    // Otherwise a preview would have nothing to compute.
    await client.query("update nectar.journal_entries set inherit_visibility = true where notebook_id = $1", [
      NOTEBOOK,
    ]);
  });
  await using api = await startServer("api", environmentOf(database));
  const requestsBy = async (sub: string) => {
    const authorization = `Bearer ${await tokenFor({ sub })}`;
    const headers = { authorization, "content-type": "application/json" };
    return {
      get: (path: string): LoadRequest => ({ method: "GET", path, headers }),
      post: (path: string, body: object): LoadRequest => ({
        method: "POST",
        path,
        headers,
        body: JSON.stringify(body),
      }),
    };
  };
  const [one, another] = [await requestsBy(VIEWERS.diarist), await requestsBy(VIEWERS.calm)];
  const publicly = { metadata_visibility: "public", content_visibility: "public" };
  const search = one.get("/api/journal?q=zq");
  const preview = one.post(`/api/notebooks/${NOTEBOOK}/audience-preview`, publicly);
  const ordinary = [
    another.get("/api/journal?limit=20"),
    another.get("/api/user/profile"),
    another.post("/api/journal", { title: "A walk", content: "Along the lake and back." }),
  ];
  const until = { seconds: SECONDS };
  run.note(`${SEARCHES} searches and ${PREVIEWS} previews of one person at once, ${SECONDS} seconds`);
  const [attack, other] = await Promise.all([
    loadTolerantly(api.url, {
      connections: SEARCHES + PREVIEWS,
      until,
      requestsOf: (connection) => [connection < SEARCHES ? search : preview],
    }),
    loadTolerantly(api.url, { connections: 1, until, requestsOf: () => ordinary }),
  ]);
  const what = `${SEARCHES} searches and ${PREVIEWS} previews of one person over 100,000 entries`;
  const rates = `${rounded(other.requestsPerSecond)} requests/s; of the one ${rounded(attack.requestsPerSecond)}, ${attack.failures} refused`;
  return [
    none(`${what}: errors of another person`, other.failures, rates),
    within(`${what}: p99 of another person`, other.p99, 1_000, "ms", `; of the one p50 ${rounded(attack.p50)} ms`),
  ];
}
