import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { afterAll, describe, expect, it } from "vitest";
import { startPayments } from "#local/stand-ins/payments";
import { listenLocally } from "#local/support/listen";
import { useApi } from "#tests/api";
import { type Person, tokenFor } from "#tests/people";

const SECRET = "whsec_of_the_checkout_tests";
/** The API's webhook on a port of its own, which the payment processor calls. */
const webhook = await listenLocally(
  createServer(
    getRequestListener(async (request) => {
      const { status, body } = await api.send("POST", new URL(request.url).pathname, {
        body: await request.text(),
        headers: { "stripe-signature": request.headers.get("stripe-signature") ?? "" },
      });
      return Response.json(body, { status });
    }),
  ),
  0,
  "The webhook",
);
const processor = await startPayments({
  webhookUrl: `http://127.0.0.1:${webhook.port}/api/payment/webhook`,
  webhookSecret: SECRET,
});
const api = useApi({
  environment: {
    STRIPE_SECRET_KEY: "sk_test_checkout",
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_BASE_URL: processor.url,
    STRIPE_PRICE_IDS: "price_monthly,price_yearly,product_without_price",
    APP_ORIGINS: "https://app.nectar.test,http://localhost:5173",
  },
});
afterAll(async () => {
  await processor.stop();
  await webhook.stop();
});

const CHECKOUT = {
  priceId: "price_monthly",
  successUrl: "https://app.nectar.test/thanks?session={CHECKOUT_SESSION_ID}",
  cancelUrl: "http://localhost:5173/plans",
};
const checkout = (as: Person, change: object = {}, headers: Record<string, string> = {}) =>
  api.post("/api/payment/create-checkout-session", as, { ...CHECKOUT, ...change }, headers);
const portal = (as: Person, returnUrl = "https://app.nectar.test/account", headers = {}) =>
  api.post("/api/payment/create-portal-session", as, { returnUrl }, headers);
const subscriptionOf = async (person: Person) => (await api.get("/api/payment/subscription", person).ok()).subscription;
const isPremium = async (person: Person) => (await api.get("/api/user/profile", person).ok()).profile.is_premium;
const press = (url: string) => fetch(url, { method: "POST", redirect: "manual" });

/** Subscribes as a user does. */
async function subscribe(person: Person, headers = {}): Promise<void> {
  const { url } = await checkout(person, {}, headers).ok();
  expect((await press(`${url}/pay`)).status).toBe(303);
}

describe("a subscription", () => {
  it("starts at the API, is paid at the processor, and makes premium until it is canceled in the portal", async () => {
    const ada = await api.person();
    expect(await subscriptionOf(ada)).toBeNull();
    const body = await checkout(ada).ok();
    expect(body.sessionId).toMatch(/^cs_/);
    expect(await (await fetch(body.url)).text()).toContain("<button>Pay</button>");

    const paid = await press(`${body.url}/pay`);
    expect(paid.headers.get("location")).toBe(`https://app.nectar.test/thanks?session=${body.sessionId}`);
    const subscription = await subscriptionOf(ada);
    expect(subscription).toMatchObject({ user_id: ada.id, status: "active" });
    expect(await isPremium(ada)).toBe(true);
    await checkout(ada).refused(409, "payment.already_subscribed");

    const opened = await portal(ada).ok();
    const page = await (await fetch(opened.url)).text();
    expect(page).toContain(subscription?.payment_subscription_id);
    await press(`${opened.url}/cancel/${subscription?.payment_subscription_id}`);
    expect(await subscriptionOf(ada)).toEqual({ ...subscription, status: "canceled" });
    expect(await isPremium(ada)).toBe(false);

    await subscribe(ada);
    const again = await subscriptionOf(ada);
    expect(again).toMatchObject({ status: "active", payment_customer_id: subscription?.payment_customer_id });
    expect(again?.payment_subscription_id).not.toBe(subscription?.payment_subscription_id);
  });

  it("is visible to its owner only", async () => {
    const [ben, cleo] = [await api.person(), await api.person()];
    await subscribe(ben);
    expect([await subscriptionOf(cleo), await isPremium(cleo)]).toEqual([null, false]);
    await portal(cleo).refused(404, "payment.no_customer");
  });
});

