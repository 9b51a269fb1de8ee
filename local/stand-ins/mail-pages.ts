import { html } from "hono/html";
import type { Html } from "../support/html.ts";
import { oneClickAddress, type StoredMail } from "./mail-requests.ts";
import { standInPage } from "./server.ts";

/** The outcomes that the page reports, each with its button. */
export const OFFERED_OUTCOMES = [
  ["delivered", "Delivered"],
  ["bounced", "Bounce"],
  ["complained", "Complain"],
  ["failed", "Fail"],
  ["suppressed", "Suppress"],
] as const;

/** The page with every mail, newest first. */
export function mailboxPage(mails: readonly StoredMail[]): Html {
  return standInPage(
    "Mailbox",
    html`${mails.length === 0 ? html`<p>No mail was sent yet.</p>` : mails.map(mailArticle)}
<h2>A mail to the service</h2>
<form class="card" method="post" action="/inbound">
<label>From <input name="from" type="email" required value="sender@example.test"></label>
<label>To <input name="to" type="email" required value="hello@nectar.local"></label>
<label>Subject <input name="subject" required maxlength="255"></label>
<label>Text <textarea name="text" rows="3"></textarea></label>
<label>HTML <textarea name="html" rows="3"></textarea></label>
<button>Send to the webhook</button>
</form>`,
  );
}

function mailArticle(mail: StoredMail): Html {
  const rows = [
    ["From", mail.from],
    ["To", mail.to.join(", ")],
    ["Reply to", mail.replyTo.join(", ")],
    ["Sent", mail.createdAt],
    ...Object.entries(mail.headers),
    ["Reported", mail.outcomes.join(", ")],
  ].filter(([, value]) => value !== "");
  const buttons = OFFERED_OUTCOMES.map(
    ([type, text]) => html`<form method="post" action="/mails/${mail.id}/${type}"><button>${text}</button></form> `,
  );
  const unsubscribe = oneClickAddress(mail);
  return html`<article>
<h2>${mail.subject}</h2>
<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${mail.html === null ? "" : frame(mail.html, "The mail as HTML")}
${mail.text === null ? "" : frame(html`<pre style="white-space:pre-wrap">${mail.text}</pre>`, "The mail as text")}
<div class="inline">${buttons}${unsubscribe === null ? "" : unsubscribeButton(mail.id, unsubscribe)}</div>
</article>`;
}

/** The links that a mail program shows beside the sender, and the page for people. */
function unsubscribeButton(id: string, address: string): Html {
  return html`<form method="post" action="/mails/${id}/unsubscribe"><button>Unsubscribe</button></form>
<a href="${address}" rel="noreferrer">Page to unsubscribe</a>`;
}

/** An empty sandbox: no scripts, no forms, no navigation, an opaque origin. */
function frame(content: Html | string, title: string): Html {
  // A plain string is escaped, as the value of an attribute must be.
  return html`<iframe sandbox="" referrerpolicy="no-referrer" title="${title}" srcdoc="${String(content)}"></iframe>`;
}
