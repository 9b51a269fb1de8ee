import type pg from "pg";

/** Somebody in the demo data, as they are in the database. */
interface Person {
  readonly person: string;
  readonly id: string;
  readonly joinedDaysAgo: number;
}

/** The past as it is being written, through the functions by which the API writes the present. */
export interface Past {
  readonly client: pg.Client;
  /** Midnight, UTC, of the day from which everything counts back. */
  readonly today: Date;
  readonly everybody: readonly Person[];
}

/** Reads who is in demo_people, and which day it is for the database. */
export async function readPast(client: pg.Client): Promise<Past> {
  const { rows: everybody } = await client.query<Person>(
    `select person, id, days_ago as "joinedDaysAgo" from demo_people order by person`,
  );
  const { rows } = await client.query<{ today: string }>(
    "select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today",
  );
  return { client, today: new Date(`${rows[0]?.today}T00:00:00Z`), everybody };
}

/** @throws Error when nobody goes by this short name. */
export function idOf({ everybody }: Past, person: string): string {
  const found = everybody.find((candidate) => candidate.person === person);
  if (found === undefined) throw new Error(`${person} is not among the demo people.`);
  return found.id;
}

/** Midnight, UTC, of a day before today. */
export function day({ today }: Past, daysAgo: number): Date {
  const midnight = new Date(today);
  midnight.setUTCDate(midnight.getUTCDate() - daysAgo);
  return midnight;
}

/** @param time HH:MM or HH:MM:SS, UTC @returns ISO, UTC */
export function moment(past: Past, daysAgo: number, time: string): string {
  return `${day(past, daysAgo).toISOString().slice(0, 10)}T${time.padEnd(8, ":00")}.000Z`;
}

/** Makes somebody the caller of the functions that ask who calls, or nobody. */
export async function actAs(past: Past, person: string | null): Promise<void> {
  const claims = person === null ? "" : JSON.stringify({ sub: idOf(past, person) });
  await past.client.query("select set_config('request.jwt.claims', $1, true)", [claims]);
}
