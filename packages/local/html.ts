import { createHash } from "node:crypto";

/** Text made safe for HTML, between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** The content security policy of a page whose one script is this; no other runs, whatever a text contains. */
export function pagePolicy(script: string): string {
  const digest = createHash("sha256").update(script).digest("base64");
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src 'sha256-${digest}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}
