import { randomUUID } from "node:crypto";
import { hashBody, runOnce } from "@nectar/http/idempotency";
import { beforeAll, describe, expect, it } from "vitest";
import { fill, type SignedInRoute, signedInRoutes } from "../../support/access-suite.ts";
import { type Answer, useApi } from "../../support/api.ts";
import { useFileStore } from "../../support/file-store.ts";
import { useMail } from "../../support/mail.ts";
import { useModel } from "../../support/models.ts";
import type { Person } from "../../support/people.ts";
import { jpegWith } from "../../support/photos.ts";
import { usePush } from "../notifications/notifying.ts";

const push = await usePush();
// `send` fails when a response has a status that openapi.json does not declare for the operation.
const api = useApi({
  ...(await useFileStore()),
  ...(await useModel()).environment,
  ...(await useMail()).environment,
  STRIPE_SECRET_KEY: "sk_test_tests",
  STRIPE_BASE_URL: "http://127.0.0.1:9",
  ...push.environment,
});
let ada: Person;
beforeAll(async () => {
  ada = await api.person({ role: "super_admin" });
});

/** Bodies of the operations for which the sample of the schema does not pass validation. */
const BODIES: Readonly<Record<string, () => object>> = {
  "/api/payment/create-checkout-session": () => ({
    priceId: "price_1",
    successUrl: "https://nectar.test/thanks",
    cancelUrl: "https://nectar.test/back",
  }),
  "/api/payment/create-portal-session": () => ({ returnUrl: "https://nectar.test/back" }),
  "/api/notifications/push-subscriptions": () => push.service.newDevice(),
  "/api/email/send": () => ({ to: "grace@nectar.test", subject: "Hello", text: "Hello" }),
  "/api/encouragement-drops/send": () => ({
    recipient_id: randomUUID(),
    drop_type: "encouragement",
    content: "Well done.",
  }),
  "/api/workout-window/generate-chains": () => ({ date: new Date().toISOString().slice(0, 10) }),
};

const posts = signedInRoutes().filter(({ method }) => method === "POST");

it("is taken by every POST of signed-in people, all of which declare 400 and 409", () => {
  expect(posts.length).toBeGreaterThan(35);
  expect(posts.filter(({ responses }) => !responses.includes("400") || !responses.includes("409"))).toEqual([]);
});

describe.each(posts)("POST $path", (route) => {
  it("answers 400 when the Idempotency-Key is not valid", async () => {
    const { status, body } = await post(route, fill(route.path), "k".repeat(256));
    expect([status, body.code]).toEqual([400, "request.invalid_idempotency_key"]);
  });

  it("answers 409 while a request with the same Idempotency-Key is running", async () => {
    const [path, key] = [fill(route.path), randomUUID()];
    const { status, body } = await api.database.asUser(ada.id, async (tx) => {
      await runOnce(tx, earlierRequest(path, key, ""), async () => ({ status: 200, body: "{}", resourceId: null }));
      return post(route, path, key);
    });
    expect([status, body.code]).toEqual([409, "idempotency.in_progress"]);
  });

  it("answers 409 when the Idempotency-Key was used with another body", async () => {
    const [path, key] = [fill(route.path), randomUUID()];
    await api.database.asUser(ada.id, (tx) =>
      runOnce(tx, earlierRequest(path, key, "another body"), async () => ({
        status: 200,
        body: "{}",
        resourceId: null,
      })),
    );
    const { status, body } = await post(route, path, key);
    expect([status, body.code]).toEqual([409, "idempotency.key_reused"]);
  });
});

function earlierRequest(path: string, key: string, body: string) {
  return { userId: ada.id, route: `POST ${path}`, key, bodyHash: hashBody(body) };
}

async function post(route: SignedInRoute, path: string, key: string): Promise<Answer> {
  const headers = { "idempotency-key": key };
  if (route.path === "/api/workout-window/checkin") return postForm(path, headers);
  return api.send("POST", path, { as: ada, body: (BODIES[route.path] ?? route.body)?.(), headers });
}

async function postForm(path: string, headers: Record<string, string>): Promise<Answer> {
  const form = new FormData();
  form.set("photo", new Blob([new Uint8Array(await jpegWith(null))]));
  form.set("activityType", "walk");
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "";
  const body = new Uint8Array(await encoded.arrayBuffer());
  return api.send("POST", path, { as: ada, body, headers: { ...headers, "content-type": type } });
}
