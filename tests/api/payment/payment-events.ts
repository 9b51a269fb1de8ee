import { randomUUID } from "node:crypto";
import { stripeSignature } from "#local/stand-ins/webhooks";
import type { TestApi } from "#tests/api";
import type { Person } from "#tests/people";

export const SECRET = "whsec_tests_sign_events_with_this";
export const ENVIRONMENT = { STRIPE_SECRET_KEY: "sk_test_webhook", STRIPE_WEBHOOK_SECRET: SECRET };
export const PATH = "/api/payment/webhook";
/** The default time of events, in seconds since 1970. */
export const NOW = Math.floor(Date.now() / 1000);
export const unique = () => randomUUID().replaceAll("-", "");
export const secondsNow = () => Math.floor(Date.now() / 1000);

export function eventOf(type: string, object: object, created = NOW) {
  return { id: `evt_${unique()}`, object: "event", type, created, data: { object } };
}

/** A subscription of a person, with makers of events about it. */
export function subscriptionOf(person: { id: string }, known: { customer?: string; metadata?: object } = {}) {
  const id = `sub_${unique()}`;
  const customer = known.customer ?? `cus_${unique()}`;
  const metadata = known.metadata ?? { user_id: person.id };
  return {
    id,
    customer,
    changed: (type: string, status: string, created?: number) =>
      eventOf(`customer.subscription.${type}`, { id, object: "subscription", customer, metadata, status }, created),
    /** @param issued when the invoice itself was created; undefined if the event does not say */
    invoice(type: string, created?: number, issued?: number) {
      const parent = { type: "subscription_details", subscription_details: { subscription: id, metadata } };
      const invoice = { id: `in_${unique()}`, object: "invoice", customer, parent, created: issued };
      return eventOf(`invoice.${type}`, invoice, created);
    },
    session(type: string, payment_status: string, created?: number) {
      const paid = { id: `cs_${unique()}`, customer, subscription: id, payment_status };
      return eventOf(`checkout.session.${type}`, { ...paid, metadata: {}, client_reference_id: person.id }, created);
    },
  };
}

/** Delivers payment events to an API, and reads what they changed. */
export function paymentEventsOf(api: TestApi) {
  return {
    deliver(event: object, { secret = SECRET, at = secondsNow() } = {}) {
      const body = JSON.stringify(event);
      return api.send("POST", PATH, { body, headers: { "stripe-signature": stripeSignature(body, secret, at) } });
    },

    /** The status of a person's subscription, and whether they are premium. */
    async stateOf(person: Person) {
      const { subscription } = (await api.get("/api/payment/subscription", person)).body;
      const { profile } = (await api.get("/api/user/profile", person)).body;
      return { status: subscription?.status ?? null, premium: profile.is_premium };
    },

    countEvents: async (id: string) => (await api.query`select from private.payment_events where id = ${id}`).length,
  };
}
