import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_DEVICES } from "#core/limits";
import { LOCAL_APNS } from "#local/stand-ins/vendors";
import { claim } from "#notifications/outbox";
import { useApi } from "#tests/api";
import { LONG } from "#tests/long";
import { nextMillisecond } from "#tests/moments";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { deliveryOf, labelsOf, notify, subscribe, usePush } from "./notifying.ts";

const { service, environment } = await usePush();
const [FIRST_APP, SECOND_APP] = LOCAL_APNS.apps;
const api = useApi({ environment });
const bare = useApi();
const { deliver } = deliveryOf(api);
const PATH = "/api/notifications/devices";
const iphone = () => ({ service: "apns" as const, token: randomBytes(32).toString("hex") });
const android = () => ({ service: "fcm" as const, token: `a:${randomBytes(60).toString("base64url")}` });
const listOf = (person: Person, query = "limit=100") => api.get(`${PATH}?${query}`, person).ok();
const idsOf = async (person: Person) => (await listOf(person)).devices.map(({ id }) => id);
const store = async (person: Person, phone: object) => (await api.post(PATH, person, phone).created()).device;
const moved = async (person: Person, phone: object) => (await api.post(PATH, person, phone).ok()).device;
beforeEach(async () => {
  await api.query`delete from private.push_deliveries`;
  await api.query`delete from private.push_holds`;
});
const ada = beforeEachTest(() => api.person());
const grace = beforeEachTest(() => api.person());

/** What a worker would send now, with the tokens that it would send it to. */
async function due() {
  const { deliveries } = await claim(api.services.database, 10_000);
  return deliveries.map((delivery) => ({ token: delivery.token, label: labelsOf([delivery])[0] }));
}

describe("a phone", () => {
  it("is stored with the first app of the service, and its token is not returned", async () => {
    const device = await store(ada, iphone());
    const times = { created_at: expect.any(String), renewed_at: expect.any(String) };
    expect(device).toEqual({ id: expect.any(String), service: "apns", app: FIRST_APP, ...times });
    expect(await store(ada, android())).toEqual({ id: expect.any(String), service: "fcm", app: null, ...times });
  });

  it("is renewed by the same token, with 200 and a later time", async () => {
    const phone = android();
    const { renewed_at: before, ...stored } = await store(ada, phone);
    const { renewed_at: after, ...renewed } = await moved(ada, phone);
    expect(renewed).toEqual(stored);
    expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
  });

  it("is another one for each service, whatever its token", async () => {
    const { token } = iphone();
    await store(ada, { service: "apns", token });
    await store(ada, { service: "fcm", token });
    expect(await idsOf(ada)).toHaveLength(2);
  });

  it("keeps its app until it names another one", async () => {
    const phone = iphone();
    expect((await store(ada, { ...phone, app: SECOND_APP })).app).toBe(SECOND_APP);
    expect((await moved(ada, phone)).app).toBe(SECOND_APP);
    expect((await moved(ada, { ...phone, app: FIRST_APP })).app).toBe(FIRST_APP);
    expect((await moved(ada, phone)).app).toBe(FIRST_APP);
  });

  it("is the same in capital hex digits", async () => {
    const { token } = iphone();
    const { id } = await store(ada, { service: "apns", token: token.toUpperCase() });
    expect((await moved(ada, { service: "apns", token })).id).toBe(id);
    await notify(api, ada);
    expect(await due()).toMatchObject([{ token }]);
    await api.send("DELETE", PATH, { as: ada, body: { service: "apns", token: token.toUpperCase() } }).ok();
  });

  it.each([
    { token: "x" },
    { token: "\\!~" },
    { token: "x".repeat(4_096) },
    { service: "apns", token: "0a".repeat(32) },
    { service: "apns", token: "0A".repeat(100) },
  ])("may have any token of its service (%j)", async (change) => {
    const phone = { service: "fcm", ...change };
    await store(ada, phone);
    await moved(grace, phone);
  });

  it("is not mistaken for one whose long token has another end", async () => {
    const token = randomBytes(2_000).toString("hex");
    await store(ada, { service: "fcm", token: `${token}a` });
    await store(ada, { service: "fcm", token: `${token}b` });
  });

  it.each([
    ["token", { token: "" }],
    ["token", { token: "a token" }],
    ["token", { token: " token" }],
    ["token", { token: "tökén" }],
    ["token", { token: "to\nken" }],
    ["token", { token: "x".repeat(4_097) }],
    ["token", { service: "apns", token: "0a".repeat(31) }],
    ["token", { service: "apns", token: "0a".repeat(101) }],
    ["token", { service: "apns", token: `${"0a".repeat(32)}0` }],
    ["token", { service: "apns", token: "xy".repeat(32) }],
    ["token", { service: "apns", token: `${"0a".repeat(32)}\n` }],
    ["service", { service: "web" }],
    ["service", { service: "sms" }],
    ["app", { app: FIRST_APP }],
    ["app", { service: "apns", token: "0a".repeat(32), app: "com.example.other" }],
    ["app", { service: "apns", token: "0a".repeat(32), app: "" }],
  ])("with an invalid %s is refused (%j)", async (path, change) => {
    await api.post(PATH, ada, { service: "fcm", token: "token", ...change }).invalid(path);
    expect(await idsOf(ada)).toEqual([]);
  });

  it.each([iphone, android])(
    "is 503 for a service that is not configured, and can be removed nevertheless",
    async (phone) => {
      const person = await bare.person();
      await bare.post(PATH, person, phone()).refused(503, "provider.not_configured");
      const options = { as: person, body: phone() };
      await bare.send("DELETE", PATH, options).refused(404, "push.subscription_not_found");
    },
  );
});

