import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { tokenFor } from "#tests/people";
import { heicGrid } from "#tests/photos";
import { zipOf } from "#tests/zip";
import { fillBadges, fillEntries, personWithNumber } from "./data.ts";
import { environmentOf, filledDatabase } from "./databases.ts";
import { compare, type Figure, type Run, sized } from "./figures.ts";
import { fillGame } from "./game-data.ts";
import { rateOf } from "./load.ts";
import { startServer, temporaryFileStore } from "./processes.ts";

const PEOPLE = 100;
const ENTRIES_OF_EACH = sized(500);

/** Compares the health check with a bare node:http server: of a server at rest, and of one that works in the background. */
export async function healthFigures(run: Run): Promise<Figure[]> {
  await using store = await temporaryFileStore();
  const opened = new Date(Date.now() - 3_600_000).toISOString();
  const database = await filledDatabase(run, "health", async (client) => {
    await fillEntries(client, { people: PEOPLE, entries: PEOPLE * ENTRIES_OF_EACH, teams: 500, diary: 0 });
    await fillBadges(client);
    await fillGame(client, { date: opened.slice(0, 10), start: opened.slice(11, 16), checkedInUntil: "2026-01-01" });
  });
  await using api = await startServer("api", { ...environmentOf(database), ...store.environment });
  await using bare = await startServer("bare", { ...environmentOf(database) });
  const compareHealth = (name: string) =>
    compare({
      name,
      bar: { atLeast: 0.75 },
      rounds: 7,
      unit: "requests/s",
      ours: rateOf(`${api.url}/health`, { seconds: 3 }),
      theirs: rateOf(`${bare.url}/health`, { seconds: 3 }),
    });
  run.note("at rest");
  const atRest = await compareHealth("/health / node:http");
  run.note("while exports, imports and HEIC photos are worked on");
  const stopping = new AbortController();
  const works = [exportOf, importOf, await checkInWithHeic()].map((work) => repeat(work, api.url, stopping.signal));
  const busy = await compareHealth("/health while exports, imports and HEIC photos are worked on / node:http");
  stopping.abort();
  const counts = await Promise.all(works);
  if (counts.includes(0)) throw new Error(`Some work did not run beside: ${counts.join()}`);
  return [atRest, { ...busy, measured: `${busy.measured}, beside ${counts.join(" + ")} works` }];
}

const Work = z.object({ id: z.string(), status: z.string(), upload_url: z.string().default("") });
const Responded = z.object({ export: Work.optional(), import: Work.optional() });
type Send = (method: string, path: string, body?: object) => Promise<z.infer<typeof Responded>>;

/** Lets one person after the other do something until it is stopped. @returns how often it was done */
async function repeat(work: (send: Send) => Promise<void>, url: string, stopped: AbortSignal): Promise<number> {
  let done = 0;
  while (!stopped.aborted && done < PEOPLE) {
    const authorization = `Bearer ${await tokenFor({ sub: personWithNumber(done + 1) })}`;
    await work(async (method, path, body) => {
      const isForm = body instanceof FormData;
      const headers = { authorization, ...(isForm ? {} : { "content-type": "application/json" }) };
      const content = isForm ? body : JSON.stringify(body);
      const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: content }) });
      if (response.status >= 500) throw new Error(`${path} responded with ${response.status}.`);
      return Responded.parse(await response.json());
    });
    done += 1;
  }
  return done;
}

async function exportOf(send: Send): Promise<void> {
  const { export: created } = await send("POST", "/api/user/exports");
  await untilEnded(send, `/api/user/exports/${created?.id}`);
}

const ARCHIVE = zipOf(
  Array.from({ length: ENTRIES_OF_EACH }, (_, index) => ({
    path: `${index}.md`,
    content: "A day by the lake. ".repeat(50),
  })),
);

async function importOf(send: Send): Promise<void> {
  const body = { source: "markdown", size: ARCHIVE.length };
  const { import: created } = await send("POST", "/api/journal/imports", body);
  const headers = { "content-type": "application/zip" };
  await fetch(created?.upload_url ?? "", { method: "PUT", body: ARCHIVE, headers });
  await send("POST", `/api/journal/imports/${created?.id}/start`, {});
  await untilEnded(send, `/api/journal/imports/${created?.id}`);
}

/** Has a photo of 12 megapixels decoded; it is refused after that, because it does not say when it was taken. */
async function checkInWithHeic(): Promise<(send: Send) => Promise<void>> {
  const photo = new Blob([new Uint8Array(await heicGrid(4_032, 3_024, "photo"))]);
  return async (send) => {
    const form = new FormData();
    form.set("activityType", "walk");
    form.set("photo", photo, "IMG_0001.HEIC");
    await send("POST", "/api/workout-window/checkin", form);
  };
}

async function untilEnded(send: Send, path: string): Promise<void> {
  for (let polls = 0; polls < 600; polls += 1) {
    const responded = await send("GET", path);
    const { status } = responded.export ?? responded.import ?? {};
    if (status === "ready" || status === "done") return;
    if (status === undefined || status === "failed") throw new Error(`${path}: ${JSON.stringify(responded)}`);
    await sleep(100);
  }
  throw new Error(`${path} has not ended for a minute.`);
}
