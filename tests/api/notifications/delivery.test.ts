import { createECDH } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Device } from "@nectar/local/stand-ins/push-pages";
import { deliverDue, deliverPushes } from "@nectar/notifications/deliver";
import { type PushProvider, webPush } from "@nectar/providers/push";
import pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { notify, received, runJob, subscribe, usePush } from "./notifying.ts";

const { service, environment } = await usePush();
const api = useApi({ environment: { ...environment, DATABASE_POOL_SIZE: "20" } });
/** Delivers with time to spare, so that nothing depends on how fast the machine is. */
const deliver = (recipients?: readonly Person[]) =>
  deliverPushes(
    { ...api.services, push: patient() },
    { ...(recipients === undefined ? {} : { recipients: recipients.map(({ id }) => id) }), budgetMs: 60_000 },
  );
/** Time that stands still, and goes on by hand. */
function heldClock() {
  let now = api.services.clock.now().getTime();
  return { now: () => new Date(now), goOn: (milliseconds: number) => (now += milliseconds) };
}
const outbox = () =>
  api.query(
    `select outcome, attempts, (next_attempt_at - now() > interval '1 second') as later
     from private.push_deliveries order by created_at, notification_id`,
  );
/** Lets time pass for all deliveries: what was put off, or is on lease, is due. */
const later = () => api.query("update private.push_deliveries set next_attempt_at = now() - interval '1 ms'");

let ada: Person;
let device: Device;
beforeEach(async () => {
  await api.query("delete from auth.users where id <> private.system_user_id()");
  service.messages.length = 0;
  ada = await api.person();
  device = await subscribe(api, service, ada);
});

