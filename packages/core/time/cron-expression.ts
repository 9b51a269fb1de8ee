import { Cron } from "croner";

const EVENTBRIDGE = { mode: "7-part", alternativeWeekdays: true, sloppyRanges: true, utcOffset: 0 } as const;

/**
 * The last times at or before a moment at which an EventBridge cron expression is due, in UTC, the latest first.
 * @param expression such as `cron(0/15 0-2 1 * ? *)`
 * @throws Error for a malformed expression
 */
export function lastDueTimes(expression: string, moment: Date, count: number): Date[] {
  const fields = /^cron\((.*)\)$/.exec(expression)?.[1];
  if (fields === undefined) throw new Error(`${expression} is not an EventBridge cron expression.`);
  // Croner has a field for seconds, and looks for times before a moment.
  const cron = new Cron(`0 ${fields.replaceAll("?", "*")}`, EVENTBRIDGE);
  return cron.previousRuns(count, new Date(moment.getTime() + 1));
}
