import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import { beforeTests } from "#tests/prepare";

const SYSTEM_USER = "00000000-0000-4000-8000-000000000001";

const api = useApi();
const ada = beforeTests(() => api.person({ fullName: "Ada" }));
const ben = beforeTests(() => api.person({ fullName: "Ben" }));

const block = (as = ada, other = ben) => api.post("/api/blocks", as, { user_id: other.id });
const unblock = (as = ada, other = ben) => api.delete(`/api/blocks/${other.id}`, as);

describe("blocking a user", () => {
  beforeAll(() => foundTeam(api, ada, [ben]));

  it("returns the block, and again the same one with 200", async () => {
    const first = await block().created();
    expect(first.block).toEqual({ user_id: ben.id, full_name: "Ben", created_at: expect.any(String) });
    expect(await block().ok()).toEqual(first);
    expect((await api.get("/api/blocks", ada).ok()).blocks).toEqual([first.block]);
    await unblock().ok();
  });

  it("is refused for yourself, for the assistant and for an unknown user", async () => {
    const send = (user_id?: string) => api.post("/api/blocks", ada, { user_id });
    await send(ada.id).refused(400, "block.self_block");
    await send(SYSTEM_USER).refused(400, "block.system_user");
    await send(randomUUID()).refused(404, "user.not_found");
  });

  it("is possible for a synthetic user", async () => {
    const root = await api.person({ role: "super_admin" });
    const { users } = await api.post("/api/workout-window/admin/ai-users/generate", root, { count: 1 }).created();
    const [synthetic] = users;
    await api.post("/api/blocks", root, { user_id: synthetic?.id }).created();
  });

  it("has a name only if the page of the user could be seen", async () => {
    const cleo = await api.person({ fullName: "Cleo" });
    const { block: unnamed } = await block(ada, cleo).created();
    expect(unnamed.full_name).toBeNull();
    await unblock(ada, cleo).ok();
    const { orgId } = await foundTeam(api, ada, [cleo]);
    expect((await block(ada, cleo).created()).block.full_name).toBe("Cleo");
    await api.delete(`/api/organizations/${orgId}/members/${cleo.id}`, ada).ok();
    expect((await block(ada, cleo).ok()).block.full_name).toBe("Cleo");
    expect((await api.get("/api/blocks", ada).ok()).blocks).toMatchObject([{ full_name: "Cleo" }]);
    await unblock(ada, cleo).ok();
  });

  it("is not shown to the other user, who can block as well", async () => {
    await block().created();
    expect((await api.get("/api/blocks", ben).ok()).blocks).toEqual([]);
    for (const other of [ada, ben]) await unblock(ben, other).refused(404, "block.not_found");
    await block(ben, ada).created();
    await unblock(ben, ada).ok();
    expect((await api.get("/api/blocks", ada).ok()).blocks).toMatchObject([{ user_id: ben.id }]);
    await unblock().ok();
  });

  it("makes one block of many requests at once, one of which creates it", async () => {
    const cleo = await api.person();
    const responses = await Promise.all(Array.from({ length: 10 }, () => block(cleo, ben)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  });

  it("happens again after unblocking, also with the same Idempotency-Key", async () => {
    const key = { "idempotency-key": randomUUID() };
    const [cleo, dan] = [await api.person(), await api.person()];
    await api.post("/api/blocks", cleo, { user_id: ben.id }, key).created();
    await api.post("/api/blocks", dan, { user_id: ben.id }, key).created();
    await unblock(cleo).ok();
    await api.post("/api/blocks", cleo, { user_id: ben.id }, key).created();
    expect((await api.get("/api/blocks", cleo).ok()).blocks).toHaveLength(1);
    const replay = await api.post("/api/blocks", dan, { user_id: ben.id }, key);
    expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  });

  it("keeps the status of a repeated request with an Idempotency-Key", async () => {
    const key = { "idempotency-key": randomUUID() };
    const cleo = await api.person();
    await block(cleo).created();
    const first = await api.post("/api/blocks", cleo, { user_id: ben.id }, key).ok();
    expect(await api.post("/api/blocks", cleo, { user_id: ben.id }, key).ok()).toEqual(first);
  });
});

describe("the list of blocks", () => {
  it("is newest first", async () => {
    const [cleo, dan, eve] = [await api.person(), await api.person(), await api.person()];
    for (const other of [dan, eve]) await block(cleo, other).created();
    await api.query`update nectar.blocks set created_at = '2026-01-01' where blocked_id = ${dan.id}`;
    const { blocks } = await api.get("/api/blocks", cleo).ok();
    expect(blocks.map(({ user_id }) => user_id)).toEqual([eve.id, dan.id]);
  });
});
