import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";

const api = useApi();

async function titles(path: "/api/journal" | `/api/journal?${string}`, as: Person): Promise<string[]> {
  const body = await api.get(path, as).ok();
  return body.entries.map((entry) => entry.title);
}

/** Public entries of other tests are in everyone's list. */
const deleteAllEntries = () => api.query("delete from nectar.journal_entries");

describe("GET /api/journal", () => {
  beforeEach(deleteAllEntries);

  it("returns every entry once over all pages, newest or oldest first, even with equal timestamps", async () => {
    const ada = await api.person();
    await api.query`with written as (
        insert into nectar.journal_entries (user_id, title, created_at)
        select ${ada.id}, n::text, now() - make_interval(mins => n / 3) from generate_series(1, 23) n
        returning id
      )
      select count(*) from written`;
    await api.query`insert into nectar.journal_entry_contents (entry_id, user_id, content) select id, user_id, 'c'
      from nectar.journal_entries where user_id = ${ada.id}`;
    const walk = async (sort: string) => {
      const seen: { id: string; created_at: string }[] = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const after: string = cursor === null ? "" : `&cursor=${cursor}`;
        const { body } = await api.get(`/api/journal?limit=5&sort=${sort}${after}`, ada);
        seen.push(...body.entries);
        cursor = body.next_cursor;
        pages += 1;
      } while (cursor !== null);
      return { seen, pages };
    };
    const newest = await walk("-created_at");
    const oldest = await walk("created_at");
    expect(newest.pages).toBe(5);
    expect(new Set(newest.seen.map((entry) => entry.id)).size).toBe(23);
    expect(oldest.seen.map((entry) => entry.id)).toEqual(newest.seen.map((entry) => entry.id).reverse());
    const moments = newest.seen.map((entry) => entry.created_at);
    expect(moments).toEqual([...moments].sort().reverse());
  });

  it("has at most 500 entries per page and 100 by default", async () => {
    const ada = await api.person();
    await api.query`insert into nectar.journal_entries (user_id, title) select ${ada.id}, n::text
      from generate_series(1, 510) n`;
    for (const limit of ["9999", "1000000000", "9".repeat(400)]) {
      expect((await api.get(`/api/journal?limit=${limit}`, ada)).body.entries).toHaveLength(500);
    }
    expect((await api.get("/api/journal", ada)).body.entries).toHaveLength(100);
  });

  it("lists own, shared or public entries by scope", async () => {
    const [ada, ben] = [await api.person(), await api.person()];
    const { orgId, teamId } = await foundTeam(api, ada, [ben]);
    await write(api, ada, { title: "mine" });
    await write(api, ben, { title: "hidden" });
    await write(api, ben, { title: "for the team", metadata_visibility: "team", team_id: teamId });
    await write(api, ben, { title: "for the org", metadata_visibility: "org", org_id: orgId });
    await write(api, ben, { title: "for all", metadata_visibility: "public" });
    expect(await titles("/api/journal?scope=own", ada)).toEqual(["mine"]);
    expect(await titles("/api/journal?scope=shared", ada)).toEqual(["for the org", "for the team"]);
    expect(await titles("/api/journal?scope=public", ada)).toEqual(["for all"]);
    expect(await titles("/api/journal", ada)).toEqual(["for all", "for the org", "for the team", "mine"]);
    expect(await titles("/api/journal?scope=all", await api.person())).toEqual(["for all"]);
    const boss = await api.person({ role: "super_admin" });
    expect(await titles("/api/journal?limit=4", boss)).toEqual(["for all", "for the org", "for the team", "hidden"]);
  });
});

describe("a filter of GET /api/journal", () => {
  let ada: Person;
  let ben: Person;
  let notebook: string;
  beforeAll(async () => {
    await deleteAllEntries();
    ada = await api.person();
    ben = await api.person();
    notebook = (await api.post("/api/notebooks", ada, { name: "N" })).body.notebook.id;
    await write(api, ada, { title: "Rain", content: "A quiet 50% day", mood: "Calm", tags: ["Walk", "rain"] });
    await write(api, ada, {
      title: "Sun",
      content: "bright_day",
      mood: "joyful",
      tags: ["walk"],
      notebook_id: notebook,
    });
    await write(api, ben, {
      title: "Secret",
      content: "the quiet canary",
      metadata_visibility: "public",
      tags: ["walk"],
    });
    // JavaScript and PostgreSQL lower their letters differently.
    await write(api, ada, { title: "Trip", tags: ["İstanbul", "ΟΔΟΣ"] });
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
    expect(await titles(`/api/journal?${query}&scope=all`, ada)).toEqual(expected);
  });

  it("finds the entries of a notebook", async () => {
    expect(await titles(`/api/journal?notebook_id=${notebook}`, ada)).toEqual(["Sun"]);
    expect(await titles(`/api/journal?notebook_id=${notebook}&scope=shared`, ada)).toEqual([]);
    expect(await titles(`/api/journal?notebook_id=${notebook}&scope=own&q=bright`, ada)).toEqual(["Sun"]);
  });

  it("never matches content that the caller may not see", async () => {
    expect(await titles("/api/journal?q=canary", ada)).toEqual([]);
    expect(await titles("/api/journal?q=canary", ben)).toEqual(["Secret"]);
    const { body } = await api.get("/api/journal?q=secret", ada);
    expect(body.entries[0]).toMatchObject({ title: "Secret", content: null, content_hidden: true });
  });

  it("accepts every offset of RFC 3339", async () => {
    for (const offset of ["%2B23:59", "-23:59", "Z"]) {
      await api.get(`/api/journal?from=2026-01-01T00:00:00${offset}`, ada).ok();
    }
  });

  it("includes both ends of a range of dates or timestamps", async () => {
    const cleo = await api.person();
    await api.query(
      `insert into nectar.journal_entries (user_id, title, created_at) values
           ($1, 'first', '2026-03-01T00:00:00Z'), ($1, 'last', '2026-03-01T23:59:59.999Z'), ($1, 'next', '2026-03-02T00:00:00Z')`,
      [cleo.id],
    );
    expect(await titles("/api/journal?from=2026-03-01&to=2026-03-01", cleo)).toEqual(["last", "first"]);
    expect(await titles("/api/journal?from=2026-03-02&scope=own", cleo)).toEqual(["next"]);
    expect(await titles("/api/journal?to=2026-03-01T00:00:00Z", cleo)).toEqual(["first"]);
    expect(await titles("/api/journal?from=2026-03-02T02:00:00%2B02:00&scope=own", cleo)).toEqual(["next"]);
  });
});

describe("GET /api/journal/tags", () => {
  it("counts the caller's own tags in upper or lower case, in their latest spelling", async () => {
    const [ada, ben] = [await api.person(), await api.person()];
    await write(api, ben, { tags: ["walk"], metadata_visibility: "public" });
    await write(api, ada, { tags: ["walk", "rain"] });
    await write(api, ada, { tags: ["Walk"] });
    expect((await api.get("/api/journal/tags", ada)).body.tags).toEqual([
      { tag: "Walk", count: 2 },
      { tag: "rain", count: 1 },
    ]);
  });
});
