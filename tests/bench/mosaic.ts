import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { drawMosaic, type MosaicPiece, mosaicLayout } from "#core/game/mosaic";
import { cloneDatabase, type TestCluster, type TestDatabase } from "#local/database/test-cluster";
import { startFileStore } from "#local/stand-ins/file-store";
import { encodePng } from "#providers/png";
import { asSuperuser, tokenFor } from "#tests/people";
import { crowd } from "../api/workout-window/game-days.ts";
import type { Figure } from "./figures.ts";
import { alternate, median, medianRatio, outputOf } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const MANY = 100_000;
const FEW = 100;
const DATE = "2026-11-18";
const MEGABYTE = 1_000_000;

export async function mosaicFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  note("mosaic: the picture");
  const [many, few] = await alternate(15, [() => pictureOf(MANY), () => pictureOf(FEW)]);
  note(`mosaic: the whole task with ${MANY.toLocaleString("en")} people`);
  const whole = await wholeJob(cluster, MANY);
  const base = await wholeJob(cluster, FEW);
  return [
    {
      name: "mosaic, laid out, drawn and encoded: 100,000 / 100 people",
      ratio: medianRatio(many ?? [], few ?? []),
      bar: { atMost: 2 },
      measured: `${median(many ?? []).toFixed(0)} / ${median(few ?? []).toFixed(0)} ms`,
    },
    {
      name: "mosaic of 100,000 people, peak memory of the process / 300 MB",
      ratio: whole.peakBytes / (300 * MEGABYTE),
      bar: { atMost: 1 },
      measured: `${(whole.peakBytes / MEGABYTE).toFixed(0)} / 300 MB (with 100 people ${(base.peakBytes / MEGABYTE).toFixed(0)} MB)`,
    },
    ...whole.responses.map(({ what, pages, largestBytes, slowestMs }) => ({
      name: `${what} of 100,000 people, largest response as a function sends it / 6 MB`,
      ratio: largestBytes / (6 * MEGABYTE),
      bar: { atMost: 1 },
      measured: `${(largestBytes / MEGABYTE).toFixed(3)} / 6 MB, pages: ${pages}, the slowest ${slowestMs.toFixed(0)} ms`,
    })),
    {
      name: "  the whole task, rows read and written and image stored: 100,000 / 100 people",
      ratio: whole.jobMs / base.jobMs,
      measured: `${whole.jobMs.toFixed(0)} / ${base.jobMs.toFixed(0)} ms`,
    },
  ];
}

/** Milliseconds that the picture of so many users takes. */
async function pictureOf(people: number): Promise<number> {
  const states = ["completed", "failed", "pending"] as const;
  // Neighboring pieces differ, as in real mosaics; otherwise the picture would be too easy to encode.
  const pieces = Array.from(
    { length: people },
    (_, index): MosaicPiece => ({
      status: states[((index * 2_654_435_761) >>> 7) % 3] ?? "pending",
      teamColor: ((index * 2_654_435_761) >>> 11) % 2 === 0 ? "red" : "blue",
    }),
  );
  const from = performance.now();
  const layout = mosaicLayout(people);
  await encodePng(drawMosaic(layout, pieces), { width: layout.side, height: layout.side });
  return performance.now() - from;
}

const Measured = z.object({
  jobMs: z.number(),
  peakBytes: z.number(),
  responses: z.array(
    z.object({ what: z.string(), pages: z.number(), largestBytes: z.number(), slowestMs: z.number() }),
  ),
});

/** Temporary credentials have a long token, which is part of every signed URL. */
const SESSION_TOKEN = "t".repeat(1_400);

/** Nine of ten users check in with a photo, and one of them is an admin, who may see all photos. */
async function checkInCrowd(database: TestDatabase): Promise<string> {
  return asSuperuser(database.adminUrl, async (client) => {
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    await client.query(
      `insert into nectar.workout_checkins (
         user_id, chain_id, date, activity_type, status, chain_status, is_early, has_streak, team_color,
         battle_week_start, created_at, verified_at, photo_timestamp
       )
       select c.user_id, c.id, c.date, 'walk', 'verified', 'continued', true, true, c.team_color,
         date_trunc('week', c.date::timestamp)::date, c.window_starts_at, c.window_starts_at, c.window_starts_at
       from (select c.*, row_number() over (order by c.user_id) as place from nectar.chains c) c
       where c.place % 10 > 0`,
    );
    await client.query(
      `insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash, location_lat, location_lng)
       select k.id, k.user_id, k.id, ('x' || left(md5(k.id::text), 16))::bit(64), 48.13743255, -111.57549312
       from nectar.workout_checkins k`,
    );
    const { rows } = await client.query<{ user_id: string }>(
      "insert into nectar.user_roles (user_id, role) select user_id, 'admin' from nectar.chains limit 1 returning user_id",
    );
    await client.query("commit");
    await client.query("analyze nectar.workout_checkins, nectar.workout_checkin_photos");
    const [admin] = rows;
    if (admin === undefined) throw new Error("The crowd is empty.");
    return tokenFor({ sub: admin.user_id });
  });
}

/** Draws the mosaic and reads the pages about its date in a separate process. */
async function wholeJob(cluster: TestCluster, people: number): Promise<z.infer<typeof Measured>> {
  const database = await cloneDatabase(cluster, `bench_mosaic_${people}`);
  await crowd(database, people, DATE);
  const token = await checkInCrowd(database);
  const folder = await mkdtemp(join(tmpdir(), "nectar-bench-mosaic-"));
  const store = await startFileStore({ folder });
  try {
    const script = fileURLToPath(new URL("./mosaic-process.ts", import.meta.url));
    const said = await outputOf([script, DATE, token], {
      ...environmentOf(database),
      S3_BUCKET: store.bucket,
      S3_ENDPOINT: store.url,
      AWS_ACCESS_KEY_ID: store.accessKeyId,
      AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
      AWS_SESSION_TOKEN: SESSION_TOKEN,
    });
    return Measured.parse(JSON.parse(said));
  } finally {
    await store.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
