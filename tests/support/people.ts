import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import type pg from "pg";
import { openConnections } from "#local/support/connection";

export const TEST_JWT_SECRET = "tests-sign-their-tokens-with-this-one-0123456789";

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

export interface PersonOptions {
  readonly email?: string;
  readonly fullName?: string;
  readonly confirmed?: boolean;
  readonly role?: "admin" | "super_admin";
}

/** The last sign-up by database. One after the other: each new connection would have to plan them first. */
const signUps = new Map<string, Promise<unknown>>();

/** Signs a person up the way Auth does: by a row in its table of users, which makes the profile. */
export async function signUp(adminUrl: string, options: PersonOptions = {}): Promise<Person> {
  const id = randomUUID();
  const email = options.email ?? `${id.slice(0, 8)}@example.test`;
  const insert = (client: pg.Client) =>
    client.query(
      `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
       values ($1, $2, case when $3 then now() end, $4)`,
      [id, email, options.confirmed ?? true, { full_name: options.fullName ?? `Person ${id.slice(0, 4)}` }],
    );
  const earlier = signUps.get(adminUrl) ?? Promise.resolve();
  const signedUp = earlier.catch(() => undefined).then(() => asSuperuser(adminUrl, insert));
  signUps.set(adminUrl, signedUp);
  await signedUp;
  if (options.role !== undefined) {
    await query(adminUrl, "insert into nectar.user_roles (user_id, role) values ($1, $2)", [id, options.role]);
  }
  return { id, email, token: await tokenFor({ sub: id, email }) };
}

/** Signs an access token; claims given here replace the usual ones. */
export async function tokenFor(
  claims: Record<string, unknown>,
  {
    secret = TEST_JWT_SECRET,
    expiresAt = "1h",
    issuedAt,
  }: { secret?: string; expiresAt?: string | number; issuedAt?: number } = {},
): Promise<string> {
  return new SignJWT({ aud: "authenticated", role: "authenticated", ...claims })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(new TextEncoder().encode(secret));
}

/** A row as the database returns it; tests compare what they read. */
export type Row = Record<string, unknown>;

/** Superuser connections by database; opening one for each query would take most of the time of many tests. */
const pools = new Map<string, pg.Pool>();

/** What `discard all` does, except that plans are kept: planning the triggers of a sign-up again takes longer than they do. */
const AS_NEW =
  "close all; reset session authorization; reset all; deallocate all; unlisten *; select pg_advisory_unlock_all(); discard temp; discard sequences";

/** Runs work over one superuser connection, for scenes and for looking behind the API. The session is as new each time. */
export async function asSuperuser<Result>(
  adminUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await poolOf(adminUrl).connect();
  let isClean = false;
  try {
    const result = await work(client);
    isClean = await client.query(AS_NEW).then(
      () => true,
      () => false,
    );
    return result;
  } finally {
    client.release(!isClean);
  }
}

/** Runs one statement as the superuser. */
export function query<Result extends object = Row>(
  adminUrl: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Result[]> {
  return asSuperuser(adminUrl, async (client) => (await client.query<Result & Row>(text, [...values])).rows);
}

/** Closes the superuser connections to a database. */
export async function closeSuperuser(adminUrl: string): Promise<void> {
  const pool = pools.get(adminUrl);
  pools.delete(adminUrl);
  signUps.delete(adminUrl);
  await pool?.end();
}

function poolOf(adminUrl: string): pg.Pool {
  const known = pools.get(adminUrl);
  if (known !== undefined) return known;
  const pool = openConnections(adminUrl, { max: 20, allowExitOnIdle: true });
  pools.set(adminUrl, pool);
  return pool;
}
