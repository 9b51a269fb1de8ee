const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Whether no backup has begun since it was last this hour of the day, in UTC. */
export function isBackupDue(last: Date | null, now: Date, hour: number): boolean {
  const due = Math.floor((now.getTime() - hour * HOUR_MS) / DAY_MS) * DAY_MS + hour * HOUR_MS;
  return last === null || last.getTime() < due;
}

const DAYS = 7;
const WEEKS = 4;
const MONTHS = 6;

/**
 * The backups to keep: the last one of each of the last days, weeks (from Monday) and months, in UTC, that have any. If there
 * were no backups for a while, no older one is given up for that.
 */
export function backupsToKeep(backups: readonly Date[]): Date[] {
  const newestFirst = backups.toSorted((left, right) => right.getTime() - left.getTime());
  const lastOfEach = (count: number, periodOf: (at: Date) => string) => {
    const last = new Map<string, Date>();
    for (const at of newestFirst) if (!last.has(periodOf(at))) last.set(periodOf(at), at);
    return [...last.values()].slice(0, count);
  };
  const kept = [lastOfEach(DAYS, dayOf), lastOfEach(WEEKS, mondayOf), lastOfEach(MONTHS, monthOf)];
  return newestFirst.filter((at) => kept.some((dates) => dates.includes(at)));
}

const dayOf = (at: Date) => at.toISOString().slice(0, "YYYY-MM-DD".length);

const monthOf = (at: Date) => at.toISOString().slice(0, "YYYY-MM".length);

function mondayOf(at: Date): string {
  const monday = new Date(at);
  monday.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  return dayOf(monday);
}
