import { html } from "hono/html";
import type { Html } from "../support/html.ts";
import type { Session, Subscription } from "./payments-ledger.ts";
import { standInPage } from "./server.ts";

/** The page on which a customer pays, without any money. */
export function checkoutPage(session: Session): Html {
  const action =
    session.status === "complete"
      ? html`<p>This was paid for already.</p>`
      : html`<form method="post" action="/checkout/${session.id}/pay"><button>Pay</button></form>
         ${linkTo(session.cancel_url, "Cancel")}`;
  return standInPage("Checkout", html`<p>Subscription to <code>${session.price}</code></p>${action}`);
}

/** The page on which a customer cancels a subscription. */
export function portalPage(portalId: string, subscriptions: readonly Subscription[], returnUrl: string | null): Html {
  const rows = subscriptions.map(({ id, status }) => {
    const button = html`<form method="post" action="/portal/${portalId}/cancel/${id}"><button>Cancel subscription</button></form>`;
    return html`<li><code>${id}</code> ${status} ${status === "canceled" ? "" : button}</li>`;
  });
  return standInPage("Your subscriptions", html`<ul>${rows}</ul>${linkTo(returnUrl, "Back")}`);
}

/** Only addresses of the web become links: any other kind could run a script here. */
function linkTo(url: string | null, text: string): Html | "" {
  return url !== null && /^https?:\/\//.test(url) ? html`<p><a href="${url}">${text}</a></p>` : "";
}
