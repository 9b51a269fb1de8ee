import { demoAccounts } from "../demo/data.ts";
import { escapeHtml } from "../html.ts";
import { standInPage } from "./server.ts";

/** A browser's subscription, as it would hand it to its page. */
export interface Device {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** A message that was accepted for a device. */
export interface ReceivedPush {
  /** Endpoint of the device. */
  readonly endpoint: string;
  readonly at: Date;
  /** What the device reads; null when it cannot be decrypted with its key. */
  readonly text: string | null;
  readonly topic: string | null;
  readonly ttlSeconds: number;
}

/** The newest messages first, with the device that each was for. */
export function messagesPage(newestFirst: readonly ReceivedPush[], devices: number): string {
  const shown =
    newestFirst.length === 0
      ? "<p>No message so far.</p>"
      : newestFirst.map((message) => messageArticle(message)).join("");
  return page(
    "Push messages",
    `<form method="post" action="/devices"><button>New device</button> <span class="note">Devices so far: ${devices}</span></form>${shown}`,
  );
}

/** How to subscribe a device with curl. */
export function devicePage(device: Device, apiUrl: string): string {
  const example = `TOKEN=$(npm run -s token -- ${demoAccounts[0]?.email ?? "you@example.com"})
curl -s ${apiUrl}/api/notifications/push-subscriptions -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(device)}'`;
  return page(
    "A new device",
    `<p>Its name is <code>${escapeHtml(nameOf(device.endpoint))}</code>. It gets no messages until it is subscribed:</p>
<pre><code>${escapeHtml(example)}</code></pre><p><a href="/">All messages</a></p>`,
  );
}

/** The page for a device of an earlier run. */
export function missingPage(): string {
  return page("Nothing here", `<p>The push service was restarted. <a href="/">All messages</a></p>`);
}

function messageArticle({ endpoint, at, text, topic, ttlSeconds }: ReceivedPush): string {
  const { title, body } = announced(text);
  return `<article><h2>${escapeHtml(title)}</h2><p>${escapeHtml(body)}</p>
<p class="note">to ${escapeHtml(nameOf(endpoint))} at <time datetime="${at.toISOString()}">${at.toISOString()}</time>, topic ${escapeHtml(topic ?? "none")}, good for ${ttlSeconds} seconds</p>
<details><summary class="note">As it came</summary><pre><code>${escapeHtml(text ?? "")}</code></pre></details></article>`;
}

/** Title and body of our messages; any other text is shown as it is. */
function announced(text: string | null): { title: string; body: string } {
  if (text === null) return { title: "Not readable", body: "It cannot be decrypted with the key of the device." };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "title" in value && "body" in value) {
      return { title: String(value.title), body: String(value.body) };
    }
  } catch {
    // Any text may be pushed.
  }
  return { title: "A message", body: text };
}

function nameOf(endpoint: string): string {
  return endpoint.split("/").at(-1)?.slice(0, 8) ?? "";
}

function page(title: string, content: string): string {
  return standInPage(title, "A stand-in for the push services of browsers. Nothing leaves this machine.", content);
}
