import { describe, expect, it } from "vitest";
import { stripeSignature } from "#local/stand-ins/webhooks";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import {
  ENVIRONMENT,
  eventOf,
  NOW,
  PATH,
  paymentEventsOf,
  SECRET,
  secondsNow,
  subscriptionOf,
  unique,
} from "./payment-events.ts";

const api = useApi({ environment: ENVIRONMENT });
const { deliver, stateOf, countEvents } = paymentEventsOf(api);
const ada = beforeTests(() => api.person());

describe("an event with an invalid signature", () => {
  const expectRefused = async (response: ReturnType<typeof deliver>, id: string) => {
    await response.refused(400, "payment.invalid_signature");
    expect(await countEvents(id)).toBe(0);
    expect(await stateOf(ada)).toEqual({ status: null, premium: false });
  };

  it("is refused if its body was changed or it has another secret", async () => {
    const event = subscriptionOf(ada).changed("updated", "active");
    const body = JSON.stringify(event);
    const headers = { "stripe-signature": stripeSignature(body, SECRET) };
    for (const changed of [body.replace("active", "actives"), `${body} `]) {
      await expectRefused(api.send("POST", PATH, { body: changed, headers }), event.id);
    }
    await expectRefused(deliver(event, { secret: "whsec_of_another_account" }), event.id);
  });

  it("is refused without a signature, or with one that the processor's SDK cannot compare", async () => {
    const event = subscriptionOf(ada).changed("updated", "active");
    const body = JSON.stringify(event);
    await expectRefused(api.send("POST", PATH, { body }), event.id);
    const now = secondsNow();
    // The last one has the right length, with too many bytes.
    const endings = ["v1", "v1=", `v1=${"\u00e9".repeat(64)}`].map((ending) => `t=${now},${ending}`);
    for (const header of ["", "t=1", "v1=00", `t=${NOW},v0=00`, "nonsense", ...endings]) {
      const headers = { "stripe-signature": header };
      await expectRefused(api.send("POST", PATH, { body, headers }), event.id);
    }
  });

  it("is refused if it is older than 300 seconds", async () => {
    const old = subscriptionOf(ada).changed("updated", "active");
    await expectRefused(deliver(old, { at: secondsNow() - 301 }), old.id);
    const person = await api.person();
    const young = subscriptionOf(person).changed("updated", "active");
    // Leaves the request thirty seconds, as long as a test may take.
    await deliver(young, { at: secondsNow() - 270 }).ok();
  });
});

it("a body that is too large or no text is refused before its signature", async () => {
  await api.send("POST", PATH, { body: "x".repeat(1024 * 1024 + 1) }).refused(413, "request.too_large");
  await api.send("POST", PATH, { body: new Uint8Array([0xff]) }).refused(400, "request.malformed_json");
});

describe("a signed event of an unknown shape", () => {
  const created = (object: object) => eventOf("customer.subscription.created", object);
  const sound = { id: "sub_odd", customer: "cus_odd", status: "active", metadata: {} };

  it.each([
    ["no JSON", "not JSON"],
    ["a list", []],
    ["null", null],
    ["an empty object", {}],
    ["a thin event", { id: `evt_${unique()}`, object: "v2.core.event", type: "v1.billing.meter.no_meter_found" }],
    ["no id", { ...created(sound), id: undefined }],
    ["a number as its id", { ...created(sound), id: 7 }],
    ["an id that the database cannot store", { ...created(sound), id: "evt_\u0000" }],
    ["an id of 10,000 characters", { ...created(sound), id: "e".repeat(10_000) }],
    ["no type", { ...created(sound), type: null }],
    ["no time", { ...created(sound), created: undefined }],
    ["a text as its time", { ...created(sound), created: "yesterday" }],
    ["a time far in the future", { ...created(sound), created: 1e300 }],
    ["no data", { ...created(sound), data: undefined }],
    ["no object", { ...created(sound), data: {} }],
    ["a text as its object", { ...created(sound), data: { object: "sub_1" } }],
    ["a subscription without an id", created({ ...sound, id: null })],
    ["a subscription whose customer is a list", created({ ...sound, customer: [] })],
    ["a subscription without a status", created({ ...sound, status: undefined })],
    ["a status of 51 characters", created({ ...sound, status: "a".repeat(51) })],
    ["a status that the database cannot store", created({ ...sound, status: "active\u0000" })],
    ["a customer that the database cannot store", created({ ...sound, customer: "cus_\ud800" })],
    ["an invoice whose amount is a text", eventOf("invoice.paid", { amount_paid: "9", customer: "cus_odd" })],
    ["an invoice whose parent is a number", eventOf("invoice.paid", { parent: 1 })],
    ["a checkout that is null", { ...eventOf("checkout.session.completed", {}), data: { object: null } }],
    ["a checkout without a payment status", eventOf("checkout.session.completed", { customer: "cus_odd" })],
  ])("is recorded once and has no effect: %s", async (_, event) => {
    const stored = () =>
      api.one<{ events: number; subscriptions: number }>`
        select (select count(*)::int from private.payment_events) as events,
          (select count(*)::int from nectar.subscriptions) as subscriptions`;
    const body = typeof event === "string" ? event : JSON.stringify(event);
    const headers = { "stripe-signature": stripeSignature(body, SECRET) };
    const deliverSigned = () => api.send("POST", PATH, { body, headers });
    const before = await stored();
    expect(await deliverSigned().ok()).toEqual({ received: true });
    expect((await deliverSigned()).body).toEqual({ received: true, duplicate: true });
    expect(await stored()).toEqual({ events: before.events + 1, subscriptions: before.subscriptions });
  });

  it("is logged as a warning without its content", async () => {
    const before = api.logged().length;
    await deliver({ ...created({ canary_key: "canary-value" }), type: "invoice.paid", customer: "canary-customer" });
    await deliver({ canary_key: "canary-value" });
    const lines = api.logged().slice(before);
    expect(lines.match(/"level":"warn"[^\n]*unknown shape/g)).toHaveLength(1);
    expect(lines).not.toContain("canary");
  });

  it("has an effect if only its metadata is malformed: the customer names the user", async () => {
    const person = await api.person();
    const { customer, changed } = subscriptionOf(person);
    await deliver(changed("created", "active"));
    for (const metadata of ["text", 7, { user_id: 7 }, { user_id: {} }, null]) {
      const id = `sub_${unique()}`;
      const event = eventOf("customer.subscription.created", { id, customer, status: "active", metadata });
      expect((await deliver(event)).body).toEqual({ received: true });
      const { subscription: newest } = (await api.get("/api/payment/subscription", person)).body;
      expect(newest?.payment_subscription_id).toBe(id);
    }
  });
});
