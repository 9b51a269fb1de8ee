import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestCluster } from "#local/database/test-cluster";
import { tokenFor } from "#tests/people";
import { personWithNumber } from "./data.ts";
import { largeDatabase } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { CHAIN_DATE } from "./hot-reads.ts";
import { type LoadRequest, loadTolerantly } from "./load.ts";
import { startServer } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const PEOPLE = 200;
const SECONDS = 60;
/** Until then, caches and plans are filled. */
const WARM_SECONDS = 10;
/** A server collects its garbage and writes its memory down in less. */
const COLLECTION_MS = 2_000;

/** Ten endpoints; a fifth of the requests write. */
const REQUESTS: readonly LoadRequest[] = [
  get("/api/journal?limit=20"),
  get("/api/notebooks?limit=20"),
  get("/api/user/profile"),
  get("/api/goals?limit=20"),
  post("/api/journal", { title: "A walk", content: "Along the lake and back. ".repeat(12) }),
  get("/api/notifications?limit=20"),
  get("/api/encouragement-drops/received?limit=20"),
  get("/api/drops/balance"),
  get(`/api/workout-window/chain/${CHAIN_DATE}`),
  post("/api/goals", { title: "Walk every day" }),
];

/** A minute of mixed requests of many people at once: errors, the tail of the latencies, and memory. */
export async function mixedFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const database = await largeDatabase(cluster, note);
  const folder = await mkdtemp(join(tmpdir(), "nectar-memory-"));
  const memoryFile = join(folder, "bytes");
  const environment = { ...environmentOf(database), MEMORY_FILE: memoryFile };
  const api = await startServer("api", environment, "./collected-memory.ts");
  const tokens = await Promise.all(
    Array.from({ length: PEOPLE }, (_, index) => tokenFor({ sub: personWithNumber(1_000 + index) })),
  );
  note(`mixed requests over ${PEOPLE} connections, ${SECONDS} seconds`);
  try {
    const early = sleep(WARM_SECONDS * 1_000).then(() => measureMemory(api.pid, memoryFile));
    const { requestsPerSecond, p50, p99, failures } = await loadTolerantly(api.url, {
      connections: PEOPLE,
      until: { seconds: SECONDS },
      requestsOf: (connection) => requestsOf(tokens[connection] ?? "", connection),
    });
    const [first, last] = [await early, await measureMemory(api.pid, memoryFile)];
    const what = `mixed load, 80 % reads, ${PEOPLE} connections, ${SECONDS} s`;
    return [
      {
        name: `${what}: errors`,
        ratio: failures,
        bar: { atMost: 0 },
        measured: `${requestsPerSecond.toFixed(0)} requests/s`,
      },
      {
        name: `${what}: p99 / p50`,
        ratio: p99 / p50,
        bar: { atMost: 10 },
        measured: `${p99.toFixed(0)} / ${p50.toFixed(0)} ms`,
      },
      {
        name: `${what}: memory that a collection leaves, at the end / after ${WARM_SECONDS} s`,
        ratio: last.collected / first.collected,
        bar: { atMost: 1.1 },
        measured: `${last.collected.toFixed(0)} / ${first.collected.toFixed(0)} MB; resident ${last.resident.toFixed(0)} / ${first.resident.toFixed(0)} MB`,
      },
    ];
  } finally {
    await api.stop();
    await rm(folder, { recursive: true });
  }
}

/** The requests of one person; each begins with another one, so that they are mixed from the start. */
function requestsOf(token: string, connection: number): LoadRequest[] {
  const first = connection % REQUESTS.length;
  return [...REQUESTS.slice(first), ...REQUESTS.slice(0, first)].map((request) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${token}` },
  }));
}

function get(path: string): LoadRequest {
  return { method: "GET", path };
}

function post(path: string, body: object): LoadRequest {
  return { method: "POST", path, body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

/** Memory of a server with `collected-memory.ts` in megabytes: resident, and what a collection leaves of it. */
async function measureMemory(pid: number, memoryFile: string): Promise<{ resident: number; collected: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  process.kill(pid, "SIGUSR2");
  await sleep(COLLECTION_MS);
  return {
    resident: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024,
    collected: Number(await readFile(memoryFile, "utf8")) / 1024 / 1024,
  };
}
