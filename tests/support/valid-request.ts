import { randomBytes, randomUUID } from "node:crypto";
import type { SignedInRoute } from "./access-suite.ts";
import { jpegWith } from "./photos.ts";

/** Bodies of the operations for which the sample of the schema does not pass validation. */
const BODIES: Readonly<Record<string, () => object>> = {
  "/api/payment/create-checkout-session": () => ({
    priceId: "price_1",
    successUrl: "https://nectar.test/thanks",
    cancelUrl: "https://nectar.test/back",
  }),
  "/api/payment/create-portal-session": () => ({ returnUrl: "https://nectar.test/back" }),
  "/api/email/send": () => ({ to: "grace@nectar.test", subject: "Hello", text: "Hello" }),
  "/api/encouragement-drops/send": () => ({
    recipient_id: randomUUID(),
    drop_type: "encouragement",
    content: "Well done.",
  }),
  "/api/notifications/devices": () => ({ service: "apns", token: randomBytes(32).toString("hex") }),
  "/api/admin/reports/{id}": () => ({ decision: "warn", reason: "It insults others." }),
  "/api/workout-window/generate-chains": () => ({}),
};

/**
 * Makes the body of a request that passes the validation of a route, with the headers that belong to it.
 * @param newDevice makes the push subscription of a device that the configured services would accept
 */
export async function validRequest(
  route: SignedInRoute,
  newDevice: () => object,
): Promise<{ readonly body: unknown; readonly headers: Record<string, string> }> {
  if (route.path === "/api/workout-window/checkin") return checkInForm();
  if (route.method === "GET") return { body: undefined, headers: {} };
  const subscribing = route.method === "POST" && route.path === "/api/notifications/push-subscriptions";
  return { body: subscribing ? newDevice() : (BODIES[route.path] ?? route.body)?.(), headers: {} };
}

async function checkInForm() {
  const form = new FormData();
  form.set("photo", new Blob([new Uint8Array(await jpegWith(null))]));
  form.set("activityType", "walk");
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "";
  return { body: new Uint8Array(await encoded.arrayBuffer()), headers: { "content-type": type } };
}