/** A person whose subscription ended, and whose customer the processor then deleted. */
async function personWithLostCustomer(): Promise<Person> {
  const person = await api.person();
  await api.query(
    `insert into nectar.subscriptions
         (user_id, payment_customer_id, payment_subscription_id, status, event_created, event_rank, event_id, created_at)
       values ($1, 'cus_gone', 'sub_of_' || $2, 'canceled', now(), 2, 'evt_gone', now() - interval '1 day')`,
    [person.id, person.id],
  );
  return person;
}

it("the portal of a customer that the processor deleted is 404, and the key can be used again", async () => {
  const person = await personWithLostCustomer();
  const open = () => portal(person, undefined, { "idempotency-key": "portal-once" });
  for (let attempt = 0; attempt < 2; attempt += 1) await open().refused(404, "payment.no_customer");
  await subscribe(person);
  await open().ok();
});

it.each([{}, { "idempotency-key": "start-again" }])(
  "a customer that the processor deleted subscribes again as a new customer (%o)",
  async (headers) => {
    const gina = await personWithLostCustomer();
    await subscribe(gina, headers);
    const subscription = await subscriptionOf(gina);
    expect(subscription).toMatchObject({ user_id: gina.id, status: "active" });
    expect(subscription?.payment_customer_id).not.toBe("cus_gone");
    await portal(gina).ok();
  },
);

describe("POST /api/payment/create-checkout-session", () => {
  it("returns the same session for the same key", async () => {
    const dora = await api.person();
    const headers = { "idempotency-key": "subscribe-once" };
    const first = await checkout(dora, {}, headers);
    const second = await checkout(dora, {}, headers);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    await checkout(dora, { priceId: "price_yearly" }, headers).refused(409, "idempotency.key_reused");
    const emil = await api.person();
    expect((await checkout(emil, {}, headers)).body.sessionId).not.toBe(first.body.sessionId);
  });

  it("is open to accounts without an address, whose tokens have an empty one", async () => {
    const fay = await api.person();
    const { url } = await checkout({ ...fay, token: await tokenFor({ sub: fay.id, email: "" }) }).ok();
    expect(new URL(url).origin).toBe(processor.url);
    const form = new URLSearchParams({
      mode: "subscription",
      "line_items[0][price]": "price_monthly",
      customer_email: "",
    });
    form.set("success_url", CHECKOUT.successUrl);
    const headers = { authorization: "Bearer sk_test_checkout" };
    const refused = await fetch(`${processor.url}/v1/checkout/sessions`, { method: "POST", headers, body: form });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: "parameter_invalid_empty" } }]);
  });

  it("accepts only configured prices that the processor knows", async () => {
    const ada = await api.person();
    for (const priceId of ["price_of_something_else", "product_without_price"]) {
      await checkout(ada, { priceId }).refused(400, "payment.unknown_price");
    }
  });

  it("accepts only return addresses of the application", async () => {
    const ada = await api.person();
    for (const url of [
      "https://evil.test/",
      "https://app.nectar.test.evil.test/",
      "https://app.nectar.test@evil.test/",
      "http://app.nectar.test/",
      "javascript:alert(1)",
      "not an address",
      "",
    ]) {
      await checkout(ada, { successUrl: url, cancelUrl: url }).invalid("successUrl", "cancelUrl");
      await portal(ada, url).invalid("returnUrl");
    }
  });

  it("checks addresses before an active subscription, and ignores unknown fields", async () => {
    const fred = await api.person();
    await subscribe(fred);
    await checkout(fred, { cancelUrl: "https://evil.test/" }).refused(400);
    await checkout(fred, { user_id: fred.id, mode: "payment" }).refused(409, "payment.already_subscribed");
  });

  it("names all missing fields", async () => {
    const path = "/api/payment/create-checkout-session";
    await api.post(path, await api.person(), {}).invalid("priceId", "successUrl", "cancelUrl");
  });
});
