import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());
const team = beforeTests(() => foundTeam(api, ada, [ben]));

const WALK = { title: "A walk", content: "To the lake" };
/** Every thing with an etag: how it is made, changed, and changed by nothing. */
const THINGS = {
  entry: { list: "/api/journal", made: WALK, change: { content: "To the sea" } },
  notebook: { list: "/api/notebooks", made: { name: "Walks" }, change: { template: "Where?" } },
  goal: { list: "/api/goals", made: { title: "Run" }, change: { description: "In spring" } },
  wellness_entry: {
    list: "/api/wellness-entries",
    made: { type: "sleep", hours: 7 },
    change: { hours: 8 },
  },
} as const;
const cases = Object.entries(THINGS).map(([noun, thing]) => ({ noun, ...thing }));

/** A thing of Ada's, with the address and the etag that its POST returned. */
async function make({ noun, list, made }: Pick<(typeof cases)[number], "noun" | "list" | "made">) {
  const response = await api.post(list, ada, made);
  const thing: { id: string } = Object(response.body)[noun];
  return { at: `${list}/${thing.id}` as const, etag: etagOf(response) };
}

const etagOf = ({ headers }: { readonly headers: Headers }) => headers.get("etag") ?? "none";
const readEtag = async (at: string, as = ada) => etagOf(await api.send("GET", at, { as }));
const ifNoneMatch = (at: string, etag: string, as: Person = ada) =>
  api.send("GET", at, { as, headers: { "if-none-match": etag } });
const ifMatch = (method: string, at: string, etag: string, body?: object, as: Person = ada) =>
  api.send(method, at, { as, body, headers: { "if-match": etag } });

describe.each(cases)("the etag of $noun", ({ noun, list, made, change }) => {
  it("is on what POST, GET and PUT return, and changes with the thing", async () => {
    const { at, etag } = await make({ noun, list, made });
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(await readEtag(at)).toBe(etag);
    const changed = etagOf(await api.send("PUT", at, { as: ada, body: change }));
    expect(changed).not.toBe(etag);
    expect(await readEtag(at)).toBe(changed);
  });

  it("spares a reader who has the present state the body", async () => {
    const { at, etag } = await make({ noun, list, made });
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await ifNoneMatch(at, header);
      expect([response.status, response.text, etagOf(response)]).toEqual([304, "", etag]);
    }
    await api.send("PUT", at, { as: ada, body: change }).ok();
    expect((await ifNoneMatch(at, etag)).status).toBe(200);
    await ifNoneMatch(at, etag, await api.person()).refused(404);
  });

  it("keeps a writer from overwriting another state", async () => {
    const { at, etag } = await make({ noun, list, made });
    const present = etagOf(await ifMatch("PUT", at, etag, change));
    const before = await api.send("GET", at, { as: ada });
    await ifMatch("PUT", at, etag, change).refused(412, "sync.changed_meanwhile");
    await ifMatch("DELETE", at, etag).refused(412, "sync.changed_meanwhile");
    expect((await api.send("GET", at, { as: ada })).body).toEqual(before.body);
    expect((await ifMatch("PUT", at, "*", change)).status).toBe(200);
    await ifMatch("DELETE", at, await readEtag(at)).ok();
    for (const method of ["PUT", "DELETE"]) {
      for (const header of ["*", present]) await ifMatch(method, at, header, change).refused(404);
    }
  });

  it.each(['W/"a"', '"a", "b"', "a", '"a', ""])("must be one strong etag in If-Match, not %j", async (header) => {
    const { at } = await make({ noun, list, made });
    await ifMatch("PUT", at, header, change).invalid("If-Match");
    await ifMatch("DELETE", at, header).invalid("If-Match");
  });
});

describe("the etag of a profile", () => {
  const AT = "/api/user/profile";

  it("changes with the card, the settings and the role, and not with the balance", async () => {
    const cleo = await api.person();
    const seen = [await readEtag(AT, cleo)];
    for (const change of [{ full_name: "Cleo" }, { timezone: "Asia/Tokyo" }, { preferences: { theme: "dark" } }]) {
      seen.push(etagOf(await api.put(AT, cleo, change)));
    }
    await api.query`insert into nectar.user_roles (user_id, role) values (${cleo.id}, 'admin')`;
    seen.push(await readEtag(AT, cleo));
    expect(new Set(seen).size).toBe(5);
    await api.query`update nectar.accounts set drops_balance = drops_balance + 1 where user_id = ${cleo.id}`;
    expect((await ifNoneMatch(AT, seen.at(-1) ?? "", cleo)).status).toBe(304);
  });

  it("is checked by If-Match", async () => {
    const etag = await readEtag(AT);
    await ifMatch("PUT", AT, etag, { full_name: "Ada L." }).ok();
    await ifMatch("PUT", AT, etag, { full_name: "Ada" }).refused(412);
    expect((await api.get(AT, ada).ok()).profile.full_name).toBe("Ada L.");
  });
});

