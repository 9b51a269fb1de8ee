import { Uuid } from "@nectar/core/uuid";
import type { Tx } from "@nectar/database/database";
import type { PaymentEvent } from "@nectar/providers/payments";
import { sql } from "kysely";
import { z } from "zod";

/** What an event says of a subscription, as a whole: not what has changed, but how it stands. */
interface Standing {
  readonly userId: string | null;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly status: string;
  /** Which of two events of one second tells the later state. */
  readonly rank: number;
}

type Invoice = Extract<PaymentEvent, { type: "invoice.paid" }>["data"]["object"];
type Session = Extract<PaymentEvent, { type: "checkout.session.completed" }>["data"]["object"];
type Reference = string | { readonly id: string } | null | undefined;

/**
 * An update always comes after what it updates; a payment is told of before the subscription that it pays for. A hint says
 * that there is a subscription, but not how it stands: anything else, older or newer, knows more.
 */
const RANKS = { hint: -1, payment: 0, created: 1, changed: 2 } as const;

/** A webhook keeps the version of the API that it was made with; in those before 2025 an invoice says itself what it is for. */
const EarlierInvoice = z.object({
  subscription: z
    .union([z.string(), z.object({ id: z.string() })])
    .nullish()
    .catch(null),
  subscription_details: z
    .object({ metadata: z.object({ user_id: z.string().nullish() }).nullish() })
    .nullish()
    .catch(null),
});

/**
 * Records an event and what it says of a subscription, both or none.
 * @returns whether it is news: false when the event came before
 */
export async function recordEvent(tx: Tx, event: PaymentEvent): Promise<boolean> {
  const standing = standingOf(event);
  const { rows } = await sql<{ is_news: boolean }>`
    select private.record_subscription_event(
      ${event.id}, ${event.type}, to_timestamp(${event.created}::double precision), ${standing?.rank ?? null}::integer,
      ${standing?.userId ?? null}::uuid, ${standing?.customerId ?? null}::text,
      ${standing?.subscriptionId ?? null}::text, ${standing?.status ?? null}::text
    ) as is_news
  `.execute(tx);
  return rows[0]?.is_news === true;
}

const PAID = { status: "active", rank: RANKS.payment };
const UNPAID = { status: "past_due", rank: RANKS.payment };
const BEGUN = { status: "incomplete", rank: RANKS.hint };

function standingOf(event: PaymentEvent): Standing | null {
  switch (event.type) {
    case "checkout.session.completed":
      return ofSession(event.data.object, event.data.object.payment_status === "paid" ? PAID : BEGUN);
    case "checkout.session.async_payment_succeeded":
      return ofSession(event.data.object, PAID);
    case "invoice.paid":
      // A trial has an invoice of nothing, which is paid as well.
      return ofInvoice(event.data.object, event.data.object.amount_paid === 0 ? BEGUN : PAID);
    case "invoice.payment_failed":
      return ofInvoice(event.data.object, UNPAID);
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.paused":
    case "customer.subscription.resumed":
    case "customer.subscription.deleted": {
      const { id, customer, metadata, status } = event.data.object;
      return {
        userId: userIdOf(metadata?.user_id),
        customerId: idOf(customer),
        subscriptionId: id,
        status: event.type === "customer.subscription.deleted" ? "canceled" : status,
        rank: event.type === "customer.subscription.created" ? RANKS.created : RANKS.changed,
      };
    }
    default:
      return null;
  }
}

function ofSession(session: Session, state: Pick<Standing, "status" | "rank">): Standing {
  return {
    userId: userIdOf(session.metadata?.user_id) ?? userIdOf(session.client_reference_id),
    customerId: idOf(session.customer),
    subscriptionId: idOf(session.subscription),
    ...state,
  };
}

function ofInvoice(invoice: Invoice, state: Pick<Standing, "status" | "rank">): Standing {
  const details = invoice.parent?.subscription_details;
  const earlier = EarlierInvoice.parse(invoice);
  return {
    userId: userIdOf((details ?? earlier.subscription_details)?.metadata?.user_id),
    customerId: idOf(invoice.customer),
    subscriptionId: idOf(details?.subscription ?? earlier.subscription),
    ...state,
  };
}

/** Metadata is free text: subscriptions that were not begun by us may have anything there. */
function userIdOf(value: string | null | undefined): string | null {
  const parsed = Uuid.safeParse(value);
  return parsed.success ? parsed.data : null;
}

function idOf(reference: Reference): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
}
