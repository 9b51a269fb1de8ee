import type pg from "pg";
import { addDays } from "#core/time/calendar-date";
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
  /** The date from which everything counts back, in UTC: `YYYY-MM-DD`. */
  readonly today: string;
  readonly everyone: readonly Person[];
}

/** Reads demo_people, and the day in the database. */
export async function readPast(client: pg.Client): Promise<Past> {
  const { rows: everyone } = await client.query<Person>(
    `select person, id, days_ago as "joinedDaysAgo" from demo_people order by person`,
  );
  const { rows } = await client.query<{ today: string }>("select (now() at time zone 'UTC')::date::text as today");
  return { client, today: rows[0]?.today ?? "", everyone };
}

/** @throws Error when the short name is unknown. */
export function idOf({ everyone }: Past, person: string): string {
  const found = everyone.find((candidate) => candidate.person === person);
  if (found === undefined) throw new Error(`${person} is not among the demo people.`);
  return found.id;
}

/** The date of a day before today, or after it if the number is negative: `YYYY-MM-DD`. */
export function date({ today }: Past, daysAgo: number): string {
  return addDays(today, -daysAgo);
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
