import { createHash } from "node:crypto";
import type { Enum } from "../enums.generated.ts";

/** Regions of the country that synthetic users are distributed over. */
export const SYNTHETIC_REGIONS = ["West Coast", "East Coast", "Midwest", "South", "Mountain West"] as const;
export type SyntheticRegion = (typeof SYNTHETIC_REGIONS)[number];

export type SyntheticActivity = Enum<"activity_type">;

/** Windows of synthetic users, in local time. */
export const SYNTHETIC_WINDOWS = ["6-8am", "8-10am", "12-2pm", "2-4pm", "4-6pm", "6-8pm"] as const;
export type SyntheticWindow = (typeof SYNTHETIC_WINDOWS)[number];

/** Shares of a whole, each 0 to 1; missing names have none. */
export type Shares<Name extends string> = { readonly [Key in Name]?: number | undefined };

/** Distribution of synthetic users. */
export interface SyntheticConfig {
  readonly regions: Shares<SyntheticRegion>;
  readonly activities: Shares<SyntheticActivity>;
  readonly windows: Shares<SyntheticWindow>;
  /** Share of days with a check-in, 0 to 1. */
  readonly checkInProbability: number;
}

export const SYNTHETIC_DEFAULTS = {
  regions: { "West Coast": 0.25, "East Coast": 0.3, Midwest: 0.2, South: 0.15, "Mountain West": 0.1 },
  activities: {
    cardio: 0.3,
    strength: 0.25,
    walk: 0.2,
    meditation: 0.1,
    reading: 0.1,
    homework: 0.03,
    other: 0.02,
  },
  windows: { "6-8am": 0.15, "8-10am": 0.1, "12-2pm": 0.2, "2-4pm": 0.15, "4-6pm": 0.25, "6-8pm": 0.15 },
  checkInProbability: 0.85,
} as const satisfies SyntheticConfig;

/** A synthetic user's window of one game date. */
export interface SyntheticTurn {
  readonly userId: string;
  /** Game date, `YYYY-MM-DD`. */
  readonly date: string;
  readonly probability: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/**
 * When a synthetic user checks in on a game date: a time inside the window (end exclusive), or null on a day without a
 * check-in. User and date determine it, so that every call gives the same result.
 */
export function drawnCheckIn({ userId, date, probability, startsAt, endsAt }: SyntheticTurn): Date | null {
  const digest = createHash("sha256").update(`${userId}:${date}`).digest();
  // 48 bits decide whether there is a check-in, and 32 others when.
  if (digest.readUIntBE(0, 6) / 2 ** 48 >= probability) return null;
  const length = endsAt.getTime() - startsAt.getTime();
  return new Date(startsAt.getTime() + Math.floor((digest.readUInt32BE(6) / 2 ** 32) * length));
}
