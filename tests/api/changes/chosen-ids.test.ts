import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());
const goal = beforeTests(() => api.post("/api/goals", ada, { title: "Run" }).created());

/** What may be created with an id, and what a second request says instead. */
const THINGS = {
  entry: { list: () => "/api/journal", made: { title: "A walk", content: "To the lake" }, other: { title: "Rain" } },
  notebook: { list: () => "/api/notebooks", made: { name: "Walks" }, other: { name: "Runs" } },
  goal: { list: () => "/api/goals", made: { title: "Run" }, other: { title: "Walk" } },
  check_in: {
    list: () => `/api/goals/${goal.goal.id}/check-ins`,
    made: { status: "completed" },
    other: { status: "missed" },
  },
  wellness_entry: {
    list: () => "/api/wellness-entries",
    made: { type: "sleep", hours: 7 },
    other: { hours: 8 },
  },
} as const;
const cases = Object.entries(THINGS).map(([noun, { list, made, other }]) => ({ noun, list, made, other }));

const post = (at: string, body: object, { as = ada, headers = {} } = {}) => api.send("POST", at, { as, body, headers });
const taken = async (...given: Parameters<typeof post>) => {
  const { error } = await post(...given).refused(409, "sync.id_taken");
  return error;
};

describe.each(cases)("a new $noun", ({ noun, list, made, other }) => {
  const thingOf = (body: object): { id: string } => Object(body)[noun];

  it.each(["4", "7"])("has the id that was sent, a UUID of version %s, in lower case", async (version) => {
    const id = `${randomUUID().slice(0, 14)}${version}${randomUUID().slice(15)}`;
    expect(thingOf(await post(list(), { ...made, id: id.toUpperCase() }).created()).id).toBe(id);
    const again = await post(list(), { ...made, id });
    expect([again.status, thingOf(Object(again.body)).id]).toEqual([200, id]);
  });

  it("is returned as it is when it is sent again, and nothing is written", async () => {
    const id = randomUUID();
    const created = await post(list(), { ...made, id });
    const again = await post(list(), { ...made, ...other, id });
    expect([again.status, again.body]).toEqual([200, created.body]);
    expect(again.headers.get("etag")).toBe(created.headers.get("etag"));
    const { body } = await api.send("GET", list(), { as: ada });
    expect(Object.values(Object(body)).flat()).toContainEqual(expect.objectContaining({ ...made, id }));
  });

  it.each(["6f1c8a52-0000-1000-8000-000000000000", "6f1c8a52-0000-4000-0000-000000000000", "mine", "", 7, null])(
    "needs a UUID of version 4 or 7, not %j",
    async (id) => {
      await post(list(), { ...made, id }).invalid("id");
    },
  );

  it("is created once when two requests with the same id meet", async () => {
    const id = randomUUID();
    const both = await Promise.all([post(list(), { ...made, id }), post(list(), { ...made, id })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 201]);
    expect(both[0]?.body).toEqual(both[1]?.body);
  });

  it("cannot have the id of anything else, with the same words for all", async () => {
    const words = new Set<string>();
    for (const another of cases) {
      const [mine, theirs] = [randomUUID(), randomUUID()];
      const theirList =
        another.noun === "check_in"
          ? `/api/goals/${(await api.post("/api/goals", ben, { title: "Swim" }).created()).goal.id}/check-ins`
          : another.list();
      await post(another.list(), { ...another.made, id: mine }).created();
      await post(theirList, { ...another.made, id: theirs }, { as: ben }).created();
      if (another.noun !== noun) words.add(await taken(list(), { ...made, id: mine }));
      words.add(await taken(list(), { ...made, id: theirs }));
    }
    const { teamId } = await foundTeam(api, ben);
    const squad = await api.one<{ id: string }>`
      insert into nectar.squads (date, team_color) values ('2020-01-01', 'red') returning id`;
    for (const id of [teamId, squad.id]) words.add(await taken(list(), { ...made, id }));
    expect(words.size).toBe(1);
  });

  it("cannot have the id of one that was deleted, also when its key is sent again", async () => {
    const id = randomUUID();
    const once = { headers: { "idempotency-key": randomUUID() } };
    const at = `${list()}/${id}`;
    const created = await post(list(), { ...made, id }, once);
    const replayed = await post(list(), { ...made, id }, once);
    expect([replayed.status, replayed.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(replayed.headers.get("etag")).toBe(created.headers.get("etag"));
    await api.send("DELETE", at, { as: ada }).ok();
    await taken(list(), { ...made, id }, once);
    for (const another of cases) await taken(another.list(), { ...another.made, id });
    if (noun !== "entry") return;
    await api.send("POST", `${at}/restore`, { as: ada }).ok();
    expect((await post(list(), { ...made, id })).status).toBe(200);
    await api.send("DELETE", at, { as: ada }).ok();
    await api.send("DELETE", `/api/journal/trash/${id}`, { as: ada }).ok();
    await taken(list(), { ...made, id }, once);
  });
});

describe("an id", () => {
  it("of a check-in is taken when the check-in is to another goal, or went with its goal", async () => {
    const { goal: other } = await api.post("/api/goals", ada, { title: "Swim" }).created();
    const at = `/api/goals/${other.id}/check-ins`;
    const body = { status: "completed", id: randomUUID() };
    await post(at, body).created();
    await taken(THINGS.check_in.list(), body);
    await api.delete(`/api/goals/${other.id}`, ada).ok();
    await taken(THINGS.check_in.list(), body);
    await taken(at, body);
  });

  it("is taken by an entry in the trash of someone else", async () => {
    const id = randomUUID();
    await post("/api/journal", { ...THINGS.entry.made, id }, { as: ben }).created();
    await api.delete(`/api/journal/${id}`, ben).ok();
    await taken("/api/goals", { title: "Run", id });
  });

  it("is taken by whatever a stored response contains, which would be deleted with the new thing", async () => {
    const once = { as: ben, headers: { "idempotency-key": randomUUID() } };
    const { body } = await post("/api/organizations", { name: "Walkers" }, once);
    await taken("/api/goals", { title: "Run", id: Object(body).organization.id });
  });

  it("of an entry is found again after its notebook was deleted", async () => {
    const { notebook } = await api.post("/api/notebooks", ada, { name: "Walks" }).created();
    const body = { ...THINGS.entry.made, id: randomUUID(), notebook_id: notebook.id };
    await post("/api/journal", body).created();
    await api.delete(`/api/notebooks/${notebook.id}`, ada).ok();
    expect((await post("/api/journal", body)).status).toBe(200);
  });

  it("is free again when the request that wanted it failed", async () => {
    const id = randomUUID();
    await post("/api/journal", { ...THINGS.entry.made, id, notebook_id: randomUUID() }).refused(404);
    await post("/api/notebooks", { name: "Walks", id }).created();
  });

  it("waits for a deletion that has begun", async () => {
    const id = randomUUID();
    await post("/api/goals", { title: "Run", id }).created();
    await api.inTransaction(async ({ query }) => {
      await query`delete from nectar.goals where id = ${id}`;
      const again = post("/api/goals", { title: "Run", id });
      await api.untilWaiting();
      await query`commit`;
      await again.refused(409, "sync.id_taken");
    });
  });
});
