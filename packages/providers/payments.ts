import type { Stripe } from "stripe";
import * as z from "zod";
import { AppError } from "#core/errors";
import { MAX_EVENT_AGE_SECONDS } from "#core/limits";
import { callVendor } from "./call-vendor.ts";
import { once } from "./once.ts";

export interface CheckoutRequest {
  readonly userId: string;
  /** Filled in on the payment page of a new customer. */
  readonly email: string | null;
  /** Their id at the processor, or null; replaced by a new one if the processor deleted this customer. */
  readonly customerId: string | null;
  readonly priceId: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** Requests with the same key get the same session; null makes a new one. */
  readonly idempotencyKey: string | null;
}

/** A price that users can subscribe to. */
export interface Price {
  readonly id: string;
  /** The name of its product. */
  readonly name: string;
  /** Smallest unit of the currency; null if it is not a fixed amount. */
  readonly unit_amount: number | null;
  /** ISO 4217, in lower case. */
  readonly currency: string;
  /** How often it is paid: `day`, `week`, `month` or `year`. */
  readonly interval: string | null;
}

/** The payment processor: its own pages take the money, and its events (`verifyPaymentEvent`) report the result. */
export interface PaymentProvider {
  /**
   * Lists the active prices of subscriptions whose product is active, as the processor orders them, at most 1,000.
   * @throws AppError provider.failed if the processor does not respond as expected
   */
  listPrices(): Promise<Price[]>;
  /**
   * Creates a page on which a user subscribes.
   * @throws AppError payment.unknown_price, or provider.failed if the processor does not respond as expected
   */
  createCheckout(request: CheckoutRequest): Promise<{ sessionId: string; url: string }>;
  /**
   * Creates a page on which a customer manages their subscription.
   * @throws AppError payment.no_customer if the processor does not know the customer, or provider.failed if it does not
   *   respond as expected
   */
  createPortal(request: { readonly customerId: string; readonly returnUrl: string }): Promise<{ url: string }>;
  /**
   * Cancels a subscription at once. One that is cancelled already, or unknown, is fine.
   * @throws AppError provider.failed if the processor does not respond as expected
   */
  cancelSubscription(subscriptionId: string): Promise<void>;
}

export interface StripeOptions {
  readonly secretKey: string;
  /** Address of another server with Stripe's API; null for Stripe's own. */
  readonly baseUrl: string | null;
}

/** Timeout of a call to the processor, its retry included, in milliseconds. */
export const PAYMENT_CALL_MS = 25_000;
/** Timeout of one attempt without a response, so that there is time for another, in milliseconds. */
const ATTEMPT_MS = 10_000;
/** The maximum of the payment processor. */
const PRICES_PER_PAGE = 100;
const MAX_PRICES = 1_000;

/** The fields of a response that we need. The SDK accepts any JSON, even with a status of failure. */
const ListedPrice = z.object({
  id: z.string(),
  product: z.union([
    z.object({ deleted: z.literal(true), active: z.undefined() }),
    z.object({ active: z.boolean(), name: z.string() }),
  ]),
  unit_amount: z.int().nullable(),
  currency: z.string(),
  recurring: z.object({ interval: z.string() }),
});
const CreatedSession = z.object({ id: z.string(), url: z.string() });

/**
 * Payments by Stripe. Its SDK is loaded on first use.
 * @param callMs timeout of a call in milliseconds
 */
export function stripePayments(options: StripeOptions, callMs = PAYMENT_CALL_MS): PaymentProvider {
  const connected = once(() => connect(options));
  return {
    listPrices: () => callVendor(callMs, async () => readPrices(await connected())),
    createCheckout: (request) =>
      callVendor(callMs, async () => {
        const { id, url } = CreatedSession.parse(await createSession(await connected(), request));
        return { sessionId: id, url };
      }),
    createPortal: ({ customerId, returnUrl }) =>
      callVendor(callMs, async () => {
        const stripe = await connected();
        try {
          const session = await stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl });
          return { url: CreatedSession.parse(session).url };
        } catch (error) {
          if (isUnknownCustomer(error)) throw new AppError("payment.no_customer");
          throw error;
        }
      }),
    cancelSubscription: (subscriptionId) =>
      callVendor(callMs, async () => {
        const stripe = await connected();
        try {
          await stripe.subscriptions.cancel(subscriptionId);
        } catch (error) {
          if (!isUnknown(error)) throw error;
        }
      }),
  };
}

