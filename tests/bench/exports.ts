import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "#config/config";
import { createExport, readExport } from "#functions/user/exports/exports";
import type { Services } from "#http/services/services";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { cloneDatabase, type TestCluster, type TestDatabase } from "#local/database/test-cluster";
import { startFileStore } from "#local/stand-ins/file-store";
import { asSuperuser } from "#tests/people";
import { bundleFunction } from "../deploy/bundle.ts";
import { fill } from "./data.ts";
import type { Figure } from "./figures.ts";
import { outputOf } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const ENTRIES = 100_000;
const PHOTOS = 1_000;
/** Check-ins store photos of about 400 KB. */
const PHOTO_BYTES = 400_000;
const WRITER = "00000000-0000-4000-9000-0000000000ff";
const MAX_BYTES = 512_000_000;

/** Memory of the deployed function that builds the export of a person with a long journal and many photos. */
export async function exportFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  note(`exporting ${ENTRIES} entries and ${PHOTOS} photos`);
  const database = await cloneDatabase(cluster, "bench_exports");
  const folder = await mkdtemp(join(tmpdir(), "nectar-bench-exports-"));
  // A deployed function refuses the published key of `npm run dev`.
  const store = await startFileStore({ folder, accessKey: "the-key-of-the-benchmark" });
  const environment = {
    ...environmentOf(database),
    S3_BUCKET: store.bucket,
    S3_ENDPOINT: store.url,
    S3_ACCESS_KEY_ID: store.accessKeyId,
    S3_SECRET_ACCESS_KEY: store.secretAccessKey,
  };
  const services = servicesFor(readConfig(environment), { logger: createLogger("warn") });
  const tasks = await bundleFunction("tasks");
  try {
    await fill(database.adminUrl, { people: 10, entries: ENTRIES, teams: 3, diary: 0 });
    await writeEverything(database);
    await checkInWithPhotos(database, services);
    const { id } = await services.database.asUser(WRITER, createExport);
    const readSize = () =>
      services.database.asUser(WRITER, async (tx) => Number((await readExport(tx, id)).size_bytes));
    const from = performance.now();
    const event = { Records: [{ messageId: "bench", body: JSON.stringify({ name: "export", id }) }] };
    const said = await outputOf(["--input-type=module", "-e", WORK, tasks.entry, JSON.stringify(event)], {
      ...environment,
      NODE_ENV: "production",
    });
    const peak = Number(said);
    const size = await readSize();
    if (size < PHOTOS * PHOTO_BYTES) throw new Error("The export of the benchmark has not everything.");
    const [entries, photos] = [ENTRIES, PHOTOS].map((count) => count.toLocaleString("en"));
    return [
      {
        name: `export of ${entries} entries and ${photos} photos, peak memory of the function / 512 MB`,
        ratio: peak / MAX_BYTES,
        bar: { atMost: 1 },
        measured: `${megabytes(peak)} / 512 MB, for ${megabytes(size)} MB in ${((performance.now() - from) / 1_000).toFixed(0)} s`,
      },
    ];
  } finally {
    await services.database.close();
    await tasks.remove();
    await store.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Imports the bundle and gives its handler a message of the queue, as Lambda does. Prints the peak memory in bytes. */
const WORK = `
const { pathToFileURL } = await import("node:url");
const { handler } = await import(pathToFileURL(process.argv[1]).href);
const { batchItemFailures } = await handler(JSON.parse(process.argv[2]));
if (batchItemFailures.length > 0) throw new Error("The task failed.");
const { readFileSync } = await import("node:fs");
const peak = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1_024;
process.stdout.write("\\n" + peak, () => process.exit());`;

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(0);
}

/** Signs a person up, who has written all entries of the database, with more text that compresses badly. */
async function writeEverything({ adminUrl }: TestDatabase): Promise<void> {
  await asSuperuser(adminUrl, async (client) => {
    await client.query(
      "insert into auth.users (id, email, email_confirmed_at) values ($1, 'writer@bench.test', now())",
      [WRITER],
    );
    await client.query("set session_replication_role = replica");
    // An export does not search, and the index would take minutes.
    await client.query("drop index nectar.journal_entry_contents_search");
    await client.query(
      `update nectar.journal_entries
       set user_id = $1, notebook_id = null, team_id = null, org_id = null,
         metadata_visibility = 'user', content_visibility = 'user', effective_metadata_visibility = 'user',
         effective_content_visibility = 'user', metadata_audience_id = $1, content_audience_id = $1`,
      [WRITER],
    );
    await client.query(
      `update nectar.journal_entry_contents c
       set user_id = $1, metadata_audience_id = $1, content_audience_id = $1,
         content = c.content || (select string_agg(md5(c.entry_id::text || n), ' ') from generate_series(1, 32) n)`,
      [WRITER],
    );
  });
}

/** A verified check-in with a photo on each of the last days. */
async function checkInWithPhotos({ adminUrl }: TestDatabase, { privateFiles }: Services): Promise<void> {
  const keys = await asSuperuser(adminUrl, async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query(
      `insert into nectar.workout_checkins
         (user_id, date, activity_type, status, chain_status, battle_week_start, created_at, verified_at)
       select $1, day, 'walk', 'verified', 'continued', date_trunc('week', day)::date, day, day
       from generate_series(current_date - $2::int, current_date - 1, '1 day') day`,
      [WRITER, PHOTOS],
    );
    const { rows } = await client.query<{ photo_key: string }>(
      `insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash)
       select id, user_id, id, ('x' || left(md5(id::text), 16))::bit(64) from nectar.workout_checkins
       returning photo_key`,
    );
    return rows.map((row) => row.photo_key);
  });
  for (const key of keys) await privateFiles?.upload(key, randomBytes(PHOTO_BYTES), "image/jpeg");
}
