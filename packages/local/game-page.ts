import { addDays } from "@nectar/core/calendar-date";
import { weekStart } from "@nectar/core/game/time";
import { Hono } from "hono";
import { z } from "zod";
import type { DemoAccount } from "./demo-accounts.ts";
import { gamePageStyle } from "./game-page-style.ts";
import { escapeHtml } from "./html.ts";

/** Whose eyes the page looks through, and how it plays the scheduler's part. */
export interface GamePageOptions {
  /** A super admin of the demo data: sees both teams. */
  readonly account: DemoAccount;
  readonly supabaseUrl: string;
  readonly publishableKey: string;
  /** The secret of the game's jobs; nothing else starts them on this machine. */
  readonly cronSecret: string;
}

type Api = (request: Request) => Response | Promise<Response>;

const Member = z.object({ userId: z.string(), status: z.string(), isAi: z.boolean() });
const Card = z
  .object({
    id: z.string(),
    full_name: z.string().nullable(),
    window: z.object({ start: z.string(), end: z.string() }),
  })
  .nullable();
const Squad = z.object({ id: z.string(), user1: Card, user2: Card, user3: Card });
const Team = z.object({ members: z.array(Member), squads: z.array(Squad), realUsers: z.int(), aiUsers: z.int() });
const Teams = z.object({ redTeam: Team, blueTeam: Team });
type Teams = z.infer<typeof Teams>;

const Side = z.object({ totalChips: z.int(), robotPower: z.int(), members: z.int() });
const Week = z.object({
  battle: z.object({ week_start_date: z.string(), week_end_date: z.string(), battle_status: z.string() }),
  redTeam: Side,
  blueTeam: Side,
  dailyStats: z.array(z.object({ date: z.string(), redTeamChips: z.int(), blueTeamChips: z.int() })),
});
type Week = z.infer<typeof Week>;

const Past = z.object({
  battles: z.array(
    z.object({
      week_start_date: z.string(),
      red_team_chips: z.int(),
      blue_team_chips: z.int(),
      winner: z.string().nullable(),
      battle_result: z.object({ finalOutcome: z.string(), rounds: z.array(z.unknown()) }).nullable(),
    }),
  ),
});
type Past = z.infer<typeof Past>;

const Mosaic = z.object({
  mosaic: z.object({
    imageUrl: z.string(),
    date: z.string(),
    stats: z.object({ totalParticipants: z.int(), completed: z.int(), failed: z.int(), pending: z.int() }),
  }),
});
type Mosaic = z.infer<typeof Mosaic>["mosaic"];

/** Milliseconds between two runs of the jobs, however often the page is asked for. */
const JOBS_EVERY_MS = 10_000;
/** A token is good for an hour. */
const TOKEN_LASTS_MS = 30 * 60_000;

/**
 * The game as it stands, drawn anew at every request: today's mosaic, the running battle, the squads. Asking for it also
 * runs the jobs that a schedule runs elsewhere, so that the synthetic users play on while somebody watches.
 */
export function gamePages(options: GamePageOptions, api: Api): Hono {
  const app = new Hono();
  let token: { readonly value: string; readonly until: number } | undefined;
  let jobsRanAt = 0;

  async function signedIn(): Promise<string> {
    if (token !== undefined && token.until > Date.now()) return token.value;
    const value = await signIn(options);
    token = { value, until: Date.now() + TOKEN_LASTS_MS };
    return value;
  }

  /** @returns null when the API says that there is none */
  async function read<Answer>(path: string, answer: z.ZodType<Answer>): Promise<Answer | null> {
    const headers = { authorization: `Bearer ${await signedIn()}` };
    const response = await api(new Request(`http://localhost/api/workout-window/${path}`, { headers }));
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`The API answered ${response.status} about ${path}.`);
    return answer.parse(await response.json());
  }

  async function runJobs(): Promise<void> {
    if (Date.now() - jobsRanAt < JOBS_EVERY_MS) return;
    jobsRanAt = Date.now();
    const headers = { "x-cron-secret": options.cronSecret };
    for (const job of ["generate-chains", "synthetic-check-ins", "end-of-day", "mosaics"]) {
      // What a job says is in the API's log; the page shows what there is.
      await api(new Request(`http://localhost/api/workout-window/cron/${job}`, { method: "POST", headers }));
    }
  }

  const readMosaic = async (date: string) => (await read(`mosaic/${date}`, Mosaic))?.mosaic ?? null;

  /** The mosaic of a date, drawn now when that was never done. */
  async function mosaicOf(date: string): Promise<Mosaic | null> {
    const drawn = await readMosaic(date);
    if (drawn !== null) return drawn;
    const headers = { "x-cron-secret": options.cronSecret };
    await api(new Request(`http://localhost/api/workout-window/mosaic/generate/${date}`, { method: "POST", headers }));
    return readMosaic(date);
  }

  app.get("/game", async (c) => {
    await runJobs();
    const today = new Date().toISOString().slice(0, 10);
    const asked = z.iso.date().safeParse(c.req.query("date"));
    const date = asked.success && asked.data <= today ? asked.data : today;
    const view = {
      today,
      date,
      mosaic: await mosaicOf(date),
      teams: await read(`admin/teams/${date}`, Teams),
      week: await read(`battle/week/${weekStart(date)}`, Week),
      past: await read("battle/history?limit=1", Past),
    };
    return c.html(page(view), 200, {
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'",
      "cache-control": "no-store",
    });
  });
  // Through here, so that the page asks nobody but this server.
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

