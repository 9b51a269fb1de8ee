import { type Context, Hono } from "hono";
import { html } from "hono/html";
import * as z from "zod";
import { addDays, utcDate, weekStart } from "#core/time/calendar-date";
import { type DemoAccount, demoAccounts } from "../demo/data.ts";
import { type Html, htmlPage, pagePolicy, readAssets } from "../support/html.ts";
import { type GameView, gameParts, gameSection, Mosaic, Teams, Today, Week } from "./game-view.ts";
import { signIn } from "./sign-in.ts";

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

/** Whose start screen the page shows: Robin's. */
const PLAYER = demoAccounts[0];
/** The script of the page. */
const SCRIPT = readAssets("game.js");
/** Milliseconds between two runs of the jobs, however often the page is requested. */
const JOBS_EVERY_MS = 10_000;
/** A token is valid for an hour. */
const TOKEN_LIFETIME_MS = 30 * 60_000;

/**
 * The current game: today's mosaic, the running battle, the squads. A visible page requests its parts every few seconds.
 * Such a request also runs four of the game's jobs, every ten seconds at most, so that the synthetic users continue to
 * play.
 */
export function gamePages(options: GamePageOptions, api: Api): Hono {
  const app = new Hono();
  const tokens = new Map<DemoAccount, { readonly value: string; readonly until: number }>();
  let jobsRanAt = 0;

  async function signedIn(account: DemoAccount): Promise<string> {
    const token = tokens.get(account);
    if (token !== undefined && token.until > Date.now()) return token.value;
    const value = await signIn(options, account);
    tokens.set(account, { value, until: Date.now() + TOKEN_LIFETIME_MS });
    return value;
  }

  /** @param path of the game, or that of another topic with its slash @returns null for a 404 */
  async function read<Body>(path: string, body: z.ZodType<Body>, account = options.account): Promise<Body | null> {
    const headers = { authorization: `Bearer ${await signedIn(account)}` };
    const response = await api(new Request(new URL(path, "http://localhost/api/workout-window/"), { headers }));
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
      start: await read("/api/today", Today, PLAYER),
    };
  }

  app.get("/game", (c) => {
    const { today, date } = requestedDates(c);
    return c.html(gamePage(today, date), 200, {
      "content-security-policy": pagePolicy(SCRIPT),
      "cache-control": "no-store",
    });
  });
  app.get("/game/parts", async (c) => {
    const { date } = requestedDates(c);
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

/** Today in UTC, and the date to show: a requested one of the past, else today. */
function requestedDates(c: Context): { today: string; date: string } {
  const today = utcDate(new Date());
  const { data: date } = z.iso.date().safeParse(c.req.query("date"));
  return { today, date: date !== undefined && date <= today ? date : today };
}

function gamePage(today: string, date: string): Html {
  return htmlPage({
    title: "The game today · Nectar on this machine",
    script: SCRIPT,
    content: html`<p><a href="/">Home</a></p>
<h1>The game on <time>${date}</time></h1>
<p class="soft">Shows what happens as it happens. The synthetic users check in while you watch, each at their time of day.</p>
<p>${dateLinks(today, date)}</p>
${gameSection(date === today ? "/game/parts" : `/game/parts?date=${date}`)}`,
  });
}

/** Links to today and the week before; west of Greenwich, yesterday may still be the date that is played. */
function dateLinks(today: string, shown: string): Html[] {
  const dates = Array.from({ length: 8 }, (_, days) => addDays(today, -days));
  return dates.map((date) =>
    date === shown
      ? html`<b><time>${date}</time></b> · `
      : html`<a href="/game?date=${date}"><time>${date}</time></a> · `,
  );
}
