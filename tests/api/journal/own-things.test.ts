import { expect, it } from "vitest";
import { refusal } from "#journal/sharing";
import { useApi } from "#tests/api";
import { write } from "#tests/groups";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());

it("an entry, notebook or goal of the caller that was not there before is 404, and one of others 403", async () => {
  const shared = { metadata_visibility: "public" };
  const things = {
    journal_entries: (await write(api, ada, shared)).id,
    notebooks: (await api.post("/api/notebooks", ada, { name: "Walks", ...shared }).created()).notebook.id,
    goals: (await api.post("/api/goals", ada, { title: "Walk", ...shared }).created()).goal.id,
  };
  for (const table of ["journal_entries", "notebooks", "goals"] as const) {
    const statusFor = async (person: { readonly id: string }) =>
      (await api.database.asUser(person.id, (tx) => refusal(tx, table, things[table]))).status;
    expect([await statusFor(ada), await statusFor(ben)], table).toEqual([404, 403]);
  }
});

it("deleting an entry while it is restored is never refused as someone else's", async () => {
  const { id } = await write(api, ada, {});
  const codes = new Set<string | undefined>();
  for (let round = 0; round < 20; round += 1) {
    await api.delete(`/api/journal/${id}`, ada).ok();
    const racing = await Promise.all([
      api.post(`/api/journal/${id}/restore`, ada),
      api.delete(`/api/journal/${id}`, ada),
      api.put(`/api/journal/${id}`, ada, { title: `Round ${round}` }),
    ]);
    for (const { body } of racing) codes.add(body.code);
    if (racing[1].status === 200) await api.post(`/api/journal/${id}/restore`, ada).ok();
  }
  codes.delete("service.busy");
  expect([...codes].filter((code) => code !== undefined && code !== "journal.not_found")).toEqual([]);
});