describe("an etag", () => {
  it("depends on the right to the content", async () => {
    const shared = { metadata_visibility: "team", content_visibility: "team", team_id: team.teamId };
    for (const { list, noun } of cases.filter((one) => one.noun !== "wellness_entry")) {
      const { made } = THINGS[noun as "entry"];
      const { at } = await make({ noun, list, made: { ...made, ...shared } });
      const withContent = await readEtag(at, ben);
      expect((await ifNoneMatch(at, withContent, ben)).status).toBe(304);
      await api.send("PUT", at, { as: ada, body: { content_visibility: "user" } }).ok();
      const without = await readEtag(at, ben);
      expect(await readEtag(at)).not.toBe(without);
      expect((await ifNoneMatch(at, without, ben)).status).toBe(304);
    }
  });

  it("depends on the right of a reader alone, if that changes without the entry", async () => {
    const { orgId, teamId } = await foundTeam(api, ada, [ben]);
    const shared = { metadata_visibility: "org", content_visibility: "team", org_id: orgId, team_id: teamId };
    const { at, etag } = await make({ ...THINGS.entry, noun: "entry", made: { ...WALK, ...shared } });
    const before = await readEtag(at, ben);
    expect(before).toBe(etag);
    await api.delete(`/api/teams/${teamId}/members/${ben.id}`, ben).ok();
    expect((await ifNoneMatch(at, before, ben)).status).toBe(200);
    expect(await readEtag(at)).toBe(etag);
  });

  it("stays when only counts, streaks and effective visibility change", async () => {
    const { at: entry, etag } = await make({ ...THINGS.entry, noun: "entry" });
    const { at: goal, etag: goalEtag } = await make({ ...THINGS.goal, noun: "goal" });
    await api.send("POST", `${entry}/comments`, { as: ada, body: { content: "Nice" } }).created();
    await api.send("POST", `${goal}/check-ins`, { as: ada, body: { status: "completed" } }).created();
    expect(await readEtag(entry)).toBe(etag);
    expect(await readEtag(goal)).toBe(goalEtag);
    const { orgId, teamId } = await foundTeam(api, ben, [ada]);
    const shared = { ...WALK, metadata_visibility: "team", team_id: teamId, org_id: orgId };
    const { at, etag: ofShared } = await make({ ...THINGS.entry, noun: "entry", made: shared });
    await api.delete(`/api/organizations/${orgId}/members/${ada.id}`, ada).ok();
    expect((await api.get(at as "/api/journal/:id", ada)).body).toMatchObject({
      entry: { metadata_visibility: "team", effective_metadata_visibility: "user" },
    });
    expect(await readEtag(at)).toBe(ofShared);
  });

  it("changes when an admin hides the thing", async () => {
    for (const { noun, list, made } of cases.filter((one) => one.noun !== "wellness_entry")) {
      const { at, etag } = await make({ noun, list, made });
      const table = noun === "entry" ? "journal_entries" : `${noun}s`;
      await api.query(`update nectar.${table} set hidden_at = now() where id = '${at.split("/").at(-1)}'`);
      expect(await readEtag(at)).not.toBe(etag);
    }
  });

  it("is refused after every other reason but 409", async () => {
    const { at } = await make({ ...THINGS.entry, noun: "entry" });
    const stale = '"stale"';
    await ifMatch("PUT", at, stale, { title: "" }).invalid("title");
    await ifMatch("PUT", at, stale, { title: "x" }, await api.person()).refused(404);
    const elsewhere = await foundTeam(api, ben);
    const foreign = { metadata_visibility: "team", team_id: elsewhere.teamId };
    await ifMatch("PUT", at, stale, foreign).refused(403, "visibility.not_a_member");
    const unknown = { notebook_id: "00000000-0000-4000-8000-00000000dead" };
    await ifMatch("PUT", at, stale, unknown).refused(404, "notebook.not_found");
    await ifMatch("PUT", at, stale, { title: "x" }).refused(412);
  });

  it("lets one of two writers of the same state win", async () => {
    for (const { noun, list, made, change } of cases) {
      const { at, etag } = await make({ noun, list, made });
      const both = await Promise.all([ifMatch("PUT", at, etag, change), ifMatch("PUT", at, etag, change)]);
      const statuses = both.map(({ status }) => status).toSorted();
      expect(statuses, noun).toEqual([200, 412]);
    }
  });
});
