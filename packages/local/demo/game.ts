import type { PersonKey } from "./people.ts";

/** A person of the demo data who plays. */
export interface DemoPlayer {
  activity: "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework";
  /** HH:MM in the time zone; the window is two hours long. */
  start: string;
  end: string;
  /** IANA time zone of the place. */
  timeZone: string;
  city: string;
  region: string;
  /** Two letters. */
  country: string;
  latitude: number;
  longitude: number;
}

const newYork = {
  timeZone: "America/New_York",
  city: "New York",
  region: "NY",
  country: "US",
  latitude: 40.7128,
  longitude: -74.006,
};
const losAngeles = {
  timeZone: "America/Los_Angeles",
  city: "Los Angeles",
  region: "CA",
  country: "US",
  latitude: 34.0522,
  longitude: -118.2437,
};

/** Who of the people of the demo data plays, where and when. */
export const players = {
  // Robin spends the autumn with friends in New York, Oskar is there for work.
  demo: { ...newYork, activity: "cardio", start: "10:00", end: "12:00" },
  oskar: { ...newYork, activity: "strength", start: "20:00", end: "22:00" },
  // After the late shift: past midnight.
  sam: { ...newYork, activity: "walk", start: "23:00", end: "01:00" },
  leila: { ...losAngeles, activity: "cardio", start: "10:00", end: "12:00" },
  tomas: { ...losAngeles, activity: "reading", start: "20:00", end: "22:00" },
  // Nobody else plays where these two are, not even a synthetic user.
  grace: {
    activity: "cardio",
    start: "05:00",
    end: "07:00",
    timeZone: "Africa/Nairobi",
    city: "Nairobi",
    region: "Nairobi",
    country: "KE",
    latitude: -1.2921,
    longitude: 36.8219,
  },
  priya: {
    activity: "meditation",
    start: "06:30",
    end: "08:30",
    timeZone: "Asia/Kolkata",
    city: "Chennai",
    region: "Tamil Nadu",
    country: "IN",
    latitude: 13.0827,
    longitude: 80.2707,
  },
} as const satisfies Partial<Record<PersonKey, DemoPlayer>>;

/** A check-in of the last days that an admin has reviewed, or that waits for a review. */
export interface DemoFlaggedCheckIn {
  person: keyof typeof players;
  /** Days before today, UTC: enough that their window is over wherever they play. */
  daysAgo: number;
  flag: "edited" | "seen_before" | "far_away";
  /** null: it is pending. */
  review: { status: "verified" | "rejected"; reason: string } | null;
}

/** One check-in for each result of a review. */
export const flaggedCheckIns: readonly DemoFlaggedCheckIn[] = [
  {
    person: "tomas",
    daysAgo: 3,
    flag: "seen_before",
    review: { status: "rejected", reason: "This is the photo of the same page as last week." },
  },
  {
    person: "demo",
    daysAgo: 2,
    flag: "edited",
    review: { status: "verified", reason: "Cropped and brightened, but taken on that run." },
  },
  { person: "leila", daysAgo: 1, flag: "far_away", review: null },
];

/** Synthetic users of the demo data. */
export const syntheticCount = 60;

/** Fewer places than usual, so that chains are long enough to look at. */
export const syntheticRegions = { "East Coast": 0.5, "West Coast": 0.4, Midwest: 0.1 } as const;

/** What they are drawn from: the same people on every machine. */
export const syntheticSeed = "nectar demo";
