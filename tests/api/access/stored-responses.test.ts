import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { journalApp } from "#functions/journal/app";
import { useApi } from "#tests/api";
import { clientOf } from "#tests/client";
import { foundTeam } from "#tests/groups";
import { useModel } from "#tests/models";
import { beforeTests } from "#tests/prepare";
import { textAt } from "../../examples/recorder.ts";

const model = await useModel();
const api = useApi({ environment: model.environment });
const ada = beforeTests(() => api.person());
const mate = beforeTests(() => api.person());
const scene = beforeTests(() => foundTeam(api, ada, [mate]));
const SHARED = { title: "T", content: "C", mood: "calm", metadata_visibility: "public", content_visibility: "public" };

/** Words that occur nowhere else. */
const secretWords = () => `canary ${randomUUID()}`;

/** How many stored responses contain these words. */
async function responsesWith(words: string): Promise<number> {
  return (await api.query`select from private.idempotency_keys where body like '%' || ${words} || '%'`).length;
}

/** Creates something with an Idempotency-Key and returns its id. */
async function create(path: string, noun: string, body: object, as = ada): Promise<string> {
  const response = await api.post(path, as, body, { "idempotency-key": randomUUID() }).created();
  return textAt(response, `${noun}.id`);
}

describe("the stored response of a POST", () => {
  it.each<[string, string, string, (words: string) => object]>([
    ["an entry", "/api/journal", "entry", (words) => ({ title: "T", content: words, mood: "calm" })],
    ["an entry with a found mood", "/api/journal", "entry", (words) => ({ title: "T", content: words })],
    ["a notebook", "/api/notebooks", "notebook", (words) => ({ name: "N", description: words })],
    ["a goal", "/api/goals", "goal", (words) => ({ title: words })],
    ["a wellness entry", "/api/wellness-entries", "wellness_entry", (content) => ({ type: "action_note", content })],
    ["an organization", "/api/organizations", "organization", (words) => ({ name: "O", description: words })],
  ])("is deleted with %s, and no other is", async (_, path, noun, bodyWith) => {
    const [words, otherWords] = [secretWords(), secretWords()];
    const id = await create(path, noun, bodyWith(words));
    await create(path, noun, bodyWith(otherWords));
    expect(await responsesWith(words)).toBe(1);
    await api.delete(`${path}/${id}`, ada).ok();
    expect([await responsesWith(words), await responsesWith(otherWords)]).toEqual([0, 1]);
  });

  it("of a check-in is deleted with it, or with its goal", async () => {
    const [words, otherWords] = [secretWords(), secretWords()];
    const goal = await create("/api/goals", "goal", { title: "G" });
    const path = `/api/goals/${goal}/check-ins`;
    const id = await create(path, "check_in", { status: "completed", notes: words });
    await create(path, "check_in", { status: "completed", notes: otherWords });
    await api.delete(`/api/goals/${goal}/check-ins/${id}`, ada).ok();
    expect([await responsesWith(words), await responsesWith(otherWords)]).toEqual([0, 1]);
    await api.delete(`/api/goals/${goal}`, ada);
    expect(await responsesWith(otherWords)).toBe(0);
  });

  it.each<[string, () => Promise<{ path: string; noun: string }>]>([
    ["a message", async () => ({ path: `/api/teams/${scene.teamId}/messages`, noun: "team_message" })],
    [
      "a comment on an entry",
      async () => ({ path: `/api/journal/${await create("/api/journal", "entry", SHARED)}/comments`, noun: "comment" }),
    ],
    [
      "a comment on a goal",
      async () => ({ path: `/api/goals/${await create("/api/goals", "goal", SHARED)}/comments`, noun: "comment" }),
    ],
  ])("of %s by another user is deleted with it", async (_, prepare) => {
    const words = secretWords();
    const { path, noun } = await prepare();
    const id = await create(path, noun, { content: words }, mate);
    expect(await responsesWith(words)).toBe(1);
    await api.delete(`${path}/${id}`, ada).ok();
    expect(await responsesWith(words)).toBe(0);
  });

  it("is deleted with a team that another user deletes", async () => {
    const [ben, words] = [await api.person(), secretWords()];
    const org_id = await create("/api/organizations", "organization", { name: "O" });
    await api.post(`/api/organizations/${org_id}/members`, ada, { user_id: ben.id });
    const team = await create("/api/teams", "team", { org_id, name: "T", description: words, admin_id: ada.id }, ben);
    expect(await responsesWith(words)).toBe(1);
    await api.delete(`/api/teams/${team}`, ada).ok();
    expect(await responsesWith(words)).toBe(0);
  });

  it("is deleted with the account", async () => {
    const [ben, words] = [await api.person(), secretWords()];
    await create("/api/journal", "entry", { title: "T", content: words }, ben);
    expect(await responsesWith(words)).toBe(1);
    await api.query`delete from auth.users where id = ${ben.id}`;
    expect(await responsesWith(words)).toBe(0);
  });

  it("is not stored if the entry is deleted while its mood is detected", async () => {
    const words = secretWords();
    model.mode("hang");
    const client = clientOf(journalApp(api.services, { toneBudgetMs: 2_000 }).fetch);
    const key = { "idempotency-key": randomUUID() };
    const written = client.post("/api/journal", ada, { title: "T", content: words }, key);
    const found = async () => (await api.get(`/api/journal?q=${encodeURIComponent(words)}`, ada).ok()).entries[0]?.id;
    await expect.poll(found).toBeDefined();
    const id = z.guid().parse(await found());
    await api.delete(`/api/journal/${id}`, ada).ok();
    expect((await written).status).toBe(201);
    expect(await responsesWith(words)).toBe(0);
  });

  it("stays when the entry is updated, so that a replay does not create another", async () => {
    const words = secretWords();
    const key = { "idempotency-key": randomUUID() };
    const first = await api.post("/api/journal", ada, { title: "T", content: words }, key);
    await api.put(`/api/journal/${first.body.entry.id}`, ada, { title: "Other" });
    const replay = await api.post("/api/journal", ada, { title: "T", content: words }, key).created();
    expect(replay).toEqual(first.body);
  });
});
