import { startPayments } from "@nectar/local/stand-ins/payments";
import type { StandIn } from "@nectar/local/stand-ins/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let processor: StandIn;
beforeAll(async () => {
  const earlier = [{ customerId: "cus_known", subscriptionId: "sub_known", status: "active" as const }];
  processor = await startPayments({ webhookSecret: "whsec_unused", earlier });
});
afterAll(() => processor.stop());

const CHECKOUT = {
  mode: "subscription",
  "line_items[0][price]": "price_monthly",
  success_url: "https://app.nectar.test/thanks",
};

async function call(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${processor.url}${path}`, {
    method: "POST",
    headers: { authorization: "Bearer sk_test_1", ...headers },
    body: new URLSearchParams(form),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const MISSING = {
  type: "invalid_request_error",
  code: "resource_missing",
  doc_url: "https://stripe.com/docs/error-codes/resource-missing",
};

describe("the payments stand-in refuses as Stripe does", () => {
  it.each([
    ["a customer at the portal", "/v1/billing_portal/sessions", { customer: "cus_1" }, "customer", "cus_1", "customer"],
    [
      "a customer at the checkout",
      "/v1/checkout/sessions",
      { ...CHECKOUT, customer: "cus_1" },
      "customer",
      "cus_1",
      "customer",
    ],
    [
      "a price",
      "/v1/checkout/sessions",
      { ...CHECKOUT, "line_items[0][price]": "prod_1" },
      "price",
      "prod_1",
      "line_items[0][price]",
    ],
  ])("an unknown object: %s", async (_, path, form, kind, id, param) => {
    const { status, headers, body } = await call(path, form);
    expect([status, body]).toEqual([400, { error: { ...MISSING, param, message: `No such ${kind}: '${id}'` } }]);
    expect(headers.get("request-id")).toMatch(/^req_/);
  });

  it("an unknown subscription in the path, with 404", async () => {
    const response = await fetch(`${processor.url}/v1/subscriptions/sub_1`, {
      headers: { authorization: "Bearer sk_test_1" },
    });
    const error = { ...MISSING, param: "id", message: "No such subscription: 'sub_1'" };
    expect([response.status, await response.json()]).toEqual([404, { error }]);
  });

  it.each([
    ["nothing", {}, { code: "parameter_missing", param: "mode" }],
    ["an invalid address", { ...CHECKOUT, success_url: "thanks" }, { code: "url_invalid", param: "success_url" }],
    [
      "customer and address at once",
      { ...CHECKOUT, customer: "cus_known", customer_email: "ada@nectar.test" },
      { param: "customer_email" },
    ],
  ])("%s", async (_, form, error) => {
    const { status, body } = await call("/v1/checkout/sessions", form);
    expect([status, body]).toMatchObject([400, { error: { type: "invalid_request_error", ...error } }]);
  });

  it("a request without a key or with another vendor's key", async () => {
    for (const authorization of ["", "Bearer re_1"]) {
      const { status, body } = await call("/v1/customers", {}, { authorization });
      expect([status, body]).toMatchObject([401, { error: { type: "invalid_request_error" } }]);
    }
  });
});

describe("an idempotency key", () => {
  it("repeats the saved response, also an error", async () => {
    for (const [name, form] of [
      ["ok", CHECKOUT],
      ["refused", { ...CHECKOUT, customer: "cus_1" }],
    ] as const) {
      const headers = { "idempotency-key": `again-${name}` };
      const first = await call("/v1/checkout/sessions", form, headers);
      const second = await call("/v1/checkout/sessions", form, headers);
      expect([second.status, second.body]).toEqual([first.status, first.body]);
      expect([first.headers.get("idempotent-replayed"), second.headers.get("idempotent-replayed")]).toEqual([
        null,
        "true",
      ]);
    }
  });

  it("is refused with other parameters or on another endpoint", async () => {
    const headers = { "idempotency-key": "reused" };
    await call("/v1/checkout/sessions", CHECKOUT, headers);
    for (const [path, form] of [
      ["/v1/checkout/sessions", { ...CHECKOUT, customer: "cus_known" }],
      ["/v1/billing_portal/sessions", { customer: "cus_known" }],
    ] as const) {
      const { status, body } = await call(path, form, headers);
      expect([status, body]).toMatchObject([400, { error: { type: "idempotency_error" } }]);
    }
  });

  it("is not used up by a request that lacks a parameter", async () => {
    const headers = { "idempotency-key": "incomplete" };
    expect((await call("/v1/checkout/sessions", {}, headers)).status).toBe(400);
    expect((await call("/v1/checkout/sessions", CHECKOUT, headers)).status).toBe(200);
  });

  it("of more than 255 characters is refused", async () => {
    expect((await call("/v1/customers", {}, { "idempotency-key": "k".repeat(256) })).status).toBe(400);
  });
});
