import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { Task } from "#core/work/tasks";
import { createImport, readImport, requireArchive, startImport } from "#functions/imports/imports";
import { createExport, readExport } from "#functions/user/exports/exports";
import type { Services } from "#http/services/services";
import type { TestDatabase } from "#local/database/test-cluster";
import { PHOTO_ENVIRONMENT } from "#ops/deploy/function-environment";
import { query } from "#tests/people";
import { zipOf } from "#tests/zip";
import { bundleFunction } from "../deploy/bundle.ts";
import { fillBadges, fillEntries, personWithNumber } from "./data.ts";
import { environmentOf, filledDatabase, servicesOn } from "./databases.ts";
import { type Figure, type Run, sized, within } from "./figures.ts";
import { outputOf, temporaryFileStore } from "./processes.ts";

const ENTRIES = sized(100_000);
const PHOTOS = sized(1_000);
/** Check-ins store photos of about 400 KB. */
const PHOTO_BYTES = 400_000;
const IMPORTED = sized(30_000);
const WRITER = personWithNumber(3);
const IMPORTER = personWithNumber(4);
const MEGABYTE = 1_000_000;

/** Peak memory of the deployed function that exports and imports a long journal, and of decoding a large HEIC. */
export async function memoryFigures(run: Run): Promise<Figure[]> {
  run.note(`filling a database with ${ENTRIES} entries of one person, and ${PHOTOS} photos`);
  const database = await filledDatabase(run, "memory", async (client) => {
    await fillEntries(client, { people: 10, entries: ENTRIES, teams: 500, diary: ENTRIES });
    await fillBadges(client);
    // More text, which compresses badly.
    await client.query(
      `drop index nectar.journal_entry_contents_search;
       update nectar.journal_entry_contents c set content =
         c.content || (select string_agg(md5(c.entry_id::text || n), ' ') from generate_series(1, 32) n);
       insert into nectar.workout_checkins
         (user_id, date, activity_type, status, chain_status, battle_week_start, created_at, verified_at)
       select '${WRITER}', day, 'walk', 'verified', 'continued', date_trunc('week', day)::date, day, day
       from generate_series(current_date - ${PHOTOS}, current_date - 1, '1 day') day;
       insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash)
       select id, user_id, id, ('x' || left(md5(id::text), 16))::bit(64) from nectar.workout_checkins`,
    );
  });
  await using store = await temporaryFileStore();
  await using services = servicesOn(database, store.environment);
  await storePhotos(database, services);
  const tasks = await bundleFunction("tasks");
  await using bundle = new AsyncDisposableStack();
  bundle.defer(tasks.remove);
  const peakOf = async (task: Task) => {
    run.note(`the task ${task.name}`);
    const event = JSON.stringify({ Records: [{ messageId: "bench", body: JSON.stringify(task) }] });
    const environment = { ...environmentOf(database), ...store.environment, NODE_ENV: "production" };
    return (
      Number(await outputOf(["--input-type=module", "-e", WORK, tasks.entry, event, PEAK_MEMORY], environment)) /
      MEGABYTE
    );
  };

  const { id: exportId } = await services.database.asUser(WRITER, createExport);
  const exporting = await peakOf({ name: "export", id: exportId });
  const { size_bytes } = await services.database.asUser(WRITER, (tx) => readExport(tx, exportId));
  if (Number(size_bytes) < PHOTOS * PHOTO_BYTES) throw new Error("The export has not everything.");

  const importId = await startImporting(services);
  const importing = await peakOf({ name: "import", id: importId });
  const { created } = await services.database.asUser(IMPORTER, (tx) => readImport(tx, importId));
  if (created !== IMPORTED) throw new Error(`${created} entries were imported instead of ${IMPORTED}.`);

  run.note("a HEIC of 49 megapixels");
  const script = fileURLToPath(new URL("../unit/providers/photo-memory.ts", import.meta.url));
  const { peakMb } = z
    .object({ peakMb: z.number() })
    .parse(JSON.parse(await outputOf([script, "heic-49-10-bit", "1"], PHOTO_ENVIRONMENT)));
  return [
    within("export of 100,000 entries and 1,000 photos, peak memory of the function", exporting, 512, "MB"),
    within("import of 30,000 entries, peak memory of the function", importing, 512, "MB"),
    within("HEIC of 49 megapixels, peak memory of a process", peakMb, 700, "MB"),
  ];
}

/** Imports the bundle and gives its handler a message of the queue, as Lambda does. Prints the peak memory in bytes. */
const WORK = `
const { pathToFileURL } = await import("node:url");
const { handler } = await import(pathToFileURL(process.argv[1]).href);
const { batchItemFailures } = await handler(JSON.parse(process.argv[2]));
if (batchItemFailures.length > 0) throw new Error("The task failed.");
const { peakMemory } = await import(process.argv[3]);
process.stdout.write("\\n" + peakMemory(), () => process.exit());`;
const PEAK_MEMORY = new URL("../support/peak-memory.ts", import.meta.url).href;

async function storePhotos({ adminUrl }: TestDatabase, { privateFiles }: Services): Promise<void> {
  const photos = await query<{ key: string }>(adminUrl, "select photo_key as key from nectar.workout_checkin_photos");
  for (const { key } of photos) await privateFiles?.upload(key, randomBytes(PHOTO_BYTES), "image/jpeg");
}

/** Stores an archive of long entries and starts its import. */
async function startImporting(services: Services): Promise<string> {
  const content = randomBytes(2_500).toString("hex");
  const archive = zipOf(
    Array.from({ length: IMPORTED }, (_, index) => ({ path: `${index}.md`, content: content + index })),
  );
  const { database, privateFiles } = services;
  const input = { source: "markdown", size: archive.length } as const;
  const { id, path } = await database.asUser(IMPORTER, (tx) => createImport(tx, services, input));
  await privateFiles?.upload(path, archive, "application/zip");
  const stored = await requireArchive(services, path);
  await database.asUser(IMPORTER, (tx) => startImport(tx, id, stored, false));
  return id;
}
