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
    await api.post("/api/blocks", ada, { user_id: ada.id }).refused(400, "block.self_block");
    await api.post("/api/blocks", ada, { user_id: SYSTEM_USER }).refused(400, "block.system_user");
    await api.post("/api/blocks", ada, { user_id: randomUUID() }).refused(404, "user.not_found");
    await api.post("/api/blocks", ada, { user_id: "ben" }).invalid("user_id");
    await api.post("/api/blocks", ada, {}).invalid("user_id");
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
    await api.delete(`/api/blocks/${cleo.id}`, ada).ok();
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
    await unblock(ben, ada).refused(404, "block.not_found");
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

describe("unblocking a user", () => {
  it("is 404 without a block, also for yourself and an unknown user", async () => {
    for (const id of [ben.id, ada.id, randomUUID()]) {
      await api.delete(`/api/blocks/${id}`, ada).refused(404, "block.not_found");
    }
    await api.delete("/api/blocks/ben", ada).invalid("userId");
  });
});

describe("the list of blocks", () => {
  it("is paged, newest first", async () => {
    const cleo = await api.person();
    const others = await Promise.all(Array.from({ length: 5 }, () => api.person()));
    for (const other of others) await block(cleo, other).created();
    // All at one moment but the last, so that the id decides about the others.
    await api.query`update nectar.blocks set created_at = '2026-01-01' where user_id = ${cleo.id} and blocked_id <> ${others[4]?.id}`;
    const first = await api.get("/api/blocks?limit=3", cleo).ok();
    const second = await api.get(`/api/blocks?limit=3&cursor=${first.next_cursor}`, cleo).ok();
    const ids = others.map(({ id }) => id);
    expect([...first.blocks, ...second.blocks].map(({ user_id }) => user_id)).toEqual([
      ids[4],
      ...ids.slice(0, 4).toSorted().toReversed(),
    ]);
    expect(second.next_cursor).toBeNull();
  });

  it("loses a user who deletes the account", async () => {
    const [cleo, dan] = [await api.person(), await api.person()];
    await block(cleo, dan).created();
    await block(dan, cleo).created();
    await api.query`delete from auth.users where id = ${dan.id}`;
    expect((await api.get("/api/blocks", cleo).ok()).blocks).toEqual([]);
    expect(await api.query`select from nectar.blocks where ${cleo.id} in (user_id, blocked_id)`).toEqual([]);
  });
});
