import { ACCOUNT_TABLES } from "#core/cards/accounts";
import { periodsOf, TABLES } from "#core/cards/all";
import { ASSISTANT_TABLES } from "#core/cards/assistant";
import { AUTH_TABLES } from "#core/cards/auth";
import type { Card } from "#core/cards/card";
import { DROP_TABLES } from "#core/cards/drops";
import { GAME_TABLES } from "#core/cards/game";
import { GROUP_TABLES } from "#core/cards/groups";
import { JOURNAL_TABLES } from "#core/cards/journal";
import { MESSAGE_TABLES } from "#core/cards/messages";
import { OPERATING_TABLES } from "#core/cards/operating";
import { SAFETY_TABLES } from "#core/cards/safety";
import { TONE_PACK_TABLES } from "#core/cards/tone-packs";
import { WELLBEING_TABLES } from "#core/cards/wellness";
import { markdown, periodOf } from "./privacy-docs.ts";

interface Activity {
  readonly purpose: string;
  readonly people: string;
  /** Companies of docs/privacy.md that get something beside those who run the service. */
  readonly recipients: string;
  readonly tables: Readonly<Record<string, Card>>;
}

const USERS = "users";
/** What the service does with data about people, by the topics of the cards. */
const ACTIVITIES: readonly Activity[] = [
  { purpose: "Signing in", people: USERS, recipients: "Apple, Google (sign-in)", tables: AUTH_TABLES },
  {
    purpose: "Accounts, subscriptions, exports and erasure",
    people: USERS,
    recipients: "Stripe",
    tables: ACCOUNT_TABLES,
  },
  {
    purpose: "Keeping and sharing a journal",
    people: "users, and people whom they write about",
    recipients: "OpenAI",
    tables: JOURNAL_TABLES,
  },
  { purpose: "Goals and wellness", people: USERS, recipients: "", tables: WELLBEING_TABLES },
  { purpose: "The assistant", people: "users who switched it on", recipients: "OpenAI", tables: ASSISTANT_TABLES },
  {
    purpose: "Organizations and teams",
    people: "members, and people invited by their address",
    recipients: "Resend",
    tables: GROUP_TABLES,
  },
  { purpose: "Drops, encouragement and badges", people: USERS, recipients: "", tables: DROP_TABLES },
  {
    purpose: "Tone packs",
    people: "users, and people with whom a pack is shared by their address",
    recipients: "OpenAI",
    tables: TONE_PACK_TABLES,
  },
  { purpose: "The game: windows, matches, check-ins", people: "players", recipients: "", tables: GAME_TABLES },
  {
    purpose: "Notifications and mail",
    people: "users, and people who write to the service or are written to",
    recipients: "push services, Google, Apple, Resend",
    tables: MESSAGE_TABLES,
  },
  {
    purpose: "Safety, moderation and supervision of admins",
    people: "users, reported people, admins",
    recipients: "",
    tables: SAFETY_TABLES,
  },
  { purpose: "Running the service reliably", people: USERS, recipients: "", tables: OPERATING_TABLES },
];

/** The generated parts of docs/records.md, by the names of their marks. */
export function recordsTables(): Readonly<Record<string, string>> {
  const known = new Set(ACTIVITIES.flatMap(({ tables }) => Object.keys(tables)));
  const missing = Object.keys(TABLES).filter((name) => !known.has(name));
  if (missing.length > 0) throw new Error(`Name the purpose of ${missing.join(", ")} in tools/records-docs.ts.`);
  const rows = ACTIVITIES.map(({ purpose, people, recipients, tables }) => {
    const cards = Object.values(tables);
    const what = new Set(cards.flatMap(({ about }) => (about === null ? [] : [about.what])));
    return [purpose, people, [...what].join("<br>"), recipients || "none", keptOf(cards).join("<br>")];
  });
  const head = ["Purpose", "People", "Data", "Recipients", "Erased"];
  return { activities: markdown(head, rows) };
}

/** When the rows of some tables are erased. */
function keptOf(cards: readonly Card[]): string[] {
  const periods = cards.flatMap(({ about, kept }) => (about === null ? [] : periodsOf(kept)));
  return [
    "with the account",
    ...periods.map((kept) => `${kept.what.charAt(0).toLowerCase()}${kept.what.slice(1)}: ${periodOf(kept)}`),
  ];
}
