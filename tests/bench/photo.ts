import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { readConfig } from "#config/config";
import { routeToGroups } from "#functions/all";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { cloneDatabase, type TestCluster } from "#local/database/test-cluster";
import { startFileStore } from "#local/stand-ins/file-store";
import { allowAnyMoment } from "#tests/moments";
import { signUp } from "#tests/people";
import { jpegWith, picture } from "#tests/photos";
import type { Figure } from "./figures.ts";
import { alternate, median, medianRatio } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const ROUNDS = 11;
const [WIDTH, HEIGHT] = [4_032, 3_024];
const DATE = "2026-11-18";

/** Compares a check-in with the least work that it needs: decoding the photo and encoding it in the stored size. */
export async function photoFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const database = await cloneDatabase(cluster, "bench_photo");
  await allowAnyMoment(database.adminUrl);
  const folder = await mkdtemp(join(tmpdir(), "nectar-bench-photo-"));
  const store = await startFileStore({ folder });
  let now = new Date(`${DATE}T00:00:00Z`);
  const services = servicesFor(
    readConfig({
      ...environmentOf(database),
      S3_BUCKET: store.bucket,
      S3_ENDPOINT: store.url,
      S3_ACCESS_KEY_ID: store.accessKeyId,
      S3_SECRET_ACCESS_KEY: store.secretAccessKey,
    }),
    { logger: createLogger("warn"), clock: { now: () => now } },
  );
  const fetch = routeToGroups(services);
  try {
    note("photo: players, and a photo of 12 megapixels for each");
    const players: Player[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const { token } = await signUp(database.adminUrl);
      const window = { activityType: "walk", windowStartTime: "06:00", windowEndTime: "08:00", timezone: "UTC" };
      const setup = { bytes: JSON.stringify(window), type: "application/json" };
      await post(fetch, token, "/api/workout-window/setup", setup, 200);
      const photo = await phonePhoto(round);
      players.push({ token, photo, form: await formWith(photo) });
    }
    now = new Date(`${DATE}T07:00:00Z`);
    note("photo: checking in, and sharp alone");
    let [checkedIn, reencoded] = [0, 0];
    const [ours, alone] = await alternate(ROUNDS, [
      () => timed(() => checkIn(fetch, players[checkedIn++])),
      () => timed(() => reencode(players[reencoded++])),
    ]);
    const bytes = median(players.map(({ photo }) => photo.length)) / 1_000_000;
    return [
      {
        name: `check-in of a phone's photo of ${bytes.toFixed(1)} MB / decoding and encoding it with sharp alone`,
        ratio: medianRatio(ours ?? [], alone ?? []),
        bar: { atMost: 1.5 },
        measured: `${median(ours ?? []).toFixed(0)} / ${median(alone ?? []).toFixed(0)} ms`,
      },
    ];
  } finally {
    await services.database.close();
    await store.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Player {
  readonly token: string;
  readonly photo: Buffer;
  /** The form with the photo in it, as an app would send it. */
  readonly form: Body;
}

interface Body {
  readonly bytes: ArrayBuffer | string;
  readonly type: string;
}

type Fetch = ReturnType<typeof routeToGroups>;

/** A photo as phones make it: light that changes slowly, the grain of a sensor, and EXIF; some 4 MB. */
async function phonePhoto(seed: number): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 58 } as const;
  const grain = { create: { width: WIDTH, height: HEIGHT, channels: 3, background: "grey", noise } } as const;
  const scene = await picture(seed, 504, 378).resize(WIDTH, HEIGHT).png({ compressionLevel: 1 }).toBuffer();
  const grainy = sharp(scene).composite([{ input: grain, blend: "soft-light" }]);
  const camera = { taken: `${DATE.replaceAll("-", ":")} 06:40:00`, offset: "+00:00", gps: [47.4, 8.5] } as const;
  const thumbnail = await picture(seed, 160, 120).jpeg().toBuffer();
  return jpegWith({ ...camera, make: "Bench", software: "18.1", orientation: 6, thumbnail }, grainy);
}

async function formWith(photo: Buffer): Promise<Body> {
  const form = new FormData();
  for (const [name, value] of [
    ["activityType", "walk"],
    ["latitude", "47.4"],
    ["longitude", "8.5"],
  ] as const) {
    form.set(name, value);
  }
  form.set("photo", new Blob([new Uint8Array(photo)]), "photo.jpg");
  const encoded = new Response(form);
  return { type: encoded.headers.get("content-type") ?? "", bytes: await encoded.arrayBuffer() };
}

async function checkIn(fetch: Fetch, player: Player | undefined): Promise<void> {
  if (player === undefined) throw new Error("There are too few players.");
  await post(fetch, player.token, "/api/workout-window/checkin", player.form, 201);
}

/** Encodes a photo in the same size and quality, upright, and nothing else. */
async function reencode(player: Player | undefined): Promise<void> {
  await sharp(player?.photo)
    .autoOrient()
    .resize({ width: 1_600, height: 1_600, fit: "inside", withoutEnlargement: true })
    .jpeg({ quality: 82 })
    .toBuffer();
}

async function post(fetch: Fetch, token: string, path: string, { bytes, type }: Body, status: number): Promise<void> {
  const response = await fetch(
    new Request(`http://nectar.bench${path}`, {
      method: "POST",
      body: bytes,
      headers: { authorization: `Bearer ${token}`, "content-type": type },
    }),
  );
  const text = await response.text();
  if (response.status !== status) throw new Error(`${path} responded with ${response.status}: ${text}`);
}

/** Milliseconds. */
async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
