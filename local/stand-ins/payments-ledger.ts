import { randomUUID } from "node:crypto";

/** The amount of every price. */
const MONTHLY_CENTS = 900;
/** The API version of the events. */
const API_VERSION = "2026-10-28.endive";

type Metadata = Readonly<Record<string, string>>;

/** A checkout session as Stripe has it, and the fields that we need besides. */
export interface Session {
  readonly id: string;
  readonly object: "checkout.session";
  readonly mode: "subscription";
  status: "open" | "complete";
  payment_status: "unpaid" | "paid";
  url: string | null;
  readonly price: string;
  customer: string | null;
  readonly customer_email: string | null;
  subscription: string | null;
  readonly client_reference_id: string | null;
  readonly metadata: Metadata;
  readonly subscription_metadata: Metadata;
  readonly success_url: string;
  readonly cancel_url: string | null;
}

/** A subscription as Stripe has it. */
export interface Subscription {
  readonly id: string;
  readonly object: "subscription";
  readonly customer: string;
  readonly status: "incomplete" | "active" | "canceled";
  readonly metadata: Metadata;
  readonly created: number;
}

/** A session of the portal. */
interface Portal {
  readonly customer: string;
  readonly return_url: string | null;
}

/** A subscription from before the payment processor was started. */
export interface EarlierSubscription {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly status: "active" | "canceled";
}

/** Everything that the payment processor knows, by id and in memory only. */
export interface Ledger {
  readonly customers: Set<string>;
  readonly sessions: Map<string, Session>;
  readonly subscriptions: Map<string, Subscription>;
  readonly portals: Map<string, Portal>;
}

/** @param earlier the subscriptions from before */
export function newLedger(earlier: readonly EarlierSubscription[] = []): Ledger {
  const subscriptions = earlier.map(
    ({ customerId: customer, subscriptionId: id, status }): Subscription => ({
      id,
      object: "subscription",
      customer,
      status,
      metadata: {},
      created: 0,
    }),
  );
  return {
    customers: new Set(subscriptions.map(({ customer }) => customer)),
    sessions: new Map(),
    subscriptions: new Map(subscriptions.map((subscription) => [subscription.id, subscription])),
    portals: new Map(),
  };
}

/** Adds a customer. */
export function addCustomer({ customers }: Ledger, email: string | null) {
  const id = newId("cus");
  customers.add(id);
  return { id, object: "customer", email };
}

/** Pays for a checkout. @returns its events, in their order */
export function pay(ledger: Ledger, session: Session): object[] {
  const incomplete: Subscription = {
    id: newId("sub"),
    object: "subscription",
    customer: session.customer ?? addCustomer(ledger, session.customer_email).id,
    status: "incomplete",
    metadata: session.subscription_metadata,
    created: nowInSeconds(),
  };
  const active: Subscription = { ...incomplete, status: "active" };
  ledger.subscriptions.set(active.id, active);
  session.status = "complete";
  session.payment_status = "paid";
  session.customer = active.customer;
  session.subscription = active.id;
  session.url = null;
  return [
    eventOf("customer.subscription.created", incomplete),
    eventOf("invoice.paid", invoiceOf(active)),
    eventOf("customer.subscription.updated", active),
    eventOf("checkout.session.completed", { ...session }),
  ];
}

/** Cancels a subscription immediately. @returns its events */
export function cancel({ subscriptions }: Ledger, subscription: Subscription): object[] {
  const canceled: Subscription = { ...subscription, status: "canceled" };
  subscriptions.set(canceled.id, canceled);
  return [eventOf("customer.subscription.deleted", canceled)];
}

function invoiceOf({ id, customer, metadata }: Subscription) {
  return {
    id: newId("in"),
    object: "invoice",
    created: nowInSeconds(),
    customer,
    status: "paid",
    currency: "usd",
    amount_due: MONTHLY_CENTS,
    amount_paid: MONTHLY_CENTS,
    parent: { type: "subscription_details", quote_details: null, subscription_details: { subscription: id, metadata } },
  };
}

function eventOf(type: string, object: object) {
  return {
    id: newId("evt"),
    object: "event",
    api_version: API_VERSION,
    type,
    created: nowInSeconds(),
    livemode: false,
    pending_webhooks: 1,
    request: { id: newId("req"), idempotency_key: null },
    data: { object },
  };
}

/** An id as Stripe writes it, such as `cus_...`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll("-", "")}`;
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
