import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The content of files in ./assets, one after the other. */
export function readAssets(...names: string[]): string {
  return names.map((name) => readFileSync(new URL(`assets/${name}`, import.meta.url), "utf8")).join("\n");
}

/** Text made safe for HTML, between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** The content security policy of a page with only this script; no other script in a text can run. */
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
