import { html } from "hono/html";
import * as z from "zod";
import { parsedJson } from "#core/text/json";
import type { Html } from "../support/html.ts";
import { standInPage } from "./server.ts";

/** A subscription as a browser returns it. */
export interface Device {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** A phone with an app that may be pushed to. */
export interface Phone {
  readonly service: "fcm" | "apns";
  readonly token: string;
}

/**
 * How the push service behaves for one device: correctly; it does not know the device; the device has unsubscribed or, a
 * phone, belongs to another sender; too many messages (429); failing (5xx); or never responding.
 */
export type DeviceMode = "normal" | "unknown" | "gone" | "moved" | "busy" | "fail" | "hang";

/** A message that was accepted for a device. */
export interface ReceivedPush {
  /** Endpoint of the device, or token of the phone. */
  readonly endpoint: string;
  readonly at: Date;
  /** The message as the device gets it, decrypted; null if the device's key does not decrypt it. */
  readonly text: string | null;
  readonly topic: string | null;
  readonly ttlSeconds: number;
  /** Whether a phone is woken for it. */
  readonly isUrgent?: boolean;
}

/** The newest messages first, with the device that each was for. */
export function messagesPage(newestFirst: readonly ReceivedPush[], devices: number): Html {
  return standInPage(
    "Push messages",
    html`<form method="post" action="/devices"><button>New browser</button> <button name="service" value="fcm">New Android phone</button>
<button name="service" value="apns">New iPhone</button> <span class="soft">Devices so far: ${devices}</span></form>
${newestFirst.length === 0 ? html`<p>No message so far.</p>` : newestFirst.map(messageArticle)}`,
  );
}

/** The API and the email of an account, for the example on the page of a device. */
export interface ExampleApi {
  readonly url: string;
  readonly email: string;
}

/** How to subscribe a browser or a phone with curl. */
export function devicePage(device: Device | Phone, api: ExampleApi): Html {
  const isPhone = "token" in device;
  const example = `TOKEN=$(npm run -s token -- ${api.email})
curl -s ${api.url}/api/notifications/${isPhone ? "devices" : "push-subscriptions"} -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(device)}'`;
  return standInPage(
    "A new device",
    html`<p>Its name is <code>${nameOf(isPhone ? device.token : device.endpoint)}</code>. It gets no messages until it is subscribed:</p>
<pre><code>${example}</code></pre><p><a href="/">All messages</a></p>`,
  );
}

function messageArticle({ endpoint, at, text, topic, ttlSeconds }: ReceivedPush): Html {
  const { title, body } = titleAndBody(text);
  return html`<article><h2>${title}</h2><p>${body}</p>
<p class="soft">to ${nameOf(endpoint)} at <time>${at.toISOString()}</time>, topic ${topic ?? "none"}, valid for ${ttlSeconds} seconds</p>
<details><summary class="soft">As received</summary><pre><code>${text}</code></pre></details></article>`;
}

const Text = z.object({ title: z.string(), body: z.string() });
/** Apple's devices find the text in a field of its own. */
const Message = z.union([Text, z.object({ aps: z.object({ alert: Text }) }).transform(({ aps }) => aps.alert)]);

/** Title and body of our messages; any other text is shown as it is. */
function titleAndBody(text: string | null): z.infer<typeof Message> {
  if (text === null) return { title: "Not readable", body: "It cannot be decrypted with the key of the device." };
  return Message.safeParse(parsedJson(text)).data ?? { title: "A message", body: text };
}

function nameOf(endpoint: string): string {
  return endpoint.split("/").at(-1)?.slice(0, 8) ?? "";
}
