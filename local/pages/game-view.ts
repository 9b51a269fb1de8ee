import { html } from "hono/html";
import * as z from "zod";
import type { Html } from "../support/html.ts";

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
export const Teams = z.object({ redTeam: Team, blueTeam: Team });
export type Teams = z.infer<typeof Teams>;

const Side = z.object({ totalChips: z.int(), robotPower: z.int(), members: z.int() });
export const Week = z.object({
  battle: z.object({ week_start_date: z.string(), week_end_date: z.string(), battle_status: z.string() }),
  redTeam: Side,
  blueTeam: Side,
  dailyStats: z.array(z.object({ date: z.string(), redTeamChips: z.int(), blueTeamChips: z.int() })),
});
export type Week = z.infer<typeof Week>;

export const Today = z.object({
  today: z.object({
    window: z.object({ starts_at: z.string(), status: z.string() }).nullable(),
    streak: z.object({ current: z.int(), longest: z.int(), freezesHeld: z.int(), atRisk: z.boolean() }).nullable(),
    goals: z.array(z.object({ checked_in: z.boolean() })),
    journal: z.object({ entries_today: z.int(), current_streak: z.int(), on_this_day: z.int() }),
    drops: z.object({ total_available: z.int(), unread: z.int() }),
    notifications: z.object({ unread: z.int() }),
  }),
});

export const Mosaic = z.object({
  mosaic: z.object({
    imageUrl: z.string(),
    date: z.string(),
    stats: z.object({ totalParticipants: z.int(), completed: z.int(), failed: z.int(), pending: z.int() }),
  }),
});
export type Mosaic = z.infer<typeof Mosaic>["mosaic"];

/** Responses of the API about the game on a date; null instead of a 404. */
export interface GameView {
  readonly mosaic: Mosaic | null;
  readonly teams: Teams | null;
  readonly week: Week | null;
  /** Robin's start screen, whatever date is shown. */
  readonly start: z.infer<typeof Today> | null;
}

/** The part of a page that shows the game; the page must have game.js. @param parts the address of gameParts */
export function gameSection(parts = "/game/parts"): Html {
  return html`<div class="game" data-live="${parts}"><p class="soft">The game is loading.</p></div>`;
}

/** Mosaic, Robin's start screen, battle and squads, without a page around them. */
export function gameParts({ mosaic, teams, week, start }: GameView): Html {
  return html`<section><h2>Mosaic</h2>${mosaicPart(mosaic)}</section>
<section><h2>Robin today</h2>${startPart(start)}</section>
<section><h2>Battle of the week</h2>${battlePart(week)}</section>
<section><h2>Squads</h2>${squadsPart(teams)}</section>`;
}

function mosaicPart(mosaic: Mosaic | null): Html {
  if (mosaic === null) return html`<p>There is no mosaic of this date.</p>`;
  const { totalParticipants, completed, failed, pending } = mosaic.stats;
  // Every drawing is a new file, so a new name makes the browser load it again.
  const drawing = encodeURIComponent(new URL(mosaic.imageUrl).pathname.split("/").at(-1) ?? "");
  return html`<img src="/game/mosaic/${mosaic.date}?drawing=${drawing}" alt="${completed} of ${totalParticipants} have checked in">
<p><b class="completed">${completed}</b> checked in · <b class="failed">${failed}</b> missed it · <b class="pending">${pending}</b> to come, of ${totalParticipants}</p>`;
}

function startPart(start: GameView["start"]): Html {
  if (start === null || start.today.streak === null) return html`<p>Robin does not play.</p>`;
  const { window, streak, goals, journal, drops, notifications } = start.today;
  const { current, longest, freezesHeld, atRisk } = streak;
  const opens =
    window === null
      ? ""
      : html`<p>Next window: <time>${window.starts_at}</time> (${window.status.replace("_", " ")}).</p>`;
  return html`<p>A streak of ${current} days, the longest was ${longest}. Freezes: ${freezesHeld}.${atRisk ? " At risk today." : ""}</p>
${opens}
<p>${goals.length} goals are due today, ${goals.filter((goal) => goal.checked_in).length} are done. Entries about today: ${journal.entries_today}, about this day in earlier years: ${journal.on_this_day}. Drops to send: ${drops.total_available}, to read: ${drops.unread}. Unread notifications: ${notifications.unread}.</p>`;
}

function battlePart(week: Week | null): Html {
  if (week === null) return html`<p>There is no battle yet.</p>`;
  const { battle, redTeam, blueTeam, dailyStats } = week;
  const sum = Math.max(redTeam.totalChips + blueTeam.totalChips, 1);
  const width = Math.round((redTeam.totalChips / sum) * 100);
  const days = dailyStats.map(
    ({ date, redTeamChips, blueTeamChips }) =>
      html`<tr><td>${date}</td><td class="red">${redTeamChips}</td><td class="blue">${blueTeamChips}</td></tr>`,
  );
  const side = (name: string, { totalChips, robotPower, members }: z.infer<typeof Side>) =>
    html`<span class="${name}">${name}: ${totalChips} chips, robot of power ${robotPower}, ${members} players</span>`;
  return html`<p>${battle.week_start_date} to ${battle.week_end_date}: ${battle.battle_status.replace("_", " ")}</p>
<div class="bar"><i style="width:${width}%"></i></div>
<p class="sides">${side("red", redTeam)}${side("blue", blueTeam)}</p>
<table><thead><tr><th>Day</th><th>Red chips</th><th>Blue chips</th></tr></thead><tbody>${days}</tbody></table>`;
}

function squadsPart(teams: Teams | null): Html {
  if (teams === null) return html`<p>There are no players on this date.</p>`;
  return html`<div class="teams">${teamPart("red", teams.redTeam)}${teamPart("blue", teams.blueTeam)}</div>`;
}

function teamPart(name: string, { members, squads, realUsers, aiUsers }: Teams["redTeam"]): Html {
  const memberById = new Map(members.map((member) => [member.userId, member]));
  const player = (card: z.infer<typeof Card>) => {
    if (card === null) return "";
    const { status = "pending", isAi = false } = memberById.get(card.id) ?? {};
    const { start, end } = card.window;
    return html`<li class="${status}"><span>${card.full_name ?? "Unnamed"}${isAi ? "" : " ★"}</span> <small>${start}–${end} · ${status.replace("_", " ")}</small></li>`;
  };
  const lists = squads.map(({ user1, user2, user3 }) => html`<ul>${[user1, user2, user3].map(player)}</ul>`);
  return html`<div><h3 class="${name}">${name}: ${squads.length} squads</h3><p class="soft">${realUsers} people ★, ${aiUsers} synthetic users</p>${lists}</div>`;
}
