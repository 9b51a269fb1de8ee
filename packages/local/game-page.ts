import { addDays, utcDate, weekStart } from "@nectar/core/calendar-date";
import { type Context, Hono } from "hono";
import * as z from "zod";
import type { DemoAccount } from "./demo/data.ts";
import { type GameView, gameParts, gamePlace, Mosaic, Past, Teams, Week } from "./game-view.ts";
import { pagePolicy, readAssets } from "./html.ts";

/** The account that the page reads the game with, and the secret that starts its jobs. */
export interface GamePageOptions {
  /** A super admin of the demo data: sees both teams. */
  readonly account: DemoAccount;
  readonly supabaseUrl: string;
  readonly publishableKey: string;
  /** The secret of the game's jobs; nothing else starts them on this machine. */
  readonly cronSecret: string;
}

type Api = (request: Request) => Response | Promise<Response>;

/** The script of the page. */
const SCRIPT = readAssets("game.js");
/** Milliseconds between two runs of the jobs, however often the page is requested. */
const JOBS_EVERY_MS = 10_000;
/** A token is valid for an hour. */
const TOKEN_LIFETIME_MS = 30 * 60_000;

/**
 * The current game: today's mosaic, the running battle, the squads. A visible page requests its parts every few seconds. Each
 * request also runs the jobs that a schedule runs in production, so that the synthetic users go on playing.
 */
export function gamePages(options: GamePageOptions, api: Api): Hono {
  const app = new Hono();
  let token: { readonly value: string; readonly until: number } | undefined;
  let jobsRanAt = 0;

  async function signedIn(): Promise<string> {
    if (token !== undefined && token.until > Date.now()) return token.value;
    const value = await signIn(options);
    token = { value, until: Date.now() + TOKEN_LIFETIME_MS };
    return value;
  }

  /** @returns null for a 404 */
  async function read<Body>(path: string, body: z.ZodType<Body>): Promise<Body | null> {
    const headers = { authorization: `Bearer ${await signedIn()}` };
    const response = await api(new Request(`http://localhost/api/workout-window/${path}`, { headers }));
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`The API responded with ${response.status} to ${path}.`);
    return body.parse(await response.json());
  }

  async function runJobs(): Promise<void> {
    if (Date.now() - jobsRanAt < JOBS_EVERY_MS) return;
    jobsRanAt = Date.now();
    const headers = { "x-cron-secret": options.cronSecret };
    for (const job of ["generate-chains", "synthetic-check-ins", "end-of-day", "mosaics"]) {
      // The result of a job is in the API's log.
      await api(new Request(`http://localhost/api/workout-window/cron/${job}`, { method: "POST", headers }));
    }
  }

  const readMosaic = async (date: string) => (await read(`mosaic/${date}`, Mosaic))?.mosaic ?? null;

  /** The mosaic of a date; draws it if it is missing. */
  async function mosaicOf(date: string): Promise<GameView["mosaic"]> {
    const drawn = await readMosaic(date);
    if (drawn !== null) return drawn;
    const headers = { "x-cron-secret": options.cronSecret };
    await api(new Request(`http://localhost/api/workout-window/mosaic/generate/${date}`, { method: "POST", headers }));
    return readMosaic(date);
  }

  async function viewOf(date: string): Promise<GameView> {
    await runJobs();
    return {
      mosaic: await mosaicOf(date),
      teams: await read(`admin/teams/${date}`, Teams),
      week: await read(`battle/week/${weekStart(date)}`, Week),
      past: await read("battle/history?limit=1", Past),
    };
  }

  app.get("/game", (c) => {
    const { today, date } = datesAsked(c);
    return c.html(page(today, date), 200, {
      "content-security-policy": pagePolicy(SCRIPT),
      "cache-control": "no-store",
    });
  });
  app.get("/game/parts", async (c) => {
    const { date } = datesAsked(c);
    return c.html(gameParts(await viewOf(date)), 200, { "cache-control": "no-store" });
  });
  // Through this server, because the policy of the page allows no other.
  app.get("/game/mosaic/:date", async (c) => {
    const date = z.iso.date().safeParse(c.req.param("date"));
    const mosaic = date.success ? await readMosaic(date.data) : null;
    if (mosaic === null) return c.text("There is no mosaic of this date.", 404);
    const image = await fetch(mosaic.imageUrl);
    if (!image.ok) return c.text("The store does not have this image.", 502);
    return c.body(await image.arrayBuffer(), 200, { "content-type": "image/png", "cache-control": "no-store" });
  });
  return app;
}

async function signIn({ account, supabaseUrl, publishableKey }: GamePageOptions): Promise<string> {
  const response = await fetch(`${supabaseUrl}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email: account.email, password: account.password }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`The demo account ${account.email} cannot sign in (status ${response.status}).`);
  return z.object({ access_token: z.string() }).parse(await response.json()).access_token;
}

/** Today in UTC, and the date to show: a requested one of the past, else today. */
function datesAsked(c: Context): { today: string; date: string } {
  const today = utcDate(new Date());
  const asked = z.iso.date().safeParse(c.req.query("date"));
  return { today, date: asked.success && asked.data <= today ? asked.data : today };
}

function page(today: string, date: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The game today · Nectar on this machine</title>
<link rel="icon" href="data:,">
<style>${readAssets("home.css", "game.css")}</style>
</head>
<body>
<main>
<p><a href="/">Home</a></p>
<h1>The game on ${date}</h1>
<p class="soft">Shows what happens as it happens. The synthetic users check in while you watch, each at their time of day.</p>
<p>${datesPart(today, date)}</p>
${gamePlace(date === today ? "/game/parts" : `/game/parts?date=${date}`)}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** Links to today and the week before; west of Greenwich, yesterday may still be the date that is played. */
function datesPart(today: string, shown: string): string {
  const dates = Array.from({ length: 8 }, (_, days) => addDays(today, -days));
  return dates
    .map((date) => (date === shown ? `<b>${date}</b>` : `<a href="/game?date=${date}">${date}</a>`))
    .join(" · ");
}
