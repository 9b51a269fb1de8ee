import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { fill, type SignedInRoute, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { useModel } from "#tests/models";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { validRequest } from "#tests/valid-request";
import { moderatingOf } from "./moderating.ts";

const api = useApi({ environment: { ...(await useFileStore()), ...(await useModel()).environment } });
const { hide } = moderatingOf(api);
const reader = beforeTests(() => api.person());

/** Makes something public of each kind. @returns their ids */
async function publicThings(owner: Person) {
  const visibility = { metadata_visibility: "public", content_visibility: "public" };
  const entry = { title: "A walk", content: "To the lake", ...visibility };
  const pack = { name: "Cranes", theme: "origami", is_public: true };
  return {
    journal: (await api.post("/api/journal", owner, entry).created()).entry.id,
    notebooks: (await api.post("/api/notebooks", owner, { name: "Walks", ...visibility }).created()).notebook.id,
    goals: (await api.post("/api/goals", owner, { title: "Walk", ...visibility }).created()).goal.id,
    "tone-packs": (await api.post("/api/tone-packs", owner, pack).created()).tone_pack.id,
  };
}
type Things = Awaited<ReturnType<typeof publicThings>>;

const SCENES: Readonly<Record<string, (owner: Person, things: Things) => Promise<unknown>>> = {
  "a thing of a user whom you blocked": (owner) => api.post("/api/blocks", reader, { user_id: owner.id }).created(),
  "a thing of a user who blocked you": (owner) => api.post("/api/blocks", owner, { user_id: reader.id }).created(),
  "a hidden thing": async (_, things) => {
    await hide(reader, "entry", things.journal);
    await hide(reader, "notebook", things.notebooks);
    await hide(reader, "goal", things.goals);
    await hide(reader, "tone_pack", things["tone-packs"]);
  },
};

const KINDS = ["journal", "notebooks", "goals", "tone-packs"] as const;
const routes = KINDS.flatMap((kind) =>
  signedInRoutes()
    .filter(({ path }) => path.startsWith(`/api/${kind}/{id}`))
    .map((route) => ({ kind, route, name: `${route.method} ${route.path}` })),
);

async function send(route: SignedInRoute, id: string) {
  const { body, headers } = await validRequest(route, () => ({}));
  const path = fill(route.path, { id, userId: reader.id });
  const response = await api.send(route.method, path, { as: reader, body, headers });
  return { status: response.status, body: response.body };
}

describe.each(Object.entries(SCENES))("%s is refused exactly as one that does not exist", (_, makeScene) => {
  let things: Things;
  beforeAll(async () => {
    const owner = await api.person();
    things = await publicThings(owner);
    await makeScene(owner, things);
  });

  it.each(routes)("by $name", async ({ kind, route }) => {
    const missing = await send(route, randomUUID());
    expect(missing.status).toBe(404);
    expect(await send(route, things[kind])).toEqual(missing);
  });

  it("by its backgrounds", async () => {
    const list = async (id: string) => (await api.get(`/api/ai/backgrounds?entry_id=${id}`, reader)).text;
    expect(await list(things.journal)).toBe(await list(randomUUID()));
    const generate = async (entry_id: string) => {
      const { status, body } = await api.post("/api/ai/generate-background", reader, { entry_id });
      return { status, body };
    };
    expect(await generate(things.journal)).toEqual(await generate(randomUUID()));
  });

  it("in a drop about it", async () => {
    const drop = { recipient_id: (await api.person()).id, content: "Go on.", entry_id: things.journal };
    await api.post("/api/encouragement-drops/send", reader, drop).refused(404, "journal.not_found");
  });
});
