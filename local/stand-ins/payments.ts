import { type Context, Hono } from "hono";
import {
  addCustomer,
  cancel,
  type EarlierSubscription,
  type Ledger,
  newId,
  newLedger,
  pay,
  type Session,
  type Subscription,
} from "./payments-ledger.ts";
import { checkoutPage, portalPage } from "./payments-pages.ts";
import { missingPage, notAcceptedPage, type StandIn, serveStandIn } from "./server.ts";
import { deliverEvent, stripeSignature, type WebhookOptions } from "./webhooks.ts";

/** How the payment processor is set up. */
export interface PaymentsOptions extends WebhookOptions {
  /** Any free one if left out. */
  port?: number;
  /** Subscriptions from before the start; none if left out. */
  earlier?: readonly EarlierSubscription[];
}

/**
 * Starts a payment processor on 127.0.0.1 that speaks as much of Stripe's protocol as we use, with a page to pay on (without
 * money) and a page to cancel on. Like Stripe it reports what happens with signed events.
 * @throws StartupProblem if the port is in use
 */
export async function startPayments(options: PaymentsOptions): Promise<StandIn> {
  const ledger = newLedger(options.earlier);
  const app = new Hono();
  const server = await serveStandIn(app, options.port ?? 0, "The payment processor");
  const deliver = delivery(options);
  protocol(app, ledger, { url: server.url, deliver });
  pages(app, ledger, deliver);
  return server;
}

/** A response to the SDK. */
interface ApiResponse {
  readonly status: 200 | 400 | 401 | 404;
  readonly body: object;
}

/** Sends events in parallel, like Stripe, and says whether all of them were accepted. */
type Deliver = (events: readonly object[]) => Promise<boolean>;

function delivery(webhook: WebhookOptions): Deliver {
  const sign = (body: string, secret: string) => ({ "stripe-signature": stripeSignature(body, secret) });
  return async (events) => {
    const accepted = await Promise.all(events.map((event) => deliverEvent(event, webhook, sign)));
    return accepted.every(Boolean);
  };
}

