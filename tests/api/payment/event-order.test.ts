import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";

import { ordersOf } from "#tests/orders";
import { ENVIRONMENT, NOW, paymentEventsOf, subscriptionOf } from "./payment-events.ts";

const api = useApi({ environment: ENVIRONMENT });
const { deliver, stateOf } = paymentEventsOf(api);

describe("the state of a subscription", () => {
  it.each([1, 2, 3, 4, 5])(
    "ends the same in every order of created, updated and deleted, each %i times",
    async (times) => {
      for (const order of ordersOf([0, 1, 2])) {
        const person = await api.person();
        const subscription = subscriptionOf(person);
        const events = [
          subscription.changed("created", "incomplete", NOW - 2),
          subscription.changed("updated", "active", NOW - 1),
          subscription.changed("deleted", "canceled", NOW),
        ];
        const responses = [];
        for (const index of order) {
          const event = events[index] ?? {};
          const copies = await Promise.all(Array.from({ length: times }, () => deliver(event)));
          expect(copies.map(({ status }) => status)).toEqual(copies.map(() => 200));
          expect(copies.filter(({ body }) => body.duplicate !== true)).toHaveLength(1);
          responses.push(...copies);
        }
        expect(responses).toHaveLength(3 * times);
        expect(await stateOf(person)).toEqual({ status: "canceled", premium: false });
      }
    },
  );

  it("ends the same when all events arrive at once, three times each", async () => {
    for (let round = 0; round < 4; round += 1) {
      const person = await api.person();
      const subscription = subscriptionOf(person);
      const events = [
        subscription.changed("created", "incomplete"),
        subscription.session("completed", "paid"),
        subscription.invoice("paid"),
        subscription.changed("updated", "active"),
      ];
      const all = [...events, ...events, ...events.toReversed()];
      const responses = await Promise.all(all.map((event) => deliver(event)));
      expect(responses.filter(({ body }) => body.duplicate !== true)).toHaveLength(events.length);
      expect(await stateOf(person)).toEqual({ status: "active", premium: true });
    }
  });

  it("ends with the deletion when created, updated and deleted arrive at once, five times each", async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => api.person()));
    await Promise.all(
      people.map(async (person) => {
        const subscription = subscriptionOf(person);
        const events = [
          subscription.changed("deleted", "canceled"),
          subscription.changed("updated", "active"),
          subscription.changed("created", "active"),
        ];
        const copies = Array.from({ length: 5 }, () => events).flat();
        const responses = await Promise.all(copies.map((event) => deliver(event)));
        expect(responses.map(({ status }) => status)).toEqual(copies.map(() => 200));
        expect(responses.filter(({ body }) => body.duplicate !== true)).toHaveLength(events.length);
        expect(await stateOf(person)).toEqual({ status: "canceled", premium: false });
      }),
    );
  });

  it("ends the same in every order of events of the same second and of others", async () => {
    for (const order of ordersOf([0, 1, 2, 3])) {
      const person = await api.person();
      const subscription = subscriptionOf(person);
      const events = [
        subscription.session("completed", "paid", NOW),
        subscription.changed("created", "incomplete", NOW),
        subscription.changed("updated", "active", NOW),
        subscription.invoice("payment_failed", NOW + 1),
      ];
      for (const index of order) await deliver(events[index] ?? {});
      expect(await stateOf(person)).toEqual({ status: "past_due", premium: false });
    }
  });

  it("stays past due when an older invoice is paid, until the newest one is", async () => {
    for (const order of ordersOf([0, 1, 2])) {
      const person = await api.person();
      const subscription = subscriptionOf(person);
      const [march, april] = [NOW - 60, NOW - 30];
      const events = [
        subscription.invoice("payment_failed", NOW - 50, march),
        subscription.invoice("payment_failed", NOW - 20, april),
        subscription.changed("updated", "past_due", NOW - 10),
      ];
      for (const index of order) await deliver(events[index] ?? {});
      await deliver(subscription.invoice("paid", NOW - 5, march));
      expect(await stateOf(person)).toEqual({ status: "past_due", premium: false });
      await deliver(subscription.invoice("paid", NOW, april));
      expect(await stateOf(person)).toEqual({ status: "active", premium: true });
    }
  });

  it("stays active when an attempt to pay an older invoice fails", async () => {
    const person = await api.person();
    const subscription = subscriptionOf(person);
    await deliver(subscription.changed("updated", "active", NOW - 20));
    await deliver(subscription.invoice("paid", NOW - 10, NOW - 30));
    await deliver(subscription.invoice("payment_failed", NOW, NOW - 60));
    expect(await stateOf(person)).toEqual({ status: "active", premium: true });
  });

  it("stays canceled, even after a later payment", async () => {
    const person = await api.person();
    const subscription = subscriptionOf(person);
    await deliver(subscription.changed("deleted", "canceled", NOW - 5));
    await deliver(subscription.invoice("paid", NOW));
    expect(await stateOf(person)).toEqual({ status: "canceled", premium: false });
  });
});
