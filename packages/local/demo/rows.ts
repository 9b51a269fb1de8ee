import { createHash } from "node:crypto";
import type pg from "pg";

/**
 * Runs SQL over rows of the demo data. It sees them as `r`, with `person_id` of the row's `person` and the `moment` that
 * `days_ago` and `at` mean in the person's time zone. Days count back from one day for all, today in UTC, so that the
 * order of events is the same at whatever hour it is written. Needs the temporary table demo_people.
 * @param columns names and types of the other columns
 */
export async function writeRows(
  client: pg.Client,
  columns: string,
  rows: readonly { person: string; days_ago: number; at: string }[],
  sql: string,
): Promise<void> {
  await client.query(
    `with r as (
       select r.*, p.id as person_id,
         ((now() at time zone 'UTC')::date - r.days_ago + r.at) at time zone p.time_zone as moment
       from jsonb_to_recordset($1::jsonb) as r (person text, days_ago int, at time, ${columns})
       join demo_people p using (person)
     )
     ${sql}`,
    [JSON.stringify(rows)],
  );
}

/** The same UUID (version 8) for the same name on every machine, so that examples can name rows of the demo data. */
export function stableId(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * A time of day up to `withinMinutes` after the given one, the same on every machine for the same name: real events do not
 * all happen at the full hour.
 * @param time HH:MM; the result must be on the same day
 * @returns HH:MM:SS
 */
export function timeOfDay(time: string, name: string, withinMinutes = 1): string {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const seconds = createHash("sha256").update(name).digest().readUInt32BE() % (withinMinutes * 60);
  const total = (hours * 60 + minutes) * 60 + seconds;
  return [total / 3600, (total / 60) % 60, total % 60]
    .map((part) => String(Math.floor(part)).padStart(2, "0"))
    .join(":");
}
