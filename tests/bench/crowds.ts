import { tokenFor } from "#tests/people";
import { fillEntries, notebookWithNumber, PLAYED, personWithNumber, VIEWERS } from "./data.ts";
import { environmentOf, filledDatabase, largeDatabase } from "./databases.ts";
import { type Figure, figureOf, none, type Run, rounded, sized, within } from "./figures.ts";
import { get, type LoadOptions, type LoadRequest, loadTolerantly, post } from "./load.ts";
import { startServer } from "./processes.ts";

const PEOPLE = 200;
const MIXED_SECONDS = sized(60, 5);
const ENTRIES = sized(100_000);
const SEARCHES = 24;
const PREVIEWS = 16;
const OVERLOAD_SECONDS = sized(20);

/** Ten endpoints; a fifth of the requests write. */
export const MIXED_REQUESTS: readonly LoadRequest[] = [
  get("/api/journal?limit=20"),
  get("/api/notebooks?limit=20"),
  get("/api/user/profile"),
  get("/api/goals?limit=20"),
  post("/api/journal", { title: "A walk", content: "Along the lake and back. ".repeat(12) }),
  get("/api/notifications?limit=20"),
  get("/api/encouragement-drops/received?limit=20"),
  get("/api/drops/balance"),
  get(`/api/workout-window/chain/${PLAYED.date}`),
  post("/api/goals", { title: "Walk every day" }),
];

/** Requests of a person on each connection, each from another one on, so that they are mixed from the start. */
export async function mixedRequests(
  connections: number,
  requests = MIXED_REQUESTS,
  headers: Readonly<Record<string, string>> = {},
): Promise<LoadOptions["requestsOf"]> {
  const people = Array.from({ length: connections }, (_, connection) => {
    const first = connection % requests.length;
    const rotated = [...requests.slice(first), ...requests.slice(0, first)];
    return requestsBy(personWithNumber(1_000 + connection), rotated, headers);
  });
  const all = await Promise.all(people);
  return (connection) => all[connection] ?? [];
}

/** Adds a person's token to requests. */
async function requestsBy(
  sub: string,
  requests: readonly LoadRequest[],
  headers: Readonly<Record<string, string>> = {},
): Promise<LoadRequest[]> {
  const authorization = `Bearer ${await tokenFor({ sub })}`;
  return requests.map((request) => ({ ...request, headers: { ...request.headers, ...headers, authorization } }));
}

/** A minute of mixed requests of many people at once: errors, and the tail of the latencies. */
export async function mixedFigures(run: Run): Promise<Figure[]> {
  await using api = await startServer("api", environmentOf(await largeDatabase(run)));
  run.note(`${PEOPLE} connections, ${MIXED_SECONDS} seconds`);
  const { requestsPerSecond, p50, p99, failures } = await loadTolerantly(api.url, {
    connections: PEOPLE,
    until: { seconds: MIXED_SECONDS },
    requestsOf: await mixedRequests(PEOPLE),
  });
  const what = `mixed load, 80 % reads, ${PEOPLE} connections, ${MIXED_SECONDS} s`;
  return [
    none(`${what}: errors`, failures, `${rounded(requestsPerSecond)} requests/s`),
    figureOf(`${what}: p99 / p50`, { atMost: 10 }, [p99], [p50]),
  ];
}

/** How long one person waits while another one keeps the most expensive requests running. */
export async function overloadFigures(run: Run): Promise<Figure[]> {
  const notebook = notebookWithNumber(3);
  const database = await filledDatabase(run, "overload", async (client) => {
    await fillEntries(client, { people: 100, entries: ENTRIES + 1_000, teams: 500, diary: ENTRIES });
    // Otherwise a preview would have nothing to compute.
    await client.query("update nectar.journal_entries set inherit_visibility = true where notebook_id = $1", [
      notebook,
    ]);
  });
  await using api = await startServer("api", environmentOf(database));
  const publicly = { metadata_visibility: "public", content_visibility: "public" };
  const costly = await requestsBy(VIEWERS.diarist, [
    get("/api/journal?q=zq"),
    post(`/api/notebooks/${notebook}/audience-preview`, publicly),
  ]);
  const ordinary = await requestsBy(VIEWERS.calm, [
    get("/api/journal?limit=20"),
    get("/api/user/profile"),
    post("/api/journal", { title: "A walk", content: "Along the lake and back." }),
  ]);
  const until = { seconds: OVERLOAD_SECONDS };
  const what = `${SEARCHES} searches and ${PREVIEWS} previews of one person over 100,000 entries`;
  run.note(what);
  const [attack, other] = await Promise.all([
    loadTolerantly(api.url, {
      connections: SEARCHES + PREVIEWS,
      until,
      requestsOf: (connection) => costly.slice(connection < SEARCHES ? 0 : 1).slice(0, 1),
    }),
    loadTolerantly(api.url, { connections: 1, until, requestsOf: () => ordinary }),
  ]);
  const rates = `${rounded(other.requestsPerSecond)} requests/s; of the one ${rounded(attack.requestsPerSecond)}, ${attack.failures} refused`;
  return [
    none(`${what}: errors of another person`, other.failures, rates),
    within(`${what}: p99 of another person`, other.p99, 1_000, "ms", `; of the one p50 ${rounded(attack.p50)} ms`),
  ];
}
