import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { notify, received, receivedLabels, runJob, subscribe, usePush } from "./notifying.ts";

const { service, environment } = await usePush();
const api = useApi({ environment });
const bare = useApi();
const PATH = "/api/notifications/push-subscriptions";
const devicesOf = async (person: Person) =>
  (
    await api.query`select endpoint from nectar.push_subscriptions where user_id = ${person.id} order by renewed_at`
  ).map(({ endpoint }) => endpoint);
const forget = (person: Person, endpoint: string) => api.send("DELETE", PATH, { as: person, body: { endpoint } });
const ada = beforeEachTest(() => api.person());
const grace = beforeEachTest(() => api.person());

describe("the push key", () => {
  it("is the one that the API signs with", async () => {
    const body = await api.get("/api/notifications/push-key", ada).ok();
    expect(body).toEqual({ public_key: environment.VAPID_PUBLIC_KEY });
  });

  it("is 503 without configured push, and so is a subscription", async () => {
    const person = await bare.person();
    await bare.get("/api/notifications/push-key", person).refused(503, "provider.not_configured");
    await bare.post(PATH, person, service.newDevice()).refused(503, "provider.not_configured");
  });
});

describe("a subscription", () => {
  it("is created, and its keys are not returned", async () => {
    const device = service.newDevice();
    expect(await api.post(PATH, ada, device).created()).toEqual({
      subscription: { id: expect.any(String), endpoint: device.endpoint, created_at: expect.any(String) },
    });
  });

  it("is renewed with the newest keys if the device subscribes again", async () => {
    const [device, renewed] = [service.newDevice(), service.newDevice()];
    const first = await api.post(PATH, ada, { ...device, keys: renewed.keys });
    expect(await api.post(PATH, ada, device).created()).toEqual(first.body);
    await notify(api, ada, "with the new keys");
    await runJob(api);
    expect(receivedLabels(service, device)).toEqual(["with the new keys"]);
  });

  it("moves to the account that uses the device now, without pending messages of the old one", async () => {
    const device = await subscribe(api, service, ada);
    await notify(api, ada, "for Ada");
    await api.post(PATH, grace, device).created();
    await notify(api, ada, "for Ada, later");
    await notify(api, grace, "for Grace");
    await runJob(api);
    expect(receivedLabels(service, device)).toEqual(["for Grace"]);
    expect(await devicesOf(ada)).toEqual([]);
    expect(await devicesOf(grace)).toEqual([device.endpoint]);
  });

  it("accepts keys in base64 with padding, as some clients send them", async () => {
    const device = service.newDevice();
    const keys = {
      p256dh: Buffer.from(device.keys.p256dh, "base64url").toString("base64"),
      auth: Buffer.from(device.keys.auth, "base64url").toString("base64"),
    };
    await api.post(PATH, ada, { ...device, keys }).created();
    await notify(api, ada);
    await runJob(api);
    expect(received(service, device)).toHaveLength(1);
  });

  it("replaces the device that was not renewed for the longest time if there are more than 20", async () => {
    const devices = [];
    for (let n = 0; n < 20; n += 1) devices.push(await subscribe(api, service, ada));
    const [first, second] = devices;
    await api.post(PATH, ada, first);
    await subscribe(api, service, ada);
    const left = await devicesOf(ada);
    expect(left).toHaveLength(20);
    expect(left).toContain(first?.endpoint);
    expect(left).not.toContain(second?.endpoint);
  });

  it("keeps at most 20 devices also if many subscribe at the same time", async () => {
    const responses = await Promise.all(Array.from({ length: 30 }, () => api.post(PATH, ada, service.newDevice())));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(await devicesOf(ada)).toHaveLength(20);
  });

  it("belongs to one user if many subscribe the same device at the same time", async () => {
    const device = service.newDevice();
    const people = await Promise.all(Array.from({ length: 8 }, () => api.person()));
    const responses = await Promise.all(people.map((person) => api.post(PATH, person, device)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(await api.query`select from nectar.push_subscriptions where endpoint = ${device.endpoint}`).toHaveLength(1);
  });

  it.each([
    "https://example.test/push",
    "http://127.0.0.1:5432/",
    "http://169.254.169.254/latest/meta-data",
    "http://fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com@127.0.0.1/x",
    "https://user:word@fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com:8443/fcm/send/x",
    "https://fcm.googleapis.com./fcm/send/x",
    "https://fcm.googleapis.com.example.test/fcm/send/x",
    "https://evilpush.apple.com/x",
    "https://push.apple.com/x",
    "https://web.push.apple.com.127.0.0.1.nip.io/x",
    "https://[::1]/x",
    "https://2130706433/x",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "text",
  ])("of %s is refused, because the server would call it", async (endpoint) => {
    await api.post(PATH, ada, { ...service.newDevice(), endpoint }).refused(400, "push.unknown_service");
    expect(await devicesOf(ada)).toEqual([]);
  });

  it("of a known push service is accepted", async () => {
    const endpoint = `https://fcm.googleapis.com/fcm/send/${ada.id}`;
    await api.post(PATH, ada, { ...service.newDevice(), endpoint }).created();
    await forget(ada, endpoint).ok();
  });

  const point = Buffer.from(service.newDevice().keys.p256dh, "base64url");
  it.each([
    ["keys.p256dh", { p256dh: "" }],
    ["keys.p256dh", { p256dh: "text" }],
    ["keys.p256dh", { p256dh: point.subarray(0, 64).toString("base64url") }],
    ["keys.p256dh", { p256dh: Buffer.concat([point, point]).toString("base64url") }],
    ["keys.p256dh", { p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString("base64url") }],
    ["keys.p256dh", { p256dh: Buffer.concat([Buffer.of(2), point.subarray(1, 33)]).toString("base64url") }],
    ["keys.auth", { auth: "" }],
    ["keys.auth", { auth: "AAAA" }],
    ["keys.auth", { auth: Buffer.alloc(17).toString("base64url") }],
    ["keys.auth", { auth: "!".repeat(22) }],
  ])("with an invalid %s is refused (%j)", async (path, change) => {
    const device = service.newDevice();
    await api.post(PATH, ada, { ...device, keys: { ...device.keys, ...change } }).invalid(path);
  });

  it("has an endpoint of at most 2,048 bytes, counted in UTF-8", async () => {
    const endpointOf = (bytes: number) => {
      const origin = "https://fcm.googleapis.com/fcm/send/";
      const left = bytes - origin.length;
      return `${origin}${"x".repeat(left % 2)}${"é".repeat(Math.floor(left / 2))}`;
    };
    await api.post(PATH, ada, { ...service.newDevice(), endpoint: endpointOf(2_049) }).invalid("endpoint");
    await forget(ada, endpointOf(2_049)).refused(400);
    await api.post(PATH, ada, { ...service.newDevice(), endpoint: endpointOf(2_048) }).created();
    await forget(ada, endpointOf(2_048)).ok();
  });

  it("reports all problems at once", async () => {
    const { body } = await api.post(PATH, ada, { endpoint: "x".repeat(2_049), keys: { p256dh: "x", auth: "x" } });
    expect(body.issues.map(({ path }) => path).sort()).toEqual(["endpoint", "keys.auth", "keys.p256dh"]);
  });
});

describe("unsubscribing", () => {
  it("deletes the device and its pending messages", async () => {
    const device = await subscribe(api, service, ada);
    await notify(api, ada);
    expect(await forget(ada, device.endpoint).ok()).toEqual({ message: "The device was removed." });
    await runJob(api);
    expect(received(service, device)).toEqual([]);
  });

  it("is 404 for an unknown device and for another user's, which stays", async () => {
    const device = await subscribe(api, service, ada);
    await forget(grace, device.endpoint).refused(404, "push.subscription_not_found");
    expect(await devicesOf(ada)).toEqual([device.endpoint]);
    await forget(ada, device.endpoint);
    await forget(ada, device.endpoint).refused(404);
  });
});
