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

interface Portal {
  readonly customer: string;
  readonly returnUrl: string | null;
}

/** A subscription from before the payment processor was started. */
export interface EarlierSubscription {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly status: "active" | "canceled";
}

/** Everything that the payment processor knows, in memory only. */
export class Ledger {
  readonly #customers = new Set<string>();
  readonly #sessions = new Map<string, Session>();
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #portals = new Map<string, Portal>();

  /** @param earlier who had subscribed before */
  constructor(earlier: readonly EarlierSubscription[] = []) {
    for (const { customerId, subscriptionId, status } of earlier) {
      this.#customers.add(customerId);
      this.#subscriptions.set(subscriptionId, {
        id: subscriptionId,
        object: "subscription",
        customer: customerId,
        status,
        metadata: {},
        created: 0,
      });
    }
  }

  addCustomer(email: string | null) {
    const id = newId("cus");
    this.#customers.add(id);
    return { id, object: "customer", email };
  }

  hasCustomer(id: string): boolean {
    return this.#customers.has(id);
  }

  addSession(session: Session): Session {
    this.#sessions.set(session.id, session);
    return session;
  }

  session(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  subscription(id: string): Subscription | undefined {
    return this.#subscriptions.get(id);
  }

  subscriptionsOf(customer: string): Subscription[] {
    return [...this.#subscriptions.values()].filter((subscription) => subscription.customer === customer);
  }

  addPortal(id: string, portal: Portal): void {
    this.#portals.set(id, portal);
  }

  portal(id: string): Portal | undefined {
    return this.#portals.get(id);
  }

  /** Pays for a checkout. @returns its events, in their order */
  pay(session: Session): object[] {
    const customer = session.customer ?? this.addCustomer(session.customer_email).id;
    const incomplete: Subscription = {
      id: newId("sub"),
      object: "subscription",
      customer,
      status: "incomplete",
      metadata: session.subscription_metadata,
      created: nowInSeconds(),
    };
    const active: Subscription = { ...incomplete, status: "active" };
    this.#subscriptions.set(active.id, active);
    Object.assign(session, {
      status: "complete",
      payment_status: "paid",
      customer,
      subscription: active.id,
      url: null,
    } satisfies Partial<Session>);
    return [
      eventOf("customer.subscription.created", incomplete),
      eventOf("invoice.paid", invoiceOf(active)),
      eventOf("customer.subscription.updated", active),
      eventOf("checkout.session.completed", { ...session }),
    ];
  }

  /** Cancels a subscription immediately. @returns its events */
  cancel(subscription: Subscription): object[] {
    const canceled: Subscription = { ...subscription, status: "canceled" };
    this.#subscriptions.set(canceled.id, canceled);
    return [eventOf("customer.subscription.deleted", canceled)];
  }
}

function invoiceOf({ id, customer, metadata }: Subscription) {
  return {
    id: newId("in"),
    object: "invoice",
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

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll("-", "")}`;
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
