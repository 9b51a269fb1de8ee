import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tokenFor } from "#tests/people";
import { PLAYED, personWithNumber } from "./data.ts";
import { environmentOf, largeDatabase } from "./databases.ts";
import { type Figure, figureOf, none, type Run, rounded, sized } from "./figures.ts";
import { type LoadRequest, loadTolerantly } from "./load.ts";
import { startServer } from "./processes.ts";

const PEOPLE = 200;
const SECONDS = sized(60, 5);
/** Until then, caches and plans are filled. */
const WARM_SECONDS = sized(10);

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

/** A minute of mixed requests of many people at once: errors, the tail of the latencies, and memory. */
export async function mixedFigures(run: Run): Promise<Figure[]> {
  const database = await largeDatabase(run);
  const folder = await mkdtemp(join(tmpdir(), "nectar-memory-"));
  const memoryFile = join(folder, "bytes");
  const environment = { ...environmentOf(database), MEMORY_FILE: memoryFile };
  await using api = await startServer("api", environment, "./collected-memory.ts");
  const tokens = await Promise.all(
    Array.from({ length: PEOPLE }, (_, index) => tokenFor({ sub: personWithNumber(1_000 + index) })),
  );
  run.note(`${PEOPLE} connections, ${SECONDS} seconds`);
  const early = sleep(WARM_SECONDS * 1_000).then(() => collectedMegabytes(api.pid, memoryFile));
  const { requestsPerSecond, p50, p99, failures } = await loadTolerantly(api.url, {
    connections: PEOPLE,
    until: { seconds: SECONDS },
    requestsOf: (connection) => requestsOf(tokens[connection] ?? "", connection),
  });
  const [first, last] = [await early, await collectedMegabytes(api.pid, memoryFile)];
  await rm(folder, { recursive: true });
  const what = `mixed load, 80 % reads, ${PEOPLE} connections, ${SECONDS} s`;
  const memory = `${what}: memory that a collection leaves, at the end / after ${WARM_SECONDS} s`;
  return [
    none(`${what}: errors`, failures, `${rounded(requestsPerSecond)} requests/s`),
    figureOf(`${what}: p99 / p50`, { atMost: 10 }, [p99], [p50]),
    figureOf(memory, { atMost: 1.1 }, [last], [first], "MB"),
  ];
}

/** The requests of one person; each begins with another one, so that they are mixed from the start. */
export function requestsOf(
  token: string,
  connection: number,
  headers: Readonly<Record<string, string>> = {},
): LoadRequest[] {
  const first = connection % MIXED_REQUESTS.length;
  return [...MIXED_REQUESTS.slice(first), ...MIXED_REQUESTS.slice(0, first)].map((request) => ({
    ...request,
    headers: { ...request.headers, ...headers, authorization: `Bearer ${token}` },
  }));
}

function get(path: string): LoadRequest {
  return { method: "GET", path };
}

function post(path: string, body: object): LoadRequest {
  return { method: "POST", path, body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

/** What a collection leaves of the memory of a server with `collected-memory.ts`, which a busy one writes late. */
async function collectedMegabytes(pid: number, memoryFile: string): Promise<number> {
  await rm(memoryFile, { force: true });
  process.kill(pid, "SIGUSR2");
  for (;;) {
    await sleep(100);
    const bytes = Number(await readFile(memoryFile, "utf8").catch(() => ""));
    if (bytes > 0) return bytes / 1024 / 1024;
  }
}
