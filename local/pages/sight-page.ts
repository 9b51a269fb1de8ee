import { Hono } from "hono";
import { html } from "hono/html";
import { type DemoAccount, demoSights } from "../demo/data.ts";
import { type Html, htmlPage, pagePolicy } from "../support/html.ts";
import { signIn } from "./sign-in.ts";
import type { DevSummary } from "./summary.ts";

/** Requests to look at, each with the demo account that it is sent as. */
export interface Sight {
  readonly topic: string;
  readonly about: string;
  readonly path: string;
  readonly account: DemoAccount;
}

/** The requests of the demo data; those of admins only if there is an account for them. */
export function sightsFor(member: DemoAccount | undefined, admin: DemoAccount | undefined): Sight[] {
  return demoSights.flatMap((sight) => {
    const account = sight.topic === "As admin" ? admin : member;
    return account === undefined ? [] : [{ ...sight, account }];
  });
}

/** Opens each of the requests at `/see/<number>`: JSON as a page with its pictures, everything else as it is. */
export function sightPages(
  sights: readonly Sight[],
  supabase: Pick<DevSummary, "supabaseUrl" | "publishableKey">,
  api: (request: Request) => Response | Promise<Response>,
): Hono {
  const app = new Hono();
  for (const [number, sight] of sights.entries()) {
    app.get(`/see/${number}`, async (c) => {
      const headers = { authorization: `Bearer ${await signIn(supabase, sight.account)}` };
      const response = await api(new Request(`http://localhost${sight.path}`, { headers }));
      if (!response.headers.get("content-type")?.startsWith("application/json")) return response;
      const page = sightPage(sight, response.status, JSON.stringify(await response.json(), null, 2));
      return c.html(page, 200, {
        "content-security-policy": pagePolicy(null, "http:"),
        "cache-control": "no-store",
      });
    });
  }
  return app;
}

function sightPage({ about, path, account }: Sight, status: number, json: string): Html {
  const pictures = [...json.matchAll(/"(?:image_url|photo_url|imageUrl|thumbnail_url)": "(http[^"]+)"/g)].map(
    ([, url]) => url,
  );
  return htmlPage({
    title: `${about} · Nectar on this machine`,
    content: html`<p><a href="/">Home</a></p>
<h1>${about}</h1>
<p><code>GET ${path}</code> as <code>${account.email}</code>: ${status}</p>
${pictures.map((url) => html`<img src="${url}" alt="" width="256">\n`)}
<pre><code>${json}</code></pre>`,
  });
}