describe("a push message", () => {
  it("tells id, type, title, body and data, for a day, under the notification's own topic", async () => {
    const id = await notify(api, ada, "A drop", { drop_id: "17" });
    expect(await deliver([ada])).toEqual({ sent: 1, gone: 0, failed: 0, remaining: 0 });
    const [message] = received(service, device);
    expect(message?.payload).toEqual({
      id,
      type: "drop_received",
      title: "A drop",
      body: "Somebody thought of you.",
      data: { drop_id: "17" },
    });
    expect(message?.topic).toBe(Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url"));
    expect(message?.ttlSeconds).toBeGreaterThan(86_000);
    expect(message?.ttlSeconds).toBeLessThanOrEqual(86_400);
    expect(await outbox()).toEqual([{ outcome: "sent", attempts: 1, later: expect.any(Boolean) }]);
  });

  it("goes to every device of the recipient once, and to nobody else's", async () => {
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

  it("is cut to three kilobytes, whatever it holds", async () => {
    await api.query("select private.notify($1, 'drop_received', repeat('😀', 200), repeat('😀', 1000), $2)", [
      ada.id,
      JSON.stringify({ text: "é".repeat(500) }),
    ]);
    expect(await deliver([ada])).toMatchObject({ sent: 1 });
    const [text = ""] = service.messages.map((message) => message.text ?? "");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_072);
    expect(Buffer.byteLength(text)).toBeGreaterThan(3_060);
    const { title, body, data } = JSON.parse(text);
    expect(title).toBe("😀".repeat(200));
    expect(body).toMatch(/^(😀)+…$/u);
    expect(data.text).toHaveLength(500);
  });

  it("of those whom a request names goes out, and of others stays for the job", async () => {
    const grace = await api.person();
    const other = await subscribe(api, service, grace);
    await notify(api, ada);
    await notify(api, grace);
    expect(await deliver([ada])).toMatchObject({ sent: 1 });
    expect(received(service, other)).toEqual([]);
    expect((await runJob(api)).body).toEqual({
      success: true,
      message: "done",
      results: { sent: 1, gone: 0, failed: 0, remaining: 0 },
    });
    expect(received(service, other)).toHaveLength(1);
  });

  it("is not sent for what was read in the meantime, nor for what is a day old", async () => {
    const read = await notify(api, ada, "read");
    const old = await notify(api, ada, "old");
    await api.post(`/api/notifications/${read}/read`, ada);
    await api.query("update nectar.notifications set created_at = now() - interval '1 day' where id = $1", [old]);
    expect(await deliver([ada])).toEqual({ sent: 0, gone: 0, failed: 0, remaining: 0 });
    expect((await outbox()).map(({ outcome }) => outcome).sort()).toEqual(["expired", "read"]);
    expect(service.messages).toEqual([]);
  });
});

describe("preferences.notifications = false", () => {
  const silence = (notifications: boolean) => api.put("/api/user/profile", ada, { preferences: { notifications } });

  it("silences the push and leaves the list", async () => {
    await silence(false);
    await notify(api, ada);
    expect(await deliver([ada])).toMatchObject({ sent: 0 });
    expect(await outbox()).toEqual([]);
    expect((await api.get("/api/notifications", ada)).body.unread_count).toBe(1);
    await silence(true);
    await notify(api, ada);
    expect(await deliver([ada])).toMatchObject({ sent: 1 });
  });

  it("also silences what waits already", async () => {
    await notify(api, ada);
    await silence(false);
    expect(await deliver([ada])).toMatchObject({ sent: 0 });
    expect(await outbox()).toMatchObject([{ outcome: "silenced" }]);
  });
});

describe("a device", () => {
  it.each(["gone", "unknown"] as const)(
    "that its push service calls %s is removed with all that waits",
    async (mode) => {
      const other = await subscribe(api, service, ada);
      service.mode(device.endpoint, mode);
      await notify(api, ada, "first");
      await notify(api, ada, "second");
      const { sent, gone } = await deliver([ada]);
      expect({ sent, gone: gone > 0 }).toEqual({ sent: 2, gone: true });
      expect(await api.query("select endpoint from nectar.push_subscriptions")).toEqual([{ endpoint: other.endpoint }]);
      await notify(api, ada, "third");
      expect(await deliver([ada])).toEqual({ sent: 1, gone: 0, failed: 0, remaining: 0 });
    },
  );

  it("that subscribed anew while it was found gone stays", async () => {
    service.mode(device.endpoint, "gone");
    await notify(api, ada);
    const renewing: PushProvider = {
      ...pushOf(),
      async send(message) {
        const outcome = await pushOf().send(message);
        await api.post("/api/notifications/push-subscriptions", ada, {
          ...device,
          keys: service.newDevice().keys,
        });
        return outcome;
      },
    };
    await deliverDue({ ...api.services, push: renewing }, { budgetMs: 60_000 });
    expect(await api.query("select from nectar.push_subscriptions")).toHaveLength(1);
  });

  it.each(["busy", "fail", "hang"] as const)("that is %s is tried again later, and later each time", async (mode) => {
    service.mode(device.endpoint, mode);
    await notify(api, ada);
    const waits: number[] = [];
    // Each message gets all of the budget, however long the rest takes.
    const hurried = () => deliverPushes({ ...api.services, clock: heldClock() }, { budgetMs: 400 });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await hurried()).toEqual({ sent: 0, gone: 0, failed: 0, remaining: 1 });
      expect(await hurried()).toEqual({ sent: 0, gone: 0, failed: 0, remaining: 0 });
      const row = await api.one<{ attempts: number; wait: number }>(
        "select attempts, extract(epoch from next_attempt_at - now())::float as wait from private.push_deliveries",
      );
      expect(row.attempts).toBe(attempt);
      waits.push(row.wait);
      await later();
    }
    // Some of the wait is over by the time it is read.
    expect(waits.map((wait) => Math.ceil(wait / 15) * 15)).toEqual([30, 60, 120]);
    service.mode(device.endpoint, "normal");
    expect(await deliver([ada])).toMatchObject({ sent: 1 });
    expect(received(service, device)).toHaveLength(1);
  });

  it("is given up after ten attempts", async () => {
    service.mode(device.endpoint, "fail");
    await notify(api, ada);
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      await deliver([ada]);
      await later();
    }
    expect(await outbox()).toMatchObject([{ outcome: "given_up", attempts: 10 }]);
  });

  it("gets its message after all when the keys of ours that its push service did not know are mended", async () => {
    const ecdh = createECDH("prime256v1");
    const others = { publicKey: ecdh.generateKeys("base64url"), privateKey: ecdh.getPrivateKey("base64url") };
    for (const wrong of [others, { privateKey: others.privateKey }]) {
      const push = webPush({ ...keysOf(), extraOrigins: [service.url], ...wrong });
      await notify(api, ada);
      expect(await deliverDue({ ...api.services, push }, { budgetMs: 60_000 })).toMatchObject({
        failed: 0,
        remaining: 1,
      });
      await later();
      expect(await deliver([ada])).toMatchObject({ sent: 1 });
    }
    expect(received(service, device)).toHaveLength(2);
  });

  it("that refuses for good is not asked again about that message", async () => {
    await withRefusingService(async (origin, count) => {
      await api.query("update nectar.push_subscriptions set endpoint = $1", [`${origin}/push/x`]);
      const push = webPush({ ...keysOf(), extraOrigins: [origin] });
      await notify(api, ada);
      expect(await deliverDue({ ...api.services, push }, { budgetMs: 60_000 })).toMatchObject({ failed: 1 });
      await later();
      await deliverDue({ ...api.services, push }, { budgetMs: 60_000 });
      expect(count()).toBe(1);
      expect(await outbox()).toMatchObject([{ outcome: "refused" }]);
    });
  });

  it("that never answers keeps a request no longer than its budget, and nobody else waiting", async () => {
    const others = [];
    for (let n = 0; n < 5; n += 1) others.push(await subscribe(api, service, ada));
    service.mode(device.endpoint, "hang");
    await notify(api, ada);
    const timeouts = new Set<number>();
    const watched: PushProvider = {
      ...pushOf(),
      send(message) {
        timeouts.add(message.timeoutMs);
        return pushOf().send(message);
      },
    };
    const counts = await deliverDue({ ...api.services, clock: heldClock(), push: watched }, { budgetMs: 3_000 });
    expect(counts).toEqual({ sent: 5, gone: 0, failed: 0, remaining: 1 });
    expect([...timeouts]).toEqual([3_000]);
  });
});

