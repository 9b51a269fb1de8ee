import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { ROOM, SYSTEM_USER, sendTo } from "../sending.ts";

const api = useApi({ environment: { ASSISTANT_NAME: "Honey" } });
const ada = beforeTests(() => api.person({ fullName: "Ada" }));

/** Sends drops, a second apart. @returns their ids, newest first */
async function receive(recipient: Person, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    api.at(`2026-11-23T10:00:0${n}.000Z`);
    const sender = await api.person();
    ids.unshift((await sendTo(api, sender, recipient)).body.drop.id);
  }
  return ids;
}

const idsOf = (drops: readonly { id: string }[]) => drops.map(({ id }) => id);

describe("GET /api/encouragement-drops/received", () => {
  it("is empty for a new user", async () => {
    const bob = await api.person();
    expect((await api.get(`${ROOM}/received`, bob)).body).toEqual({ drops: [], unread_count: 0, next_cursor: null });
  });

  it("lists received drops, newest first, and no sent ones", async () => {
    const bob = await api.person();
    const ids = await receive(bob, 3);
    await sendTo(api, bob, ada);
    const { body } = await api.get(`${ROOM}/received`, bob);
    expect(idsOf(body.drops)).toEqual(ids);
    expect([body.unread_count, body.next_cursor]).toEqual([3, null]);
  });

  it("lists every drop exactly once, in pages", async () => {
    const bob = await api.person();
    const ids = await receive(bob, 5);
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const { body } = await api.get(`${ROOM}/received?limit=2${cursor}`, bob);
      seen.push(...idsOf(body.drops));
      expect(body.unread_count).toBe(5);
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual(ids);
  });

  it("shows all drops or only unread ones, and always counts the unread", async () => {
    const bob = await api.person();
    const [newest = "", middle = "", oldest = ""] = await receive(bob, 3);
    await api.post(`${ROOM}/received/${middle}/read`, bob);
    const unread = (await api.get(`${ROOM}/received?unread=true`, bob)).body;
    expect(idsOf(unread.drops)).toEqual([newest, oldest]);
    expect(unread.unread_count).toBe(2);
    const all = (await api.get(`${ROOM}/received?unread=false`, bob)).body;
    expect(idsOf(all.drops)).toEqual([newest, middle, oldest]);
    expect(all.unread_count).toBe(2);
  });

  it("marks no drop as read", async () => {
    const bob = await api.person();
    await receive(bob, 1);
    await api.get(`${ROOM}/received`, bob);
    expect((await api.get(`${ROOM}/received`, bob)).body.drops[0].read_at).toBeNull();
  });

  it("shows the assistant by its configured name, as its page and reports of its drops do", async () => {
    const [bob, boss] = [await api.person(), await api.person({ role: "admin" })];
    await api.query(
      `insert into nectar.encouragement_drops
           (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until, engagement)
         values ($1, $2, 'Good morning', false, '2026-11-23', '2026-11-23T09:00:00Z', '2026-11-24T09:00:00Z', 'never')`,
      [SYSTEM_USER, bob.id],
    );
    const [drop] = (await api.get(`${ROOM}/received`, bob)).body.drops;
    expect(drop.sender).toEqual({ id: SYSTEM_USER, full_name: "Honey", avatar_url: null, is_assistant: true });
    expect((await api.get(`/api/users/${SYSTEM_USER}`, bob).ok()).user.full_name).toBe("Honey");
    await api.post("/api/reports", bob, { target_type: "drop", target_id: drop.id, reason: "spam" }).created();
    const [report] = (await api.get("/api/admin/reports", boss).ok()).reports;
    expect(report?.owner).toMatchObject({ id: SYSTEM_USER, full_name: "Honey" });
  });

  it.each(["unread=yes", "limit=0", "limit=x", "cursor=x"])("is 400 with %s", async (query) => {
    await api.get(`${ROOM}/received?${query}`, ada).refused(400, "request.invalid");
  });
});

describe("POST /api/encouragement-drops/received/:id/read", () => {
  it("keeps the first time when repeated", async () => {
    const bob = await api.person();
    const [id] = await receive(bob, 1);
    api.at("2026-11-23T11:00:00.000Z");
    const first = await api.post(`${ROOM}/received/${id}/read`, bob);
    expect([first.status, first.body.drop.id, first.body.drop.read_at]).toEqual([200, id, "2026-11-23T11:00:00.000Z"]);
    api.at("2026-11-23T12:00:00.000Z");
    expect((await api.post(`${ROOM}/received/${id}/read`, bob)).body).toEqual(first.body);
    expect((await api.get(`${ROOM}/received`, bob)).body).toMatchObject({
      drops: [first.body.drop],
      unread_count: 0,
    });
  });

  it("is 404 for the sender, other users, super admins, and unknown drops", async () => {
    const bob = await api.person();
    const sent = (await sendTo(api, ada, bob)).body.drop;
    const others = [ada, await api.person(), await api.person({ role: "super_admin" })];
    for (const person of others) {
      await api.post(`${ROOM}/received/${sent.id}/read`, person).refused(404, "encouragement.drop_not_found");
    }
    await api.post(`${ROOM}/received/${randomUUID()}/read`, bob).refused(404);
    expect((await api.get(`${ROOM}/received`, bob)).body.unread_count).toBe(1);
  });
});
