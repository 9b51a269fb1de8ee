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
  it("lists received drops, newest first, and no sent ones; each page counts all unread ones", async () => {
    const bob = await api.person();
    const empty = { drops: [], unread_count: 0, next_cursor: null };
    expect(await api.get(`${ROOM}/received`, bob).ok()).toEqual(empty);
    const ids = await receive(bob, 3);
    await sendTo(api, bob, ada);
    const all = await api.get(`${ROOM}/received`, bob).ok();
    expect([idsOf(all.drops), all.unread_count, all.next_cursor]).toEqual([ids, 3, null]);
    const first = await api.get(`${ROOM}/received?limit=2`, bob).ok();
    const second = await api.get(`${ROOM}/received?limit=2&cursor=${first.next_cursor}`, bob).ok();
    expect([...first.drops, ...second.drops]).toEqual(all.drops);
    // Listing them has marked none as read.
    expect([first.unread_count, second.unread_count]).toEqual([3, 3]);
  });

  it("shows all drops or only unread ones, and always counts the unread", async () => {
    const bob = await api.person();
    const [newest = "", middle = "", oldest = ""] = await receive(bob, 3);
    await api.post(`${ROOM}/received/${middle}/read`, bob);
    for (const [unread, ids] of Object.entries({ true: [newest, oldest], false: [newest, middle, oldest] })) {
      const { drops, unread_count } = await api.get(`${ROOM}/received?unread=${unread}`, bob).ok();
      expect([idsOf(drops), unread_count]).toEqual([ids, 2]);
    }
    await api.get(`${ROOM}/received?unread=yes`, bob).invalid("unread");
  });

  it("shows the assistant by its configured name, as its page and reports of its drops do", async () => {
    const [bob, boss] = [await api.person(), await api.person({ role: "admin" })];
    await api.query`insert into nectar.encouragement_drops
        (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until, engagement)
      values (${SYSTEM_USER}, ${bob.id}, 'Good morning', false, '2026-11-23', '2026-11-23T09:00:00Z',
        '2026-11-24T09:00:00Z', 'never')`;
    const [drop] = (await api.get(`${ROOM}/received`, bob)).body.drops;
    expect(drop.sender).toEqual({ id: SYSTEM_USER, full_name: "Honey", avatar_url: null, is_assistant: true });
    expect((await api.get(`/api/users/${SYSTEM_USER}`, bob).ok()).user.full_name).toBe("Honey");
    await api.post("/api/reports", bob, { target_type: "drop", target_id: drop.id, reason: "spam" }).created();
    const [report] = (await api.get("/api/admin/reports", boss).ok()).reports;
    expect(report?.owner).toMatchObject({ id: SYSTEM_USER, full_name: "Honey" });
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
    const after = await api.get(`${ROOM}/received`, bob).ok();
    expect(after).toMatchObject({ drops: [first.body.drop], unread_count: 0 });
  });

  it("is 404 for the sender, other users, and super admins", async () => {
    const bob = await api.person();
    const sent = (await sendTo(api, ada, bob)).body.drop;
    const others = [ada, await api.person(), await api.person({ role: "super_admin" })];
    for (const person of others) {
      await api.post(`${ROOM}/received/${sent.id}/read`, person).refused(404, "encouragement.drop_not_found");
    }
    expect((await api.get(`${ROOM}/received`, bob)).body.unread_count).toBe(1);
  });
});
