import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const home = beforeTests(() => foundTeam(api, ada));

const KINDS = [
  { path: "/api/organizations", needs: () => ({}) },
  { path: "/api/teams", needs: () => ({ org_id: home.orgId }) },
] as const;

const groupIn = <Organization, Team>(body: { organization: Organization } | { team: Team }) =>
  "organization" in body ? body.organization : body.team;

describe.each(KINDS)("the fields of $path", ({ path, needs }) => {
  const create = (fields: object) => api.post(path, ada, { name: "Name", ...needs(), ...fields });
  /** Creates one and changes it; both must say the same. */
  async function bothWays(fields: object) {
    const created = await create(fields);
    const plain = await create({});
    const changed = await api.put(`${path}/${groupIn(plain.body).id}`, ada, fields);
    return [created, changed];
  }

  it("are stored as sent, with defaults for missing fields", async () => {
    const full = await create({
      name: "Hive",
      description: "All bees",
      settings: { a: { b: [1, null, "c"] } },
    }).created();
    expect(groupIn(full)).toMatchObject({
      name: "Hive",
      description: "All bees",
      settings: { a: { b: [1, null, "c"] } },
    });
    const bare = await create({});
    expect(groupIn(bare.body)).toMatchObject({ name: "Name", description: null, settings: {} });
    expect(groupIn(bare.body).created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(groupIn((await api.get(`${path}/${groupIn(full).id}`, ada)).body)).toEqual(groupIn(full));
  });

  it("trim names, normalize them to NFC and measure them in code points", async () => {
    for (const response of await bothWays({ name: " \t Cafe\u0301 \n" })) {
      expect(groupIn(response.body).name).toBe("Caf\u00e9");
    }
    const longest = "\u{1f41d}".repeat(100);
    for (const response of await bothWays({ name: longest })) expect(groupIn(response.body).name).toBe(longest);
    // Decomposed it has 200 code points, as stored it has 100.
    for (const response of await bothWays({ name: "e\u0301".repeat(100) })) expect(response.status).toBeLessThan(300);
  });

  it.each([
    ["a blank name", { name: " \n " }, "name"],
    ["a name of 101 characters", { name: "\u{1f41d}".repeat(101) }, "name"],
    ["a name that is null", { name: null }, "name"],
    ["a name that is no text", { name: 7 }, "name"],
    ["a description of 1,001 characters", { description: "\u{1f41d}".repeat(1001) }, "description"],
    ["a description that is no text", { description: ["x"] }, "description"],
    ["settings that are an array", { settings: [] }, "settings"],
    ["settings that are text", { settings: "{}" }, "settings"],
    ["settings that are a number", { settings: 1 }, "settings"],
    ["settings above 16 KB", { settings: { a: "x".repeat(16 * 1024 - 7) } }, "settings"],
  ])("refuse %s with 400", async (_, fields, field) => {
    for (const response of await bothWays(fields)) {
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ code: "request.invalid", issues: [{ path: field }] });
    }
  });

  it.each(["a\u0000b", "a\ud800b"])("refuse text that PostgreSQL cannot store with 400", async (text) => {
    const fields = [{ name: text }, { description: text }, { settings: { a: text } }, { settings: { [text]: 1 } }];
    for (const one of fields) {
      for (const response of await bothWays(one)) expect(response.status).toBe(400);
    }
  });

  it("report all problems of a request at once", async () => {
    const body = await create({ name: "", description: 1, settings: 1 }).refused(400);
    expect(body.issues.map(({ path }) => path).sort()).toEqual(["description", "name", "settings"]);
  });

  it("accept a description of 1,000 characters, and store an empty one as null", async () => {
    const longest = "\u{1f41d}".repeat(1000);
    for (const response of await bothWays({ description: longest }))
      expect(groupIn(response.body).description).toBe(longest);
    for (const response of await bothWays({ description: "  " })) expect(groupIn(response.body).description).toBeNull();
  });

  it("accept settings of exactly 16 KB", async () => {
    const settings = { a: "x".repeat(16 * 1024 - 8) };
    for (const response of await bothWays({ settings })) expect(groupIn(response.body).settings).toEqual(settings);
  });

  it("accept settings that PostgreSQL writes at greater length", async () => {
    const wide = { ones: Array.from({ length: 8000 }, () => 1) };
    const huge = { numbers: Array.from({ length: 2000 }, () => 1e300) };
    const tiny = { numbers: Array.from({ length: 2000 }, () => 5e-324) };
    for (const settings of [wide, huge, tiny]) {
      for (const response of await bothWays({ settings })) {
        expect(response.status, JSON.stringify(response.body).slice(0, 200)).toBeLessThan(300);
        expect(groupIn(response.body).settings).toEqual(settings);
      }
    }
  });

  it("refuse settings with a number that JSON cannot represent", async () => {
    const body = JSON.stringify({ name: "Name", ...needs(), settings: { a: 12345 } }).replace("12345", "1e999");
    await api.send("POST", path, { as: ada, body }).refused(400);
  });

  it("change only if they are sent, and null clears optional ones", async () => {
    const { id } = groupIn((await create({ name: "First", description: "About", settings: { a: 1 } })).body);
    const read = async () => groupIn((await api.get(`${path}/${id}`, ada)).body);

    await api.put(`${path}/${id}`, ada, { name: "Second" });
    expect(await read()).toMatchObject({ name: "Second", description: "About", settings: { a: 1 } });
    await api.put(`${path}/${id}`, ada, { description: null });
    expect(await read()).toMatchObject({ name: "Second", description: null, settings: { a: 1 } });
    await api.put(`${path}/${id}`, ada, { settings: { b: 2 } });
    expect(await read()).toMatchObject({ name: "Second", description: null, settings: { b: 2 } });
  });

  it("set updated_at if they change, and keep created_at", async () => {
    const made = groupIn((await create({})).body);
    const changed = groupIn((await api.put(`${path}/${made.id}`, ada, { name: "Other" })).body);
    expect(changed.created_at).toBe(made.created_at);
    expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(made.updated_at));
  });

  it("are 400 without a field that can be changed", async () => {
    const made = groupIn((await create({})).body);
    for (const body of [{}, { unknown: 1 }, { id: randomUUID(), created_at: "2020-01-01T00:00:00.000Z" }]) {
      await api.put(`${path}/${made.id}`, ada, body).refused(400);
    }
    expect(groupIn((await api.get(`${path}/${made.id}`, ada)).body)).toEqual(made);
  });

  it("ignore unknown fields and fields that cannot be changed", async () => {
    const grace = await api.person();
    const foreign = {
      id: randomUUID(),
      owner_id: grace.id,
      created_at: "2020-01-01T00:00:00.000Z",
      updated_at: "2020-01-01T00:00:00.000Z",
      organizations: { id: randomUUID(), name: "Elsewhere" },
      constructor: 1,
      user_role: "owner",
    };
    const made = groupIn((await create({ ...foreign, name: "Mine" })).body);
    const update = { ...foreign, org_id: randomUUID(), name: "Still mine" };
    const changed = groupIn((await api.put(`${path}/${made.id}`, ada, update)).body);
    for (const response of [made, changed]) {
      expect(response.id).not.toBe(foreign.id);
      expect(response.created_at).not.toBe(foreign.created_at);
      expect("owner_id" in response ? response.owner_id : response.admin_id).toBe(ada.id);
    }
    expect({ ...changed, updated_at: made.updated_at }).toEqual({ ...made, name: "Still mine" });
  });
});