/** Routes of the SDK. */
function protocol(app: Hono, ledger: Ledger, { url, deliver }: { url: string; deliver: Deliver }): void {
  const saved = new Map<string, { request: string; response: ApiResponse }>();

  app.use("/v1/*", async (c, next) => {
    const authorization = c.req.header("authorization") ?? "";
    if (authorization === "") return respond(c, refusal(401, { message: NO_KEY }));
    if (!/^Bearer sk_\S+$/.test(authorization)) {
      return respond(c, refusal(401, { message: "Invalid API Key provided." }));
    }
    return next();
  });

  /**
   * Responds to a request that creates something. Like Stripe, it repeats the saved response for a repeated key, also an
   * error, and refuses the key with other parameters or on another endpoint.
   */
  async function create(c: Context, required: readonly string[], execute: (form: URLSearchParams) => ApiResponse) {
    const text = await c.req.text();
    const form = new URLSearchParams(text);
    const key = c.req.header("idempotency-key");
    if (key !== undefined && key.length > MAX_KEY) return respond(c, refusal(400, { message: LONG_KEY }));
    const request = `${c.req.path} ${text}`;
    const earlier = key === undefined ? undefined : saved.get(key);
    if (earlier !== undefined && earlier.request !== request) {
      return respond(c, refusal(400, { type: "idempotency_error", message: REUSED_KEY(key) }));
    }
    if (earlier !== undefined) {
      c.header("idempotent-replayed", "true");
      return respond(c, earlier.response);
    }
    const missing = required.find((param) => (form.get(param) ?? "") === "");
    if (missing !== undefined) {
      const message = `Missing required param: ${missing}.`;
      return respond(c, refusal(400, { code: "parameter_missing", param: missing, message }));
    }
    const [empty] = [...form].find(([, value]) => value === "") ?? [];
    if (empty !== undefined) {
      const message = `You passed an empty string for '${empty}'. Remove it or send a value.`;
      return respond(c, refusal(400, { code: "parameter_invalid_empty", param: empty, message }));
    }
    const response = execute(form);
    if (key !== undefined) saved.set(key, { request, response });
    return respond(c, response);
  }

  app.post("/v1/customers", (c) => create(c, [], (form) => ok(addCustomer(ledger, form.get("email")))));

  app.post("/v1/checkout/sessions", (c) =>
    create(c, ["mode", "line_items[0][price]", "success_url"], (form) => {
      const price = form.get("line_items[0][price]") ?? "";
      const customer = form.get("customer");
      if (!price.startsWith("price_")) return missingResource(400, "price", price, "line_items[0][price]");
      if (customer !== null && !ledger.customers.has(customer)) return missingResource(400, "customer", customer);
      if (customer !== null && form.has("customer_email")) {
        const message = "You may only specify one of these parameters: customer, customer_email.";
        return refusal(400, { param: "customer_email", message });
      }
      if (form.get("mode") !== "subscription") {
        return refusal(400, { param: "mode", message: "Only subscriptions are sold here." });
      }
      for (const param of ["success_url", "cancel_url"]) {
        const isUrl = !form.has(param) || /^https?:\/\/\S+$/.test(form.get(param) ?? "");
        if (!isUrl) return refusal(400, { code: "url_invalid", param, message: "Not a valid URL" });
      }
      const id = newId("cs_test");
      const session: Session = {
        id,
        object: "checkout.session",
        mode: "subscription",
        status: "open",
        payment_status: "unpaid",
        url: `${url}/checkout/${id}`,
        price,
        customer,
        customer_email: form.get("customer_email"),
        subscription: null,
        client_reference_id: form.get("client_reference_id"),
        metadata: metadataOf(form, "metadata"),
        subscription_metadata: metadataOf(form, "subscription_data[metadata]"),
        success_url: form.get("success_url") ?? "",
        cancel_url: form.get("cancel_url"),
      };
      ledger.sessions.set(id, session);
      return ok(session);
    }),
  );

  app.post("/v1/billing_portal/sessions", (c) =>
    create(c, ["customer"], (form) => {
      const customer = form.get("customer") ?? "";
      if (!ledger.customers.has(customer)) return missingResource(400, "customer", customer);
      const id = newId("bps");
      const portal = { customer, return_url: form.get("return_url") };
      ledger.portals.set(id, portal);
      return ok({ id, object: "billing_portal.session", ...portal, url: `${url}/portal/${id}` });
    }),
  );

  app.get("/v1/prices", (c) => {
    const { active, type, limit = "10", starting_after: after } = c.req.query();
    const isExpanded = [...new URL(c.req.url).searchParams].some(
      ([name, value]) => /^expand\[\d*\]$/.test(name) && value === "data.product",
    );
    const found = PRICES.filter((price) => active === undefined || String(price.active) === active).filter(
      (price) => type === undefined || price.type === type,
    );
    const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && start === 0) return respond(c, missingResource(400, "price", after, "starting_after"));
    const data = found.slice(start, start + Number(limit));
    return respond(
      c,
      ok({
        object: "list",
        url: "/v1/prices",
        has_more: start + data.length < found.length,
        data: isExpanded ? data : data.map((price) => ({ ...price, product: price.product.id })),
      }),
    );
  });

  app.delete("/v1/subscriptions/:id", async (c) => {
    const id = c.req.param("id");
    const subscription = ledger.subscriptions.get(id);
    if (subscription === undefined || subscription.status === "canceled") {
      return respond(c, missingResource(404, "subscription", id, "id"));
    }
    void deliver(cancel(ledger, subscription));
    return respond(c, ok(ledger.subscriptions.get(id) ?? subscription));
  });

  app.get("/v1/subscriptions/:id", (c) => {
    const id = c.req.param("id");
    const subscription = ledger.subscriptions.get(id);
    return respond(c, subscription === undefined ? missingResource(404, "subscription", id, "id") : ok(subscription));
  });

  app.all("/v1/*", (c) =>
    respond(c, refusal(404, { message: `Unrecognized request URL (${c.req.method}: ${c.req.path}).` })),
  );
}

