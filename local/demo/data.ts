import { readFileSync } from "node:fs";
import * as z from "zod";
import accountsJson from "./data/accounts.json" with { type: "json" };
import assistant from "./data/assistant.json" with { type: "json" };
import diary from "./data/diary.json" with { type: "json" };
import encouragementJson from "./data/encouragement.json" with { type: "json" };
import entriesJson from "./data/entries.json" with { type: "json" };
import gameJson from "./data/game.json" with { type: "json" };
import goalsJson from "./data/goals.json" with { type: "json" };
import groups from "./data/groups.json" with { type: "json" };
import mailsJson from "./data/mails.json" with { type: "json" };
import messages from "./data/messages.json" with { type: "json" };
import moneyJson from "./data/money.json" with { type: "json" };
import notebooksJson from "./data/notebooks.json" with { type: "json" };
import peopleJson from "./data/people.json" with { type: "json" };
import pictures from "./data/pictures.json" with { type: "json" };
import scenes from "./data/scenes.json" with { type: "json" };
import demoSights from "./data/sights.json" with { type: "json" };
import tonePacksJson from "./data/tone-packs.json" with { type: "json" };

// The demo data are the files of ./data. The compiler checks their shapes, the database what they name.

export { assistant, demoSights, diary, groups, messages, pictures, scenes };

type ByName<Thing> = Readonly<Record<string, Thing>>;

/** A day before today, and a time. Entries are never from the future: at least 1 day ago, west of Greenwich 2. */
interface InThePast {
  readonly daysAgo: number;
  /** HH:MM. */
  readonly at: string;
}

/** Everyone in the demo data, by the short name that the other files use; they write at the hours of their time zones. */
export const people: ByName<(typeof peopleJson)[keyof typeof peopleJson]> = peopleJson;

const Account = z.object({ email: z.string(), password: z.string(), about: z.string() });
export type DemoAccount = z.infer<typeof Account>;
/** The accounts with a published password. They exist on 127.0.0.1 only. */
export const demoAccounts = z.tuple([Account], Account).parse(accountsJson);

/** Robin's phone, which the local push service knows as well. */
export const demoPhone = z
  .object({ service: z.literal("apns"), token: z.string() })
  .parse(scenes["nectar.push_subscriptions"][0]);

/** Who may see a row; what is left out is visible to its author alone. */
export interface Sharing {
  readonly metadata?: string;
  readonly content?: string;
  readonly team?: string;
  readonly org?: string;
}

interface Notebook {
  readonly owner: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdDaysAgo: number;
  /** Whether its new entries are kept from models. */
  readonly isAiExcluded?: boolean;
  readonly sharing?: Sharing;
}
export const notebooks: ByName<Notebook> = notebooksJson;

export interface Entry extends InThePast {
  readonly person: string;
  readonly title: string;
  readonly text: string;
  readonly mood: string;
  readonly isMoodDetected?: boolean;
  readonly tags: readonly string[];
  readonly notebook?: string;
  readonly sharing?: Sharing;
  /** Whether visibilities that `sharing` leaves out come from the notebook; true by default. */
  readonly inherit?: boolean;
}
const entriesByPerson: ByName<readonly Omit<Entry, "person">[]> = entriesJson;
export const entries: readonly Entry[] = Object.entries(entriesByPerson).flatMap(([person, written]) =>
  written.map((entry) => ({ person, ...entry })),
);

interface Goal {
  readonly person: string;
  readonly title: string;
  readonly description?: string;
  readonly status: string;
  readonly createdDaysAgo: number;
  /** In the past when negative. */
  readonly targetInDays?: number;
  /** 1 is Monday. */
  readonly weekdays?: readonly number[];
  readonly sharing?: Sharing;
  readonly checkIns: readonly (InThePast & { readonly status: string; readonly notes?: string })[];
}
export const goals: readonly Goal[] = goalsJson;

/** Packs by their short names; some people show the images of one on their entries. A pack without a price is free. */
export const tonePacks: ByName<(typeof tonePacksJson)[keyof typeof tonePacksJson]> = tonePacksJson;
export type TonePack = (typeof tonePacks)[string];

/** A drop with the title of a template or the sender's own text, at a UTC time before 23:00. */
export interface DemoDrop extends InThePast {
  readonly from: string;
  readonly to: string;
  readonly template?: string;
  readonly text?: string;
  readonly media?: { readonly service: string; readonly url: string };
  /** An entry that the sender may see. */
  readonly about?: { readonly person: string; readonly title: string };
  /** A goal that the sender may see. */
  readonly aboutGoal?: { readonly person: string; readonly title: string };
  readonly isRead?: boolean;
}
/**
 * `past`: drops so long ago that only the counts are left, oldest first for each person; `runDays` days in a row with a
 * drop ended on that day. `drops`: those of the last days. Robin is one engagement short of the third badge, and an open drop
 * will bring it.
 */
export const encouragement: { readonly past: typeof encouragementJson.past; readonly drops: readonly DemoDrop[] } =
  encouragementJson;

/** Mails of the last days, oldest first, at UTC times. `{app}` in a text is the address of the client app. */
export const mails = mailsJson.map(({ htmlFile, ...mail }) => ({
  ...mail,
  html: htmlFile === null ? null : readFileSync(new URL(`data/mails/${htmlFile}`, import.meta.url), "utf8").trimEnd(),
}));

interface Money {
  readonly subscriptions: readonly {
    readonly person: string;
    readonly customerId: string;
    readonly subscriptionId: string;
    readonly startedDaysAgo: number;
    readonly canceledDaysAgo?: number;
  }[];
  readonly purchases: readonly {
    readonly person: string;
    readonly pack: string;
    readonly daysAgo: number;
    readonly refundedDaysAgo?: number;
  }[];
  readonly adjustments: typeof moneyJson.adjustments;
}
/** One person has premium and one had it. Robin has none, so that there is an account to subscribe with. */
export const money: Money = moneyJson;

interface Player {
  readonly location: string;
  readonly activity: string;
  readonly start: string;
  readonly end: string;
  /** Rests on the weekday of that day, so that today and the days with a flagged check-in are played. */
  readonly restsDaysAgo?: number;
  readonly pause?: { readonly inDays: number; readonly days: number };
}
/** A check-in that an admin reviews; `review` is null for a pending one. Its window is over in every time zone. */
export interface FlaggedCheckIn {
  readonly person: string;
  /** UTC. */
  readonly daysAgo: number;
  readonly flag: string;
  readonly review: { readonly status: string; readonly reason: string } | null;
  /** The text with which the player contests a rejection. */
  readonly appeal?: string;
}
interface Game {
  /** Fewer regions than by default, so that chains are long enough to look at; the same people on every machine. */
  readonly synthetic: typeof gameJson.synthetic;
  readonly locations: ByName<(typeof gameJson.locations)["nairobi"]>;
  /** Windows of two hours, in the time zone of the location. */
  readonly players: ByName<Player>;
  readonly flaggedCheckIns: readonly FlaggedCheckIn[];
}
/** Robin spends the autumn in New York, and Grace and Priya are the only players where they are. */
export const game: Game = gameJson;

/** @throws Error when the short name is unknown. */
export function personNamed(name: string) {
  const person = people[name];
  if (person === undefined) throw new Error(`${name} is not in the demo data.`);
  return person;
}
