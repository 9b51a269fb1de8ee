import { AppError } from "@nectar/core/errors";
import type { Stripe } from "stripe";
import * as z from "zod";
import { within } from "./deadline.ts";

/** What a person wants to subscribe to, and where they go afterwards. */
export interface CheckoutRequest {
  readonly userId: string;
  /** Filled in for them where no customer is known yet, or not any more. */
  readonly email: string | null;
  /** The customer that they were at the processor when we last heard, or null; one that is gone there becomes a new one. */
  readonly customerId: string | null;
  readonly priceId: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** The same key gets the same session. */
  readonly idempotencyKey?: string;
}

/** The payment processor: its own pages take the money, its events (see `verifyPaymentEvent`) say what happened. */
export interface PaymentProvider {
  /**
   * Opens a page on which a person subscribes.
   * @throws AppError payment.unknown_price, or provider.failed when the processor does not answer as expected
   */
  createCheckout(request: CheckoutRequest): Promise<{ sessionId: string; url: string }>;
  /**
   * Opens a page on which a customer manages their subscription.
   * @throws AppError payment.no_customer when the processor does not know the customer, or provider.failed when it does not
   *   respond as expected
   */
  createPortal(request: { readonly customerId: string; readonly returnUrl: string }): Promise<{ url: string }>;
}

/** How to reach Stripe. */
export interface StripeOptions {
  readonly secretKey: string;
  /** Address of another server that speaks Stripe's protocol; null for Stripe's own. */
  readonly baseUrl: string | null;
}

/** The longest that a call to the processor takes, its retry included, in milliseconds. */
export const PAYMENT_CALL_MS = 25_000;
/** The longest silence of one attempt, so that there is time for another. */
const SILENCE_MS = 10_000;
/** How old a signed event may be, so that a copy of it is of no use later. */
const TOLERANCE_SECONDS = 300;

/** What an answer must hold. The SDK takes whatever is JSON for what was asked for, even with a status of failure. */
const Opened = z.object({ id: z.string(), url: z.string() });

/**
 * Payments by Stripe. Its SDK is loaded on first use.
 * @param callMs the longest that a call may take
 */
export function stripePayments(options: StripeOptions, callMs = PAYMENT_CALL_MS): PaymentProvider {
  let client: Promise<Stripe> | undefined;
  const connected = () => {
    client ??= connect(options);
    return client;
  };
  return {
    createCheckout: (request) =>
      orFail(callMs, async () => {
        const { id, url } = Opened.parse(await openSession(await connected(), request));
        return { sessionId: id, url };
      }),
    createPortal: ({ customerId, returnUrl }) =>
      orFail(callMs, async () => {
        const stripe = await connected();
        try {
          const session = await stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl });
          return { url: Opened.parse(session).url };
        } catch (error) {
          if (isUnknownCustomer(error)) throw new AppError("payment.no_customer");
          throw error;
        }
      }),
  };
}

async function connect({ secretKey, baseUrl }: StripeOptions): Promise<Stripe> {
  const { Stripe } = await import("stripe");
  return new Stripe(secretKey, { maxNetworkRetries: 1, timeout: SILENCE_MS, telemetry: false, ...addressOf(baseUrl) });
}

function addressOf(baseUrl: string | null) {
  if (baseUrl === null) return {};
  const { protocol, hostname, port } = new URL(baseUrl);
  const isPlain = protocol === "http:";
  return { protocol: isPlain ? "http" : "https", host: hostname, port: port || (isPlain ? "80" : "443") } as const;
}

/** Opens a checkout. A customer that the processor no longer knows must not prevent a new subscription. */
async function openSession(stripe: Stripe, request: CheckoutRequest): Promise<unknown> {
  try {
    return await stripe.checkout.sessions.create(sessionOf(request), keyOf(request.idempotencyKey));
  } catch (error) {
    if (request.customerId === null || !isUnknownCustomer(error)) throw error;
    // The processor refuses a key that comes again with something else.
    const key = request.idempotencyKey === undefined ? undefined : `${request.idempotencyKey}-new-customer`;
    return await stripe.checkout.sessions.create(sessionOf({ ...request, customerId: null }), keyOf(key));
  }
}

function keyOf(idempotencyKey: string | undefined): Stripe.RequestOptions {
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}

/** Whose subscription it is goes along in three ways, because each kind of event repeats another one of them. */
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

/** What went wrong stays here: the processor's own words may name keys and people. */
async function orFail<Result>(callMs: number, work: () => Promise<Result>): Promise<Result> {
  try {
    return await within(callMs, work);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (isRefused(error, "line_items[0][price]")) throw new AppError("payment.unknown_price");
    throw new AppError("provider.failed");
  }
}

/** Whether the processor says that it does not know the customer (any more). */
function isUnknownCustomer(error: unknown): boolean {
  return isRefused(error, "customer") && Reflect.get(error, "code") === "resource_missing";
}

/** Whether a parameter is what the processor refuses a request for. */
function isRefused(error: unknown, param: string): error is Error {
  if (!(error instanceof Error) || !("type" in error) || !("param" in error)) return false;
  return error.type === "StripeInvalidRequestError" && error.param === param;
}

/** A request of the processor's webhook: its body exactly as it came, and the header that signs it. */
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
    // Only the check, not the SDK's reading of the event: every failure in here must refuse the event, and an event of an
    // unknown shape is no failure.
    const verified = await Stripe.webhooks.signature?.verifyHeaderAsync(
      body,
      signature ?? "",
      secret,
      TOLERANCE_SECONDS,
      undefined,
      receivedMs,
    );
    if (verified === true) return;
  } catch {
    // The SDK's message quotes the body.
  }
  throw new AppError("payment.invalid_signature");
}
