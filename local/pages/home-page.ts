import { html } from "hono/html";
import { type Html, htmlPage, readAssets } from "../support/html.ts";
import { gameSection } from "./game-view.ts";
import type { Sight } from "./sight-page.ts";
import { type DevSummary, locationsOf } from "./summary.ts";

/** The scripts of the home page. */
export const HOME_PAGE_SCRIPTS = readAssets("home.js", "game.js");

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='%23e09a00' d='M16 2 28 9v14l-12 7L4 23V9z'/%3E%3C/svg%3E";

/**
 * The home page of the local stack.
 * @param hasGame whether to show the game of the demo data
 */
export function homePage(summary: DevSummary, sights: readonly Sight[], hasGame: boolean): Html {
  return htmlPage({
    title: "Nectar on this machine",
    icon: ICON,
    script: HOME_PAGE_SCRIPTS,
    content: html`<header>
<h1>Nectar</h1>
<p>Journaling, accountability and encouragement, running on this machine.</p>
</header>
<nav>
<a href="/docs">API reference</a>
<a href="/openapi.json">OpenAPI document</a>
<a href="/health">Health</a>
${summary.pages.map(({ title, url }) => html`<a href="${url}">${title}</a>\n`)}
</nav>
${summary.accounts.length === 0 ? "" : demoSections(summary, sights)}
${hasGame ? html`<h2>The game today</h2>\n${gameSection()}` : ""}
<section>
<h2>What runs where</h2>
<dl>${locationsOf(summary).map(([name, location]) => html`<dt>${name}</dt><dd><code>${location}</code></dd>`)}</dl>
</section>
<section>
<h2>First call with curl</h2>
${snippet("curl", curlExample(summary))}
</section>
<section>
<h2>First call with supabase-js</h2>
${snippet("supabase-js", supabaseExample(summary))}
</section>
<footer>Ctrl-C in the terminal stops everything and keeps the data. <code>npm run dev -- --fresh</code> starts over.</footer>`,
  });
}

/** The accounts of the demo data, and requests to try with them. */
function demoSections({ accounts }: DevSummary, sights: readonly Sight[]): Html {
  const accountRows = accounts.map(
    ({ email, password, about }) =>
      html`<tr><td><code>${email}</code></td><td><code>${password}</code></td><td>${about}</td></tr>`,
  );
  const topics = Map.groupBy(sights.entries(), ([, { topic }]) => topic);
  const topicParts = [...topics].map(([topic, rows]) => {
    const items = rows.map(
      ([number, { about, path }]) =>
        html`<tr><td><a href="/see/${number}">${about}</a></td><td><code>${path}</code></td></tr>`,
    );
    return html`<h3>${topic}</h3>\n<table><tbody>${items}</tbody></table>\n`;
  });
  return html`<section>
<h2>Accounts to look around with</h2>
<table><thead><tr><th>E-mail</th><th>Password</th><th></th></tr></thead><tbody>${accountRows}</tbody></table>
</section>
<section class="sights">
<h2>Worth a look</h2>
${topicParts}
</section>`;
}

function snippet(name: string, code: string): Html {
  return html`<div class="snippet"><button type="button" data-copy aria-label="Copy the ${name} example">Copy</button><pre><code>${code}</code></pre></div>`;
}

function curlExample({ accounts, apiUrl }: DevSummary): string {
  const email = accounts[0]?.email ?? "you@example.com --password your-password";
  return `TOKEN=$(npm run -s token -- ${email})
curl -s ${apiUrl}/api/journal -H "Authorization: Bearer $TOKEN"
curl -s ${apiUrl}/api/journal -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"title": "A first drop", "content": "Today I tried Nectar."}'`;
}

function supabaseExample({ accounts, apiUrl, supabaseUrl, publishableKey }: DevSummary): string {
  const method = accounts.length === 0 ? "signUp" : "signInWithPassword";
  const { email, password } = accounts[0] ?? { email: "you@example.com", password: "your-password" };
  return `import { createClient } from "@supabase/supabase-js";

const supabase = createClient(
  ${JSON.stringify(supabaseUrl)},
  ${JSON.stringify(publishableKey)},
);
const { data, error } = await supabase.auth.${method}({
  email: ${JSON.stringify(email)},
  password: ${JSON.stringify(password)},
});
if (error) throw error;

const response = await fetch(${JSON.stringify(`${apiUrl}/api/journal`)}, {
  headers: { Authorization: \`Bearer \${data.session.access_token}\` },
});
console.log(await response.json());`;
}
