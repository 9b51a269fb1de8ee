/**
 * What the clocks of time zones show, asked of Intl alone. A reference for rules that are written in SQL or with Temporal: it
 * shares no code with them.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY_MINUTES = 1_440;
const DAY = DAY_MINUTES * MINUTE;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The clock of a zone, as milliseconds since 1970 if it were UTC. */
function shownAt(zone: string, moment: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
    formats.set(zone, format);
  }
  const seconds = Math.floor(moment / 1_000) * 1_000;
  return Date.parse(`${format.format(seconds).replace(" ", "T")}Z`) + (moment - seconds);
}

/** The moments in a span at which the clock of a zone changes, oldest first. No zone changes twice within six hours. */
export function clockChanges(zone: string, from: number, until: number, step = 6 * HOUR): number[] {
  const offset = (moment: number) => shownAt(zone, moment) - moment;
  const changes: number[] = [];
  let last = offset(from);
  for (let moment = from; moment < until; moment += step) {
    let [before, after] = [moment, Math.min(moment + step, until)];
    const next = offset(after);
    if (next === last) continue;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offset(middle) === last) before = middle;
      else after = middle;
    }
    changes.push(after);
    last = next;
  }
  return changes;
}

/** The date that a zone's clock shows, as the milliseconds of its midnight in UTC. */
export function dateAt(zone: string, moment: number): number {
  return Math.floor(shownAt(zone, moment) / DAY) * DAY;
}

/**
 * The first moment at which the clock of a zone shows a local time or, if it is skipped, a later one.
 * @param local the local time, as milliseconds since 1970 if it were UTC
 */
export function firstMomentAt(zone: string, local: number): number {
  const [from, until] = [local - 2 * DAY, local + 2 * DAY];
  const starts = [from, ...clockChanges(zone, from, until)];
  for (const [index, start] of starts.entries()) {
    const moment = Math.max(start, start + local - shownAt(zone, start));
    if (moment < (starts[index + 1] ?? until)) return moment;
  }
  throw new Error("Every local time comes.");
}

export interface QuietHours {
  readonly zone: string;
  /** Minutes since midnight. */
  readonly start: number;
  readonly end: number;
}

/** Whether the clock shows a time in the quiet hours. */
export function isQuietAt({ zone, start, end }: QuietHours, moment: number): boolean {
  const shown = minutesAt(zone, moment);
  return start < end ? start <= shown && shown < end : start <= shown || shown < end;
}

/** The first moment from here on that is not quiet. */
export function quietEnd(quiet: QuietHours, moment: number): number {
  let at = moment;
  for (const change of [...clockChanges(quiet.zone, moment, moment + 49 * HOUR), Number.POSITIVE_INFINITY]) {
    if (!isQuietAt(quiet, at)) return at;
    const left = (quiet.end - minutesAt(quiet.zone, at) + DAY_MINUTES) % DAY_MINUTES;
    const end = at + Math.round(left * MINUTE);
    if (end < change) return end;
    at = change;
  }
  throw new Error("Quiet hours end.");
}

/** Minutes since midnight, with a fraction. */
function minutesAt(zone: string, moment: number): number {
  return (shownAt(zone, moment) - dateAt(zone, moment)) / MINUTE;
}
