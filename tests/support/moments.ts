import { setTimeout as pause } from "node:timers/promises";
import { ALLOW_ANY_MOMENT } from "#local/demo/any-moment";
import { asSuperuser } from "./people.ts";

/**
 * Lets the requests of a test database act at any moment, so that a test can hold the clock. Without it the database
 * refuses a moment that is not now (`private.check_moment`); only the owner of a database can change that.
 */
export async function allowAnyMoment(adminUrl: string): Promise<void> {
  await asSuperuser(adminUrl, (client) => client.query(ALLOW_ANY_MOMENT));
}

/** Waits until the next row has another time than those before it: lists order by times, which have milliseconds. */
export const nextMillisecond = () => pause(2);
