import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import { beforeEachTest } from "#tests/prepare";
import { deliveryOf, received, subscribe, usePush } from "./notifying.ts";

const { service, environment } = await usePush();
const api = useApi({ environment });
const { deliver } = deliveryOf(api);
const ada = beforeEachTest(() => api.person());
const ben = beforeEachTest(() => api.person());
const scene = beforeEachTest(() => foundTeam(api, ada, [ben]));
const device = beforeEachTest(async () => {
  await api.idle();
  return subscribe(api, service, ben);
});

const send = (content: string) => api.post(`/api/teams/${scene.teamId}/messages`, ada, { content }).created();
const pushMessages = (team_message: boolean) =>
  api.put("/api/notifications/settings", ben, { push: { team_message } }).ok();
async function pushed() {
  await api.idle();
  await deliver();
  return received(service, device).map(({ payload }) => payload);
}

describe("messages are pushed", () => {
  it("to no one by default", async () => {
    await send("Hello");
    expect(await pushed()).toEqual([]);
    await pushMessages(true);
    await pushMessages(false);
    await send("Hello again");
    expect(await pushed()).toEqual([]);
  });

  it("once for all unread messages of a room, to those who switched it on, without their text", async () => {
    await pushMessages(true);
    for (const content of ["A secret", "Another secret", "A third secret"]) await send(content);
    const messages = await pushed();
    expect(messages).toMatchObject([{ type: "team_message", title: "New messages in your team" }]);
    expect(JSON.stringify(messages)).not.toContain("secret");
    await api.post("/api/notifications/read-all", ben).ok();
    await send("After reading");
    expect(await pushed()).toHaveLength(2);
  });

  it("not if the recipient blocks the sender before the push is sent", async () => {
    await pushMessages(true);
    await api.query`update nectar.notifications set read_at = now() where user_id = ${ben.id}`;
    await api.inTransaction(async ({ query }) => {
      // The outbox is locked, so that no push is claimed before the block.
      await query`lock table private.push_deliveries in exclusive mode`;
      const sending = send("Hello");
      await api.untilWaiting();
      await query`insert into nectar.blocks (user_id, blocked_id) values (${ben.id}, ${ada.id})`;
      await query`commit`;
      await sending;
    });
    expect(await pushed()).toEqual([]);
  });
});
