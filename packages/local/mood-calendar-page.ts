import { Hono } from "hono";
import { signIn } from "./sign-in.ts";
import type { DevSummary } from "./summary.ts";

/** The calendar of moods of the first account of the demo data, which a browser cannot request without a token. */
export function moodCalendarPage(
  summary: Pick<DevSummary, "accounts" | "supabaseUrl" | "publishableKey">,
  api: (request: Request) => Response | Promise<Response>,
): Hono {
  const app = new Hono();
  app.get("/mood-calendar.svg", async (c) => {
    const [account] = summary.accounts;
    if (account === undefined) return c.notFound();
    const headers = { authorization: `Bearer ${await signIn(summary, account)}` };
    const { search } = new URL(c.req.url);
    return api(new Request(`http://localhost/api/journal/mood-calendar.svg${search}`, { headers }));
  });
  return app;
}
