import { openDatabase, type Tx } from "@nectar/database/database";
import { cloneDatabase, type TestCluster } from "@nectar/local/test-cluster";
import { previewNotebook, updateNotebook } from "../../functions/notebooks/notebooks.ts";
import { NotebookUpdate } from "../../functions/notebooks/schema.ts";
import { asSuperuser } from "../support/people.ts";
import { personWithNumber } from "./data.ts";
import type { Figure } from "./figures.ts";
import { alternate, median, medianRatio } from "./processes.ts";
import type { Note } from "./requests.ts";

const ENTRIES = 10_000;
const ROUNDS = 5;

/** Previewing an update of a notebook with 10,000 entries against making it; every round shares all of them, or none. */
export async function audienceFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  note(`a notebook with ${ENTRIES} entries`);
  const { adminUrl, apiUrl } = await cloneDatabase(cluster, "bench_audiences");
  const author = personWithNumber(1);
  const notebookId = await asSuperuser(adminUrl, async (client) => {
    await client.query("insert into auth.users (id, email) values ($1, 'author@bench.test')", [author]);
    const { rows } = await client.query<{ id: string }>(
      `with notebook as (
         insert into nectar.notebooks (user_id, name, metadata_audience_id) values ($1, 'Diary', $1) returning id
       ), entries as (
         insert into nectar.journal_entries (user_id, notebook_id, title, metadata_audience_id, content_audience_id)
         select $1, notebook.id, 'Day ' || n, $1, $1 from notebook, generate_series(1, $2::int) n
         returning id
       ), contents as (
         insert into nectar.journal_entry_contents (entry_id, user_id, content) select id, $1, 'A day.' from entries
       )
       select id from notebook`,
      [author, ENTRIES],
    );
    await client.query("analyze");
    return rows[0]?.id ?? "";
  });
  const database = openDatabase({ url: apiUrl, poolSize: 1 });
  const timed = async (work: (tx: Tx) => Promise<unknown>) => {
    const from = performance.now();
    await database.asUser(author, work);
    return performance.now() - from;
  };
  const levels = { previewed: 0, made: 0 };
  const next = (count: number) => {
    const level = count % 2 === 0 ? "public" : "user";
    return NotebookUpdate.parse({ metadata_visibility: level, content_visibility: level });
  };
  try {
    const [previews = [], updates = []] = await alternate(ROUNDS, [
      () => timed((tx) => previewNotebook(tx, notebookId, next(levels.previewed++))),
      () => timed((tx) => updateNotebook(tx, notebookId, next(levels.made++))),
    ]);
    return [
      {
        name: `preview of a notebook with ${ENTRIES.toLocaleString("en")} entries / its update`,
        ratio: medianRatio(previews, updates),
        bar: { atMost: 1 },
        measured: `${median(previews).toFixed(0)} / ${median(updates).toFixed(0)} ms`,
      },
    ];
  } finally {
    await database.close();
  }
}
