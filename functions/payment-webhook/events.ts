import { createHash } from "node:crypto";
import { parsedJson } from "#core/text/json";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { EventEnvelope, Invoice, Session, SubscriptionObject } from "./schema.ts";

/** The part of a payment processor's event that we use. */
export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
  /** null if the event is not about a subscription. */
  readonly state: SubscriptionState | null;
  /** Whether the event has another shape than documented. Such an event is recorded and has no effect. */
  readonly isMalformed: boolean;
}

/** The state of a subscription after an event: all of it, not only what changed. */
interface SubscriptionState {
  readonly userId: string | null;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly status: string;
  /** Decides which of two events of the same second has the later state. */
  readonly rank: number;
  /** When the invoice was created that the event is about. */
  readonly invoiceCreatedAt?: Date | null | undefined;
}

/**
 * An update always follows what it updates; a payment is reported before the subscription that it pays for. A hint says
 * that there is a subscription but not its state, so every other event, older or newer, wins over it.
 */
const RANKS = { hint: -1, payment: 0, created: 1, changed: 2 } as const;

const PAID = { status: "active", rank: RANKS.payment };
const UNPAID = { status: "past_due", rank: RANKS.payment };
const INCOMPLETE = { status: "incomplete", rank: RANKS.hint };

/**
 * Reads the body of an event whose signature was verified. Never fails, because the processor would send an event that we
 * refuse again for days.
 * @param receivedAt the time of an event that has none itself
 */
export function readEvent(body: string, receivedAt: Date): PaymentEvent {
  const envelope = EventEnvelope.safeParse(parsedJson(body));
  if (!envelope.success) {
    // Without an id, a repeated event is recognized by its body.
    const id = createHash("sha256").update(body).digest("hex");
    return { id, type: "unknown", createdAt: receivedAt, state: null, isMalformed: true };
  }
  const { id, type, created, data } = envelope.data;
  const state = stateOf(type, data.object);
  return { id, type, createdAt: created, state: state ?? null, isMalformed: state === undefined };
}

/**
 * Records an event together with the subscription state that it reports.
 * @returns false if the event was recorded before
 */
export async function recordEvent(tx: Tx, { id, type, createdAt, state }: PaymentEvent): Promise<boolean> {
  const event = {
    id,
    type,
    happened_at: createdAt.toISOString(),
    rank: state?.rank,
    user_id: state?.userId,
    customer_id: state?.customerId,
    subscription_id: state?.subscriptionId,
    status: state?.status,
    invoice_created: state?.invoiceCreatedAt?.toISOString(),
  };
  return call(tx, "record_subscription_event", { event });
}

/** @returns null for a type that is not about subscriptions, undefined for an object of another shape than documented */
function stateOf(type: string, object: unknown): SubscriptionState | null | undefined {
  switch (type) {
    case "checkout.session.completed":
      return stateOfSession(object, (isPaid) => (isPaid ? PAID : INCOMPLETE));
    case "checkout.session.async_payment_succeeded":
      return stateOfSession(object, () => PAID);
    case "invoice.paid":
      // A trial has an invoice with an amount of 0, which also counts as paid.
      return stateOfInvoice(object, (amountPaid) => (amountPaid === 0 ? INCOMPLETE : PAID));
    case "invoice.payment_failed":
      return stateOfInvoice(object, () => UNPAID);
    case "customer.subscription.created":
      return stateOfSubscription(object, { rank: RANKS.created });
    case "customer.subscription.updated":
    case "customer.subscription.paused":
    case "customer.subscription.resumed":
      return stateOfSubscription(object, { rank: RANKS.changed });
    case "customer.subscription.deleted":
      return stateOfSubscription(object, { rank: RANKS.changed, status: "canceled" });
    default:
      return null;
  }
}

type Progress = Pick<SubscriptionState, "status" | "rank">;

function stateOfSession(object: unknown, progressOf: (isPaid: boolean) => Progress): SubscriptionState | undefined {
  const { data: session } = Session.safeParse(object);
  return (
    session && {
      userId: session.metadata ?? session.client_reference_id,
      customerId: session.customer,
      subscriptionId: session.subscription,
      ...progressOf(session.payment_status === "paid"),
    }
  );
}

function stateOfInvoice(object: unknown, progressOf: (amountPaid?: number | null) => Progress) {
  const { data: invoice } = Invoice.safeParse(object);
  const details = invoice?.parent?.subscription_details;
  return (
    invoice && {
      userId: (details ?? invoice.subscription_details)?.metadata ?? null,
      customerId: invoice.customer,
      subscriptionId: details?.subscription ?? invoice.subscription,
      invoiceCreatedAt: invoice.created,
      ...progressOf(invoice.amount_paid),
    }
  );
}

function stateOfSubscription(object: unknown, known: Pick<Progress, "rank"> & Partial<Progress>) {
  const { data: subscription } = SubscriptionObject.safeParse(object);
  return (
    subscription && {
      userId: subscription.metadata,
      customerId: subscription.customer,
      subscriptionId: subscription.id,
      status: subscription.status,
      ...known,
    }
  );
}
