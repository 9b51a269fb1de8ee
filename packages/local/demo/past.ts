import type pg from "pg";
import { personNamed } from "./data.ts";

/** A person of the demo data as stored. */
interface Person {
  readonly person: string;
  readonly id: string;
  readonly joinedDaysAgo: number;
}

/** The past as it is written: with the SQL functions that the API uses, and times counted back from one day. */
export interface Past {
  readonly client: pg.Client;
  /** Midnight, UTC, of the day from which everything counts back. */
  readonly today: Date;
  readonly everyone: readonly Person[];
}

/** Reads demo_people, and the day in the database. */
export async function readPast(client: pg.Client): Promise<Past> {
  const { rows: everyone } = await client.query<Person>(
    `select person, id, days_ago as "joinedDaysAgo" from demo_people order by person`,
  );
  const { rows } = await client.query<{ today: string }>(
    "select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today",
  );
  return { client, today: new Date(`${rows[0]?.today}T00:00:00Z`), everyone };
}

/** @throws Error when the short name is unknown. */
export function idOf({ everyone }: Past, person: string): string {
  const found = everyone.find((candidate) => candidate.person === person);
  if (found === undefined) throw new Error(`${person} is not among the demo people.`);
  return found.id;
}

/** Midnight, UTC, of a day before today, or after it if the number is negative. */
export function day({ today }: Past, daysAgo: number): Date {
  const midnight = new Date(today);
  midnight.setUTCDate(midnight.getUTCDate() - daysAgo);
  return midnight;
}

/** The date of that day, `YYYY-MM-DD`. */
export function date(past: Past, daysAgo: number): string {
  return day(past, daysAgo).toISOString().slice(0, 10);
}

/** @param time HH:MM or HH:MM:SS, UTC @returns ISO, UTC */
export function moment(past: Past, daysAgo: number, time: string): string {
  return `${date(past, daysAgo)}T${time.padEnd(8, ":00")}.000Z`;
}

/** A time in the time zone of a person, as PostgreSQL reads it. Days count back from one day for all, today in UTC. */
export function localMoment(past: Past, person: string, daysAgo: number, time: string): string {
  return `${date(past, daysAgo)} ${time} ${personNamed(person).timeZone}`;
}

/** Sets the caller that SQL functions see. @param person null for none */
export async function actAs(past: Past, person: string | null): Promise<void> {
  const claims = person === null ? "" : JSON.stringify({ sub: idOf(past, person) });
  await past.client.query("select set_config('request.jwt.claims', $1, true)", [claims]);
}

/** The columns of a row that was written once and not changed since. */
export function written(at: string) {
  return { created_at: at, updated_at: at };
}
