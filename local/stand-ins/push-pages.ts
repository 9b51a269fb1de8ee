import { html } from "hono/html";
import * as z from "zod";
import type { Html } from "../support/html.ts";
import { parsedJson } from "./json.ts";
import { standInPage } from "./server.ts";

/** A subscription as a browser returns it. */
export interface Device {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** A message that was accepted for a device. */
export interface ReceivedPush {
  /** Endpoint of the device. */
  readonly endpoint: string;
  readonly at: Date;
  /** The decrypted message; null if the device's key does not decrypt it. */
  readonly text: string | null;
  readonly topic: string | null;
  readonly ttlSeconds: number;
}

/** The newest messages first, with the device that each was for. */
export function messagesPage(newestFirst: readonly ReceivedPush[], devices: number): Html {
  return standInPage(
    "Push messages",
    html`<form method="post" action="/devices"><button>New device</button> <span class="soft">Devices so far: ${devices}</span></form>
${newestFirst.length === 0 ? html`<p>No message so far.</p>` : newestFirst.map(messageArticle)}`,
  );
}

/** The API and the email of an account, for the example on the page of a device. */
export interface ExampleApi {
  readonly url: string;
  readonly email: string;
}

/** How to subscribe a device with curl. */
export function devicePage(device: Device, api: ExampleApi): Html {
  const example = `TOKEN=$(npm run -s token -- ${api.email})
curl -s ${api.url}/api/notifications/push-subscriptions -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(device)}'`;
  return standInPage(
    "A new device",
    html`<p>Its name is <code>${nameOf(device.endpoint)}</code>. It gets no messages until it is subscribed:</p>
<pre><code>${example}</code></pre><p><a href="/">All messages</a></p>`,
  );
}

function messageArticle({ endpoint, at, text, topic, ttlSeconds }: ReceivedPush): Html {
  const { title, body } = titleAndBody(text);
  return html`<article><h2>${title}</h2><p>${body}</p>
<p class="soft">to ${nameOf(endpoint)} at <time>${at.toISOString()}</time>, topic ${topic ?? "none"}, valid for ${ttlSeconds} seconds</p>
<details><summary class="soft">As received</summary><pre><code>${text}</code></pre></details></article>`;
}

const Message = z.object({ title: z.string(), body: z.string() });

/** Title and body of our messages; any other text is shown as it is. */
function titleAndBody(text: string | null): z.infer<typeof Message> {
  if (text === null) return { title: "Not readable", body: "It cannot be decrypted with the key of the device." };
  return Message.safeParse(parsedJson(text)).data ?? { title: "A message", body: text };
}

function nameOf(endpoint: string): string {
  return endpoint.split("/").at(-1)?.slice(0, 8) ?? "";
}
