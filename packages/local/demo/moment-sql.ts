/**
 * SQL, a timestamptz: the moment that `days_ago` and `at` of a row mean to the person `p`, who has a `time_zone`. Days
 * count back from one day for all, today in UTC, so that the order of events is the same at whatever hour it is written.
 * @param row alias of the row
 */
export function momentOf(row: string): string {
  return `(((now() at time zone 'UTC')::date - ${row}.days_ago + ${row}.at) at time zone p.time_zone)`;
}
