import { describe, expect, it } from "vitest";
import { useApi } from "../../support/api.ts";

const wish = {
  priceId: "price_any",
  successUrl: "https://app.nectar.test/thanks",
  cancelUrl: "https://app.nectar.test/plans",
};
const bare = useApi();
// Port 9 is closed: the SDK is the real one, and finds nobody there.
const cutOff = useApi({
  environment: { STRIPE_SECRET_KEY: "sk_test_never_to_be_seen", STRIPE_BASE_URL: "http://127.0.0.1:9" },
});

describe("without a payment processor", () => {
  it("nobody can subscribe, and everything else works", async () => {
    const ada = await bare.person();
    expect((await bare.post("/api/payment/create-checkout-session", ada, wish)).body.code).toBe(
      "provider.not_configured",
    );
    expect((await bare.post("/api/payment/create-portal-session", ada, { returnUrl: wish.cancelUrl })).status).toBe(
      503,
    );
    expect((await bare.send("POST", "/api/payment/webhook", { body: "{}" })).status).toBe(503);
    expect((await bare.get("/api/payment/subscription", ada)).body).toEqual({ subscription: null });
  });
});

describe("with one that does not answer", () => {
  it("is 500 without a word of the processor's, and the key can be used again", async () => {
    const ada = await cutOff.person();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { status, body } = await cutOff.post("/api/payment/create-checkout-session", ada, wish, {
        "idempotency-key": "again",
      });
      expect([status, body.code]).toEqual([500, "provider.failed"]);
    }
    expect(cutOff.logged()).not.toContain("sk_test_never_to_be_seen");
  });

  it("takes no events without a secret to check them by", async () => {
    const headers = { "stripe-signature": "t=1,v1=00" };
    const { status, body } = await cutOff.send("POST", "/api/payment/webhook", { body: "{}", headers });
    expect([status, body.code]).toEqual([503, "provider.not_configured"]);
  });
});
