import { demoSights } from "./demo/data.ts";
import { gamePlace } from "./game-view.ts";
import { escapeHtml, readAssets } from "./html.ts";
import type { DevSummary } from "./summary.ts";

/** What the home page shows. */
export type HomePageContent = DevSummary;

/** The scripts of the home page. */
export const homePageScripts = readAssets("home.js", "game.js");

/**
 * The home page of the local stack: one file that loads nothing from elsewhere.
 * @param withGame whether to show the game of the demo data, live
 */
export function homePage(content: HomePageContent, withGame: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Nectar on this machine</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='%23e09a00' d='M16 2 28 9v14l-12 7L4 23V9z'/%3E%3C/svg%3E">
<style>${readAssets("home.css", "game.css")}</style>
</head>
<body>
<main>
<header>
<svg viewBox="0 0 32 32" width="44" height="44" aria-hidden="true"><path d="M16 2 28 9v14l-12 7L4 23V9z"/></svg>
<div><h1>Nectar</h1><p>Journaling, accountability and encouragement, running on this machine.</p></div>
</header>
<nav>
<a class="primary" href="/docs">API reference</a>
<a href="/openapi.json">OpenAPI document</a>
<a href="/health">Health</a>
${pageLinks(content)}
</nav>
${accountsSection(content)}
${sightsSection(content)}
${withGame ? `<h2>The game today</h2>\n${gamePlace()}` : ""}
<section>
<h2>What runs where</h2>
<dl>${placeRows(content)}</dl>
</section>
<section>
<h2>First call with curl</h2>
${snippet("curl", curlExample(content))}
</section>
<section>
<h2>First call with supabase-js</h2>
${snippet("supabase-js", supabaseExample(content))}
</section>
<footer>Ctrl-C in the terminal stops everything and keeps the data. <code>npm run dev -- --fresh</code> starts over.</footer>
</main>
<script>${homePageScripts}</script>
</body>
</html>
`;
}

function pageLinks(content: HomePageContent): string {
  return content.pages.map(({ title, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>`).join("\n");
}

function accountsSection(content: HomePageContent): string {
  if (content.accounts.length === 0) return "";
  const rows = content.accounts
    .map(
      (account) =>
        `<tr><td><code>${escapeHtml(account.email)}</code></td><td><code>${escapeHtml(account.password)}</code></td><td>${escapeHtml(account.about)}</td></tr>`,
    )
    .join("");
  return `<section>
<h2>Accounts to look around with</h2>
<div class="wide"><table><thead><tr><th>E-mail</th><th>Password</th><th></th></tr></thead><tbody>${rows}</tbody></table></div>
</section>`;
}

function sightsSection(content: HomePageContent): string {
  if (content.accounts.length === 0) return "";
  const rows = demoSights
    .map(({ about, call }) => `<tr><td>${escapeHtml(about)}</td><td><code>${escapeHtml(call)}</code></td></tr>`)
    .join("");
  return `<section>
<h2>Worth a look</h2>
<div class="wide"><table><tbody>${rows}</tbody></table></div>
</section>`;
}

function placeRows(content: HomePageContent): string {
  const places: [string, string][] = [
    ["API", `${content.apiUrl}/api`],
    ["Supabase (auth, storage)", content.supabaseUrl],
    ["Publishable key", content.publishableKey],
    ["PostgreSQL", content.databaseUrl],
    ...content.vendors.map(({ name, place }): [string, string] => [name, place]),
    ["Data and logs", content.dataFolder],
  ];
  return places
    .filter(([, place]) => place !== "")
    .map(([name, place]) => `<dt>${escapeHtml(name)}</dt><dd><code>${escapeHtml(place)}</code></dd>`)
    .join("");
}

function snippet(name: string, code: string): string {
  return `<div class="snippet"><button type="button" data-copy aria-label="Copy the ${name} example">Copy</button><pre><code>${escapeHtml(code)}</code></pre></div>`;
}

function curlExample(content: HomePageContent): string {
  const email = content.accounts[0]?.email ?? "you@example.com --password your-password";
  return `TOKEN=$(npm run -s token -- ${email})
curl -s ${content.apiUrl}/api/journal -H "Authorization: Bearer $TOKEN"
curl -s ${content.apiUrl}/api/journal -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"title": "A first drop", "content": "Today I tried Nectar."}'`;
}

function supabaseExample(content: HomePageContent): string {
  const account = content.accounts[0];
  const signIn = account
    ? `const { data, error } = await supabase.auth.signInWithPassword({
  email: ${JSON.stringify(account.email)},
  password: ${JSON.stringify(account.password)},
});`
    : `const { data, error } = await supabase.auth.signUp({
  email: "you@example.com",
  password: "your-password",
});`;
  return `import { createClient } from "@supabase/supabase-js";

const supabase = createClient(
  ${JSON.stringify(content.supabaseUrl)},
  ${JSON.stringify(content.publishableKey)},
);
${signIn}
if (error) throw error;

const response = await fetch(${JSON.stringify(`${content.apiUrl}/api/journal`)}, {
  headers: { Authorization: \`Bearer \${data.session.access_token}\` },
});
console.log(await response.json());`;
}
