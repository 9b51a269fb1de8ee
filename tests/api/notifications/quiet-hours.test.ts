import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";
import { deliveryOf, notify, received, runJob, subscribe, usePush } from "./notifying.ts";

const { service, environment } = await usePush();
const api = useApi({ environment });
const { deliver, makeAllDue, outbox } = deliveryOf(api);
beforeEach(() => api.query`delete from auth.users where id <> private.system_user_id()`);
const ada = beforeEachTest(() => api.person());
const device = beforeEachTest(() => subscribe(api, service, ada));

const HOUR = 3_600_000;
const clockTime = (moment: number) => new Date(moment).toISOString().slice(11, 16);
const update = (body: object) => api.put("/api/notifications/settings", ada, body).ok();
/** Makes it quiet from an hour ago until two hours from now, in a profile whose zone is UTC. */
const beQuiet = () =>
  update({ quiet_hours: { start: clockTime(Date.now() - HOUR), end: clockTime(Date.now() + 2 * HOUR) } });

describe("in quiet hours", () => {
  beforeEach(beQuiet);

  it("a push waits for their end without counting an attempt, and is in the list at once", async () => {
    await notify(api, ada);
    expect((await runJob(api)).body.results).toMatchObject({ sent: 0, remaining: 0 });
    const { attempts, hours } = await api.one<{ attempts: number; hours: number }>`
      select attempts, extract(epoch from next_attempt_at - now())::float / 3600 as hours
      from private.push_deliveries where finished_at is null and waited_until = next_attempt_at`;
    expect(attempts).toBe(0);
    expect(hours).toBeGreaterThan(1.9);
    expect(hours).toBeLessThanOrEqual(2);
    expect((await api.get("/api/notifications", ada).ok()).unread_count).toBe(1);
    expect(service.messages).toEqual([]);
  });

  it("a check-in reminder is dropped", async () => {
    await api.query`select private.notify(${ada.id}, 'checkin_reminder', '{}')`;
    await deliver();
    expect(await outbox()).toMatchObject([{ outcome: "silenced", attempts: 0 }]);
  });

  it("a push that was tried before them waits too", async () => {
    await update({ quiet_hours: null });
    service.mode(device.endpoint, "fail");
    await notify(api, ada);
    await deliver();
    await beQuiet();
    service.mode(device.endpoint, "normal");
    await makeAllDue();
    expect(await deliver()).toMatchObject({ sent: 0 });
    expect(await outbox()).toEqual([{ outcome: null, attempts: 1, later: true }]);
  });

  it.each([
    ["the quiet hours are removed", { quiet_hours: null }],
    [
      "the quiet hours are moved",
      { quiet_hours: { start: clockTime(Date.now() + 3 * HOUR), end: clockTime(Date.now() - 2 * HOUR) } },
    ],
  ])("a waiting push is sent once %s", async (_, body) => {
    await notify(api, ada);
    await deliver();
    await update(body);
    expect(await deliver()).toMatchObject({ sent: 1 });
    expect(await deliver()).toMatchObject({ sent: 0 });
  });

  it("a waiting push is sent once the profile has a zone in which it is another hour", async () => {
    await notify(api, ada);
    await deliver();
    await api.put("/api/user/profile", ada, { timezone: "Asia/Kathmandu" }).ok();
    expect(await deliver()).toMatchObject({ sent: 1 });
  });

  it.each([0, 1])(
    "a push after %s attempts waits on if its quiet hours end and others begin before the job comes",
    async (attempts) => {
      await notify(api, ada);
      await deliver();
      const now = Date.now();
      const end = new Date(Math.floor(now / 60_000) * 60_000 - 60_000);
      await api.query`update private.push_deliveries
      set attempts = ${attempts}, waited_until = ${end}, next_attempt_at = ${end}`;
      await update({ quiet_hours: { start: clockTime(now), end: clockTime(now + 2 * HOUR) } });
      expect(await deliver()).toMatchObject({ sent: 0 });
      expect(await outbox()).toEqual([{ outcome: null, attempts, later: true }]);
    },
  );

  it("a push that was tried before them is sent once they are removed", async () => {
    await notify(api, ada);
    await api.query`update private.push_deliveries set attempts = 1`;
    await deliver();
    await update({ quiet_hours: null });
    expect(await deliver()).toMatchObject({ sent: 1 });
  });

  it("a waiting push is not sent if it was read, or pushes were turned off, meanwhile", async () => {
    const read = await notify(api, ada, "read");
    await notify(api, ada, "silenced");
    await deliver();
    await api.post(`/api/notifications/${read}/read`, ada).ok();
    await api.put("/api/user/profile", ada, { preferences: { notifications: false } }).ok();
    await makeAllDue();
    await deliver();
    expect((await outbox()).map(({ outcome }) => outcome).toSorted()).toEqual(["read", "silenced"]);
  });

  it("a waiting push does not follow its device to another user", async () => {
    const ben = await api.person();
    await notify(api, ada);
    await deliver();
    await api.post("/api/notifications/push-subscriptions", ben, device).created();
    await update({ quiet_hours: null });
    await deliver();
    expect(service.messages).toEqual([]);
  });
});

describe("after quiet hours", () => {
  it("a push that waited for more than a day is sent, and lives for a day from their end", async () => {
    await notify(api, ada);
    await api.query`update nectar.notifications set created_at = now() - interval '40 hours'`;
    await api.query`update private.push_deliveries
      set created_at = now() - interval '40 hours', waited_until = now() - interval '61 minutes'`;
    expect(await deliver()).toMatchObject({ sent: 1 });
    const [message] = received(service, device);
    expect(message?.ttlSeconds).toBeGreaterThan(22 * 3_600);
    expect(message?.ttlSeconds).toBeLessThanOrEqual(23 * 3_600);
  });

  it("a push that could not be sent for a day expires", async () => {
    await notify(api, ada);
    await api.query`update private.push_deliveries
      set created_at = now() - interval '40 hours', waited_until = now() - interval '24 hours 1 second'`;
    expect(await deliver()).toMatchObject({ sent: 0 });
    expect(await outbox()).toMatchObject([{ outcome: "expired" }]);
  });

  it("a push that waited is sent even if quiet hours began again before the job came", async () => {
    const now = Date.now();
    await update({ quiet_hours: { start: clockTime(now), end: clockTime(now - 60_000) } });
    await notify(api, ada);
    await deliver();
    expect(service.messages).toEqual([]);
    await api.query`update private.push_deliveries
      set waited_until = ended.at, next_attempt_at = ended.at
      from (select ${new Date(Math.floor(now / 60_000) * 60_000 - 60_000)}::timestamptz as at) ended`;
    expect(await deliver()).toMatchObject({ sent: 1 });
  });
});
