import { randomBytes } from "node:crypto";
import type { Task } from "#core/work/tasks";
import { createImport, readImport, requireArchive, startImport } from "#functions/imports/imports";
import { createExport, readExport } from "#functions/user/exports/exports";
import { query } from "#tests/people";
import { zipOf } from "#tests/zip";
import { bundleFunction } from "../deploy/bundle.ts";
import { fillEntries, personWithNumber } from "./data.ts";
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

/** Peak memory of the deployed function that exports and imports a long journal. */
export async function memoryFigures(run: Run): Promise<Figure[]> {
  const database = await filledDatabase(run, "memory", async (client) => {
    await fillEntries(client, { people: 10, entries: ENTRIES, teams: 500, diary: ENTRIES });
    // More text, which compresses badly.
    await client.query(
      `drop index nectar.journal_entry_contents_search;
       update nectar.journal_entry_contents c set content =
         c.content || (select string_agg(md5(c.entry_id::text || n), ' ') from generate_series(1, 32) n);
       insert into nectar.user_badges (user_id) select id from people;
       insert into nectar.badge_milestones (user_id, level, badge_name, achieved_at, stats)
       select b.user_id, d.level, d.name, now(), private.badge_stats(b, now())
       from people p join nectar.user_badges b on b.user_id = p.id join nectar.badge_definitions d on d.level = 1;
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
  const { database: db, privateFiles } = services;
  const photos = await query<{ key: string }>(
    database.adminUrl,
    "select photo_key as key from nectar.workout_checkin_photos",
  );
  for (const { key } of photos) await privateFiles?.upload(key, randomBytes(PHOTO_BYTES), "image/jpeg");
  const tasks = await bundleFunction("tasks");
  await using bundle = new AsyncDisposableStack();
  bundle.defer(tasks.remove);
  const peakOf = async (task: Task) => {
    run.note(`the task ${task.name}`);
    const event = JSON.stringify({ Records: [{ messageId: "bench", body: JSON.stringify(task) }] });
    const environment = { ...environmentOf(database), ...store.environment, NODE_ENV: "production" };
    const args = ["--input-type=module", "-e", WORK, tasks.entry, event, PEAK_MEMORY];
    return Number(await outputOf(args, environment)) / 1_000_000;
  };

  const { id: exportId } = await db.asUser(WRITER, createExport);
  const exporting = await peakOf({ name: "export", id: exportId });
  const { size_bytes } = await db.asUser(WRITER, (tx) => readExport(tx, exportId));
  if (Number(size_bytes) < PHOTOS * PHOTO_BYTES) throw new Error("The export has not everything.");

  const content = randomBytes(2_500).toString("hex");
  const files = Array.from({ length: IMPORTED }, (_, index) => ({ path: `${index}.md`, content: content + index }));
  const archive = zipOf(files);
  const input = { source: "markdown", size: archive.length } as const;
  const { id: importId, path } = await db.asUser(IMPORTER, (tx) => createImport(tx, services, input));
  await privateFiles?.upload(path, archive, "application/zip");
  const stored = await requireArchive(services, path);
  await db.asUser(IMPORTER, (tx) => startImport(tx, importId, stored, false));
  const importing = await peakOf({ name: "import", id: importId });
  const { created } = await db.asUser(IMPORTER, (tx) => readImport(tx, importId));
  if (created !== IMPORTED) throw new Error(`${created} entries were imported instead of ${IMPORTED}.`);
  return [
    within("export of 100,000 entries and 1,000 photos, peak memory of the function", exporting, 512, "MB"),
    within("import of 30,000 entries, peak memory of the function", importing, 512, "MB"),
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
