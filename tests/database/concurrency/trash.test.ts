import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { write } from "#tests/groups";
import { beforeEachTest } from "#tests/prepare";
import type { Queries } from "#tests/sql";

const api = useApi();
const ada = beforeEachTest(() => api.person());

const trash = (id: string) => api.delete(`/api/journal/${id}`, ada);
const restore = (id: string) => api.post(`/api/journal/${id}/restore`, ada);
const statusesOf = async (requests: readonly PromiseLike<{ status: number }>[]) =>
  (await Promise.all(requests)).map(({ status }) => status).toSorted();

/** An entry of Ada in the trash. */
async function trashed(fields: object = {}) {
  const entry = await write(api, ada, { ...fields });
  await trash(entry.id).ok();
  return entry;
}

/** Does something in a transaction; the work starts before it commits, and goes on after it. */
const during = <R>(first: (client: Queries) => Promise<unknown>, work: () => Promise<R>) =>
  api.inTransaction(async (client) => {
    await first(client);
    const working = work();
    await api.untilWaiting(1, working);
    await client.query("commit");
    return working;
  });

const asAda = (client: Queries) =>
  client.query`select set_config('request.jwt.claims', ${JSON.stringify({ sub: ada.id })}, true)`;
const trashing = (id: string) => async (client: Queries) => {
  await asAda(client);
  await client.query`select private.trash_entry(${id})`;
};
const restoring = (id: string) => async (client: Queries) => {
  await asAda(client);
  await client.query`select private.restore_entry(${id})`;
};

describe("requests at the same time", () => {
  it("move an entry to the trash once, and restore it once", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await write(api, ada);
      expect(await statusesOf([trash(id), trash(id), trash(id)])).toEqual([200, 404, 404]);
      expect(await statusesOf([restore(id), restore(id), restore(id)])).toEqual([200, 404, 404]);
      await api.get(`/api/journal/${id}`, ada).ok();
    }
  });

  it("restore an entry or delete it for good, never both", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await trashed();
      const deleting = api.delete(`/api/journal/trash/${id}`, ada);
      const [restored, deleted] = await Promise.all([restore(id), deleting]);
      expect([restored.status, deleted.status].toSorted()).toEqual([200, 404]);
      expect((await api.get(`/api/journal/${id}`, ada)).status).toBe(restored.status);
    }
  });
});

describe("an entry that expires", () => {
  const purge = (id: string) => api.query`delete from nectar.trashed_entries where id = ${id} returning id`;

  it("is not restored while housekeeping removes it", async () => {
    const { id } = await trashed();
    const removing = (client: Queries) => client.query`delete from nectar.trashed_entries where id = ${id}`;
    expect((await during(removing, async () => restore(id))).status).toBe(404);
    await api.get(`/api/journal/${id}`, ada).refused(404);
  });

  it("is not removed by housekeeping while it is restored", async () => {
    const { id } = await trashed();
    expect(await during(restoring(id), () => purge(id))).toEqual([]);
    await api.get(`/api/journal/${id}`, ada).ok();
  });
});

it("an entry that is moved to the trash while it is edited has the new text there", async () => {
  const { id } = await write(api, ada);
  const editing = async (client: Queries) => {
    await client.query`update nectar.journal_entries set title = 'New' where id = ${id}`;
    await client.query`update nectar.journal_entry_contents set content = 'New text' where entry_id = ${id}`;
  };
  expect((await during(editing, async () => trash(id))).status).toBe(200);
  expect((await restore(id).ok()).entry).toMatchObject({ title: "New", content: "New text" });
});

it("an entry that is edited while it is moved to the trash is not changed", async () => {
  const { id } = await write(api, ada);
  const edit = async () => api.put(`/api/journal/${id}`, ada, { title: "New", content: "New text" });
  expect((await during(trashing(id), edit)).status).toBe(404);
  expect((await restore(id).ok()).entry).toMatchObject({ title: "Title", content: "Content" });
});

describe("a notebook that is deleted while an entry of it is restored", () => {
  const PUBLIC = { metadata_visibility: "public", content_visibility: "public" };
  const PRIVATE = { notebook_id: null, effective_metadata_visibility: "user", effective_content_visibility: "user" };
  const inPublicNotebook = async () => {
    const { notebook } = await api.post("/api/notebooks", ada, { name: "Birds", ...PUBLIC }).created();
    return { notebook: notebook.id, entry: (await trashed({ notebook_id: notebook.id })).id };
  };

  it("leaves it private if the deletion is first", async () => {
    const { notebook, entry } = await inPublicNotebook();
    const deleting = (client: Queries) => client.query`delete from nectar.notebooks where id = ${notebook}`;
    expect((await during(deleting, async () => restore(entry))).body.entry).toMatchObject(PRIVATE);
  });

  it("leaves it private if it is restored first", async () => {
    const { notebook, entry } = await inPublicNotebook();
    expect((await during(restoring(entry), async () => api.delete(`/api/notebooks/${notebook}`, ada))).status).toBe(
      200,
    );
    expect((await api.get(`/api/journal/${entry}`, ada).ok()).entry).toMatchObject(PRIVATE);
  });
});
