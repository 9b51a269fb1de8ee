import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { ordersOf } from "#tests/orders";
import { ENVIRONMENT, eventOf, NOW, paymentEventsOf, subscriptionOf, unique } from "./payment-events.ts";

const api = useApi({ environment: ENVIRONMENT });
const { deliver, stateOf } = paymentEventsOf(api);

type Subscription = ReturnType<typeof subscriptionOf>;

/** Events of one subscription, and the status that they lead to in any order. */
const HISTORIES: Record<
  string,
  readonly [status: string, (subscription: Subscription) => (object & { id: string })[]]
> = {
  "created, updated and deleted": [
    "canceled",
    ({ changed }) => [
      changed("created", "incomplete", NOW - 2),
      changed("updated", "active", NOW - 1),
      changed("deleted", "canceled", NOW),
    ],
  ],
  "created, updated and deleted in one second": [
    "canceled",
    ({ changed }) => [changed("created", "active"), changed("updated", "active"), changed("deleted", "canceled")],
  ],
  "a checkout, an invoice and changes in one second": [
    "active",
    ({ changed, session, invoice }) => [
      changed("created", "incomplete"),
      session("completed", "paid"),
      invoice("paid"),
      changed("updated", "active"),
    ],
  ],
  "a checkout and changes in one second, and a failed payment in the next": [
    "past_due",
    ({ changed, session, invoice }) => [
      session("completed", "paid", NOW),
      changed("created", "incomplete", NOW),
      changed("updated", "active", NOW),
      invoice("payment_failed", NOW + 1),
    ],
  ],
  ...Object.fromEntries(
    ["trialing", "active"].map((status) => [
      `${status}, a checkout without a payment, and an invoice of 0`,
      [
        status,
        ({ id, customer, changed, session }: Subscription) => {
          const parent = { type: "subscription_details", subscription_details: { subscription: id } };
          const invoice = { id: `in_${unique()}`, customer, amount_paid: 0, parent };
          return [
            changed("created", status, NOW - 2),
            eventOf("invoice.paid", invoice, NOW - 1),
            session("completed", "no_payment_required", NOW),
          ];
        },
      ] as const,
    ]),
  ),
};

describe.each(Object.entries(HISTORIES))("the state of a subscription after %s", (_, [status, eventsOf]) => {
  /** Delivers events, copies of which arrive at once. Each counts once. */
  async function deliverAll(batches: readonly (readonly object[])[], count: number) {
    const responses = [];
    for (const batch of batches) responses.push(...(await Promise.all(batch.map((event) => deliver(event).ok()))));
    expect(responses.filter(({ duplicate }) => duplicate !== true)).toHaveLength(count);
  }

  it("is the same in every order, with one to five copies of each event at once", async () => {
    const numbers = [...eventsOf(subscriptionOf(await api.person())).keys()];
    for (const [round, order] of ordersOf(numbers).entries()) {
      const person = await api.person();
      const events = eventsOf(subscriptionOf(person));
      const copies = (number: number) => Array.from({ length: 1 + (round % 5) }, () => events[number] ?? {});
      await deliverAll(order.map(copies), events.length);
      expect(await stateOf(person)).toEqual({ status, premium: status === "active" });
    }
  });

  it("is the same when all events arrive at once, five times each", async () => {
    for (let round = 0; round < 4; round += 1) {
      const person = await api.person();
      const events = eventsOf(subscriptionOf(person));
      const copies = Array.from({ length: 5 }, (_copy, n) => (n % 2 === 0 ? events : events.toReversed()));
      await deliverAll([copies.flat()], events.length);
      expect(await stateOf(person)).toEqual({ status, premium: status === "active" });
    }
  });
});

describe("the state of a subscription", () => {
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
