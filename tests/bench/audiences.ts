import { type Database, openDatabase, type Tx } from "#database/database";
import { value } from "#database/query";
import { deleteNotebook, updateNotebook } from "#functions/notebooks/notebooks";
import { NotebookUpdate } from "#functions/notebooks/schema";
import { removeMember } from "#functions/organizations/members";
import { deleteOrganization } from "#functions/organizations/organizations";
import { cloneDatabase, type TestCluster } from "#local/database/test-cluster";
import { asSuperuser } from "#tests/people";
import { personWithNumber } from "./data.ts";
import type { Figure } from "./figures.ts";
import type { Note } from "./requests.ts";

const ENTRIES = 100_000;
/** Entries of the maximum length among them. */
const LONG_ENTRIES = 500;
const WIDENED = 10_000;
const WITHDRAWN_WITHIN_MS = 2_000;
const WIDENED_WITHIN_MS = 60_000;

const AUTHOR = personWithNumber(1);
const OWNER = personWithNumber(2);
const READER = personWithNumber(3);

/** Withdrawing what 100,000 entries inherit, and sharing 10,000, against how long they may take. */
export async function audienceFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const { adminUrl, apiUrl } = await cloneDatabase(cluster, "bench_audiences");
  note(`${ENTRIES} entries in a notebook of an organization`);
  const { organization, large, small } = await setUp(adminUrl);
  const database = openDatabase({ url: apiUrl, poolSize: 1 });
  const set = (level: "user" | "org") =>
    NotebookUpdate.parse({ metadata_visibility: level, content_visibility: level, org_id: organization });
  const figures: Figure[] = [];
  const measure = (name: string, ms: number, withinMs: number) =>
    figures.push({
      name,
      ratio: ms / withinMs,
      bar: { atMost: 1 },
      measured: `${ms.toFixed(0)} / ${withinMs} ms`,
    });
  try {
    const withdrawals: [name: string, person: string, work: (tx: Tx) => Promise<unknown>][] = [
      ["making a notebook private", AUTHOR, (tx) => updateNotebook(tx, large, set("user"))],
      ["deleting a notebook", AUTHOR, (tx) => deleteNotebook(tx, large)],
      ["leaving an organization", AUTHOR, (tx) => removeMember(tx, organization, AUTHOR, AUTHOR)],
      ["removing a member", OWNER, (tx) => removeMember(tx, organization, AUTHOR, OWNER)],
      ["deleting an organization", OWNER, (tx) => deleteOrganization(tx, organization)],
    ];
    for (const [name, person, work] of withdrawals) {
      measure(`${name}, ${ENTRIES} entries`, await timeOf(database, person, work), WITHDRAWN_WITHIN_MS);
    }
    measure(`hiding a notebook, ${ENTRIES} entries`, await hidingMs(adminUrl, large), WITHDRAWN_WITHIN_MS);

    note(`sharing a notebook with ${WIDENED} entries`);
    const from = performance.now();
    await database.asUser(AUTHOR, (tx) => updateNotebook(tx, small, set("org")));
    while (await database.asService((tx) => value<boolean>(tx)`select private.settle_next()`));
    measure(`sharing a notebook, ${WIDENED} entries`, performance.now() - from, WIDENED_WITHIN_MS);
    return figures;
  } finally {
    await database.close();
  }
}

class Undone extends Error {}

/** How long a change takes that is undone afterwards, in milliseconds. */
async function timeOf(database: Database, person: string, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  let ms = 0;
  const from = performance.now();
  await database
    .asUser(person, async (tx) => {
      await work(tx);
      ms = performance.now() - from;
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  return ms;
}

/** Hides it as a decision of an admin does. */
function hidingMs(adminUrl: string, notebook: string): Promise<number> {
  return asSuperuser(adminUrl, async (client) => {
    await client.query("begin");
    const from = performance.now();
    await client.query("update nectar.notebooks set hidden_at = now() where id = $1", [notebook]);
    const ms = performance.now() - from;
    await client.query("rollback");
    return ms;
  });
}

function setUp(adminUrl: string) {
  return asSuperuser(adminUrl, async (client) => {
    const id = async (text: string, values: unknown[]) =>
      (await client.query<{ id: string }>(text, values)).rows[0]?.id ?? "";
    for (const person of [AUTHOR, OWNER, READER]) {
      await client.query("insert into auth.users (id, email) values ($1::uuid, $1 || '@bench.test')", [person]);
    }
    const organization = await id(
      "insert into nectar.organizations (name, owner_id) values ('Bench', $1) returning id",
      [OWNER],
    );
    await client.query(
      "insert into nectar.organization_members (org_id, user_id, role) values ($1, $2, 'member'), ($1, $3, 'member')",
      [organization, AUTHOR, READER],
    );
    const notebookWith = async (level: "user" | "org", entries: number, longEntries: number) => {
      const notebook = await id(
        `insert into nectar.notebooks (user_id, name, metadata_visibility, content_visibility, org_id)
         values ($1, 'Diary', $2, $2, $3) returning id`,
        [AUTHOR, level, organization],
      );
      await client.query(
        `with entries as (
           insert into nectar.journal_entries (user_id, notebook_id, title, created_at)
           select $1, $2, 'Day ' || n, now() - n * interval '1 minute' from generate_series(1, $3::int) n
           returning id, substr(title, 5)::int as n
         )
         insert into nectar.journal_entry_contents (entry_id, user_id, content)
         select id, $1,
           case when n > $4 then 'A day that was like many others, ' || md5(id::text)
           else (select left(string_agg(md5(id::text || k), ' '), 100000) from generate_series(1, 3050) k) end
         from entries`,
        [AUTHOR, notebook, entries, longEntries],
      );
      return notebook;
    };
    const large = await notebookWith("org", ENTRIES, LONG_ENTRIES);
    const small = await notebookWith("user", WIDENED, 0);
    await client.query("analyze");
    return { organization, large, small };
  });
}
