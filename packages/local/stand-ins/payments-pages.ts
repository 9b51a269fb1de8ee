import { escapeHtml } from "../html.ts";
import type { Session, Subscription } from "./payments-ledger.ts";
import { standInPage } from "./server.ts";

const STYLE = "form{display:inline}";

/** The page on which a customer pays, without any money. */
export function checkoutPage(session: Session): string {
  const action =
    session.status === "complete"
      ? "<p>This was paid for already.</p>"
      : `<form method="post" action="/checkout/${escapeHtml(session.id)}/pay"><button>Pay</button></form>
         ${linkTo(session.cancel_url, "Cancel")}`;
  return page("Checkout", `<p>Subscription to <code>${escapeHtml(session.price)}</code></p>${action}`);
}

/** The page on which a customer cancels a subscription. */
export function portalPage(id: string, subscriptions: readonly Subscription[], returnUrl: string | null): string {
  const rows = subscriptions.map((subscription) => {
    const cancel = `/portal/${escapeHtml(id)}/cancel/${escapeHtml(subscription.id)}`;
    const button =
      subscription.status === "canceled"
        ? ""
        : `<form method="post" action="${cancel}"><button>Cancel subscription</button></form>`;
    return `<li><code>${escapeHtml(subscription.id)}</code> ${subscription.status} ${button}</li>`;
  });
  return page("Your subscriptions", `<ul>${rows.join("")}</ul>${linkTo(returnUrl, "Back")}`);
}

/** A page with only a message. */
export function messagePage(title: string, text: string): string {
  return page(title, `<p>${escapeHtml(text)}</p>`);
}

/** Only addresses of the web become links: any other kind could run a script here. */
function linkTo(url: string | null, text: string): string {
  return url !== null && /^https?:\/\//.test(url) ? `<p><a href="${escapeHtml(url)}">${text}</a></p>` : "";
}

function page(title: string, content: string): string {
  return standInPage(title, "A stand-in for the payment processor. No money is asked for.", content, STYLE);
}
