import { expect, it } from "vitest";
import { useApi } from "#tests/api";

const CHECKOUT = {
  priceId: "price_any",
  successUrl: "https://app.nectar.test/thanks",
  cancelUrl: "https://app.nectar.test/plans",
};
const PORTAL = { returnUrl: "https://app.nectar.test/account" };
const unconfigured = useApi();
// Port 9 is closed, so the real SDK cannot connect.
const cutOff = useApi({
  environment: { STRIPE_SECRET_KEY: "sk_test_never_to_be_seen", STRIPE_BASE_URL: "http://127.0.0.1:9" },
});

it("without a payment processor everything but reading the subscription is 503", async () => {
  const ada = await unconfigured.person();
  for (const response of [
    unconfigured.post("/api/payment/create-checkout-session", ada, CHECKOUT),
    unconfigured.post("/api/payment/create-portal-session", ada, PORTAL),
    unconfigured.send("POST", "/api/payment/webhook", { body: "{}" }),
  ]) {
    await response.refused(503, "provider.not_configured");
  }
  expect((await unconfigured.get("/api/payment/subscription", ada)).body).toEqual({ subscription: null });
});

it("a webhook without a secret is 503, even if the processor itself is configured", async () => {
  const headers = { "stripe-signature": "t=1,v1=00" };
  await cutOff.send("POST", "/api/payment/webhook", { body: "{}", headers }).refused(503, "provider.not_configured");
});

it("a processor that cannot be reached is 500 without its error, and the key can be used again", async () => {
  const ada = await cutOff.person();
  await cutOff.query(
    `insert into nectar.subscriptions
       (user_id, payment_customer_id, payment_subscription_id, status, event_created, event_rank, event_id, created_at)
     values ($1, 'cus_1', 'sub_1', 'canceled', now(), 2, 'evt_1', now())`,
    [ada.id],
  );
  const key = { "idempotency-key": "again" };
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const send = (path: string, body: object) => cutOff.post(`/api/payment/${path}`, ada, body, key);
    await send("create-checkout-session", CHECKOUT).refused(500, "provider.failed");
    await send("create-portal-session", PORTAL).refused(500, "provider.failed");
  }
  expect(cutOff.logged()).toContain('"kind":"VendorFailure","code":"ECONNREFUSED"');
  expect(cutOff.logged()).not.toContain("sk_test_never_to_be_seen");
});
