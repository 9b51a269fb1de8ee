import type { PersonKey } from "./people.ts";

/** Sending that is long ago, of which nothing but the counts is left. */
export interface DemoSendingPast {
  person: PersonKey;
  /** The day of the last drop of this stretch. */
  daysAgo: number;
  sent: number;
  engaged: number;
  /** Days in a row with a drop sent, the last of the stretch being the last of them. */
  runDays: number;
}

/** How people climbed until the drops below, oldest first for each of them. */
export const sendingPast: readonly DemoSendingPast[] = [
  { person: "priya", daysAgo: 150, sent: 10, engaged: 7, runDays: 4 },
  { person: "priya", daysAgo: 138, sent: 30, engaged: 22, runDays: 12 },
  { person: "priya", daysAgo: 120, sent: 70, engaged: 45, runDays: 30 },
  { person: "priya", daysAgo: 80, sent: 150, engaged: 110, runDays: 9 },
  { person: "priya", daysAgo: 12, sent: 420, engaged: 330, runDays: 38 },
  { person: "priya", daysAgo: 9, sent: 12, engaged: 9, runDays: 41 },
  { person: "grace", daysAgo: 84, sent: 9, engaged: 7, runDays: 3 },
  { person: "grace", daysAgo: 70, sent: 40, engaged: 26, runDays: 6 },
  { person: "grace", daysAgo: 45, sent: 60, engaged: 41, runDays: 2 },
  { person: "grace", daysAgo: 15, sent: 130, engaged: 90, runDays: 5 },
  { person: "maya", daysAgo: 150, sent: 20, engaged: 8, runDays: 2 },
  { person: "maya", daysAgo: 110, sent: 60, engaged: 25, runDays: 3 },
  { person: "maya", daysAgo: 40, sent: 70, engaged: 40, runDays: 4 },
  { person: "leila", daysAgo: 90, sent: 15, engaged: 9, runDays: 2 },
  { person: "leila", daysAgo: 30, sent: 50, engaged: 17, runDays: 1 },
  { person: "oskar", daysAgo: 70, sent: 10, engaged: 7, runDays: 1 },
  { person: "oskar", daysAgo: 20, sent: 40, engaged: 20, runDays: 2 },
  { person: "demo", daysAgo: 60, sent: 9, engaged: 6, runDays: 2 },
  { person: "demo", daysAgo: 14, sent: 10, engaged: 5, runDays: 3 },
  { person: "aiko", daysAgo: 80, sent: 30, engaged: 8, runDays: 1 },
  { person: "hana", daysAgo: 60, sent: 14, engaged: 9, runDays: 1 },
  { person: "daniel", daysAgo: 25, sent: 9, engaged: 6, runDays: 1 },
  { person: "tomas", daysAgo: 50, sent: 12, engaged: 4, runDays: 1 },
  { person: "sam", daysAgo: 20, sent: 5, engaged: 2, runDays: 1 },
];

/** An encouragement drop of the demo data. */
export interface DemoDrop {
  from: PersonKey;
  to: PersonKey;
  /** Days before today, at least 1. */
  daysAgo: number;
  /** UTC, HH:MM, before 23:00. */
  at: string;
  /** Title of an approved template. */
  template?: string;
  /** Words of the sender's own, when it is no template. */
  words?: string;
  media?: { service: "youtube" | "vimeo" | "spotify" | "soundcloud"; url: string };
  /** An entry that the sender may see; whose, and its title. */
  about?: { person: PersonKey; title: string };
  /** False when left out for those of the last day, true for the others. */
  isRead?: boolean;
}

/**
 * The drops of the last days. Whether one was followed by an entry depends on what the recipient wrote; Robin is one short
 * of the third badge, and one of those still open will bring it.
 */