async function connect({ secretKey, baseUrl }: StripeOptions): Promise<Stripe> {
  const { Stripe } = await import("stripe");
  return new Stripe(secretKey, { maxNetworkRetries: 1, timeout: ATTEMPT_MS, telemetry: false, ...addressOf(baseUrl) });
}

function addressOf(baseUrl: string | null) {
  if (baseUrl === null) return {};
  const { protocol, hostname, port } = new URL(baseUrl);
  const isPlain = protocol === "http:";
  return { protocol: isPlain ? "http" : "https", host: hostname, port: port || (isPlain ? "80" : "443") } as const;
}

async function readPrices(stripe: Stripe): Promise<Price[]> {
  const query = { active: true, expand: ["data.product"], limit: PRICES_PER_PAGE };
  const listed = await stripe.prices.list({ ...query, type: "recurring" }).autoPagingToArray({ limit: MAX_PRICES });
  return listed.flatMap((price) => {
    const { id, product, unit_amount, currency, recurring } = ListedPrice.parse(price);
    return product.active === true
      ? [{ id, name: product.name, unit_amount, currency, interval: recurring.interval }]
      : [];
  });
}

/** Creates a checkout. A customer that the processor no longer knows must not prevent a new subscription. */
async function createSession(stripe: Stripe, request: CheckoutRequest): Promise<unknown> {
  try {
    return await stripe.checkout.sessions.create(sessionOf(request), keyOf(request.idempotencyKey));
  } catch (error) {
    if (isRefused(error, "line_items[0][price]")) throw new AppError("payment.unknown_price");
    if (request.customerId === null || !isUnknownCustomer(error)) throw error;
    // The processor refuses a key that was used with another body.
    const key = request.idempotencyKey === null ? null : `${request.idempotencyKey}-new-customer`;
    return createSession(stripe, { ...request, customerId: null, idempotencyKey: key });
  }
}

function keyOf(idempotencyKey: string | null): Stripe.RequestOptions {
  return idempotencyKey === null ? {} : { idempotencyKey };
}

/** Names the user in three ways, because each kind of event repeats another one of them. */
function sessionOf(request: CheckoutRequest): Stripe.Checkout.SessionCreateParams {
  const { userId, email, customerId, priceId } = request;
  const metadata = { user_id: userId };
  return {
    mode: "subscription",
    line_items: [{ price: priceId, quantity: 1 }],
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
    client_reference_id: userId,
    metadata,
    subscription_data: { metadata },
    ...(customerId !== null ? { customer: customerId } : email !== null ? { customer_email: email } : {}),
  };
}

/** Whether the processor refused a request because it does not know the customer. */
function isUnknownCustomer(error: unknown): boolean {
  return isRefused(error, "customer") && isUnknown(error);
}

/** Whether the processor does not know what a request is about. It no longer knows a cancelled subscription. */
function isUnknown(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, "code") === "resource_missing";
}

/** Whether the processor refused a request because of a parameter. */
function isRefused(error: unknown, param: string): error is Error {
  if (!(error instanceof Error) || !("type" in error) || !("param" in error)) return false;
  return error.type === "StripeInvalidRequestError" && error.param === param;
}

/** A request of the processor's webhook: its body exactly as sent, and the header with its signature. */
export interface SignedPaymentEvent {
  readonly body: string;
  readonly signature: string | undefined;
}

/**
 * Checks that the processor signed an event within the last five minutes.
 * @param secret signing secret of the webhook
 * @throws AppError payment.invalid_signature
 */
export async function verifyPaymentEvent(
  secret: string,
  { body, signature }: SignedPaymentEvent,
  receivedAt: Date,
): Promise<void> {
  const { Stripe } = await import("stripe");
  const receivedMs = receivedAt.getTime();
  try {
    // This does not parse the event: whatever fails here refuses the event, but an event of an unknown shape is accepted.
    const verified = await Stripe.webhooks.signature?.verifyHeaderAsync(
      body,
      signature ?? "",
      secret,
      MAX_EVENT_AGE_SECONDS,
      undefined,
      receivedMs,
    );
    if (verified === true) return;
  } catch {
    // The SDK's message quotes the body.
  }
  throw new AppError("payment.invalid_signature");
}
