import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Hono } from "hono";
import { html } from "hono/html";
import type { Html } from "../support/html.ts";
import { installedPackage } from "../support/installed-package.ts";
import { signIn } from "./sign-in.ts";
import type { DevSummary } from "./summary.ts";

const SWAGGER_UI = installedPackage("swagger-ui-dist");
const ASSETS = {
  "swagger-ui.js": { file: join(SWAGGER_UI, "swagger-ui-bundle.js"), type: "text/javascript" },
  "swagger-ui.css": { file: join(SWAGGER_UI, "swagger-ui.css"), type: "text/css" },
  "reference.js": { file: new URL("../support/assets/reference.js", import.meta.url), type: "text/javascript" },
  "reference.css": { file: new URL("../support/assets/reference.css", import.meta.url), type: "text/css" },
};

/** Lets the browser refuse every other address, in case an option of Swagger UI changes its meaning. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The API reference: Swagger UI from the installed package over /openapi.json, and tokens of the demo accounts for it. */
export function referencePages(summary: DevSummary): Hono {
  const app = new Hono();
  const page = referencePage(summary);
  app.get("/docs", (c) => c.html(page, 200, { "content-security-policy": POLICY }));
  for (const [name, { file, type }] of Object.entries(ASSETS)) {
    app.get(`/docs/assets/${name}`, async (c) =>
      c.body(await readFile(file, "utf8"), 200, {
        "content-type": `${type}; charset=utf-8`,
        "cache-control": "no-cache",
      }),
    );
  }
  app.post("/docs/token", async (c) => {
    const { email } = await c.req.json<{ email?: unknown }>();
    const account = summary.accounts.find((known) => known.email === email);
    if (account === undefined) return c.json({ error: "This is not a demo account." }, 404);
    const token = await signIn(summary, account);
    return c.json({ token }, 200, { "cache-control": "no-store" });
  });
  return app;
}

function referencePage({ accounts }: DevSummary): Html {
  const buttons = accounts.map(
    ({ email, about }) =>
      html`<button type="button" data-email="${email}" title="${about}">Authorize as ${email}</button>\n`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Nectar API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/assets/reference.css">
<script src="/docs/assets/swagger-ui.js" defer></script>
<script src="/docs/assets/reference.js" type="module"></script>
</head>
<body>
<header>
<p><a href="/">Nectar on this machine</a></p>
<p>Choose an account, open an operation below, and press Execute. Bodies are filled with an example.</p>
<p>${buttons}<output id="status"></output></p>
</header>
<div id="reference"></div>
</body>
</html>
`;
}
