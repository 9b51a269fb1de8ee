import { readFileSync } from "node:fs";
import * as z from "zod";
import { NoteAnalysis } from "#core/assistant/note-analysis";
import { ENUMS } from "#core/enums.generated";
import { SYNTHETIC_REGIONS } from "#core/game/synthetic";
import { Visibility } from "#core/people/visibility";

// The demo data are the files of ./data. They are checked when this module is loaded: a person, group, notebook or tone
// pack that another file names must exist.

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const DaysAgo = z.int().min(0);
/** A past day and a time. Entries are never from the future: at least 1 day ago, west of Greenwich 2. */
const past = { daysAgo: DaysAgo.min(1), at: Time };

/** Everyone in the demo data, by the short name that the other files use. */
export const people = readByName("people.json", {
  about: z.string(),
  email: z.email(),
  fullName: z.string(),
  /** Never loaded: the domain does not exist. */
  avatarUrl: z.url().nullable(),
  /** IANA name; the person writes at the hours of this zone. */
  timeZone: z.string(),
  joinedDaysAgo: DaysAgo,
});
const Person = keyOf(people);

const Account = z.strictObject({ email: z.email(), password: z.string(), about: z.string() });
/** The accounts with a published password. They exist on 127.0.0.1 only. */
export const demoAccounts = read("accounts.json", z.tuple([Account], Account));
export type DemoAccount = (typeof demoAccounts)[number];

/** Requests to look at first, with a method and path for the first account unless `about` says otherwise. */
export const demoSights = readList("sights.json", { topic: z.string(), about: z.string(), path: z.string() });

/** Rows of tables by the names of their columns, which `writeTables` inserts. */
const Tables = z.record(z.string(), z.array(z.record(z.string(), z.unknown())));
export type Tables = z.infer<typeof Tables>;
export const groups = read("groups.json", Tables);
/**
 * What needs no code: a block, a dry run of an import, the trash, a pending invitation, whose mail is in mails.json, a warning
 * with an appeal against it, two reports to decide, and Robin's phone, settings and token, whose secret nobody knows.
 */
export const scenes = read("scenes.json", Tables);

/** Robin's phone, which the local push service knows as well. */
export const demoPhone = z
  .object({ service: z.literal("apns"), token: z.string() })
  .parse(scenes["nectar.push_subscriptions"]?.[0]);

/** Who may see a row; what is left out is visible to its author alone. */
const Sharing = z
  .strictObject({
    metadata: Visibility.default("user"),
    content: Visibility.default("user"),
    team: z.string().optional(),
    org: z.string().optional(),
  })
  .prefault({});
export type Sharing = z.infer<typeof Sharing>;

export const notebooks = readByName("notebooks.json", {
  owner: Person,
  name: z.string(),
  description: z.string().nullable(),
  createdDaysAgo: DaysAgo,
  /** Whether its new entries are kept from models. */
  isAiExcluded: z.boolean().default(false),
  sharing: Sharing,
});

const Entry = z.strictObject({
  ...past,
  title: z.string(),
  text: z.string(),
  mood: z.string().optional(),
  isMoodDetected: z.boolean().default(false),
  isAiExcluded: z.boolean().default(false),
  tags: z.array(z.string()).default([]),
  notebook: keyOf(notebooks).optional(),
  sharing: Sharing,
  /** Whether what `sharing` leaves out comes from the notebook. */
  inherit: z.boolean().default(true),
});
export type Entry = z.infer<typeof Entry> & { readonly person: string };
/** All entries, with their author. */
export const entries: readonly Entry[] = Object.keys(people).flatMap((person) =>
  read(`entries/${person}.json`, z.array(Entry)).map((entry) => ({ person, ...entry })),
);

/** Pictures of entries, those of an entry in their order. */
export const pictures = readList("pictures.json", {
  person: Person,
  title: z.string(),
  caption: z.string().nullable(),
});

