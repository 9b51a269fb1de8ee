import { addDays } from "#core/time/calendar-date";

/** What streaks depend on, by the calendar of the goal's owner. */
export interface History {
  readonly startedOn: string;
  weekdays: readonly number[] | null;
  readonly checkIns: Map<string, { readonly date: string; status: string }>;
  /** Changes of the status, in their order. */
  readonly statuses: { readonly date: string; readonly status: string }[];
}

/** The streak on a day, day by day from the specification. */
export function streakOn(history: History, today: string): { current: number; longest: number } {
  const { startedOn, weekdays, checkIns, statuses } = history;
  const dates = [startedOn, today, ...[...checkIns.values()].map(({ date }) => date)].toSorted();
  const resting = restsOf(statuses);
  let [current, longest] = [0, 0];
  for (let date = dates[0] ?? ""; date <= (dates.at(-1) ?? ""); date = addDays(date, 1)) {
    const isDue = weekdays === null || weekdays.includes(new Date(`${date}T00:00:00Z`).getUTCDay() || 7);
    if (!isDue || resting.some(({ from, until }) => from <= date && date < until)) continue;
    const outcomes = [...checkIns.values()].filter((checkIn) => checkIn.date === date).map(({ status }) => status);
    const isOver = weekdays !== null && outcomes.length === 0 && date < today;
    if (outcomes.includes("completed")) current += 1;
    else if (outcomes.includes("missed") || isOver) current = 0;
    longest = Math.max(longest, current);
  }
  return { current, longest };
}

/** From a pause on, and from the day after an end on, until the goal is active again. */
function restsOf(statuses: History["statuses"]): { from: string; until: string }[] {
  const rests: { from: string; until: string }[] = [];
  let from: string | null = null;
  for (const { date, status } of statuses) {
    if (status !== "active") from ??= status === "paused" ? date : addDays(date, 1);
    else if (from !== null) {
      rests.push({ from, until: date });
      from = null;
    }
  }
  return from === null ? rests : [...rests, { from, until: "9999-12-31" }];
}