describe("a phone that another person registers", () => {
  it("is theirs from then on, without what waited for the person before", async () => {
    const phone = android();
    const stored = await store(ada, phone);
    await notify(api, ada, "for Ada");
    const device = await moved(grace, phone);
    expect(Date.parse(device.created_at)).toBeGreaterThan(Date.parse(stored.created_at));
    await notify(api, ada, "for Ada, later");
    await notify(api, grace, "for Grace");
    expect(await due()).toEqual([{ token: phone.token, label: "for Grace" }]);
    expect([await idsOf(ada), await idsOf(grace)]).toEqual([[], [device.id]]);
    await moved(ada, phone);
    expect(await due()).toEqual([]);
  });

  it("comes back without what waited before it went", async () => {
    const phone = android();
    await store(ada, phone);
    await notify(api, ada, "for Ada");
    await moved(grace, phone);
    await moved(ada, phone);
    expect(await due()).toEqual([]);
  });

  const PHONES = LONG ? 1_000 : 50;
  it(`gets no message for the person before, while ${PHONES} move and workers claim what waits`, async () => {
    const owners = await Promise.all(Array.from({ length: PHONES / 5 }, () => api.person()));
    const phones = owners.flatMap((owner) => Array.from({ length: 5 }, () => ({ owner, phone: android() })));
    for (const { owner, phone } of phones) await store(owner, phone);
    await api.query`insert into nectar.notifications (user_id, type, data)
      select id, 'battle_update', jsonb_build_object('drop_id', id) from unnest(${owners.map(({ id }) => id)}::uuid[]) id`;
    const next = owners.map((_, index) => owners[(index + 1) % owners.length] ?? ada);
    const seen: Awaited<ReturnType<typeof due>> = [];
    for (const [index, { phone }] of phones.entries()) {
      const heir = next[Math.floor(index / 5)] ?? ada;
      // What is claimed in the middle of the moves is for those that have not moved yet.
      const [, claimed] = await Promise.all([
        moved(heir, phone),
        index % 10 === 5 ? claim(api.services.database, 2) : null,
      ]);
      const movedTokens = new Set(phones.slice(0, index).map((one) => one.phone.token));
      seen.push(
        ...(claimed?.deliveries ?? [])
          .filter(({ token }) => movedTokens.has(token ?? ""))
          .map((delivery) => ({
            token: delivery.token,
            label: labelsOf([delivery])[0],
          })),
      );
    }
    expect([...seen, ...(await due())]).toEqual([]);
  });
});

