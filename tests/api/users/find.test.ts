import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const PATH = "/api/users";
const reader = beforeTests(() => api.person({ fullName: "Reader" }));
const stranger = beforeTests(() => api.person({ fullName: "Ana Stranger" }));

const NAMES = ["Ana Bell", "ana álvarez", "Ángela", "Jean-Luc O'Brien", "Jörg Weiß", "Søren Łukasz", "Mary Ana"];
const OTHER_NAMES = ["100% Real_Name", "Zoë\\Marsh", "Ελένη Παπαδοπούλου", "山田 花子"];
let hive: string;
let nest: string;

async function found(owner: Parameters<typeof api.post>[1], names: readonly string[]): Promise<string> {
  const { organization } = await api.post("/api/organizations", owner, { name: "Hive" }).created();
  for (const fullName of names) {
    const { id } = await api.person({ fullName });
    await api.post(`/api/organizations/${organization.id}/members`, owner, { user_id: id }).created();
  }
  return organization.id;
}

beforeAll(async () => {
  hive = await found(reader, [...NAMES, ...OTHER_NAMES]);
  nest = await found(reader, ["Ana Nester"]);
  await found(stranger, ["Ana Unrelated"]);
});

const namesOf = async (query: Record<string, string>, as = reader) => {
  const { users } = await api.get(`${PATH}?${new URLSearchParams(query)}`, as).ok();
  return users.map(({ full_name }) => full_name);
};