interface View {
  readonly today: string;
  /** The date that is shown. */
  readonly date: string;
  readonly mosaic: Mosaic | null;
  readonly teams: Teams | null;
  readonly week: Week | null;
  readonly past: Past | null;
}

function page({ today, date, mosaic, teams, week, past }: View): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="15">
<title>The game today · Nectar on this machine</title>
<link rel="icon" href="data:,">
<style>${gamePageStyle}</style>
</head>
<body>
<main>
<p><a href="/">Home</a></p>
<h1>The game on ${date}</h1>
<p class="soft">Drawn anew every 15 seconds. The synthetic users check in while you watch, each at their time of day.</p>
<p>${datesPart(today, date)}</p>
<section><h2>Mosaic</h2>${mosaicPart(mosaic)}</section>
<section><h2>Battle of the week</h2>${battlePart(week)}${pastPart(past)}</section>
<section><h2>Squads</h2>${squadsPart(teams)}</section>
</main>
</body>
</html>
`;
}

/** Today and the week before; where it is still yesterday, that day is the one that is played. */
function datesPart(today: string, shown: string): string {
  const dates = Array.from({ length: 8 }, (_, days) => addDays(today, -days));
  return dates
    .map((date) => (date === shown ? `<b>${date}</b>` : `<a href="/game?date=${date}">${date}</a>`))
    .join(" · ");
}

function mosaicPart(mosaic: Mosaic | null): string {
  if (mosaic === null) return "<p>There is no mosaic of this date.</p>";
  const { totalParticipants, completed, failed, pending } = mosaic.stats;
  return `<img src="/game/mosaic/${escapeHtml(mosaic.date)}" alt="${completed} of ${totalParticipants} have checked in">
<p><b class="completed">${completed}</b> checked in · <b class="failed">${failed}</b> missed it · <b class="pending">${pending}</b> to come, of ${totalParticipants}</p>`;
}

function battlePart(week: Week | null): string {
  if (week === null) return "<p>There is no battle yet.</p>";
  const { battle, redTeam, blueTeam, dailyStats } = week;
  const sum = Math.max(redTeam.totalChips + blueTeam.totalChips, 1);
  const width = Math.round((redTeam.totalChips / sum) * 100);
  const days = dailyStats
    .map(
      ({ date, redTeamChips, blueTeamChips }) =>
        `<tr><td>${escapeHtml(date)}</td><td class="red">${redTeamChips}</td><td class="blue">${blueTeamChips}</td></tr>`,
    )
    .join("");
  const side = (name: string, { totalChips, robotPower, members }: z.infer<typeof Side>) =>
    `<span class="${name}">${name}: ${totalChips} chips, robot of power ${robotPower}, ${members} players</span>`;
  return `<p>${escapeHtml(battle.week_start_date)} to ${escapeHtml(battle.week_end_date)}: ${escapeHtml(battle.battle_status.replace("_", " "))}</p>
<div class="bar"><i style="width:${width}%"></i></div>
<p class="sides">${side("red", redTeam)}${side("blue", blueTeam)}</p>
<table><thead><tr><th>Day</th><th>Red chips</th><th>Blue chips</th></tr></thead><tbody>${days}</tbody></table>`;
}

function pastPart(past: Past | null): string {
  const [last] = past?.battles ?? [];
  if (last === undefined) return "";
  const rounds = last.battle_result?.rounds.length ?? 0;
  return `<p>The battle of ${escapeHtml(last.week_start_date)} ended ${last.red_team_chips} to ${last.blue_team_chips} chips after ${rounds} rounds: ${escapeHtml(last.battle_result?.finalOutcome ?? last.winner ?? "")}</p>`;
}

function squadsPart(teams: Teams | null): string {
  if (teams === null) return "<p>Nobody plays on this date.</p>";
  return `<div class="teams">${teamPart("red", teams.redTeam)}${teamPart("blue", teams.blueTeam)}</div>`;
}

function teamPart(name: string, { members, squads, realUsers, aiUsers }: Teams["redTeam"]): string {
  const status = new Map(members.map((member) => [member.userId, member]));
  const player = (card: z.infer<typeof Card>) => {
    if (card === null) return "";
    const { status: stands = "pending", isAi = false } = status.get(card.id) ?? {};
    return `<li class="${escapeHtml(stands)}"><span>${escapeHtml(card.full_name ?? "Somebody")}${isAi ? "" : " ★"}</span> <small>${escapeHtml(card.window.start)}–${escapeHtml(card.window.end)} · ${escapeHtml(stands.replace("_", " "))}</small></li>`;
  };
  const lists = squads
    .map(({ user1, user2, user3 }) => `<ul>${[user1, user2, user3].map(player).join("")}</ul>`)
    .join("");
  return `<div><h3 class="${name}">${name}: ${squads.length} squads</h3><p class="soft">${realUsers} people ★, ${aiUsers} synthetic users</p>${lists}</div>`;
}