describe("a service that answers 429 with Retry-After", () => {
  it("gets nothing for that long, while the others go on", async () => {
    const [busy, other, phone] = [service.newPhone("fcm"), service.newPhone("fcm"), service.newPhone("apns")];
    const browser = await subscribe(api, service, ada);
    for (const each of [busy, phone]) await store(ada, each);
    await store(grace, other);
    service.mode(busy.token, "busy");
    await notify(api, ada);
    expect(await deliver()).toMatchObject({ sent: 2, remaining: 1 });
    await notify(api, ada);
    await notify(api, grace);
    expect(await deliver()).toMatchObject({ sent: 2, remaining: 0 });
    const counts = (addresses: string[]) =>
      addresses.map((address) => service.messages.filter(({ endpoint }) => endpoint === address).length);
    expect(counts([browser.endpoint, phone.token, busy.token, other.token])).toEqual([2, 2, 0, 0]);

    service.mode(busy.token, "normal");
    const pass = async (seconds: number) => {
      await api.query`update private.push_holds set held_until = held_until - ${seconds} * interval '1 second'`;
      await api.query`update private.push_deliveries set next_attempt_at = next_attempt_at - ${seconds} * interval '1 second'`;
    };
    // Our own wait would be over after 30 seconds.
    await pass(31);
    expect(await deliver()).toMatchObject({ sent: 0 });
    await pass(29);
    expect(await deliver()).toMatchObject({ sent: 3, remaining: 0 });
    expect(counts([busy.token, other.token])).toEqual([2, 1]);
  });

  it("is asked no more by the worker that it told to wait", async () => {
    for (let n = 0; n < MAX_DEVICES; n += 1) {
      const phone = service.newPhone("fcm");
      service.mode(phone.token, "busy");
      await store(ada, phone);
    }
    await notify(api, ada);
    expect(await deliver()).toMatchObject({ sent: 0, remaining: MAX_DEVICES });
    const tried = await api.query`select from private.push_deliveries where attempts > 0`;
    expect(tried.length).toBeLessThan(MAX_DEVICES);
  });
});

describe("the list of devices", () => {
  it("has browsers and phones, most recently renewed first, in pages", async () => {
    const first = await store(ada, android());
    const browser = service.newDevice();
    const { subscription } = await api.post("/api/notifications/push-subscriptions", ada, browser).created();
    const phone = iphone();
    const last = await store(ada, phone);
    await store(grace, iphone());
    expect(await idsOf(ada)).toEqual([last.id, subscription.id, first.id]);
    const page = await listOf(ada, "limit=2");
    expect(page.devices.map((device) => device.service)).toEqual(["apns", "web"]);
    const { devices, next_cursor } = await listOf(ada, `limit=2&cursor=${page.next_cursor}`);
    expect([devices, next_cursor]).toEqual([[first], null]);
    const text = JSON.stringify(await listOf(ada));
    for (const secret of [browser.endpoint, browser.keys.auth, phone.token]) expect(text).not.toContain(secret);
  });

  it(`has at most ${MAX_DEVICES}, browsers included: those that were not renewed for the longest time go`, async () => {
    await subscribe(api, service, ada);
    await nextMillisecond();
    const phone = android();
    const { id } = await store(ada, phone);
    for (let n = 2; n < MAX_DEVICES; n += 1) {
      await nextMillisecond();
      await (n % 2 ? subscribe(api, service, ada) : store(ada, iphone()));
    }
    const all = await idsOf(ada);
    await nextMillisecond();
    await moved(ada, phone);
    await nextMillisecond();
    const added = await store(ada, iphone());
    expect(await idsOf(ada)).toEqual([added.id, id, ...all.slice(0, -2)]);
  });
});

describe("removing a device", () => {
  it("works by its token and by its id, a browser included, and drops what waits for it", async () => {
    const phone = android();
    await store(ada, phone);
    const { id } = await store(ada, iphone());
    await subscribe(api, service, ada);
    await notify(api, ada);
    const message = { message: "The device was removed." };
    expect(await api.send("DELETE", PATH, { as: ada, body: phone }).ok()).toEqual(message);
    expect(await api.send("DELETE", `${PATH}/${id}`, { as: ada }).ok()).toEqual(message);
    const [browser] = await idsOf(ada);
    await api.send("DELETE", `${PATH}/${browser}`, { as: ada }).ok();
    expect(await idsOf(ada)).toEqual([]);
    expect(await due()).toEqual([]);
  });

  it("is 404 for another person's device, one of another service and an unknown one", async () => {
    const phone = iphone();
    const { id } = await store(ada, phone);
    const refused = [404, "push.subscription_not_found"] as const;
    await api.send("DELETE", PATH, { as: grace, body: phone }).refused(...refused);
    await api.send("DELETE", `${PATH}/${id}`, { as: grace }).refused(...refused);
    await api.send("DELETE", PATH, { as: ada, body: { ...phone, service: "fcm" } }).refused(...refused);
    await api.send("DELETE", PATH, { as: ada, body: iphone() }).refused(...refused);
    expect(await idsOf(ada)).toEqual([id]);
  });

  it("is refused for an invalid token", async () => {
    await api.send("DELETE", PATH, { as: ada, body: { service: "apns", token: "text" } }).invalid("token");
    await api.send("DELETE", PATH, { as: ada, body: { service: "web", token: "text" } }).invalid("service");
    await api.send("DELETE", `${PATH}/text`, { as: ada }).invalid("id");
  });
});
