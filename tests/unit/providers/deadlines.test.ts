import { createServer, type ServerResponse } from "node:http";
import { afterAll, describe, expect, it } from "vitest";
import { GROUPS, type GroupName } from "#functions/groups";
import { SCHEDULES, scheduleOf } from "#functions/schedules";
import { listenLocally } from "#local/support/listen";
import { PAYMENT_CALL_MS, stripePayments } from "#providers/payments";
import { PRIVATE_FILE_CALL_MS, s3Files } from "#providers/private-files";
import { PUBLIC_IMAGE_CALL_MS } from "#providers/public-images";

const FAILURES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "that never responds": () => {},
  "whose response never ends": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const drip = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(drip));
  },
  "that is always busy": (response) => {
    response.writeHead(503, { "retry-after": "60" }).end("{}");
  },
};
let respondWith: (response: ServerResponse) => void = () => {};
const vendor = await listenLocally(
  createServer((_, response) => respondWith(response)),
  0,
  "The vendor",
);
const url = `http://127.0.0.1:${vendor.port}`;
afterAll(() => vendor.kill());

const CALL_MS = 600;
const payments = stripePayments({ secretKey: "sk_test_deadline", baseUrl: url }, CALL_MS);
const files = s3Files(
  { bucket: "files", region: "us-east-1", endpoint: url, accessKeyId: "id", secretAccessKey: "secret" },
  CALL_MS,
);
const checkout = {
  userId: "a person",
  email: null,
  customerId: null,
  priceId: "price_any",
  successUrl: "https://app.nectar.test/thanks",
  cancelUrl: "https://app.nectar.test/plans",
  idempotencyKey: null,
};

describe.each(Object.keys(FAILURES))("a vendor %s", (failure) => {
  it.each([
    ["a checkout", () => payments.createCheckout(checkout)],
    ["the portal", () => payments.createPortal({ customerId: "cus_1", returnUrl: checkout.cancelUrl })],
    ["storing a file", () => files.upload("a/file.png", new Uint8Array(10), "image/png")],
    ["removing files", () => files.remove(["a/file.png"])],
  ])("fails %s in time", async (_, call) => {
    respondWith = FAILURES[failure] ?? respondWith;
    await expect(call()).rejects.toMatchObject({ code: "provider.failed" });
  });
});

describe("a function that waits for a vendor", () => {
  /** Milliseconds for connecting to the database and loading the SDK. */
  const REST_MS = 9_000;
  const timeoutOf = (name: GroupName) => (GROUPS.find((group) => group.name === name)?.timeoutSeconds ?? 0) * 1_000;

  it.each([
    ["payment", PAYMENT_CALL_MS],
    ["health", scheduleOf("housekeeping").budgetSeconds * 1_000 + Math.max(PRIVATE_FILE_CALL_MS, PUBLIC_IMAGE_CALL_MS)],
  ] as const)("ends before its timeout: %s", (name, vendorMs) => {
    expect(vendorMs + REST_MS).toBeLessThan(timeoutOf(name));
  });

  it.each(SCHEDULES)("ends before its timeout: the job $name", ({ group, budgetSeconds }) => {
    expect(budgetSeconds * 1_000 + REST_MS).toBeLessThan(timeoutOf(group));
  });
});
