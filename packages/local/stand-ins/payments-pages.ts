import { escapeHtml } from "../html.ts";
import type { Session, Subscription } from "./payments-ledger.ts";

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem;color:#1d2327}
button{font:inherit;padding:.6rem 1.4rem;border:0;border-radius:.4rem;background:#0b6b3a;color:#fff;cursor:pointer}
.note{color:#50575e}li{margin:.6rem 0}form{display:inline}`;

/** The page on which somebody pays, without any money. */
export function checkoutPage(session: Session): string {
  const action =
    session.status === "complete"
      ? "<p>This was paid for already.</p>"
      : `<form method="post" action="/checkout/${escapeHtml(session.id)}/pay"><button>Pay</button></form>
         ${linkTo(session.cancel_url, "Cancel")}`;
  return page("Checkout", `<p>Subscription to <code>${escapeHtml(session.price)}</code></p>${action}`);
}

/** The page on which somebody ends their subscription. */
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

/** A page that only says something. */
export function messagePage(title: string, text: string): string {
  return page(title, `<p>${escapeHtml(text)}</p>`);
}

/** Only addresses of the web become links: any other kind could run a script here. */
function linkTo(url: string | null, text: string): string {
  return url !== null && /^https?:\/\//.test(url) ? `<p><a href="${escapeHtml(url)}">${text}</a></p>` : "";
}

function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${content}
<p class="note">A stand-in for the payment processor. No money is asked for.</p></main></body></html>`;
}
