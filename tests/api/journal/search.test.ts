import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();

/**
 * Entries of Ada that are older than many others, so that reading the newest visible entries does not find them and the
 * search index has to.
 */
const scene = beforeTests(async () => {
  const [ada, teammate] = [await api.person(), await api.person()];
  const [colleague, stranger] = [await api.person(), await api.person()];
  const boss = await api.person({ role: "super_admin" });
  const { orgId, teamId } = await foundTeam(api, ada, [teammate]);
  await api.post(`/api/organizations/${orgId}/members`, ada, { user_id: colleague.id }).created();
  const share = { org_id: orgId, team_id: teamId };
  const entries = [
    ["nothing shared", {}],
    ["title for all", { metadata_visibility: "public" }],
    ["all for all", { metadata_visibility: "public", content_visibility: "public" }],
    ["title for the organization", { metadata_visibility: "org", content_visibility: "team", ...share }],
    ["title for the team", { metadata_visibility: "team", content_visibility: "org", ...share }],
    ["title for the author", { content_visibility: "public" }],
  ] as const;
  for (const [title, sharing] of entries) {
    await write(api, ada, { title: `Zeppelin: ${title}`, content: "A quixotic day", tags: ["Rare Tag"], ...sharing });
  }
  await api.query`update nectar.journal_entries set mood = 'Wistful', mood_source = 'ai'`;
  await api.query`insert into nectar.journal_entries
      (user_id, title, metadata_visibility, created_at)
    select ${ada.id}, 'Filler', 'public', now() + n * interval '1 second' from generate_series(1, 40) n`;
  return { ada, teammate, colleague, stranger, boss };
});

async function titles(query: string, as: Person): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: string = cursor === "" ? query : `${query}&cursor=${cursor}`;
    const { entries, next_cursor } = await api.get(`/api/journal?limit=2&${page}`, as).ok();
    found.push(...entries.map(({ title }) => title.replace("Zeppelin: ", "")));
    cursor = next_cursor;
  }
  return found;
}

const ALL = [
  "title for the author",
  "title for the team",
  "title for the organization",
  "all for all",
  "title for all",
  "nothing shared",
];
const PUBLIC = ["all for all", "title for all"];
const OF_TITLES = {
  ada: ALL,
  teammate: ["title for the team", "title for the organization", ...PUBLIC],
  colleague: ["title for the organization", ...PUBLIC],
  stranger: PUBLIC,
  boss: ALL,
};
const OF_CONTENTS = {
  ada: ALL,
  teammate: ["title for the team", "title for the organization", "all for all"],
  colleague: ["all for all"],
  stranger: ["all for all"],
  boss: ALL,
};
const ACTORS = ["ada", "teammate", "colleague", "stranger", "boss"] as const;

describe("a search for what is far down in the list", () => {
  it.each(ACTORS)(
    "finds for %s the titles, tags, moods and contents that they may see, and no others",
    async (actor) => {
      const as = scene[actor];
      expect.soft(await titles("q=ePPel", as)).toEqual(OF_TITLES[actor]);
      expect.soft(await titles("q=zeppelin&sort=created_at", as)).toEqual(OF_TITLES[actor].toReversed());
      expect.soft(await titles("tag=rare+tag", as)).toEqual(OF_TITLES[actor]);
      expect.soft(await titles("q=Quixot", as)).toEqual(OF_CONTENTS[actor]);
      expect.soft(await titles("mood=wistful", as)).toEqual(OF_TITLES[actor]);
    },
  );

  it.each([
    ["a word, part of it, and words with what is between them", ["quixotic", "ixot", "A quixotic d"], ALL],
    ["a word that is too short for the index", ["qu"], ALL],
    ["words together only if they stand together", ["quixotic zeppelin", "quixoticday", "day quixotic"], []],
    ["a text without letters", ["%3A+"], ALL],
  ])("finds %s", async (_, queries, expected) => {
    for (const q of queries) expect.soft(await titles(`q=${q}`, scene.ada), q).toEqual(expected);
  });

  it("finds by several filters together", async () => {
    const { ada } = scene;
    expect.soft(await titles("q=quixotic&tag=rare+tag&mood=wistful&scope=own", ada)).toEqual(ALL);
    expect.soft(await titles("q=quixotic&scope=public", ada)).toEqual(PUBLIC);
    expect.soft(await titles("q=zeppelin&tag=other", ada)).toEqual([]);
    expect.soft(await titles("q=zeppelin&from=9000-01-01", ada)).toEqual([]);
  });

  it("finds what an entry contains now", async () => {
    const author = await api.person();
    const { id } = await write(api, author, { title: "Xylophone", content: "A bassoon" });
    await api.query`update nectar.journal_entries set created_at = now() - interval '1 year' where id = ${id}`;
    expect.soft(await titles("q=bassoon", author)).toEqual(["Xylophone"]);
    await api.put(`/api/journal/${id}`, author, { title: "Marimba", content: "A clarinet" }).ok();
    expect.soft(await titles("q=xylophone", author)).toEqual([]);
    expect.soft(await titles("q=bassoon", author)).toEqual([]);
    expect.soft(await titles("q=clarinet", author)).toEqual(["Marimba"]);
  });
});
