import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, expect, it } from "vitest";
import { listenLocally } from "#local/support/listen";
import { type CheckoutRequest, stripePayments } from "#providers/payments";

/** The requests that the processor received, and the parameters that it refuses, in this order. */
let requests: { key: string; form: URLSearchParams }[] = [];
let refused: string[] = [];
const processor = await listenLocally(
  createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    requests.push({ key: String(request.headers["idempotency-key"]), form });
    const param = refused.find((name) => form.has(name));
    const error = { type: "invalid_request_error", code: "resource_missing", message: "No such thing.", param };
    response
      .writeHead(param === undefined ? 200 : 400, { "content-type": "application/json" })
      .end(JSON.stringify(param === undefined ? { id: "cs_1", url: "https://pay.test/1" } : { error }));
  }),
  0,
  "The payment processor",
);
afterAll(() => processor.kill());
beforeEach(() => {
  requests = [];
  refused = [];
});

const payments = stripePayments({
  secretKey: "sk_test_customer",
  baseUrl: `http://127.0.0.1:${processor.port}`,
});
const CHECKOUT: CheckoutRequest = {
  userId: "a person",
  email: "ada@nectar.test",
  customerId: "cus_gone",
  priceId: "price_any",
  successUrl: "https://app.nectar.test/thanks",
  cancelUrl: "https://app.nectar.test/plans",
  idempotencyKey: null,
};
const fieldsOf = (form: URLSearchParams | undefined) => Object.fromEntries(form ?? []);

it.each([null, "a key"])(
  "a customer that was deleted is replaced by a new one, under another key than %j",
  async (key) => {
    refused = ["customer"];
    const session = await payments.createCheckout({ ...CHECKOUT, idempotencyKey: key });
    expect(session).toEqual({ sessionId: "cs_1", url: "https://pay.test/1" });
    const [first, second] = requests;
    expect(requests).toHaveLength(2);
    const { customer, ...rest } = fieldsOf(first?.form);
    expect(customer).toBe("cus_gone");
    expect(fieldsOf(second?.form)).toEqual({ ...rest, customer_email: "ada@nectar.test" });
    expect(second?.key).not.toBe(first?.key);
    if (key !== null) expect([first?.key, second?.key]).toEqual([key, `${key}-new-customer`]);
  },
);

it("a known customer takes one request", async () => {
  await payments.createCheckout(CHECKOUT);
  expect(requests.map(({ form }) => [form.get("customer"), form.get("customer_email")])).toEqual([["cus_gone", null]]);
});

it.each([
  ["line_items[0][price]", "payment.unknown_price"],
  ["mode", "provider.failed"],
])("another refused parameter is not tried again: %s", async (param, code) => {
  refused = [param];
  await expect(payments.createCheckout(CHECKOUT)).rejects.toMatchObject({ code });
  expect(requests).toHaveLength(1);
});

it("a second refusal is final", async () => {
  refused = ["customer", "line_items[0][price]"];
  await expect(payments.createCheckout(CHECKOUT)).rejects.toMatchObject({ code: "payment.unknown_price" });
  expect(requests).toHaveLength(2);
});
