/** How far somebody is on the way from their level of the badge ladder to the next. */
export interface BadgeProgress {
  /** Successes so far: drops that were followed by an entry of their recipient. */
  readonly current: number;
  /** Successes that the next level asks for; null at the top. */
  readonly required: number | null;
  /** Successes still missing; 0 when other minima of the next level are what is missing, null at the top. */
  readonly remaining: number | null;
  /** 0 to 100, whole; 100 at the top. */
  readonly percent: number;
  readonly next_level: number | null;
  readonly next_name: string | null;
}

/** A level of the ladder as far as progress is concerned. */
export interface LadderLevel {
  readonly level: number;
  readonly name: string;
  /** Successes from which the level is reached. */
  readonly min_engagement_increases: number;
}

/**
 * The progress towards the next level.
 * @param current successes so far, a whole number of at least 0
 * @param minimum successes that the present level asks for
 * @param next the level above; null at the top
 */
export function badgeProgress(current: number, minimum: number, next: LadderLevel | null): BadgeProgress {
  if (next === null) {
    return { current, required: null, remaining: null, percent: 100, next_level: null, next_name: null };
  }
  const required = next.min_engagement_increases;
  const way = required - minimum;
  const gone = Math.min(Math.max(current - minimum, 0), way);
  return {
    current,
    required,
    remaining: Math.max(required - current, 0),
    percent: way <= 0 ? 100 : Math.floor((100 * gone) / way),
    next_level: next.level,
    next_name: next.name,
  };
}
