import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, it } from "vitest";
import { newVapidKeys } from "#local/stand-ins/vapid-keys";
import type { WebPushProvider } from "#providers/push";
import { webPush } from "#providers/web-push";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";
import { deliveryOf, notify, received, receivedLabels, runJob, subscribe, usePush } from "./notifying.ts";

const { service, environment } = await usePush();
const api = useApi({ environment });
const { deliver, keys, makeAllDue, outbox, patientPush, push, stoppedClock, through } = deliveryOf(api);
beforeEach(async () => {
  await api.query`delete from auth.users where id <> private.system_user_id()`;
  service.messages.length = 0;
});
const ada = beforeEachTest(() => api.person());
const device = beforeEachTest(() => subscribe(api, service, ada));

describe("a push message", () => {
  it("has id, type, title, body and data, the topic of its notification, and lives for a day", async () => {
    const id = await notify(api, ada, "17");
    expect(await deliver()).toEqual({ sent: 1, gone: 0, failed: 0, remaining: 0 });
    const [message] = received(service, device);
    expect(message?.payload).toEqual({
      id,
      type: "drop_received",
      title: "A drop for you",
      body: "Someone sent you a drop.",
      data: { drop_id: "17" },
    });
    expect(message?.topic).toBe(Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url"));
    expect(message?.ttlSeconds).toBeGreaterThan(86_000);
    expect(message?.ttlSeconds).toBeLessThanOrEqual(86_400);
    expect(await outbox()).toEqual([{ outcome: "sent", attempts: 1, later: expect.any(Boolean) }]);
  });

  it("is not sent while the account of its recipient is closing, and not after it was restored", async () => {
    await notify(api, ada, "Before");
    await api.send("DELETE", "/api/user/account", { as: ada, body: { confirm: "DELETE" } }).ok();
    await notify(api, ada, "Meanwhile");
    expect(await deliver()).toMatchObject({ sent: 0, remaining: 0 });
    await api.post("/api/user/account/restore", ada).ok();
    await notify(api, ada, "Afterwards");
    await deliver();
    expect(receivedLabels(service, device)).toEqual(["Afterwards"]);
  });

  it("reaches every device of the recipient once, and no other device", async () => {
    const grace = await api.person();
    const [second, other] = [await subscribe(api, service, ada), await subscribe(api, service, grace)];
    await notify(api, ada);
    await deliver();
    await deliver();
    await runJob(api);
    expect(received(service, device)).toHaveLength(1);
    expect(received(service, second)).toHaveLength(1);
    expect(received(service, other)).toHaveLength(0);
  });

  it("has the whole name of its sender, however long", async () => {
    const fullName = "😀".repeat(100);
    const ben = await api.person({ fullName });
    await api.post("/api/encouragement-drops/send", ben, { recipient_id: ada.id, content: "Hello" }).created();
    await api.idle();
    expect(received(service, device)).toMatchObject([{ payload: { body: `${fullName} sent you a drop.` } }]);
  });

  it("has five seconds to be accepted, so that a batch is sent before its claim expires", async () => {
    await notify(api, ada);
    const { timeouts, provider } = watched(patientPush());
    expect(await deliver({ clock: stoppedClock(), push: through(provider) }, 60_000)).toMatchObject({ sent: 1 });
    expect(timeouts).toEqual([5_000]);
  });

  it("is sent by the job if no worker was woken", async () => {
    await notify(api, ada);
    expect((await runJob(api)).body).toEqual({
      success: true,
      message: "done",
      results: { sent: 1, gone: 0, failed: 0, remaining: 0 },
    });
    expect(received(service, device)).toHaveLength(1);
  });

  it("is not sent if the notification was read meanwhile, or is a day old", async () => {
    const read = await notify(api, ada, "read");
    const old = await notify(api, ada, "old");
    await api.post(`/api/notifications/${read}/read`, ada);
    await api.query`update private.push_deliveries set created_at = now() - interval '1 day'
      where notification_id = ${old}`;
    expect(await deliver()).toEqual({ sent: 0, gone: 0, failed: 0, remaining: 0 });
    expect((await outbox()).map(({ outcome }) => outcome).sort()).toEqual(["expired", "read"]);
    expect(service.messages).toEqual([]);
  });
});

describe("preferences.notifications = false", () => {
  const silence = (notifications: boolean) => api.put("/api/user/profile", ada, { preferences: { notifications } });

  it("stops pushes, but not the list of notifications", async () => {
    await silence(false);
    await notify(api, ada);
    expect(await deliver()).toMatchObject({ sent: 0 });
    expect(await outbox()).toEqual([]);
    expect((await api.get("/api/notifications", ada)).body.unread_count).toBe(1);
    await silence(true);
    await notify(api, ada);
    expect(await deliver()).toMatchObject({ sent: 1 });
  });

  it("also stops pending pushes", async () => {
    await notify(api, ada);
    await silence(false);
    expect(await deliver()).toMatchObject({ sent: 0 });
    expect(await outbox()).toMatchObject([{ outcome: "silenced" }]);
  });
});

describe("a device", () => {
  it.each(["gone", "unknown"] as const)(
    "that its push service calls %s is removed with its pending pushes",
    async (mode) => {
      const other = await subscribe(api, service, ada);
      service.mode(device.endpoint, mode);
      await notify(api, ada, "first");
      await notify(api, ada, "second");
      const { sent, gone } = await deliver();
      expect({ sent, gone: gone > 0 }).toEqual({ sent: 2, gone: true });
      expect(await api.query`select endpoint from nectar.push_subscriptions`).toEqual([{ endpoint: other.endpoint }]);
      await notify(api, ada, "third");
      expect(await deliver()).toEqual({ sent: 1, gone: 0, failed: 0, remaining: 0 });
    },
  );

  it("that subscribes again while it is found gone stays", async () => {
    service.mode(device.endpoint, "gone");
    await notify(api, ada);
    const renewing: WebPushProvider = {
      ...push(),
      async send(message) {
        const outcome = await push().send(message);
        await api.post("/api/notifications/push-subscriptions", ada, { ...device, keys: service.newDevice().keys });
        return outcome;
      },
    };
    await deliver({ push: through(renewing) });
    expect(await api.query`select from nectar.push_subscriptions`).toHaveLength(1);
  });

  it.each(["busy", "fail", "hang"] as const)("that is %s is tried again after waits that double", async (mode) => {
    service.mode(device.endpoint, mode);
    await notify(api, ada);
    const waits: number[] = [];
    // Each message gets all of the budget, however long the rest takes.
    const hurried = () => deliver({ clock: stoppedClock(), push: through(push()) }, 400);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await hurried()).toEqual({ sent: 0, gone: 0, failed: 0, remaining: 1 });
      expect(await hurried()).toEqual({ sent: 0, gone: 0, failed: 0, remaining: 0 });
      const row = await api.one<{ attempts: number; wait: number }>`
        select attempts, extract(epoch from next_attempt_at - now())::float as wait from private.push_deliveries`;
      expect(row.attempts).toBe(attempt);
      waits.push(row.wait);
      await makeAllDue();
    }
    // Some of the wait is over by the time it is read.
    expect(waits.map((wait) => Math.ceil(wait / 15) * 15)).toEqual([30, 60, 120]);
    service.mode(device.endpoint, "normal");
    expect(await deliver()).toMatchObject({ sent: 1 });
    expect(received(service, device)).toHaveLength(1);
  });

  it("gets no further attempt after ten", async () => {
    service.mode(device.endpoint, "fail");
    await notify(api, ada);
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      await deliver();
      await makeAllDue();
    }
    expect(await outbox()).toMatchObject([{ outcome: "given_up", attempts: 10 }]);
  });

  it("gets its message once our wrong keys are corrected", async () => {
    const others = newVapidKeys();
    for (const wrong of [others, { privateKey: others.privateKey }]) {
      const provider = webPush({ ...keys(), clock: api.services.clock, extraOrigins: [service.url], ...wrong });
      await notify(api, ada);
      expect(await deliver({ push: through(provider) })).toMatchObject({ failed: 0, remaining: 1 });
      await makeAllDue();
      expect(await deliver()).toMatchObject({ sent: 1 });
    }
    expect(received(service, device)).toHaveLength(2);
  });

  it("that refuses a message permanently does not get it again", async () => {
    await withRefusingService(async (origin, count) => {
      await api.query("update nectar.push_subscriptions set endpoint = $1", [`${origin}/push/x`]);
      const provider = webPush({ ...keys(), clock: api.services.clock, extraOrigins: [origin] });
      await notify(api, ada);
      expect(await deliver({ push: through(provider) })).toMatchObject({ failed: 1 });
      await makeAllDue();
      await deliver({ push: through(provider) });
      expect(count()).toBe(1);
      expect(await outbox()).toMatchObject([{ outcome: "refused" }]);
    });
  });

  it("that never responds delays a worker by the timeout of a message at most, and no other device", async () => {
    const others = [];
    for (let n = 0; n < 5; n += 1) others.push(await subscribe(api, service, ada));
    service.mode(device.endpoint, "hang");
    await notify(api, ada);
    const { timeouts, provider } = watched(push());
    const counts = await deliver({ clock: stoppedClock(), push: through(provider) }, 3_000);
    expect(counts).toEqual({ sent: 5, gone: 0, failed: 0, remaining: 1 });
    expect(timeouts).toEqual(Array(6).fill(3_000));
  });
});

/** A provider that also lists the timeout of each message. */
function watched(sender: WebPushProvider): { timeouts: readonly number[]; provider: WebPushProvider } {
  const timeouts: number[] = [];
  const provider: WebPushProvider = {
    ...sender,
    send(message) {
      timeouts.push(message.timeoutMs);
      return sender.send(message);
    },
  };
  return { timeouts, provider };
}

/** A push service that refuses every message with 400. */
async function withRefusingService(work: (origin: string, count: () => number) => Promise<void>): Promise<void> {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.writeHead(400).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => asked);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
