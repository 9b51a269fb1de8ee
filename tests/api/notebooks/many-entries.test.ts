import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";

const SECRET = "a-secret-of-the-scheduler";
const api = useApi({ environment: { MAINTENANCE_CRON_SECRET: SECRET } });
/** More than a change writes at once. */
const ENTRIES = 450;

const scene = beforeEachTest(async () => {
  const [author, reader] = [await api.person(), await api.person()];
  const levels = { metadata_visibility: "public", content_visibility: "public" } as const;
  const { notebook } = await api.post("/api/notebooks", author, { name: "Diary", ...levels }).created();
  const [first] = await api.query<{ id: string }>`
    with entries as (
      insert into nectar.journal_entries (user_id, notebook_id, title)
      select ${author.id}, ${notebook.id}, 'Day ' || n from generate_series(1, ${ENTRIES}::int) n
      returning id
    ), contents as (
      insert into nectar.journal_entry_contents (entry_id, user_id, content) select id, ${author.id}, 'Sunny' from entries
    )
    select id from entries
  `;
  return { author, reader, notebook, entry: first?.id ?? "", levels };
});

/** How many entries of the author are in the list of a person. */
const seenBy = async (person: Parameters<typeof api.get>[1]) => {
  const { entries } = await api.get("/api/journal?limit=500&fields=metadata", person).ok();
  return entries.filter(({ user_id }) => user_id === scene.author.id).length;
};
const unsettled = () => api.query`select from private.unsettled_shares`;

it("a notebook that is made private is withdrawn at once, and shared again within moments", async () => {
  const { author, reader, notebook, entry, levels } = scene;
  const path = `/api/notebooks/${notebook.id}` as const;
  expect(await seenBy(reader)).toBe(ENTRIES);
  await api.put(path, author, { metadata_visibility: "user", content_visibility: "user" }).ok();
  expect(await seenBy(reader)).toBe(0);
  await api.get(`/api/journal/${entry}`, reader).refused(404, "journal.not_found");
  const { entry: own } = await api.get(`/api/journal/${entry}`, author).ok();
  expect(own).toMatchObject({ effective_metadata_visibility: "user", effective_content_visibility: "user" });
  await api.put(path, author, levels).ok();
  await api.idle();
  expect(await unsettled()).toEqual([]);
  expect(await seenBy(reader)).toBe(ENTRIES);
});

it("a notebook that is deleted leaves all its entries, private and in no notebook", async () => {
  const { author, reader, notebook, entry } = scene;
  const { entries_detached } = await api.delete(`/api/notebooks/${notebook.id}`, author).ok();
  expect(entries_detached).toBe(ENTRIES);
  expect(await seenBy(reader)).toBe(0);
  const read = async () => (await api.get(`/api/journal/${entry}`, author).ok()).entry;
  const expected = { notebook_id: null, effective_metadata_visibility: "user" };
  expect(await read()).toMatchObject(expected);
  await api.idle();
  expect(await unsettled()).toEqual([]);
  expect(await read()).toMatchObject(expected);
});

it("an organization that is deleted is one withdrawal, whatever was shared with its teams, and none without entries", async () => {
  const { author, entry } = scene;
  const { organization } = await api.post("/api/organizations", author, { name: "Hive" }).created();
  await api.query`
    insert into nectar.teams (org_id, name, admin_id)
    select ${organization.id}, 'Comb ' || n, ${author.id} from generate_series(1, 30) n`;
  await api.query`
    update nectar.journal_entries e set metadata_visibility = 'team', content_visibility = 'team', team_id = t.id
    from (select id, row_number() over (order by id) as n from nectar.journal_entries where user_id = ${author.id}) x
    join (select id, row_number() over (order by id) as n from nectar.teams where org_id = ${organization.id}) t
      on t.n = 1 + x.n % 25
    where e.id = x.id`;
  expect(await unsettled()).toEqual([]);
  await api.query`delete from nectar.organizations where id = ${organization.id}`;
  expect(await unsettled()).toHaveLength(1);
  const concerned = await api.query`
    select from private.unsettled_shares s where s.author_ids = ${[author.id]} and cardinality(s.team_ids) = 25`;
  expect(concerned).toHaveLength(1);
  const { entry: own } = await api.get(`/api/journal/${entry}`, author).ok();
  expect(own).toMatchObject({ effective_metadata_visibility: "user", team_id: null });
  await api.send("POST", "/api/notebooks/cron/shares", { headers: { "x-cron-secret": SECRET } }).ok();
  expect(await unsettled()).toEqual([]);
  const shared = await api.query`
    select from nectar.journal_entries e
    where e.user_id = ${author.id} and (e.team_id is not null or e.metadata_audience_id <> e.user_id)`;
  expect(shared).toEqual([]);
});

it("the job writes what a lost task left", async () => {
  const { author, reader, notebook } = scene;
  await api.query`update nectar.notebooks set metadata_visibility = 'user' where id = ${notebook.id}`;
  expect(await unsettled()).toHaveLength(1);
  expect(await seenBy(reader)).toBe(0);
  const headers = { "x-cron-secret": SECRET };
  expect((await api.send("POST", "/api/notebooks/cron/shares", { headers })).status).toBe(200);
  expect(await unsettled()).toEqual([]);
  expect(await seenBy(reader)).toBe(0);
  expect(await seenBy(author)).toBe(ENTRIES);
});