/** The lines of an old diary, which Robin has typed in. */
export const diary = readList("diary.json", { title: z.string(), text: z.string(), mood: z.string().optional() });

export const goals = readList("goals.json", {
  person: Person,
  title: z.string(),
  description: z.string().default(""),
  status: z.enum(ENUMS.goal_status),
  createdDaysAgo: DaysAgo,
  /** In the past when negative. */
  targetInDays: z.int().nullable().default(null),
  /** 1 is Monday. */
  weekdays: z.array(z.int()).nullable().default(null),
  sharing: Sharing,
  checkIns: z.array(
    z.strictObject({
      ...past,
      status: z.enum(ENUMS.goal_check_in_status),
      notes: z.string().default(""),
    }),
  ),
});

export const tonePacks = readByName("tone-packs.json", {
  owner: Person,
  name: z.string(),
  description: z.string(),
  theme: z.string(),
  createdDaysAgo: DaysAgo,
  isPublic: z.boolean(),
  /** 0 is free. */
  priceDrops: z.int().min(0),
  /** Tones that have an image, in lower case. */
  tones: z.array(z.string()),
  sharedWith: z.array(Person),
  /** People who show its images on their entries; each of them may use it. */
  activeFor: z.array(Person),
});
export type TonePack = (typeof tonePacks)[string];

/**
 * `past`: drops so long ago that only the counts are left, oldest first for each person; `runDays` days in a row with a
 * drop ended on that day. `drops`: those of the last days, at UTC times before 23:00. Robin is one engagement short of the third
 * badge, and an open drop will bring it.
 */
export const encouragement = read(
  "encouragement.json",
  z.strictObject({
    past: z.array(
      z.strictObject({
        person: Person,
        daysAgo: DaysAgo,
        sent: z.int(),
        engaged: z.int(),
        runDays: z.int(),
      }),
    ),
    drops: z.array(
      z.strictObject({
        from: Person,
        to: Person,
        ...past,
        /** Title of an approved template. */
        template: z.string().optional(),
        /** The sender's own text, instead of a template. */
        text: z.string().optional(),
        media: z.strictObject({ service: z.string(), url: z.url() }).optional(),
        /** An entry that the sender may see. */
        about: z.strictObject({ person: Person, title: z.string() }).optional(),
        /** A goal that the sender may see. */
        aboutGoal: z.strictObject({ person: Person, title: z.string() }).optional(),
        isRead: z.boolean().optional(),
      }),
    ),
  }),
);
export type DemoDrop = (typeof encouragement.drops)[number];

/** The assistant's users, what it found in their weeks and what it sent them. Today's are left to its jobs. */
export const assistant = read(
  "assistant.json",
  z.strictObject({
    users: z.record(Person, z.strictObject({ mayWrite: z.boolean() })),
    analyses: z.array(z.strictObject({ person: Person, daysAgo: DaysAgo, ...NoteAnalysis.shape })),
    drops: z.array(z.strictObject({ person: Person, daysAgo: DaysAgo, text: z.string() })),
  }),
);

/** Mails of the last days, oldest first, at UTC times; the HTML is a file beside. */
export const mails = read(
  "mails.json",
  z.array(
    z
      .strictObject({
        from: Person,
        to: z.email(),
        ...past,
        subject: z.string(),
        htmlFile: z.string().nullable(),
        /** `{app}` stands for the address of the client app. */
        text: z.string().nullable(),
        outcome: z.enum(["delivered", "bounced"]),
      })
      .transform(({ htmlFile, ...mail }) => ({
        ...mail,
        html: htmlFile === null ? null : readText(`mails/${htmlFile}`).trimEnd(),
      })),
  ),
);

const Message = z.strictObject({ from: Person, ...past, text: z.string() });
/**
 * Messages to a team, oldest first; the last ones are unread. Comments are on entries and goals of Robin's. `squad` is Robin's
 * message to today's squad.
 */
