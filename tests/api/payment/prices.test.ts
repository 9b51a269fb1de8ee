import { afterAll, expect, it } from "vitest";
import { startPayments } from "#local/stand-ins/payments";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const processor = await startPayments({ webhookSecret: "whsec_unused" });
afterAll(() => processor.stop());
const account = { STRIPE_SECRET_KEY: "sk_test_prices", STRIPE_BASE_URL: processor.url };
const api = useApi({ environment: account });
const sold = useApi({ environment: { ...account, STRIPE_PRICE_IDS: "price_premium_yearly,price_unknown" } });
const without = useApi();
const closing = await startPayments({ webhookSecret: "whsec_unused" });
const later = useApi({ environment: { ...account, STRIPE_BASE_URL: closing.url } });
const ada = beforeTests(() => api.person());

const MONTHLY = {
  id: "price_premium",
  name: "Nectar Premium",
  unit_amount: 499,
  currency: "usd",
  interval: "month",
} as const;
const YEARLY = { ...MONTHLY, id: "price_premium_yearly", unit_amount: 4_990, interval: "year" } as const;
const TIERED = { ...MONTHLY, id: "price_tiered", unit_amount: null } as const;

it("lists the active prices of subscriptions to active products", async () => {
  expect(await api.get("/api/payment/prices", ada).ok()).toEqual({ prices: [MONTHLY, YEARLY, TIERED] });
});

it("lists only the prices that the operator names", async () => {
  expect(await sold.get("/api/payment/prices", await sold.person()).ok()).toEqual({ prices: [YEARLY] });
});

it("is 503 without a payment processor", async () => {
  await without.get("/api/payment/prices", await without.person()).refused(503, "provider.not_configured");
});

it("keeps the prices for ten minutes, and asks again after a failure", async () => {
  const ben = await later.person();
  const prices = () => later.get("/api/payment/prices", ben);
  later.at("2030-05-01T12:00:00Z");
  await prices().ok();
  await closing.stop();
  later.at("2030-05-01T12:09:59Z");
  await prices().ok();
  later.at("2030-05-01T12:10:00Z");
  await prices().refused(500, "provider.failed");
  const again = await startPayments({ webhookSecret: "whsec_unused", port: Number(new URL(closing.url).port) });
  try {
    await prices().ok();
  } finally {
    await again.stop();
  }
});
