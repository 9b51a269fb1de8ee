import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { ENVIRONMENT, eventOf, NOW, paymentEventsOf, subscriptionOf, unique } from "./payment-events.ts";

const api = useApi({ environment: ENVIRONMENT });
const { deliver, stateOf, countEvents } = paymentEventsOf(api);
const ada = beforeTests(() => api.person());

describe("an event about a subscription", () => {
  it.each<[string, string, (subscription: ReturnType<typeof subscriptionOf>) => object]>([
    ["a paid checkout", "active", ({ session }) => session("completed", "paid")],
    ["a checkout with a pending payment", "incomplete", ({ session }) => session("completed", "unpaid")],
    ["a payment that arrived later", "active", ({ session }) => session("async_payment_succeeded", "paid")],
    ["a paid invoice", "active", ({ invoice }) => invoice("paid")],
    ["a failed payment", "past_due", ({ invoice }) => invoice("payment_failed")],
    ["a new subscription", "trialing", ({ changed }) => changed("created", "trialing")],
    ["a changed subscription", "unpaid", ({ changed }) => changed("updated", "unpaid")],
    ["a paused subscription", "paused", ({ changed }) => changed("paused", "paused")],
    ["a resumed subscription", "active", ({ changed }) => changed("resumed", "active")],
    ["a deleted subscription", "canceled", ({ changed }) => changed("deleted", "active")],
  ])("of the kind %s makes it %s", async (_, status, eventFrom) => {
    const person = await api.person();
    const subscription = subscriptionOf(person);
    expect((await deliver(eventFrom(subscription))).body).toEqual({ received: true });
    expect(await stateOf(person)).toEqual({ status, premium: status === "active" });
    const { body } = await api.get("/api/payment/subscription", person);
    expect(body.subscription).toMatchObject({
      user_id: person.id,
      payment_customer_id: subscription.customer,
      payment_subscription_id: subscription.id,
    });
  });

  it("may have the invoice of an earlier version of the processor's API", async () => {
    const person = await api.person();
    const { id, customer } = subscriptionOf(person);
    const invoice = { id: `in_${unique()}`, object: "invoice", customer, amount_paid: 900, subscription: id };
    const details = { subscription_details: { metadata: { user_id: person.id } } };
    await deliver(eventOf("invoice.paid", { ...invoice, ...details }));
    expect(await stateOf(person)).toEqual({ status: "active", premium: true });
    await deliver(eventOf("invoice.payment_failed", { ...invoice, subscription: { id } }, NOW + 1));
    expect(await stateOf(person)).toEqual({ status: "past_due", premium: false });
  });

  it("ends premium when the last active subscription ends", async () => {
    const person = await api.person();
    const [first, second] = [subscriptionOf(person), subscriptionOf(person)];
    await deliver(first.changed("updated", "active"));
    await deliver(second.changed("updated", "active"));
    await deliver(second.changed("deleted", "canceled", NOW + 1));
    expect(await stateOf(person)).toEqual({ status: "active", premium: true });
    await deliver(first.changed("updated", "past_due", NOW + 1));
    expect((await stateOf(person)).premium).toBe(false);
  });

  it("ends premium when all subscriptions end at the same time", async () => {
    const person = await api.person();
    const subscriptions = Array.from({ length: 4 }, () => subscriptionOf(person));
    await Promise.all(subscriptions.map(({ changed }) => deliver(changed("updated", "active"))));
    expect((await stateOf(person)).premium).toBe(true);
    await Promise.all(subscriptions.map(({ changed }) => deliver(changed("deleted", "canceled", NOW + 1))));
    expect((await stateOf(person)).premium).toBe(false);
  });
});

describe("the user of an event", () => {
  it("is found by the customer if the event names no user", async () => {
    const person = await api.person();
    const first = subscriptionOf(person);
    await deliver(first.changed("deleted", "canceled"));
    await deliver(subscriptionOf(person, { customer: first.customer, metadata: {} }).changed("created", "active"));
    expect(await stateOf(person)).toEqual({ status: "active", premium: true });
  });

  it("may be unknown or deleted; the event is accepted", async () => {
    for (const metadata of [{}, { user_id: "no id" }, { user_id: randomUUID() }]) {
      const event = subscriptionOf(ada, { metadata }).changed("created", "active");
      expect((await deliver(event)).body).toEqual({ received: true });
      expect((await deliver(event)).body).toEqual({ received: true, duplicate: true });
    }
    expect(await stateOf(ada)).toEqual({ status: null, premium: false });
  });

  it("does not matter for other types of events, which are accepted and recorded", async () => {
    const event = eventOf("customer.created", { id: "cus_1" });
    expect((await deliver(event)).body).toEqual({ received: true });
    expect(await countEvents(event.id)).toBe(1);
    expect((await deliver(event)).body).toEqual({ received: true, duplicate: true });
  });
});

describe("an event that cannot be processed", () => {
  it("is 500, leaves nothing, and is processed when it is sent again", async () => {
    const person = await api.person();
    const event = subscriptionOf(person).changed("created", "active");
    await api.query(`
      create function private.fail_for_a_test() returns trigger language plpgsql
        as $$ begin raise exception 'the disk is full'; end $$;
      create trigger fail_for_a_test after update of is_premium on nectar.accounts
        for each row execute function private.fail_for_a_test();
    `);
    try {
      const body = await deliver(event).refused(500, "payment.webhook_failed");
      expect(JSON.stringify(body)).not.toContain("disk");
      expect(await countEvents(event.id)).toBe(0);
      expect(await stateOf(person)).toEqual({ status: null, premium: false });
    } finally {
      await api.query`drop function private.fail_for_a_test() cascade`;
    }
    expect((await deliver(event)).body).toEqual({ received: true });
    expect(await stateOf(person)).toEqual({ status: "active", premium: true });
  });
});
