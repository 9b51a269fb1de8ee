import type { Context, Hono } from "hono";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type Html, htmlPage } from "../support/html.ts";
import { serveLocally } from "../support/listen.ts";

/** A running stand-in for a vendor. */
export interface StandIn {
  /** Its origin. */
  readonly url: string;
  /** Closes all connections. */
  disconnect(): void;
  stop(): Promise<void>;
}

/**
 * Serves a stand-in on 127.0.0.1.
 * @param port 0 for any free one.
 * @param name for the message if the port is taken.
 * @param serve with another protocol than HTTP/1.1.
 * @throws StartupProblem when the port is taken.
 */
export async function serveStandIn(app: Hono, port: number, name: string, serve = serveLocally): Promise<StandIn> {
  const { port: taken, stop, kill } = await serve(app.fetch, port, name);
  return {
    url: `http://127.0.0.1:${taken}`,
    disconnect: kill,
    stop() {
      const stopped = stop();
      // Requests that hang on purpose would keep the server open.
      kill();
      return stopped;
    },
  };
}

/** Never responds: waits until the caller closes the connection. */
export function hang(c: Context): Promise<Response> {
  const { signal } = c.req.raw;
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(c.body(null, 204)), { once: true });
  });
}

/** A page of a stand-in. */
export function standInPage(title: string, content: Html): Html {
  return htmlPage({
    title,
    content: html`<h1>${title}</h1>
<p class="soft">A stand-in on this machine: nothing leaves it, and no money changes hands.</p>
${content}`,
  });
}

/** Responds that a page shows something of an earlier run, or nothing at all. */
export function missingPage(c: Context) {
  const text = html`<p>It is not known, or the stand-in was restarted.</p>`;
  return closedPage(c, standInPage("Nothing here", text), 404);
}

/** Responds that what was done could not be reported. */
export function notAcceptedPage(c: Context) {
  const text = html`<p>The webhook of the API did not accept the event; see its log.</p>`;
  return closedPage(c, standInPage("Done, but not reported", text), 502);
}

/**
 * Responds with a page that shows texts of others: no script runs and nothing is loaded from elsewhere. A frame made of
 * srcdoc has this policy too, beside its sandbox.
 */
export function closedPage(c: Context, page: Html, status: ContentfulStatusCode = 200) {
  return c.html(page, status, {
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
  });
}
