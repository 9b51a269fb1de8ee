import type { PersonKey } from "./people.ts";

/** How it went with a goal on a day of the person's calendar. */
export interface DemoCheckIn {
  /** Days before today, at least 1, west of Greenwich 2, as with entries. */
  daysAgo: number;
  /** Local time, HH:MM. */
  at: string;
  status: "completed" | "partial" | "missed" | "skipped";
  notes?: string;
}

/** A goal of the demo data. */
export interface DemoGoal {
  person: PersonKey;
  title: string;
  description?: string;
  status: "active" | "paused" | "completed" | "abandoned";
  createdDaysAgo: number;
  /** Days from today; in the past when negative. */
  targetInDays?: number;
  checkIns: readonly DemoCheckIn[];
}

/** Goals in every state. */
export const goals: readonly DemoGoal[] = [
  {
    person: "demo",
    title: "Run a half marathon",
    description: "With the club, at the pace of a conversation. The calf has a vote.",
    status: "active",
    createdDaysAgo: 34,
    targetInDays: 45,
    checkIns: [
      { daysAgo: 23, at: "20:10", status: "completed", notes: "Seven instead of six, by accident." },
      { daysAgo: 15, at: "21:30", status: "missed", notes: "Frozen peas." },
      { daysAgo: 12, at: "19:05", status: "skipped", notes: "Resting on purpose, which is new." },
      { daysAgo: 8, at: "20:20", status: "completed", notes: "Eleven kilometres, talking." },
      { daysAgo: 4, at: "19:40", status: "partial", notes: "Four of six, then home by tram." },
      { daysAgo: 1, at: "18:50", status: "completed" },
    ],
  },
  {
    person: "demo",
    title: "Two sentences every evening",
    status: "active",
    createdDaysAgo: 35,
    checkIns: [
      { daysAgo: 6, at: "22:30", status: "missed" },
      { daysAgo: 5, at: "23:25", status: "completed" },
      { daysAgo: 3, at: "22:10", status: "partial", notes: "One sentence. A long one." },
      { daysAgo: 1, at: "22:00", status: "completed", notes: "Five weeks." },
    ],
  },
  {
    person: "demo",
    title: "Say no to one thing a week",
    description: "Before the other person has finished the question, if need be.",
    status: "completed",
    createdDaysAgo: 27,
    targetInDays: -6,
    checkIns: [
      { daysAgo: 26, at: "13:10", status: "completed", notes: "Forty seconds." },
      { daysAgo: 17, at: "18:00", status: "completed" },
      { daysAgo: 10, at: "09:45", status: "completed", notes: "Somebody thanked me for it." },
    ],
  },
  {
    person: "demo",
    title: "Learn the four bars of that fado",
    status: "paused",
    createdDaysAgo: 30,
    checkIns: [{ daysAgo: 21, at: "21:00", status: "partial", notes: "Two of four bars." }],
  },
  {
    person: "demo",
    title: "No phone before nine",
    status: "abandoned",
    createdDaysAgo: 32,
    targetInDays: -20,
    checkIns: [
      { daysAgo: 31, at: "09:20", status: "missed" },
      { daysAgo: 30, at: "09:05", status: "missed", notes: "The alarm clock is the phone." },
    ],
  },
  {
    person: "sam",
    title: "Five kilometres without stopping",
    status: "completed",
    createdDaysAgo: 34,
    targetInDays: -3,
    checkIns: [
      { daysAgo: 20, at: "09:20", status: "partial", notes: "Two minutes, one minute." },
      { daysAgo: 3, at: "08:40", status: "completed" },
    ],
  },
  {
    person: "hana",
    title: "Play at the birthday concert",
    status: "active",
    createdDaysAgo: 25,
    targetInDays: 28,
    checkIns: [
      { daysAgo: 10, at: "17:00", status: "partial", notes: "Two songs, and the pause in the third." },
      { daysAgo: 3, at: "16:00", status: "completed", notes: "All three, with the window closed." },
    ],
  },
  {
    person: "leila",
    title: "Answer one comment of my supervisor a day",
    status: "active",
    createdDaysAgo: 23,
    targetInDays: 60,
    checkIns: [
      { daysAgo: 12, at: "11:00", status: "missed" },
      { daysAgo: 2, at: "18:00", status: "completed", notes: "Comment number one." },
    ],
  },
];