export const encouragementDrops: readonly DemoDrop[] = [
  {
    from: "priya",
    to: "demo",
    daysAgo: 8,
    at: "14:05",
    words: "Eleven is only a number that comes after ten. Talk the whole way, and tell me what the river looked like.",
  },
  { from: "demo", to: "leila", daysAgo: 8, at: "17:00", template: "Glad it is you" },
  { from: "priya", to: "sam", daysAgo: 8, at: "06:15", template: "Your pace" },
  { from: "priya", to: "daniel", daysAgo: 7, at: "06:20", template: "Rest counts" },
  { from: "demo", to: "jonas", daysAgo: 7, at: "12:10", template: "Asking for help" },
  { from: "maya", to: "jonas", daysAgo: 7, at: "15:30", words: "You ask the questions that we forgot to ask." },
  { from: "priya", to: "leila", daysAgo: 6, at: "06:10", template: "Quiet progress" },
  {
    from: "demo",
    to: "aiko",
    daysAgo: 6,
    at: "08:20",
    words: "Third round, and I would still hang the second one on my wall. Whatever you send tonight is good.",
  },
  { from: "demo", to: "hana", daysAgo: 6, at: "16:45", template: "Writing it down" },
  { from: "grace", to: "leila", daysAgo: 6, at: "17:15", template: "Pale Blue Dot" },
  { from: "priya", to: "sam", daysAgo: 5, at: "06:05", template: "Habits take their time" },
  { from: "leila", to: "demo", daysAgo: 5, at: "18:00", template: "Here Comes the Sun" },
  { from: "demo", to: "oskar", daysAgo: 5, at: "20:00", template: "A rough day" },
  { from: "demo", to: "maya", daysAgo: 5, at: "21:10", template: "Said out loud" },
  { from: "priya", to: "grace", daysAgo: 4, at: "06:12", template: "Celebrate it" },
  { from: "demo", to: "daniel", daysAgo: 4, at: "10:00", template: "Beginning again" },
  {
    from: "sam",
    to: "daniel",
    daysAgo: 4,
    at: "12:30",
    words: "You count stairs, I count minutes. It is the same arithmetic.",
  },
  { from: "hana", to: "oskar", daysAgo: 4, at: "17:40", template: "One good thing" },
  {
    from: "oskar",
    to: "demo",
    daysAgo: 3,
    at: "06:10",
    words: "Forty-one lamp posts on the hill. I counted for both of us.",
  },
  { from: "priya", to: "sam", daysAgo: 3, at: "06:30", template: "I believe you" },
  { from: "demo", to: "sam", daysAgo: 3, at: "09:00", template: "A small step" },
  {
    from: "demo",
    to: "daniel",
    daysAgo: 3,
    at: "12:00",
    words: "What you do instead of running is what I read before I run.",
    about: { person: "daniel", title: "What I do instead of running" },
  },
  { from: "maya", to: "demo", daysAgo: 2, at: "08:15", template: "Naming a feeling" },
  { from: "priya", to: "leila", daysAgo: 2, at: "06:25", template: "The hard part" },
  { from: "maya", to: "jonas", daysAgo: 2, at: "09:10", template: "Remember last month" },
  {
    from: "demo",
    to: "tomas",
    daysAgo: 2,
    at: "20:00",
    words: "Whatever the big company offers: nobody there deletes 1,400 lines like you.",
  },
  { from: "demo", to: "leila", daysAgo: 2, at: "20:30", template: "Lovely Day" },
  { from: "aiko", to: "hana", daysAgo: 2, at: "11:20", template: "Something quiet" },
  {
    from: "grace",
    to: "demo",
    daysAgo: 1,
    at: "04:50",
    words: "For the last two kilometres of your long run.",
    media: { service: "youtube", url: "https://www.youtube.com/watch?v=HgzGwKwLmgM" },
    isRead: true,
  },
  { from: "priya", to: "demo", daysAgo: 1, at: "06:40", template: "Rest counts" },
  {
    from: "priya",
    to: "daniel",
    daysAgo: 1,
    at: "06:45",
    words: "Four hundred metres is where every one of us began.",
  },
  {
    from: "aiko",
    to: "demo",
    daysAgo: 1,
    at: "11:30",
    words: "I would like to draw that number, the one for people who put their phone away.",
    about: { person: "demo", title: "What the numbers do not show" },
  },
  {
    from: "demo",
    to: "grace",
    daysAgo: 1,
    at: "12:15",
    words: "Whatever the headteacher asks today: ten in the rain, before the bell. I think of it on every hill.",
    about: { person: "grace", title: "Ten, in the rain" },
  },
  { from: "demo", to: "hana", daysAgo: 1, at: "15:20", template: "Sleep on it" },
];