export const messages = read(
  "messages.json",
  z.strictObject({
    team: z.string(),
    read: z.array(Message),
    unread: z.array(Message),
    comments: z.array(Message.extend({ entry: z.string().optional(), goal: z.string().optional() })),
    squad: z.string(),
  }),
);

/** One person has premium and one had it. Robin has none, so that there is an account to subscribe with. */
export const money = read(
  "money.json",
  z.strictObject({
    subscriptions: z.array(
      z.strictObject({
        person: Person,
        customerId: z.string(),
        subscriptionId: z.string(),
        startedDaysAgo: DaysAgo,
        canceledDaysAgo: DaysAgo.optional(),
      }),
    ),
    purchases: z.array(
      z.strictObject({ person: Person, pack: keyOf(tonePacks), daysAgo: DaysAgo, refundedDaysAgo: DaysAgo.optional() }),
    ),
    /** Corrections of balances by a super admin. */
    adjustments: z.array(
      z.strictObject({ person: Person, daysAgo: DaysAgo, amount: z.int(), description: z.string() }),
    ),
  }),
);

/**
 * Players and the check-ins of the last days that an admin reviews; `review` is null for a pending one. Robin spends the
 * autumn in New York, and Grace and Priya are the only players where they are.
 */
export const game = read(
  "game.json",
  z.strictObject({
    /** Fewer regions than by default, so that chains are long enough to look at; the same people on every machine. */
    synthetic: z.strictObject({
      count: z.int(),
      regions: z.partialRecord(z.enum(SYNTHETIC_REGIONS), z.number()),
      seed: z.string(),
    }),
    locations: z.record(
      z.string(),
      z.strictObject({
        city: z.string(),
        region: z.string(),
        country: z.string().length(2),
        latitude: z.number(),
        longitude: z.number(),
        timezone: z.string(),
      }),
    ),
    /** Windows of two hours, in the time zone of the location. */
    players: z.record(
      Person,
      z.strictObject({
        location: z.string(),
        activity: z.string(),
        start: Time,
        end: Time,
        /** Rests on the weekday of that day, so that today and the days with a flagged check-in are played. */
        restsDaysAgo: DaysAgo.optional(),
        pause: z.strictObject({ inDays: z.int(), days: z.int() }).optional(),
      }),
    ),
    flaggedCheckIns: z.array(
      z.strictObject({
        person: Person,
        /** UTC; long enough ago that the window is over in every time zone. */
        daysAgo: DaysAgo.min(1),
        flag: z.enum(["edited", "seen_before", "far_away"]),
        review: z.strictObject({ status: z.enum(["verified", "rejected"]), reason: z.string() }).nullable(),
        /** What its owner says about a rejection. */
        appeal: z.string().optional(),
      }),
    ),
  }),
);
export type FlaggedCheckIn = (typeof game.flaggedCheckIns)[number];

/** @throws Error when the short name is unknown. */
export function personNamed(name: string) {
  const person = people[name];
  if (person === undefined) throw new Error(`${name} is not in the demo data.`);
  return person;
}

/** One of the names in a file that was read before. */
function keyOf(file: Readonly<Record<string, unknown>>) {
  return z.string().refine((name) => Object.hasOwn(file, name), "is not in the demo data");
}

/** A file with a list of objects of a shape. */
function readList<Shape extends z.ZodRawShape>(file: string, shape: Shape) {
  return read(file, z.array(z.strictObject(shape)));
}

/** A file with objects of a shape by their short names. */
function readByName<Shape extends z.ZodRawShape>(file: string, shape: Shape) {
  return read(file, z.record(z.string(), z.strictObject(shape)));
}

function read<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(JSON.parse(readText(file)));
  if (!parsed.success) throw new Error(`demo/data/${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function readText(file: string): string {
  return readFileSync(new URL(`data/${file}`, import.meta.url), "utf8");
}
