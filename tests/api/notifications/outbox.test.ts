import pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import type { WebPushProvider } from "#providers/push";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";
import { deliveryOf, notify, received, receivedLabels, runJob, subscribe, usePush } from "./notifying.ts";

const { service, environment } = await usePush();
const api = useApi({ environment: { ...environment, DATABASE_POOL_SIZE: "20" } });
const { deliver, makeAllDue, outbox, patientPush, push, stoppedClock, through } = deliveryOf(api);
beforeEach(async () => {
  await api.query`delete from auth.users where id <> private.system_user_id()`;
  service.messages.length = 0;
});
const ada = beforeEachTest(() => api.person());
const device = beforeEachTest(() => subscribe(api, service, ada));

describe("the outbox", () => {
  it("keeps what was committed without a delivery, and nothing of a transaction that was rolled back", async () => {
    const client = new pg.Client({ connectionString: api.adminUrl });
    await client.connect();
    await client.query("select private.notify($1, 'drop_received', jsonb_build_object('drop_id', 'committed'))", [
      ada.id,
    ]);
    await client.query("begin");
    await client.query("select private.notify($1, 'drop_received', jsonb_build_object('drop_id', 'lost'))", [ada.id]);
    // The process dies here: its connection breaks off in the middle of the second transaction.
    client.on("error", () => undefined);
    await api.query`select pg_terminate_backend(pid) from pg_stat_activity
      where query like '%''lost''%' and pid <> pg_backend_pid()`;
    await client.end().catch(() => undefined);
    expect((await runJob(api)).body.results).toMatchObject({ sent: 1 });
    expect(receivedLabels(service)).toEqual(["committed"]);
  });

  it("repeats a message under the same id and topic if a process died before it recorded the result", async () => {
    const id = await notify(api, ada);
    const connections = "pg_stat_activity where datname = current_database() and usename = 'nectar_api'";
    const dying: WebPushProvider = {
      ...push(),
      async send(message) {
        await patientPush().send(message);
        // As if the process ended: its connections break off, and it writes nothing down any more.
        await api.query(`select pg_terminate_backend(pid) from ${connections}`);
        await expect.poll(() => api.query(`select from ${connections}`), { timeout: 20_000 }).toEqual([]);
        throw new Error("The process is gone.");
      },
    };
    await expect(deliver({ push: through(dying) })).rejects.toThrow();
    expect(await outbox()).toEqual([{ outcome: null, attempts: 1, later: true }]);
    expect(await deliver()).toMatchObject({ sent: 0 });
    await makeAllDue();
    expect(await deliver()).toMatchObject({ sent: 1 });
    const messages = received(service, device);
    expect(messages).toHaveLength(2);
    expect(new Set(messages.map(({ payload }) => payload.id))).toEqual(new Set([id]));
    expect(new Set(messages.map(({ topic }) => topic)).size).toBe(1);
  });

  it("ignores the result of an older claim", async () => {
    await notify(api, ada);
    const slow: WebPushProvider = {
      ...push(),
      async send(message) {
        // While this one sleeps, its lease ends and another delivers.
        await makeAllDue();
        await deliver();
        await patientPush().send(message);
        return { outcome: "unavailable" };
      },
    };
    await deliver({ push: through(slow) });
    expect(await outbox()).toMatchObject([{ outcome: "sent", attempts: 2 }]);
  });

  it("releases what did not fit into the budget, without counting an attempt", async () => {
    for (let n = 0; n < 30; n += 1) await notify(api, ada, `n${n}`);
    const clock = stoppedClock();
    const slow: WebPushProvider = {
      ...patientPush(),
      async send(message) {
        const outcome = await patientPush().send(message);
        clock.advance(300);
        return outcome;
      },
    };
    // Ten are on their way when the time is up.
    const counts = await deliver({ clock, push: through(slow) }, 200);
    expect(counts).toEqual({ sent: 10, gone: 0, failed: 0, remaining: 20 });
    expect(
      await api.query`select from private.push_deliveries where attempts = 0 and finished_at is null`,
    ).toHaveLength(20);
    expect(await deliver()).toMatchObject({ sent: 20 });
    expect(received(service, device)).toHaveLength(30);
  });

  it("is emptied by eight processes at once, and each device gets each of 200 messages once", async () => {
    const people = await Promise.all(Array.from({ length: 9 }, () => api.person()));
    const devices = [device];
    for (const person of people) devices.push(await subscribe(api, service, person));
    await api.query`insert into nectar.notifications (user_id, type, data)
      select p.id, 'battle_update', jsonb_build_object('drop_id', n) from unnest(${[ada, ...people].map(({ id }) => id)}::uuid[]) as p (id)
        cross join generate_series(1, 20) n`;
    expect(await api.query`select from private.push_deliveries`).toHaveLength(200);
    const counts = await Promise.all(Array.from({ length: 8 }, () => deliver()));
    expect(counts.reduce((sum, { sent }) => sum + sent, 0)).toBe(200);
    for (const each of devices) {
      const labels = receivedLabels(service, each);
      expect(labels).toHaveLength(20);
      expect(new Set(labels).size).toBe(20);
    }
    expect(await api.query`select from private.push_deliveries where outcome = 'sent' and attempts = 1`).toHaveLength(
      200,
    );
  });

  it("is emptied while devices unsubscribe, are found gone and change accounts, and no message reaches another user", async () => {
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
    if (leaving === undefined || moving === undefined) throw new Error("six people");
    const [dead] = staying.map(({ devices }) => devices[0]);
    service.mode(dead?.endpoint ?? "", "gone");
    await api.query`insert into nectar.notifications (user_id, type, data)
      select p.id, 'battle_update', jsonb_build_object('drop_id', p.id || ' ' || n) from unnest(${people.map(({ id }) => id)}::uuid[]) as p (id)
        cross join generate_series(1, 12) n`;
    const [deliverers] = await Promise.all([
      Promise.all(Array.from({ length: 6 }, () => deliver())),
      Promise.all(
        leaving.devices.map(({ endpoint }) =>
          api.send("DELETE", "/api/notifications/push-subscriptions", { as: leaving.person, body: { endpoint } }),
        ),
      ),
      Promise.all(moving.devices.map((each) => api.post("/api/notifications/push-subscriptions", ada, each))),
    ]);
    expect(deliverers).toHaveLength(6);
    await makeAllDue();
    await deliver();
    for (const { person, devices } of staying) {
      for (const each of devices.filter((one) => one !== dead)) {
        expect(receivedLabels(service, each).toSorted()).toEqual(
          Array.from({ length: 12 }, (_, n) => `${person.id} ${n + 1}`).toSorted(),
        );
      }
    }
    for (const { person, devices } of [leaving, moving]) {
      for (const each of devices) {
        const labels = receivedLabels(service, each).map(String);
        expect(new Set(labels).size).toBe(labels.length);
        expect(labels.filter((label) => !label.startsWith(person.id))).toEqual([]);
      }
    }
    expect(await api.query`select from private.push_deliveries where finished_at is null`).toEqual([]);
    expect(await api.query`select from nectar.push_subscriptions where endpoint = ${dead?.endpoint}`).toEqual([]);
  });

  it("lets a transaction notify a user while one of the user's devices is removed", async () => {
    await api.inTransaction(async ({ query }) => {
      await query`delete from nectar.push_subscriptions where user_id = ${ada.id}`;
      const notifying = notify(api, ada);
      await api.untilWaiting();
      await query`commit`;
      await notifying;
    });
    expect(await outbox()).toEqual([]);
    expect((await api.get("/api/notifications", ada)).body.unread_count).toBe(1);
  });

  it("is untouched without configured push, and a job that cannot read it fails", async () => {
    await notify(api, ada);
    expect(await deliver({ push: { web: null, fcm: null, apns: null } }, 1_000)).toEqual({
      sent: 0,
      gone: 0,
      failed: 0,
      remaining: 0,
    });
    await api.query`alter table private.push_deliveries rename to hidden`;
    try {
      await runJob(api).refused(500);
    } finally {
      await api.query`alter table private.hidden rename to push_deliveries`;
    }
    expect(await outbox()).toMatchObject([{ outcome: null, attempts: 0 }]);
  });
});

describe("the job", () => {
  it("delivers more than one batch, with the help of others, and each message once", async () => {
    await api.query`insert into nectar.notifications (user_id, type, data)
      select ${ada.id}, 'battle_update', jsonb_build_object('drop_id', n) from generate_series(1, 170) n`;
    await runJob(api);
    await api.idle();
    const messages = receivedLabels(service, device);
    expect(messages).toHaveLength(170);
    expect(new Set(messages).size).toBe(170);
  });

  it("logs neither texts nor endpoints nor keys", async () => {
    await notify(api, ada, "canary-label");
    service.mode(device.endpoint, "fail");
    await runJob(api);
    for (const secret of ["canary-label", device.endpoint, device.keys.auth, device.keys.p256dh]) {
      expect(api.logged()).not.toContain(secret);
    }
  });
});
