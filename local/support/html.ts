import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { html, raw } from "hono/html";

/** The result of the tag `html`, which escapes every value that is not HTML itself. */
export type Html = ReturnType<typeof html>;

/** The content of files in ./assets, one after the other. */
export function readAssets(...names: string[]): string {
  return names.map((name) => readFileSync(new URL(`assets/${name}`, import.meta.url), "utf8")).join("\n");
}

const STYLE = readAssets("page.css");

/** The parts of a page. The script is ours; it is not escaped. */
export interface PageParts {
  title: string;
  script?: string;
  /** A data URL, so that the browser requests no icon. */
  icon?: string;
  content: Html;
}

/** A whole page, which loads nothing from elsewhere. */
export function htmlPage({ title, script, icon = "data:,", content }: PageParts): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
${content}
</main>
${script === undefined ? "" : html`<script>${raw(script)}</script>`}
</body>
</html>
`;
}

/**
 * The content security policy of a page that runs no other script than this one; no script in a text can run.
 * @param images where pictures may come from, beside the page itself
 */
export function pagePolicy(script: string | null, images = "'self'"): string {
  const digest = script === null ? null : createHash("sha256").update(script).digest("base64");
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    ...(digest === null ? [] : [`script-src 'sha256-${digest}'`]),
    `img-src ${images} data:`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}
