/** A field of an EventBridge cron expression. */
interface Field {
  readonly min: number;
  readonly max: number;
  /** Names of the values from `min` on. */
  readonly names?: readonly string[];
}

const MINUTE: Field = { min: 0, max: 59 };
const HOUR: Field = { min: 0, max: 23 };
const DAY: Field = { min: 1, max: 31 };
const MONTH: Field = {
  min: 1,
  max: 12,
  names: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
};
const WEEKDAY: Field = { min: 1, max: 7, names: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] };
const YEAR: Field = { min: 1970, max: 2199 };
const FIELDS = [MINUTE, HOUR, DAY, MONTH, WEEKDAY, YEAR];

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Every schedule without a year is due within a leap year, except for 29 February. */
const MAX_DAYS = 366;

/**
 * The last time at or before a moment at which an EventBridge cron expression is due, in UTC; null if there is none within a
 * year.
 * @param expression such as `cron(0/15 0-2 1 * ? *)`
 * @throws Error for an expression that is malformed, or that uses `L`, `W` or `#`
 */
export function previousDue(expression: string, moment: Date): Date | null {
  const [minutes, hours, days, months, weekdays, years] = parseCron(expression);
  const isDueOn = (day: Date) =>
    days.has(day.getUTCDate()) &&
    months.has(day.getUTCMonth() + 1) &&
    weekdays.has(day.getUTCDay() + 1) &&
    years.has(day.getUTCFullYear());
  const isDueAt = (minute: Date) => minutes.has(minute.getUTCMinutes()) && hours.has(minute.getUTCHours());

  let minute = Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS;
  for (let day = 0; day <= MAX_DAYS; day += 1) {
    const midnight = Math.floor(minute / DAY_MS) * DAY_MS;
    for (; isDueOn(new Date(midnight)) && minute >= midnight; minute -= MINUTE_MS) {
      if (isDueAt(new Date(minute))) return new Date(minute);
    }
    minute = midnight - MINUTE_MS;
  }
  return null;
}

type Values = ReadonlySet<number>;

function parseCron(expression: string): [Values, Values, Values, Values, Values, Values] {
  const fields = /^cron\((.*)\)$/.exec(expression)?.[1]?.split(" ") ?? [];
  const values = (field: Field) => {
    const text = fields[FIELDS.indexOf(field)];
    const parsed = fields.length === FIELDS.length && text !== undefined ? parseField(text, field) : null;
    if (parsed === null) throw new Error(`${expression} is not a supported cron expression.`);
    return parsed;
  };
  return [values(MINUTE), values(HOUR), values(DAY), values(MONTH), values(WEEKDAY), values(YEAR)];
}

/** The values of a field: `*`, `?`, or a list of values, ranges and steps such as `0/15` or `8-18/2`; null if malformed. */
function parseField(text: string, field: Field): Values | null {
  const values = new Set<number>();
  for (const item of text.split(",")) {
    const [, first, last, step] = /^(\*|\?|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(item) ?? [];
    if (first === undefined) return null;
    const isAny = first === "*" || first === "?";
    const from = isAny ? field.min : parseValue(first, field);
    const to = last !== undefined ? parseValue(last, field) : isAny || step !== undefined ? field.max : from;
    const by = step === undefined ? 1 : Number(step);
    if (from === null || to === null || to < from || by < 1) return null;
    for (let value = from; value <= to; value += by) values.add(value);
  }
  return values;
}

function parseValue(text: string, { min, max, names = [] }: Field): number | null {
  const named = names.indexOf(text.toUpperCase());
  const value = named === -1 ? Number(text) : min + named;
  return Number.isInteger(value) && value >= min && value <= max ? value : null;
}
