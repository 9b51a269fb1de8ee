/** What is known of a check-in when its battle chips are counted. */
export interface ChipFacts {
  /** Whether the chain went on: nobody before, or somebody before who checked in. */
  readonly chainContinued: boolean;
  /** Whether the photo was taken within the first 30 minutes of the window, or in the grace before it. */
  readonly early: boolean;
  /** Days in a row with a verified check-in, this one included; a whole number of at least 1. */
  readonly streakDays: number;
}

/** How the chips of a check-in come about; each part in chips. */
export interface ChipBreakdown {
  readonly base: number;
  readonly chain: number;
  /** 0.5 or 0: visible here although rounding down takes it away again. */
  readonly early: number;
  readonly streak: number;
  /** The sum of the four parts, in halves. */
  readonly raw: number;
  /** The sum rounded down: what counts. */
  readonly earned: number;
}

/** Days in a row from which the streak pays. */
export const STREAK_DAYS = 7;

/** The chips of a check-in: 1, and 1 for the chain, a half for being early, 2 for the streak; rounded down. */
export function chipsFor({ chainContinued, early, streakDays }: ChipFacts): ChipBreakdown {
  const parts = {
    base: 1,
    chain: chainContinued ? 1 : 0,
    early: early ? 0.5 : 0,
    streak: streakDays >= STREAK_DAYS ? 2 : 0,
  };
  const raw = parts.base + parts.chain + parts.early + parts.streak;
  return { ...parts, raw, earned: Math.floor(raw) };
}
