import { afterAll, describe, expect, inject, it } from "vitest";
import { openDatabase } from "#database/database";
import { routeToGroups } from "#functions/all";
import { signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { type Client, clientOf } from "#tests/client";
import { beforeTests } from "#tests/prepare";

const api = useApi({ environment: { DATABASE_PREPARED_STATEMENTS: "on" } });
const unprepared = beforeTests(async () => {
  const database = openDatabase({ url: api.apiUrl, poolSize: 2 });
  return { database, ...clientOf(routeToGroups({ ...api.services, database })) };
});
afterAll(() => unprepared.database.close());

/** A user with rows in some tables. */
const ada = beforeTests(async () => {
  const person = await api.person({ role: "super_admin" });
  const { notebook } = await api.post("/api/notebooks", person, { name: "Walks" }).created();
  for (const mood of ["calm", "tired", "proud"]) {
    const entry = { title: mood, content: "To the lake", mood, notebook_id: notebook.id };
    await api.post("/api/journal", person, entry).created();
    await api.post("/api/goals", person, { title: mood }).created();
  }
  return person;
});

const paths = signedInRoutes().flatMap(({ method, path, parameters }) =>
  // Each cursor of changes is another one.
  method === "GET" && parameters.length === 0 && path !== "/api/changes" ? path : [],
);

// A pooler gives each transaction another session; PgBouncer prepares statements there as well only from 1.21 on.
describe.runIf(inject("poolerPort") === null)("with prepared statements", () => {
  it.each(paths)("GET %s responds as without", async (path) => {
    const read = async (client: Pick<Client, "get">) => {
      const { status, text } = await client.get(path, ada);
      // The only moment in these responses that is that of the request.
      return { status, text: text.replace(/"checked_at":"[^"]*"/, "") };
    };
    const expected = await read(unprepared);
    for (let times = 0; times < 3; times += 1) expect(await read(api)).toEqual(expected);
  });

  it("every command of a series has its effect", async () => {
    for (let n = 0; n < 4; n += 1) {
      const { entry } = await api.post("/api/journal", ada, { title: "A walk", content: "To the lake" }).created();
      const changed = await api.put(`/api/journal/${entry.id}`, ada, { title: `Walk ${n}`, tags: ["lake"] }).ok();
      expect(changed.entry).toMatchObject({ title: `Walk ${n}`, tags: ["lake"] });
      await api.delete(`/api/journal/${entry.id}`, ada).ok();
      await api.get(`/api/journal/${entry.id}`, ada).refused(404, "journal.not_found");
    }
  });
});
