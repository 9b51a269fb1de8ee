import { escapeHtml } from "../html.ts";
import type { StoredMail } from "./mail-requests.ts";
import { standInPage } from "./server.ts";

const STYLE = `form.inbound{border:1px solid var(--line);border-radius:.6rem;margin:1rem 0;padding:1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.5rem 0;font-size:.9rem}dt{opacity:.7}dd{margin:0;overflow-wrap:anywhere}
iframe{width:100%;height:16rem;border:1px solid var(--line);border-radius:.4rem;background:#fff}
input,textarea{display:block;width:100%;box-sizing:border-box}label{display:block;margin:.5rem 0}
.buttons form{display:inline}`;

/** The page with every mail, newest first. */
export function mailboxPage(mails: readonly StoredMail[]): string {
  const shown = mails.map(mailArticle).join("\n");
  return page(
    "Mailbox",
    `${shown === "" ? "<p>No mail was sent yet.</p>" : shown}
<h2>A mail to the service</h2>
<form class="inbound" method="post" action="/inbound">
<label>From <input name="from" type="email" required value="sender@example.test"></label>
<label>To <input name="to" type="email" required value="hello@nectar.local"></label>
<label>Subject <input name="subject" required maxlength="255"></label>
<label>Text <textarea name="text" rows="3"></textarea></label>
<label>HTML <textarea name="html" rows="3"></textarea></label>
<button>Send to the webhook</button>
</form>`,
  );
}

/** A page with only a message. */
export function mailMessagePage(title: string, text: string): string {
  return page(title, `<p>${escapeHtml(text)}</p><p><a href="/">Back to the mailbox</a></p>`);
}

function mailArticle(mail: StoredMail): string {
  const rows = [
    ["From", mail.from],
    ["To", mail.to.join(", ")],
    ["Reply to", mail.replyTo.join(", ")],
    ["Sent", mail.createdAt],
    ["Reported", mail.outcomes.join(", ")],
  ].filter(([, value]) => value !== "");
  const details = rows.map(([name = "", value = ""]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`).join("");
  const buttons = [
    ["delivered", "Delivered"],
    ["bounced", "Bounce"],
    ["complained", "Complain"],
  ]
    .map(
      ([type, text]) =>
        `<form method="post" action="/mails/${escapeHtml(mail.id)}/${type}"><button>${text}</button></form>`,
    )
    .join(" ");
  return `<article>
<h2>${escapeHtml(mail.subject)}</h2>
<dl>${details}</dl>
${mail.html === null ? "" : frame(mail.html, "The mail as HTML")}
${mail.text === null ? "" : frame(`<pre style="white-space:pre-wrap">${escapeHtml(mail.text)}</pre>`, "The mail as text")}
<div class="buttons">${buttons}</div>
</article>`;
}

/** An empty sandbox: no scripts, no forms, no navigation, an opaque origin. */
function frame(html: string, title: string): string {
  return `<iframe sandbox="" referrerpolicy="no-referrer" title="${title}" srcdoc="${escapeHtml(html)}"></iframe>`;
}

function page(title: string, content: string): string {
  return standInPage(title, "A stand-in for the mail provider: nothing leaves this machine.", content, STYLE);
}
