import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";
import { labelsOf, notify } from "./notifying.ts";

const api = useApi();
const ada = beforeEachTest(() => api.person());
const grace = beforeEachTest(() => api.person());

describe("the list", () => {
  it("is empty at first", async () => {
    const body = await api.get("/api/notifications", ada).ok();
    expect(body).toEqual({ notifications: [], next_cursor: null, unread_count: 0 });
  });

  it("returns only the caller's own, newest first", async () => {
    await notify(api, ada, "first");
    await notify(api, grace, "another person's");
    await notify(api, ada, "second");
    const { body } = await api.get("/api/notifications", ada);
    expect(labelsOf(body.notifications)).toEqual(["second", "first"]);
    expect((await api.get("/api/notifications?limit=1", ada).ok()).unread_count).toBe(2);
    expect(body.notifications[1]).toEqual({
      id: expect.any(String),
      type: "drop_received",
      title: "A drop for you",
      body: "Someone sent you a drop.",
      data: { drop_id: "first" },
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      read_at: null,
    });
  });

  it("can be limited to unread ones", async () => {
    const first = await notify(api, ada, "first");
    await notify(api, ada, "second");
    await api.post(`/api/notifications/${first}/read`, ada);
    const list = (unread: boolean) => api.get(`/api/notifications?unread=${unread}`, ada).ok();
    expect(labelsOf((await list(true)).notifications)).toEqual(["second"]);
    expect(labelsOf((await list(false)).notifications)).toEqual(["second", "first"]);
    expect((await list(true)).unread_count).toBe(1);
  });

  it("can be limited to a type, also of unread ones and over pages", async () => {
    await notify(api, ada, "first");
    const read = await notify(api, ada, "second");
    await api.query`insert into nectar.notifications (user_id, type) values (${ada.id}, 'export_ready')`;
    await api.post(`/api/notifications/${read}/read`, ada);
    const list = (query: string) => api.get(`/api/notifications?${query}`, ada).ok();
    const drops = await list("type=drop_received&limit=1");
    expect(labelsOf(drops.notifications)).toEqual(["second"]);
    const rest = await list(`type=drop_received&limit=1&cursor=${drops.next_cursor}`);
    expect([labelsOf(rest.notifications), rest.next_cursor]).toEqual([["first"], null]);
    const unread = await list("type=drop_received&unread=true");
    expect([labelsOf(unread.notifications), unread.unread_count]).toEqual([["first"], 2]);
    expect((await list("type=export_ready")).notifications).toMatchObject([{ type: "export_ready" }]);
    expect((await list("type=comment")).notifications).toEqual([]);
    await api.get("/api/notifications?type=drops", ada).invalid("type");
  });

  it("refuses another filter", async () => {
    for (const unread of ["yes", ""]) await api.get(`/api/notifications?unread=${unread}`, ada).invalid("unread");
  });

  it("counts the unread up to a thousand", async () => {
    await api.query`insert into nectar.notifications (user_id, type)
      select ${ada.id}, 'export_ready' from generate_series(1, 1001)`;
    expect((await api.get("/api/notifications?limit=1", ada)).body.unread_count).toBe(1_000);
  });
});

describe("reading", () => {
  it("marks one and keeps the first time", async () => {
    const id = await notify(api, ada);
    const first = await api.post(`/api/notifications/${id}/read`, ada).ok();
    expect(first.notification).toMatchObject({ id, read_at: expect.any(String) });
    expect(await api.post(`/api/notifications/${id}/read`, ada).ok()).toEqual(first);
  });

  it("is 404 for another user's notification, which stays unread", async () => {
    const id = await notify(api, ada);
    await api.post(`/api/notifications/${id}/read`, grace).refused(404, "notification.not_found");
    expect((await api.get("/api/notifications", ada)).body.unread_count).toBe(1);
  });

  it("marks all of the caller's, and keeps earlier times", async () => {
    const first = await notify(api, ada, "first");
    await notify(api, ada, "second");
    await notify(api, grace, "another person's");
    const before = await api.post(`/api/notifications/${first}/read`, ada);
    expect((await api.post("/api/notifications/read-all", ada)).body).toEqual({
      message: "All notifications are read.",
      marked: 1,
    });
    const { body } = await api.get("/api/notifications", ada);
    expect(body.unread_count).toBe(0);
    expect(body.notifications[1].read_at).toBe(before.body.notification.read_at);
    expect((await api.post("/api/notifications/read-all", ada)).body.marked).toBe(0);
    expect((await api.get("/api/notifications", grace)).body.unread_count).toBe(1);
  });
});

describe("private.notify", () => {
  it("does nothing if the account is gone", async () => {
    await api.query`select private.notify(gen_random_uuid(), 'badge_earned', '{"level": 99}')`;
    expect(await api.query`select from nectar.notifications where data = '{"level": 99}'`).toEqual([]);
  });

  it("leaves nothing when what caused it is rolled back", async () => {
    await api.query(
      `do $$ begin perform private.notify('${ada.id}', 'badge_earned', '{}');
         raise exception 'undone'; exception when raise_exception then null; end $$`,
    );
    expect((await api.get("/api/notifications", ada)).body.notifications).toEqual([]);
  });
});
