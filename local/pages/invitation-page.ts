import { type Context, Hono } from "hono";
import { html } from "hono/html";
import * as z from "zod";
import type { DemoAccount } from "../demo/data.ts";
import { closedPage } from "../stand-ins/server.ts";
import { type Html, htmlPage } from "../support/html.ts";
import { signIn } from "./sign-in.ts";

/** The accounts that can accept, and where they sign in. */
export interface InvitationPageOptions {
  readonly accounts: readonly DemoAccount[];
  readonly supabaseUrl: string;
  readonly publishableKey: string;
}

type Api = (request: Request) => Response | Promise<Response>;

const Preview = z.object({
  invitation: z.object({
    organization: z.object({ name: z.string(), member_count: z.number() }),
    role: z.string(),
    invited_by: z.object({ full_name: z.string().nullable() }),
    expires_at: z.string(),
  }),
});
type Preview = z.infer<typeof Preview>["invitation"];
const Accepted = z.object({ organization: z.object({ name: z.string() }), member: z.object({ role: z.string() }) });

/**
 * The page that the link of an invitation opens on this machine, in place of the client app: it shows the invitation and
 * accepts it as an account of the demo data. The token stays between this server and the API's bodies; nothing logs it.
 */
export function invitationPages(options: InvitationPageOptions, api: Api): Hono {
  const app = new Hono();

  /** @returns null for any refusal */
  async function send<Body>(action: string, account: DemoAccount, token: string, body: z.ZodType<Body>) {
    const accessToken = await signIn(options, account);
    const response = await api(
      new Request(`http://localhost/api/invitations/${action}`, {
        method: "POST",
        headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
        body: JSON.stringify({ token }),
      }),
    );
    return response.ok ? body.parse(await response.json()) : null;
  }

  app.get("/invitations/:token", async (c) => {
    const usable: { account: DemoAccount; invitation: Preview }[] = [];
    for (const account of options.accounts) {
      const preview = await send("preview", account, c.req.param("token"), Preview);
      if (preview !== null) usable.push({ account, invitation: preview.invitation });
    }
    const [first] = usable;
    if (first === undefined) return missing(c);
    const emails = usable.map(({ account }) => account.email);
    return page(c, "An invitation", previewOf(first.invitation, emails));
  });
  app.post("/invitations/:token", async (c) => {
    const email = new URLSearchParams(await c.req.text()).get("email");
    const account = options.accounts.find((candidate) => candidate.email === email);
    const accepted = account && (await send("accept", account, c.req.param("token"), Accepted));
    if (!accepted) return missing(c);
    const { organization, member } = accepted;
    const text = html`<p>${email} is in <b>${organization.name}</b> now, with the role ${member.role}.</p>`;
    return page(c, "Welcome", text);
  });
  return app;
}

function previewOf({ organization, role, invited_by, expires_at }: Preview, emails: readonly string[]): Html {
  return html`<p>${invited_by.full_name ?? "Someone"} invites you to join <b>${organization.name}</b> as ${role}.
Members: ${organization.member_count}. Valid until ${expires_at}.</p>
${emails.map(
  (email) => html`<form method="post"><input type="hidden" name="email" value="${email}">
<button>Accept as ${email}</button></form>`,
)}`;
}

function missing(c: Context) {
  const text = html`<p>This invitation does not exist, or no account of the demo data can use it.</p>`;
  return page(c, "Nothing here", text, 404);
}

function page(c: Context, title: string, content: Html, status: 200 | 404 = 200) {
  c.header("referrer-policy", "no-referrer");
  const parts = {
    title: `${title} · Nectar on this machine`,
    content: html`<p><a href="/">Home</a></p><h1>${title}</h1>${content}`,
  };
  return closedPage(c, htmlPage(parts), status);
}