describe("the outbox", () => {
  it("holds what was committed although nobody delivered it, and nothing of what was undone", async () => {
    const client = new pg.Client({ connectionString: api.adminUrl });
    await client.connect();
    await client.query("select private.notify($1, 'drop_received', 'committed', '')", [ada.id]);
    await client.query("begin");
    await client.query("select private.notify($1, 'drop_received', 'lost', '')", [ada.id]);
    // The process dies here: its connection breaks off in the middle of the second transaction.
    client.on("error", () => undefined);
    await api.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%''lost''%' and pid <> pg_backend_pid()",
    );
    await client.end().catch(() => undefined);
    expect((await runJob(api)).body.results).toMatchObject({ sent: 1 });
    expect(received(service).map(({ payload }) => payload.title)).toEqual(["committed"]);
  });

  it("repeats what was sent by a process that died before it wrote that down, so that a device shows it once", async () => {
    const id = await notify(api, ada);
    const connections = "pg_stat_activity where datname = current_database() and usename = 'nectar_api'";
    const dying: PushProvider = {
      ...pushOf(),
      async send(message) {
        await patient().send(message);
        // As if the process ended: its connections break off, and it writes nothing down any more.
        await api.query(`select pg_terminate_backend(pid) from ${connections}`);
        await expect.poll(() => api.query(`select from ${connections}`), { timeout: 20_000 }).toEqual([]);
        throw new Error("The process is gone.");
      },
    };
    await expect(deliverDue({ ...api.services, push: dying }, { budgetMs: 60_000 })).rejects.toThrow();
    expect(await outbox()).toEqual([{ outcome: null, attempts: 1, later: true }]);
    expect(await deliver()).toMatchObject({ sent: 0 });
    await later();
    expect(await deliver()).toMatchObject({ sent: 1 });
    const messages = received(service, device);
    expect(messages).toHaveLength(2);
    expect(new Set(messages.map(({ payload }) => payload.id))).toEqual(new Set([id]));
    expect(new Set(messages.map(({ topic }) => topic)).size).toBe(1);
  });

  it("is not written in by who lost the claim", async () => {
    await notify(api, ada);
    const slow: PushProvider = {
      ...pushOf(),
      async send(message) {
        // While this one sleeps, its lease ends and another delivers.
        await later();
        await deliver();
        await patient().send(message);
        return "unavailable";
      },
    };
    await deliverDue({ ...api.services, push: slow }, { budgetMs: 60_000 });
    expect(await outbox()).toMatchObject([{ outcome: "sent", attempts: 2 }]);
  });

  it("gives back what there was no time for, as if it had not been touched", async () => {
    for (let n = 0; n < 30; n += 1) await notify(api, ada, `n${n}`);
    const clock = heldClock();
    const slow: PushProvider = {
      ...patient(),
      async send(message) {
        const outcome = await patient().send(message);
        clock.goOn(300);
        return outcome;
      },
    };
    // Ten are on their way when the time is up.
    const counts = await deliverDue({ ...api.services, clock, push: slow }, { budgetMs: 200 });
    expect(counts).toEqual({ sent: 10, gone: 0, failed: 0, remaining: 20 });
    expect(
      await api.query("select from private.push_deliveries where attempts = 0 and finished_at is null"),
    ).toHaveLength(20);
    expect(await deliver()).toMatchObject({ sent: 20 });
    expect(received(service, device)).toHaveLength(30);
  });

  it("is emptied by eight deliverers at once: 200 messages, each device gets each one once", async () => {
    const people = await Promise.all(Array.from({ length: 9 }, () => api.person()));
    const devices = [device];
    for (const person of people) devices.push(await subscribe(api, service, person));
    await api.query(
      `insert into nectar.notifications (user_id, type, title, body)
       select p.id, 'battle_update', 'n' || n, '' from unnest($1::uuid[]) as p (id) cross join generate_series(1, 20) n`,
      [[ada, ...people].map(({ id }) => id)],
    );
    expect(await api.query("select from private.push_deliveries")).toHaveLength(200);
    const counts = await Promise.all(
      Array.from({ length: 8 }, () => deliverDue({ ...api.services, push: patient() }, { budgetMs: 60_000 })),
    );
    expect(counts.reduce((sum, { sent }) => sum + sent, 0)).toBe(200);
    for (const each of devices) {
      const titles = received(service, each).map(({ payload }) => payload.title);
      expect(titles).toHaveLength(20);
      expect(new Set(titles).size).toBe(20);
    }
    expect(await api.query("select from private.push_deliveries where outcome = 'sent' and attempts = 1")).toHaveLength(
      200,
    );
  });

  it("is emptied also while devices go, are found gone and change hands, and nobody gets what is another's", async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => api.person()));
    const [leaving, moving, ...staying] = await Promise.all(
      people.map(async (person) => ({
        person,
        devices: [
          await subscribe(api, service, person),
          await subscribe(api, service, person),
          await subscribe(api, service, person),
        ],
      })),
    );
    if (leaving === undefined || moving === undefined) throw new Error("There are six.");
    const [dead] = staying.map(({ devices }) => devices[0]);
    service.mode(dead?.endpoint ?? "", "gone");
    await api.query(
      `insert into nectar.notifications (user_id, type, title, body)
       select p.id, 'battle_update', p.id || ' ' || n, '' from unnest($1::uuid[]) as p (id) cross join generate_series(1, 30) n`,
      [people.map(({ id }) => id)],
    );
    const [deliverers] = await Promise.all([
      Promise.all(
        Array.from({ length: 6 }, () => deliverDue({ ...api.services, push: patient() }, { budgetMs: 60_000 })),
      ),
      Promise.all(
        leaving.devices.map(({ endpoint }) =>
          api.send("DELETE", "/api/notifications/push-subscriptions", { as: leaving.person, body: { endpoint } }),
        ),
      ),
      Promise.all(moving.devices.map((each) => api.post("/api/notifications/push-subscriptions", ada, each))),
    ]);
    expect(deliverers).toHaveLength(6);
    await later();
    await deliverDue({ ...api.services, push: patient() }, { budgetMs: 60_000 });
    for (const { person, devices } of staying) {
      for (const each of devices.filter((one) => one !== dead)) {
        const titles = received(service, each).map(({ payload }) => payload.title);
        expect(titles.toSorted()).toEqual(Array.from({ length: 30 }, (_, n) => `${person.id} ${n + 1}`).toSorted());
      }
    }
    for (const { person, devices } of [leaving, moving]) {
      for (const each of devices) {
        const titles = received(service, each).map(({ payload }) => payload.title);
        expect(new Set(titles).size).toBe(titles.length);
        expect(titles.filter((title) => !title.startsWith(person.id))).toEqual([]);
      }
    }
    expect(await api.query("select from private.push_deliveries where finished_at is null")).toEqual([]);
    expect(await api.query("select from nectar.push_subscriptions where endpoint = $1", [dead?.endpoint])).toEqual([]);
  });

  it("does not let a device that is removed at this moment fail what is told of", async () => {
    const client = new pg.Client({ connectionString: api.adminUrl });
    await client.connect();
    try {
      await client.query("begin");
      await client.query("delete from nectar.push_subscriptions where user_id = $1", [ada.id]);
      const telling = notify(api, ada);
      await expect
        .poll(
          () =>
            api.query("select from pg_stat_activity where wait_event_type = 'Lock' and query like '%private.notify%'"),
          { timeout: 20_000 },
        )
        .toHaveLength(1);
      await client.query("commit");
      await telling;
    } finally {
      await client.end();
    }
    expect(await outbox()).toEqual([]);
    expect((await api.get("/api/notifications", ada)).body.unread_count).toBe(1);
  });

  it("is left alone where no push is configured, and a request hears nothing of trouble", async () => {
    await notify(api, ada);
    const none = { sent: 0, gone: 0, failed: 0, remaining: 0 };
    expect(await deliverPushes({ ...api.services, push: null }, { budgetMs: 1_000 })).toEqual(none);
    await api.query("alter table private.push_deliveries rename to hidden");
    try {
      expect(await deliver([ada])).toEqual(none);
      expect((await runJob(api)).status).toBe(500);
    } finally {
      await api.query("alter table private.hidden rename to push_deliveries");
    }
    expect(await outbox()).toMatchObject([{ outcome: null, attempts: 0 }]);
  });
});

describe("the job", () => {
  it("works off more than one batch", async () => {
    await api.query(
      "insert into nectar.notifications (user_id, type, title, body) select $1, 'battle_update', 'n' || n, '' from generate_series(1, 170) n",
      [ada.id],
    );
    expect((await runJob(api)).body.results).toMatchObject({ sent: 170, remaining: 0 });
  });

  it("logs neither texts nor endpoints nor keys", async () => {
    await notify(api, ada, "canary-title");
    service.mode(device.endpoint, "fail");
    await runJob(api);
    for (const secret of ["canary-title", device.endpoint, device.keys.auth, device.keys.p256dh]) {
      expect(api.logged()).not.toContain(secret);
    }
  });
});

function pushOf(): PushProvider {
  const { push } = api.services;
  if (push === null) throw new Error("Push is configured in these tests.");
  return push;
}

/** The same, waiting longer: a machine under load must not make a message count as lost that was taken. */
function patient(): PushProvider {
  return { ...pushOf(), send: (message) => pushOf().send({ ...message, timeoutMs: 30_000 }) };
}

function keysOf() {
  const { push } = api.services.config;
  if (push === null) throw new Error("Push is configured in these tests.");
  return push;
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