describe("GET /api/users", () => {
  it.each([
    ["an", ["Ana Bell", "Ana Nester", "Mary Ana", "ana álvarez", "Ángela"]],
    ["ANA", ["Ana Bell", "Ana Nester", "Mary Ana", "ana álvarez"]],
    ["ána", ["Ana Bell", "Ana Nester", "Mary Ana", "ana álvarez"]],
    ["angela", ["Ángela"]],
    ["A\u0301ngela", ["Ángela"]],
    ["alv", ["ana álvarez"]],
    ["ana b", ["Ana Bell"]],
    ["luc", ["Jean-Luc O'Brien"]],
    ["jean luc", ["Jean-Luc O'Brien"]],
    ["bri", ["Jean-Luc O'Brien"]],
    ["o'b", ["Jean-Luc O'Brien"]],
    ["WEISS", ["Jörg Weiß"]],
    ["weiß", ["Jörg Weiß"]],
    ["soren", ["Søren Łukasz"]],
    ["SØR", ["Søren Łukasz"]],
    ["luk", ["Søren Łukasz"]],
    ["marsh", ["Zoë\\Marsh"]],
    ["ελενη", ["Ελένη Παπαδοπούλου"]],
    ["ΠΑΠ", ["Ελένη Παπαδοπούλου"]],
    ["花子", ["山田 花子"]],
    ["100%", ["100% Real_Name"]],
    ["10", ["100% Real_Name"]],
    ["name", ["100% Real_Name"]],
    ["ell", []],
    ["' or", []],
  ])("finds the beginning of any word, in any case, without accents: %s", async (q, expected) => {
    expect(await namesOf({ q })).toEqual(expected);
  });

  it("lists people as cards", async () => {
    const ana = await api.one<{ id: string }>`select id from nectar.profiles where full_name = 'Ana Bell'`;
    const card = { id: ana.id, full_name: "Ana Bell", avatar_url: null, is_ai: false };
    expect(await api.get(`${PATH}?q=bell`, reader).ok()).toEqual({ users: [card], next_cursor: null });
  });

  it("lists the members of one organization, ordered by name and id, without the caller", async () => {
    const { ids } = await api.one<{ ids: string[] }>`
      select array_agg(p.id order by p.full_name, p.id) as ids from nectar.profiles p
      join nectar.organization_members m on m.user_id = p.id
      where m.org_id = ${hive} and p.id <> ${reader.id}`;
    const { users } = await api.get(`${PATH}?org_id=${hive}`, reader).ok();
    expect(users.map(({ id }) => id)).toEqual(ids);
    expect(await namesOf({ org_id: nest, q: "ana" })).toEqual(["Ana Nester"]);
  });

  it("lists someone of several common organizations once", async () => {
    const both = await api.person({ fullName: "Twice Twice" });
    for (const id of [hive, nest]) {
      await api.post(`/api/organizations/${id}/members`, reader, { user_id: both.id }).created();
    }
    expect(await namesOf({ q: "twice" })).toEqual(["Twice Twice"]);
  });

  it("has pages that continue after a name, also if several people have it", async () => {
    const crowd = await found(reader, ["Bo", "Cy", "Cy", "Cy", "cy", "Łęt"]);
    const { users } = await api.get(`${PATH}?org_id=${crowd}`, reader).ok();
    for (const query of [`org_id=${crowd}`, `org_id=${crowd}&q=cy`]) {
      const ids: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const after: string = cursor && `&cursor=${cursor}`;
        const page = await api.get(`${PATH}?${query}&limit=1${after}`, reader).ok();
        ids.push(...page.users.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      const expected = users.filter(({ full_name }) => !query.includes("q=") || /^cy$/i.test(full_name ?? ""));
      expect(ids).toEqual(expected.map(({ id }) => id));
    }
  });

  it("leaves out synthetic users, people without a name and people with a block in either direction", async () => {
    const org = await found(reader, ["Gone Synthetic", "Gone Nameless", "Gone Blocked", "Gone Blocking", "Gone Not"]);
    await api.query`update nectar.profiles set is_ai = true where full_name = 'Gone Synthetic'`;
    await api.query`update nectar.profiles set full_name = null where full_name = 'Gone Nameless'`;
    await api.query`insert into nectar.blocks (user_id, blocked_id)
      select ${reader.id}, id from nectar.profiles where full_name = 'Gone Blocked'`;
    await api.query`insert into nectar.blocks (user_id, blocked_id)
      select id, ${reader.id} from nectar.profiles where full_name = 'Gone Blocking'`;
    expect(await namesOf({ q: "gone" })).toEqual(["Gone Not"]);
    expect(await namesOf({ org_id: org })).toEqual(["Gone Not"]);
    await api.query`update nectar.profiles set is_ai = false where full_name = 'Gone Synthetic'`;
    expect(await namesOf({ q: "gone" })).toEqual(["Gone Not", "Gone Synthetic"]);
  });

  it("follows the name, and forgets who left", async () => {
    const person = await api.person({ fullName: "Before" });
    await api.post(`/api/organizations/${hive}/members`, reader, { user_id: person.id }).created();
    await api.put("/api/user/profile", person, { full_name: "Afterwards" }).ok();
    expect(await namesOf({ q: "before" })).toEqual([]);
    expect(await namesOf({ q: "after" })).toEqual(["Afterwards"]);
    await api.delete(`/api/organizations/${hive}/members/${person.id}`, reader).ok();
    expect(await namesOf({ q: "after" })).toEqual([]);
  });

  it("is 400 without q and org_id, and for a q, an id or a cursor that is not valid", async () => {
    await api.get(PATH, reader).invalid("");
    for (const q of ["a", " a ", "%%", "__", "a%", "a\u0301\u0301", "1-", "a".repeat(101)]) {
      await api.get(`${PATH}?q=${encodeURIComponent(q)}`, reader).invalid("q");
    }
    await api.get(`${PATH}?org_id=x`, reader).invalid("org_id");
    await api.get(`${PATH}?q=${"é".repeat(100)}`, reader).ok();
  });

  it("is 404 for an unknown organization and 403 for one of others, but not for super admins", async () => {
    await api.get(`${PATH}?org_id=${randomUUID()}`, reader).refused(404, "organization.not_found");
    await api.get(`${PATH}?org_id=${hive}&q=ana`, stranger).refused(403, "organization.not_a_reader");
    const root = await api.person({ role: "super_admin" });
    expect(await namesOf({ org_id: nest, q: "ana" }, root)).toEqual(["Ana Nester"]);
    expect(await namesOf({ q: "ana" }, root)).toEqual([]);
  });
});
