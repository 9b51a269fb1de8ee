import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();

async function titles(query: string, as: Person): Promise<string[]> {
  const { entries } = await api.get(`/api/journal?${query}`, as).ok();
  return entries.map(({ title }) => title);
}

// What lists by date return in which order and in pages is proved by random lists in list-by-date.test.ts.
describe("GET /api/journal", () => {
  it("has at most 500 entries per page and 100 by default", async () => {
    const ada = await api.person();
    await api.query`insert into nectar.journal_entries (user_id, title) select ${ada.id}, n::text
      from generate_series(1, 510) n`;
    for (const limit of ["9999", "1000000000", "9".repeat(400)]) {
      expect(await titles(`limit=${limit}`, ada)).toHaveLength(500);
    }
    expect(await titles("", ada)).toHaveLength(100);
  });

  it.each([0, 30])("lists own, shared or public entries by scope, also with %i further teams", async (teams) => {
    await api.query`delete from nectar.journal_entries`;
    const [ada, ben] = [await api.person(), await api.person()];
    const { orgId, teamId } = await foundTeam(api, ada, [ben]);
    await api.query`
      with t as (
        insert into nectar.teams (org_id, name, admin_id) select ${orgId}::uuid, n::text, ${ada.id}::uuid
        from generate_series(1, ${teams}::integer) n returning id
      )
      insert into nectar.team_members (team_id, org_id, user_id, role)
      select t.id, ${orgId}::uuid, ${ada.id}::uuid, 'admin' from t`;
    await write(api, ben, { title: "hidden" });
    await write(api, ben, { title: "for the team", metadata_visibility: "team", team_id: teamId });
    await write(api, ben, { title: "for the org", metadata_visibility: "org", org_id: orgId });
    await write(api, ada, { title: "mine", metadata_visibility: "team", team_id: teamId });
    await write(api, ben, { title: "for all", metadata_visibility: "public" });
    expect(await titles("scope=own", ada)).toEqual(["mine"]);
    // A full page of a reader with many teams is read in another way.
    for (const limit of [2, 100]) {
      expect(await titles(`scope=shared&limit=${limit}`, ada)).toEqual(["for the org", "for the team"]);
    }
    expect(await titles("scope=public", ada)).toEqual(["for all"]);
    expect(await titles("", ada)).toEqual(["for all", "mine", "for the org", "for the team"]);
    expect(await titles("scope=all", await api.person())).toEqual(["for all"]);
    const boss = await api.person({ role: "super_admin" });
    expect(await titles("limit=5", boss)).toEqual(["for all", "mine", "for the org", "for the team", "hidden"]);
  });
});

describe("a filter of GET /api/journal", () => {
  const ada = beforeTests(() => api.person());
  const ben = beforeTests(() => api.person());
  const notebook = beforeTests(async () => {
    // Public entries of other tests are in everyone's list.
    await api.query`delete from nectar.journal_entries`;
    const { notebook: made } = await api.post("/api/notebooks", ada, { name: "N" }).created();
    const bright = { content: "bright_day", mood: "joyful", tags: ["walk"], notebook_id: made.id };
    await write(api, ada, { title: "Rain", content: "A quiet 50% day", mood: "Calm", tags: ["Walk", "rain"] });
    await write(api, ada, { title: "Sun", ...bright });
    const secret = { content: "the quiet canary", metadata_visibility: "public", tags: ["walk"] };
    await write(api, ben, { title: "Secret", ...secret });
    // JavaScript and PostgreSQL lower their letters differently.
    await write(api, ada, { title: "Trip", tags: ["İstanbul", "ΟΔΟΣ"] });
    return made;
  });

  it.each([
    ["text of the title, in any case", "q=rAiN", ["Rain"]],
    ["text of the content", "q=bright", ["Sun"]],
    ["a percent sign as itself", "q=50%25", ["Rain"]],
    ["an underscore as itself", "q=t_d", ["Sun"]],
    ["a backslash as itself", "q=%5C", []],
    ["a mood, in any case", "mood=cALM", ["Rain"]],
    ["a tag, in any case", "tag=WALK", ["Secret", "Sun", "Rain"]],
    ["several tags, all of them", "tag=walk&tag=%23Rain", ["Rain"]],
    ["a tag in another alphabet", "tag=%C4%B0stanbul&tag=%CE%9F%CE%94%CE%9F%CE%A3", ["Trip"]],
    ["several at once", "q=day&tag=walk&mood=joyful", ["Sun"]],
    ["nothing that fits", "q=nowhere", []],
  ])("finds %s", async (_, query, expected) => {
    expect(await titles(`${query}&scope=all`, ada)).toEqual(expected);
  });

  it("finds the entries of a notebook", async () => {
    for (const [query, expected] of [
      ["", ["Sun"]],
      ["&scope=shared", []],
      ["&scope=own&q=bright", ["Sun"]],
    ] as const) {
      expect(await titles(`notebook_id=${notebook.id}${query}`, ada)).toEqual(expected);
    }
  });

  it("never matches content that the caller may not see", async () => {
    expect([await titles("q=canary", ada), await titles("q=canary", ben)]).toEqual([[], ["Secret"]]);
    const [entry] = (await api.get("/api/journal?q=secret", ada).ok()).entries;
    expect(entry).toMatchObject({ title: "Secret", content: null, content_hidden: true });
  });

  it("accepts every offset of RFC 3339", async () => {
    for (const offset of ["%2B23:59", "-23:59", "Z"]) await titles(`from=2026-01-01T00:00:00${offset}`, ada);
  });

  it("includes both ends of a range of dates or timestamps", async () => {
    const cleo = await api.person();
    await api.query`
      insert into nectar.journal_entries (user_id, title, created_at)
      select ${cleo.id}, t, at::timestamptz from (values
        ('first', '2026-03-01T00:00:00Z'), ('last', '2026-03-01T23:59:59.999Z'), ('next', '2026-03-02T00:00:00Z')) v (t, at)`;
    for (const [query, expected] of [
      ["from=2026-03-01&to=2026-03-01", ["last", "first"]],
      ["from=2026-03-02&scope=own", ["next"]],
      ["to=2026-03-01T00:00:00Z", ["first"]],
      ["from=2026-03-02T02:00:00%2B02:00&scope=own", ["next"]],
    ] as const) {
      expect(await titles(query, cleo)).toEqual(expected);
    }
  });
});

it("GET /api/journal/tags counts the caller's own tags in any case, in their latest spelling", async () => {
  const [ada, ben] = [await api.person(), await api.person()];
  await write(api, ben, { tags: ["walk"], metadata_visibility: "public" });
  await write(api, ada, { tags: ["walk", "rain"] });
  await write(api, ada, { tags: ["Walk"] });
  const counts = {
    tags: [
      { tag: "Walk", count: 2 },
      { tag: "rain", count: 1 },
    ],
  };
  expect(await api.get("/api/journal/tags", ada).ok()).toEqual(counts);
});
