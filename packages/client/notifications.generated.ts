// Written by `npm run generate` from packages/core/people/notification-texts.ts.

/** `full_name` of the person who caused it: null if they have no name, missing once their account is erased. */
type Named = { full_name?: string | null };

type TeamColor = "blue" | "red";
/** The team that won a battle. */
export type Winner = TeamColor | "tie";

/**
 * `data` of a notification, by its type: ids of what it is about, and everything that its text says. Dates are
 * `YYYY-MM-DD`, times `HH:MM`.
 */
export interface NotificationData {
  baton_pass: { checkin_id: string; date: string } & Named;
  checkin_reminder: { date: string; window_start_time: string };
  checkin_reviewed: { checkin_id: string; date: string; status: "rejected" | "verified" };
  chain_broken: { date: string };
  chain_restored: { date: string };
  chain_update: { date: string; has_before: boolean; has_after: boolean; is_changed: boolean };
  battle_update: { checkin_id: string; date: string; week_start_date: string; chips: number } & Named;
  battle_progress: {
    date: string;
    week_start_date: string;
    team_color: TeamColor;
    red_team_chips: number;
    blue_team_chips: number;
  };
  battle_results: {
    week_start_date: string;
    winner: Winner;
    team_color: TeamColor;
    red_damage: number;
    blue_damage: number;
  };
  weekly_stats: { week_start_date: string; days_planned: number; completed_count: number; chips_earned: number };
  drop_received: { drop_id: string; sender_id: string; drop_type: string } & Named;
  badge_earned: { level: number; badge_name: string; emoji: string };
  assistant_drop: { drop_id: string; assistant_name: string };
  member_added: { org_id: string; team_id?: string; added_by: string };
  organization_received: { org_id: string; given_by?: string; is_returned: boolean };
  invitation: { invitation_id: string; org_id: string; invited_by: string };
  moderation:
    | { report_id: string }
    | { decision_id: string; appeal_id: string }
    | { decision_id: string; target_type: string; target_id: string; decision: "hide" | "suspend" | "warn" };
  export_ready: { export_id: string };
  journal_reminder: { date: string };
  team_message: { team_id: string; count: number } | { squad_id: string; date: string; count: number };
  /** `status` is that of the last check-in. */
  goal_update: { goal_id: string; status: "completed" | "partial" | "missed" | "skipped"; count: number };
  comment: ({ entry_id: string } | { goal_id: string }) & { is_yours: boolean; count: number } & Named;
  token_created: { token_id: string };
}

export type NotificationType = keyof NotificationData;

type Texts = {
  readonly [Type in NotificationType]: (data: NotificationData[Type]) => readonly [title: string, body: string];
};

/** They have neither journal text, nor the content of drops and messages, nor names of groups. */
const TEXTS: Texts = {
  baton_pass: (data) => ["The baton is yours", `${nameIn(data, "Your neighbor")} has checked in. You are next.`],
  checkin_reminder: (data) => ["Your window opens soon", `It opens at ${data.window_start_time}.`],
  checkin_reviewed: (data) => [
    `Your check-in was ${data.status}`,
    `An admin has reviewed your check-in of ${data.date}.`,
  ],
  chain_broken: () => ["Your chain broke", "The person before you has no valid check-in."],
  chain_restored: () => ["Your chain continues", "The check-in of the person before you counts after all."],
  chain_update: (data) => [
    data.is_changed ? `Your chain or squad of ${data.date} has changed` : `Your chain of ${data.date}`,
    `${data.has_before ? "Someone" : "No one"} plays before you, ${data.has_after ? "someone" : "no one"} after you.`,
  ],
  battle_update: (data) => [
    "Chips for your team",
    `${nameIn(data, "Your neighbor")} brought ${data.chips} for your team.`,
  ],
  battle_progress: (data) => [
    "How the battle stands",
    `The red team has ${data.red_team_chips} chips and the blue team ${data.blue_team_chips}.`,
  ],
  battle_results: ({ winner, team_color, red_damage, blue_damage }) => [
    winner === "tie"
      ? "The battle of the week is a tie"
      : `${winner === team_color ? "Your" : "The other"} team won the battle of the week`,
    battleOutcome(winner, red_damage, blue_damage),
  ],
  weekly_stats: (data) => [
    "Your week",
    `You completed ${data.completed_count} of ${data.days_planned} days and earned ${data.chips_earned} chips.`,
  ],
  drop_received: (data) => ["A drop for you", `${nameIn(data, "Someone")} sent you a drop.`],
  badge_earned: (data) => [
    `A new badge: ${data.badge_name} ${data.emoji}`,
    `Your drops brought you to level ${data.level}.`,
  ],
  assistant_drop: (data) => [`A drop from ${data.assistant_name}`, "Your drop of the day is here."],
  member_added: (data) =>
    data.team_id === undefined
      ? ["You were added to an organization", "You can see what its members share with it, and leave it at any time."]
      : ["You were added to a team", "You can see what its members share with the team, and leave it at any time."],
  organization_received: (data) =>
    data.is_returned
      ? ["An organization was handed back to you", "You own it again."]
      : ["You own an organization now", "You can hand it back for 14 days."],
  invitation: () => ["You are invited to an organization", "Read who invites you, and accept or decline."],
  moderation: (data) => {
    if ("report_id" in data) return ["Your report was decided", "Thank you. An admin has looked at what you reported."];
    if ("appeal_id" in data) return ["Your appeal was decided", "An admin has answered it."];
    return [DECIDED[data.decision], "An admin decided about a report. Read the reasons, and how to appeal."];
  },
  export_ready: () => ["Your export is ready", "You can download your data for 7 days."],
  journal_reminder: () => ["Time to write", "How was your day?"],
  team_message: (data) => [
    `New messages in your ${"team_id" in data ? "team" : "squad"}`,
    `You have ${data.count} unread message${data.count === 1 ? "" : "s"}.`,
  ],
  goal_update: (data) => [
    "News of a goal in your team",
    data.count === 1 ? `A new check-in: ${data.status}.` : `${data.count} new check-ins, the last one: ${data.status}.`,
  ],
  comment: (data) => [
    data.is_yours
      ? `New comments on your ${"entry_id" in data ? "entry" : "goal"}`
      : "New comments where you commented",
    data.count === 1 ? `${nameIn(data, "Someone")} commented.` : `There are ${data.count} new comments.`,
  ],
  token_created: () => ["A program may act for you", "You created a personal token. If that was not you, delete it."],
};

const DECIDED = {
  warn: "You received a warning",
  hide: "Something of yours was hidden",
  suspend: "Your account is suspended",
};

/**
 * The text of a notification in English, made from nothing but its type and data. A type that this version does not know
 * has a general title and an empty body.
 */
export function notificationText<Type extends NotificationType>(type: Type, data: NotificationData[Type]) {
  const [title, body] = Object.hasOwn(TEXTS, type) ? TEXTS[type](data) : ["A new notification", ""];
  return { title, body };
}

/** How a battle ended, in one sentence. */
export function battleOutcome(winner: Winner, redDamage: number, blueDamage: number): string {
  if (winner === "tie") return `Both teams did ${redDamage} damage: a tie.`;
  const [more, less] = winner === "red" ? [redDamage, blueDamage] : [blueDamage, redDamage];
  return `The ${winner} team won, ${more} damage to ${less}.`;
}

function nameIn({ full_name: name }: Named, nameless: string): string {
  return name === undefined ? "Someone" : (name ?? nameless);
}
