import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { listenLocally } from "../listen.ts";
import { type EarlierSubscription, Ledger, type Session, type Subscription } from "./payments-ledger.ts";
import { checkoutPage, messagePage, portalPage } from "./payments-pages.ts";
import { deliver } from "./payments-webhook.ts";

/** A running payment processor. */
export interface Payments {
  url: string;
  /** Ends it in good order; what was subscribed to is forgotten. */
  stop(): Promise<void>;
  /** Breaks off what is under way, for an end that cannot wait. */
  kill(): void;
}

/** How the payment processor is set up. */
export interface PaymentsOptions {
  /** Any free one when left out. */
  port?: number;
  /** Where events are sent; nowhere when left out. */
  webhookUrl?: string;
  /** Secret that events are signed with. */
  webhookSecret: string;
  /** Who had subscribed before; nobody when left out. */
  earlier?: readonly EarlierSubscription[];
}

/**
 * Starts a payment processor on 127.0.0.1 that speaks as much of Stripe's protocol as we use, with a page to pay on (no
 * money is asked for) and a page to cancel on. Like Stripe it tells of what happens by signed events.
 * @throws StartupProblem when the port cannot be had.
 */
export async function startPayments(options: PaymentsOptions): Promise<Payments> {
  const ledger = new Ledger(options.earlier);
  const app = new Hono();
  const server = createServer(getRequestListener(app.fetch));
  const listening = await listenLocally(server, options.port ?? 0, "The payment processor");
  const url = `http://127.0.0.1:${listening.port}`;
  protocol(app, ledger, url);
  pages(app, ledger, options);
  return { url, stop: listening.stop, kill: listening.kill };
}

/** What the SDK calls. */
function protocol(app: Hono, ledger: Ledger, url: string): void {
  const answers = new Map<string, object>();

  app.use("/v1/*", async (c, next) => {
    if (!/^Bearer sk_\S+$/.test(c.req.header("authorization") ?? "")) {
      return refuse(c, 401, "Invalid API Key provided.");
    }
    const key = c.req.header("idempotency-key");
    const earlier = key === undefined || c.req.method !== "POST" ? undefined : answers.get(key);
    return earlier === undefined ? next() : c.json(earlier);
  });

  /** Answers, and answers the same when the same key comes again. */
  function created(c: Context, thing: object) {
    const key = c.req.header("idempotency-key");
    if (key !== undefined) answers.set(key, thing);
    return c.json(thing);
  }

  app.post("/v1/customers", async (c) => {
    const form = await formOf(c);
    return created(c, ledger.addCustomer(form.get("email")));
  });

  app.post("/v1/checkout/sessions", async (c) => {
    const form = await formOf(c);
    const price = form.get("line_items[0][price]") ?? "";
    const customer = form.get("customer");
    const successUrl = form.get("success_url");
    if (!price.startsWith("price_")) return refuse(c, 400, "No such price.", "line_items[0][price]");
    if (customer !== null && !ledger.hasCustomer(customer)) return refuse(c, 400, "No such customer.", "customer");
    if (form.get("mode") !== "subscription") return refuse(c, 400, "Only subscriptions are sold here.", "mode");
    if (successUrl === null) return refuse(c, 400, "Missing required param: success_url.", "success_url");
    const id = `cs_test_${randomUUID().replaceAll("-", "")}`;
    return created(
      c,
      ledger.addSession({
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
        success_url: successUrl,
        cancel_url: form.get("cancel_url"),
      }),
    );
  });

  app.post("/v1/billing_portal/sessions", async (c) => {
    const form = await formOf(c);
    const customer = form.get("customer") ?? "";
    if (!ledger.hasCustomer(customer)) return refuse(c, 400, "No such customer.", "customer");
    const id = `bps_${randomUUID().replaceAll("-", "")}`;
    const returnUrl = form.get("return_url");
    ledger.addPortal(id, { customer, returnUrl });
    return created(c, {
      id,
      object: "billing_portal.session",
      customer,
      return_url: returnUrl,
      url: `${url}/portal/${id}`,
    });
  });

  app.get("/v1/subscriptions/:id", (c) => {
    const subscription = ledger.subscription(c.req.param("id"));
    return subscription === undefined ? refuse(c, 404, "No such subscription.", "id") : c.json(subscription);
  });

  app.all("/v1/*", (c) => refuse(c, 404, "Unrecognized request URL."));
}

/** What people see. */
function pages(app: Hono, ledger: Ledger, { webhookUrl, webhookSecret }: PaymentsOptions): void {
  /** Sends the events of one happening. @returns whether all of them were taken */
  const tell = (events: readonly object[]) => deliver(events, webhookUrl, webhookSecret);

  app.get("/checkout/:id", (c) => {
    const session = ledger.session(c.req.param("id"));
    return session === undefined ? missing(c) : c.html(checkoutPage(session));
  });

  app.post("/checkout/:id/pay", async (c) => {
    const session = ledger.session(c.req.param("id"));
    if (session === undefined) return missing(c);
    const taken = session.status === "complete" || (await tell(ledger.pay(session)));
    return taken ? c.redirect(successAddress(session), 303) : untold(c);
  });

  app.get("/portal/:id", (c) => {
    const portal = ledger.portal(c.req.param("id"));
    if (portal === undefined) return missing(c);
    return c.html(portalPage(c.req.param("id"), ledger.subscriptionsOf(portal.customer), portal.returnUrl));
  });

  app.post("/portal/:id/cancel/:subscription", async (c) => {
    const portal = ledger.portal(c.req.param("id"));
    const subscription = ledger.subscription(c.req.param("subscription"));
    if (portal === undefined || subscription?.customer !== portal.customer) return missing(c);
    const taken = subscription.status === "canceled" || (await tell(ledger.cancel(subscription)));
    return taken ? c.redirect(`/portal/${c.req.param("id")}`, 303) : untold(c);
  });
}

function missing(c: Context) {
  return c.html(messagePage("Nothing here", "This page is not known, or the payment processor was restarted."), 404);
}

function untold(c: Context) {
  return c.html(messagePage("Done, but not told", "The API did not take the news at its webhook; see its log."), 502);
}

function successAddress(session: Session): string {
  return session.success_url.replaceAll("{CHECKOUT_SESSION_ID}", session.id);
}

function refuse(c: Context, status: 400 | 401 | 404, message: string, param?: string) {
  return c.json(
    { error: { type: "invalid_request_error", message, ...(param === undefined ? {} : { param }) } },
    status,
  );
}

async function formOf(c: Context): Promise<URLSearchParams> {
  return new URLSearchParams(await c.req.text());
}

/** Stripe's forms say `metadata[user_id]=…`. */
function metadataOf(form: URLSearchParams, name: string): Subscription["metadata"] {
  const entries = [...form]
    .filter(([key]) => key.startsWith(`${name}[`) && key.endsWith("]"))
    .map(([key, value]) => [key.slice(name.length + 1, -1), value] as const);
  return Object.fromEntries(entries);
}
