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
const BEES = (count: number) => "\u{1f41d}".repeat(count);

describe.each(KINDS)("the fields of $path", ({ path, needs }) => {
  const send = (fields: object) => api.post(path, ada, { name: "Name", ...needs(), ...fields });
  const create = async (fields: object) => groupIn(await send(fields).created());
  const change = async (id: string, fields: object) => groupIn(await api.put(`${path}/${id}`, ada, fields).ok());
  const read = async (id: string) => groupIn(await api.get(`${path}/${id}`, ada).ok());
  /** Creates one with these fields, and another that is changed to them. */
  const bothWays = async (fields: object) => [await create(fields), await change((await create({})).id, fields)];
  async function refusedBothWays(fields: object, field: string) {
    await send(fields).invalid(field);
    await api.put(`${path}/${(await create({})).id}`, ada, fields).invalid(field);
  }

  it("are stored as sent, with defaults for missing fields", async () => {
    const fields = { name: "Hive", description: "All bees", settings: { a: { b: [1, null, "c"] } } };
    const full = await create(fields);
    expect(full).toMatchObject(fields);
    expect(await create({})).toMatchObject({ name: "Name", description: null, settings: {} });
    expect(await read(full.id)).toEqual(full);
  });

  it.each<[string, object, object?]>([
    ["a name, which is trimmed and normalized to NFC", { name: " \t Cafe\u0301 \n" }, { name: "Caf\u00e9" }],
    ["a name of 100 code points", { name: BEES(100) }],
    // Decomposed it has 200 code points, as stored it has 100.
    ["a name that is measured as it is stored", { name: "e\u0301".repeat(100) }, { name: "\u00e9".repeat(100) }],
    ["a description of 1,000 code points", { description: BEES(1000) }],
    ["an empty description, which is stored as null", { description: "  " }, { description: null }],
    ["settings of exactly 16 KB", { settings: { a: "x".repeat(16 * 1024 - 8) } }],
    // PostgreSQL writes these at greater length.
    ["settings with many numbers", { settings: { ones: Array(8000).fill(1) } }],
    ["settings with huge numbers", { settings: { numbers: Array(2000).fill(1e300) } }],
    ["settings with tiny numbers", { settings: { numbers: Array(2000).fill(5e-324) } }],
  ])("accept %s", async (_, fields, stored = fields) => {
    for (const group of await bothWays(fields)) {
      for (const [name, value] of Object.entries(stored)) expect(group).toHaveProperty(name, value);
    }
  });

  it.each([
    ["a name of 101 characters", { name: BEES(101) }, "name"],
    ["a description of 1,001 characters", { description: BEES(1001) }, "description"],
    ["settings above 16 KB", { settings: { a: "x".repeat(16 * 1024 - 7) } }, "settings"],
  ])("refuse %s with 400", async (_, fields, field) => {
    await refusedBothWays(fields, field);
  });

  it.each(["a\u0000b", "a\ud800b"])("refuse text that PostgreSQL cannot store with 400", async (text) => {
    for (const fields of [
      { name: text },
      { description: text },
      { settings: { a: text } },
      { settings: { [text]: 1 } },
    ]) {
      await send(fields).refused(400);
      await api.put(`${path}/${(await create({})).id}`, ada, fields).refused(400);
    }
  });

  it("report all problems of a request at once, and refuse a number that JSON cannot represent", async () => {
    await send({ name: "", description: 1, settings: 1 }).invalid("description", "name", "settings");
    const body = JSON.stringify({ name: "Name", ...needs(), settings: { a: 12345 } }).replace("12345", "1e999");
    await api.send("POST", path, { as: ada, body }).refused(400);
  });

  it("change only if they are sent, and null clears optional ones", async () => {
    const { id } = await create({ name: "First", description: "About", settings: { a: 1 } });
    await change(id, { name: "Second" });
    expect(await read(id)).toMatchObject({ name: "Second", description: "About", settings: { a: 1 } });
    await change(id, { description: null });
    expect(await read(id)).toMatchObject({ name: "Second", description: null, settings: { a: 1 } });
    await change(id, { settings: { b: 2 } });
    expect(await read(id)).toMatchObject({ name: "Second", description: null, settings: { b: 2 } });
  });

  it("set updated_at if they change, and keep created_at", async () => {
    const made = await create({});
    const changed = await change(made.id, { name: "Other" });
    expect(changed.created_at).toBe(made.created_at);
    expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(made.updated_at));
  });

  it("ignore unknown fields and fields that cannot be changed", async () => {
    const foreign = {
      id: randomUUID(),
      owner_id: (await api.person()).id,
      created_at: "2020-01-01T00:00:00.000Z",
      updated_at: "2020-01-01T00:00:00.000Z",
      organizations: { id: randomUUID(), name: "Elsewhere" },
      constructor: 1,
      user_role: "owner",
    };
    const made = await create({ ...foreign, name: "Mine" });
    const changed = await change(made.id, { ...foreign, org_id: randomUUID(), name: "Still mine" });
    expect(made.id).not.toBe(foreign.id);
    expect(made.created_at).not.toBe(foreign.created_at);
    expect("owner_id" in made ? made.owner_id : made.admin_id).toBe(ada.id);
    expect({ ...changed, updated_at: made.updated_at }).toEqual({ ...made, name: "Still mine" });
  });
});
