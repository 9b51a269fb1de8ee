const DAY_MS = 86_400_000;

/**
 * The start of a range that includes `from`.
 * @param from `YYYY-MM-DD` in UTC, or an RFC 3339 timestamp
 * @returns RFC 3339 timestamp in UTC, inclusive
 */
export function startOfRange(from: string): string {
  return new Date(from).toISOString();
}

/**
 * The end of a range that includes `to`: the next midnight for a date, a millisecond later for a timestamp (timestamps are
 * stored in milliseconds).
 * @param to `YYYY-MM-DD` in UTC, or an RFC 3339 timestamp
 * @returns RFC 3339 timestamp in UTC, exclusive
 */
export function endOfRange(to: string): string {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(to);
  return new Date(Date.parse(to) + (isDate ? DAY_MS : 1)).toISOString();
}
