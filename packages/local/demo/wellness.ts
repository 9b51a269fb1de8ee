import type { PersonKey } from "./people.ts";

/** A night, how content somebody was, or what they did for themselves; at an hour of the person's day. */
export type DemoWellness = {
  person: PersonKey;
  /** Days before today, at least 1, west of Greenwich 2, as with entries. */
  daysAgo: number;
  /** Local time, HH:MM. */
  at: string;
} & (
  | { type: "sleep"; hours: number; quality?: number; notes?: string }
  | { type: "satisfaction"; rating: number; notes?: string }
  | { type: "action_note"; content: string }
);

/** Two weeks of Robin, and some days of those who sleep worst. */
export const wellness: readonly DemoWellness[] = [
  { person: "demo", daysAgo: 14, at: "07:40", type: "sleep", hours: 6.5, quality: 3 },
  { person: "demo", daysAgo: 13, at: "21:00", type: "satisfaction", rating: 9, notes: "We shipped, in daylight." },
  { person: "demo", daysAgo: 11, at: "07:50", type: "sleep", hours: 7.75, quality: 4 },
  { person: "demo", daysAgo: 10, at: "20:15", type: "action_note", content: "Phone in the hall, book in the bed." },
  { person: "demo", daysAgo: 8, at: "21:40", type: "satisfaction", rating: 9 },
  { person: "demo", daysAgo: 7, at: "08:55", type: "sleep", hours: 9.25, quality: 5, notes: "The river did that." },
  { person: "demo", daysAgo: 5, at: "23:30", type: "satisfaction", rating: 8, notes: "Tickets in the drawer." },
  { person: "demo", daysAgo: 4, at: "07:30", type: "sleep", hours: 5.5, quality: 2 },
  { person: "demo", daysAgo: 3, at: "19:50", type: "action_note", content: "Closed the laptop at six and meant it." },
  { person: "demo", daysAgo: 1, at: "07:35", type: "sleep", hours: 7.25, quality: 4 },
  { person: "demo", daysAgo: 1, at: "22:05", type: "satisfaction", rating: 8 },
  { person: "oskar", daysAgo: 9, at: "06:30", type: "sleep", hours: 3.5, quality: 1, notes: "Zosia has a tooth." },
  { person: "oskar", daysAgo: 4, at: "06:40", type: "sleep", hours: 4.25, quality: 2 },
  { person: "oskar", daysAgo: 2, at: "06:20", type: "sleep", hours: 6, quality: 4, notes: "The tooth is through." },
  { person: "sam", daysAgo: 8, at: "16:10", type: "sleep", hours: 5.75, quality: 3, notes: "Curtains help." },
  { person: "sam", daysAgo: 3, at: "09:00", type: "satisfaction", rating: 10 },
  { person: "hana", daysAgo: 10, at: "22:20", type: "satisfaction", rating: 4 },
  { person: "hana", daysAgo: 3, at: "17:10", type: "action_note", content: "Tuned the cello without the app." },
];