/** A price of the catalogue; `interval` is null for one that is paid once. */
function price(id: string, unit_amount: number | null, interval: string | null, { active = true, sold = true } = {}) {
  return {
    id,
    object: "price",
    active,
    currency: "usd",
    nickname: null,
    product: { id: `prod_${id}`, object: "product", active: sold, name: "Nectar Premium" },
    recurring: interval === null ? null : { interval, interval_count: 1, usage_type: "licensed" },
    type: interval === null ? "one_time" : "recurring",
    unit_amount,
    billing_scheme: unit_amount === null ? "tiered" : "per_unit",
  };
}

/** Newest first, as Stripe lists them. */
const PRICES = [
  price("price_premium", 499, "month"),
  price("price_premium_yearly", 4_990, "year"),
  price("price_tiered", null, "month"),
  price("price_of_the_past", 299, "month", { active: false }),
  price("price_of_a_withdrawn_product", 299, "month", { sold: false }),
  price("price_paid_once", 9_900, null),
];

const MAX_KEY = 255;
const NO_KEY =
  "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.";
const LONG_KEY = `Idempotency keys may be at most ${MAX_KEY} characters long.`;
const REUSED_KEY = (key: string | undefined) =>
  `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;

/** Pages for people. */
function pages(app: Hono, ledger: Ledger, deliver: Deliver): void {
  app.get("/checkout/:id", (c) => {
    const session = ledger.sessions.get(c.req.param("id"));
    return session === undefined ? missingPage(c) : c.html(checkoutPage(session));
  });

  app.post("/checkout/:id/pay", async (c) => {
    const session = ledger.sessions.get(c.req.param("id"));
    if (session === undefined) return missingPage(c);
    const isAccepted = session.status === "complete" || (await deliver(pay(ledger, session)));
    const successUrl = session.success_url.replaceAll("{CHECKOUT_SESSION_ID}", session.id);
    return isAccepted ? c.redirect(successUrl, 303) : notAcceptedPage(c);
  });

  app.get("/portal/:id", (c) => {
    const portal = ledger.portals.get(c.req.param("id"));
    if (portal === undefined) return missingPage(c);
    const subscriptions = [...ledger.subscriptions.values()].filter(({ customer }) => customer === portal.customer);
    return c.html(portalPage(c.req.param("id"), subscriptions, portal.return_url));
  });

  app.post("/portal/:id/cancel/:subscription", async (c) => {
    const portal = ledger.portals.get(c.req.param("id"));
    const subscription = ledger.subscriptions.get(c.req.param("subscription"));
    if (portal === undefined || subscription?.customer !== portal.customer) return missingPage(c);
    const isAccepted = subscription.status === "canceled" || (await deliver(cancel(ledger, subscription)));
    return isAccepted ? c.redirect(`/portal/${c.req.param("id")}`, 303) : notAcceptedPage(c);
  });
}

function respond(c: Context, { status, body }: ApiResponse) {
  c.header("request-id", newId("req"));
  return c.json(body, status);
}

function ok(body: object): ApiResponse {
  return { status: 200, body };
}

/** An error in Stripe's words. */
interface StripeProblem {
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  readonly message: string;
}

function refusal(status: 400 | 401 | 404, problem: StripeProblem): ApiResponse {
  const { code } = problem;
  const docs =
    code === undefined ? {} : { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll("_", "-")}` };
  return { status, body: { error: { type: "invalid_request_error", ...docs, ...problem } } };
}

/** 404 if the path names it, 400 if a parameter does. */
function missingResource(status: 400 | 404, kind: string, id: string, param = kind): ApiResponse {
  return refusal(status, { code: "resource_missing", param, message: `No such ${kind}: '${id}'` });
}

/** Stripe's forms say `metadata[user_id]=…`. */
function metadataOf(form: URLSearchParams, name: string): Subscription["metadata"] {
  const entries = [...form]
    .filter(([key]) => key.startsWith(`${name}[`) && key.endsWith("]"))
    .map(([key, value]) => [key.slice(name.length + 1, -1), value] as const);
  return Object.fromEntries(entries);
}
