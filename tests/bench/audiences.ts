import type pg from "pg";
import type { Tx } from "#database/database";
import { value } from "#database/query";
import { deleteNotebook, updateNotebook } from "#functions/notebooks/notebooks";
import { NotebookUpdate } from "#functions/notebooks/schema";
import { removeMember } from "#functions/organizations/members";
import { deleteOrganization } from "#functions/organizations/organizations";
import { asSuperuser } from "#tests/people";
import { personWithNumber } from "./data.ts";
import { filledDatabase, servicesOn } from "./databases.ts";
import { type Figure, type Run, sized, timed, within } from "./figures.ts";

const ENTRIES = sized(100_000);
/** Entries of the maximum length among them. */
const LONG_ENTRIES = sized(500);
const WIDENED = sized(10_000);
const WITHDRAWN_WITHIN_MS = 2_000;
const WIDENED_WITHIN_MS = 60_000;

const [AUTHOR, OWNER, READER] = [personWithNumber(1), personWithNumber(2), personWithNumber(3)];
const ORGANIZATION = "00000000-0000-4000-b000-000000000001";
const LARGE = "00000000-0000-4000-a000-000000000001";
const SMALL = "00000000-0000-4000-a000-000000000002";

/** Withdrawing what 100,000 entries inherit, and sharing 10,000, against how long they may take. */
export async function audienceFigures(run: Run): Promise<Figure[]> {
  run.note(`filling a database with ${ENTRIES} entries in a notebook of an organization`);
  const database = await filledDatabase(run, "audiences", fillNotebooks);
  await using services = servicesOn(database);
  const update = (notebook: string, level: "user" | "org") => (tx: Tx) =>
    updateNotebook(
      tx,
      notebook,
      NotebookUpdate.parse({ metadata_visibility: level, content_visibility: level, org_id: ORGANIZATION }),
    );
  const figures: Figure[] = [];
  const withdrawals: [name: string, person: string, work: (tx: Tx) => Promise<unknown>][] = [
    ["making a notebook private", AUTHOR, update(LARGE, "user")],
    ["deleting a notebook", AUTHOR, (tx) => deleteNotebook(tx, LARGE)],
    ["leaving an organization", AUTHOR, (tx) => removeMember(tx, ORGANIZATION, AUTHOR, AUTHOR)],
    ["removing a member", OWNER, (tx) => removeMember(tx, ORGANIZATION, AUTHOR, OWNER)],
    ["deleting an organization", OWNER, (tx) => deleteOrganization(tx, ORGANIZATION)],
  ];
  const measure = (what: string, ms: number) =>
    figures.push(within(`${what} of 100,000 entries`, ms, WITHDRAWN_WITHIN_MS, "ms"));
  for (const [what, person, work] of withdrawals) {
    let ms = 0;
    const undone = new Error("What was measured is undone.");
    const measured = services.database.asUser(person, async (tx) => {
      ms = await timed(() => work(tx));
      throw undone;
    });
    await measured.catch((error: unknown) => {
      if (error !== undone) throw error;
    });
    measure(what, ms);
  }
  await asSuperuser(database.adminUrl, async (client) => {
    await client.query("begin");
    // As a decision of an admin does.
    const hide = "update nectar.notebooks set hidden_at = now() where id = $1";
    measure("hiding a notebook", await timed(() => client.query(hide, [LARGE])));
    await client.query("rollback");
  });
  const ms = await timed(async () => {
    await services.database.asUser(AUTHOR, update(SMALL, "org"));
    while (await services.database.asService((tx) => value<boolean>(tx)`select private.settle_next()`));
  });
  return [...figures, within("sharing a notebook of 10,000 entries", ms, WIDENED_WITHIN_MS, "ms")];
}

async function fillNotebooks(client: pg.ClientBase): Promise<void> {
  await client.query("set session_replication_role = origin");
  await client.query(
    `insert into auth.users (id, email)
     select id, id || '@bench.test' from unnest(array['${AUTHOR}', '${OWNER}', '${READER}']::uuid[]) id;
     insert into nectar.organizations (id, name, owner_id) values ('${ORGANIZATION}', 'Bench', '${OWNER}');
     insert into nectar.organization_members (org_id, user_id, role)
     values ('${ORGANIZATION}', '${AUTHOR}', 'member'), ('${ORGANIZATION}', '${READER}', 'member');
     insert into nectar.notebooks (id, user_id, name, metadata_visibility, content_visibility, org_id)
     values ('${LARGE}', '${AUTHOR}', 'Diary', 'org', 'org', '${ORGANIZATION}'),
       ('${SMALL}', '${AUTHOR}', 'Diary', 'user', 'user', '${ORGANIZATION}');
     with entries as (
       insert into nectar.journal_entries (user_id, notebook_id, title, created_at)
       select '${AUTHOR}', b.id, 'Day ' || n, now() - n * interval '1 minute'
       from (values ('${LARGE}'::uuid, ${ENTRIES}), ('${SMALL}', ${WIDENED})) b (id, entries)
       cross join lateral generate_series(1, b.entries) n
       returning id, notebook_id, substr(title, 5)::int as n
     )
     insert into nectar.journal_entry_contents (entry_id, user_id, content)
     select id, '${AUTHOR}',
       case when n > ${LONG_ENTRIES} or notebook_id = '${SMALL}' then 'A day that was like many others, ' || md5(id::text)
       else (select left(string_agg(md5(id::text || k), ' '), 100000) from generate_series(1, 3050) k) end
     from entries`,
  );
}
