import { createClient } from "@supabase/supabase-js";
import type pg from "pg";
import { demoAccounts, people } from "./data.ts";
import { timeOfDay } from "./rows.ts";
import type { SeedTarget } from "./target.ts";

/**
 * Signs up the accounts with a published password, the way every client does; one that exists is left as it is.
 * @throws Error when Auth refuses one.
 */
export async function signUpDemoAccounts({ supabaseUrl, publishableKey }: SeedTarget): Promise<void> {
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  await Promise.all(
    demoAccounts.map(async ({ email, password }) => {
      const data = { full_name: Object.values(people).find((person) => person.email === email)?.fullName };
      const client = createClient(supabaseUrl, publishableKey, options);
      const { error } = await client.auth.signUp({ email, password, options: { data } });
      if (error !== null && error.code !== "user_already_exists") {
        throw new Error(`The demo account ${email} could not be created: ${error.message}`);
      }
    }),
  );
}

/**
 * Writes everyone who has not signed up, in the form that Auth itself writes, and backdates all of them. Leaves the temporary
 * table demo_people (person, id, time_zone and more) until the transaction ends.
 */
export async function writePeople(client: pg.Client): Promise<void> {
  const rows = Object.entries(people).map(([person, { email, fullName, avatarUrl, timeZone, joinedDaysAgo }]) => ({
    person,
    email,
    full_name: fullName,
    avatar_url: avatarUrl,
    time_zone: timeZone,
    days_ago: joinedDaysAgo,
    at: timeOfDay("09:00", person, 30),
  }));
  await client.query(
    `create temporary table demo_people on commit drop as
     select p.*, ((now() at time zone 'UTC')::date - p.days_ago + p.at) at time zone p.time_zone as joined_at,
       coalesce(u.id, gen_random_uuid()) as id
     from jsonb_to_recordset($1::jsonb)
       as p (person text, email text, full_name text, avatar_url text, time_zone text, days_ago int, at time)
     left join auth.users u on lower(u.email) = p.email`,
    [JSON.stringify(rows)],
  );
  await writeUsers(client);
  for (const update of [
    `nectar.profiles t
     set full_name = p.full_name, avatar_url = p.avatar_url, created_at = p.joined_at, updated_at = p.joined_at
     from demo_people p where t.id = p.id`,
    "nectar.accounts t set timezone = p.time_zone from demo_people p where t.user_id = p.id",
    "nectar.drop_transactions t set created_at = p.joined_at from demo_people p where t.user_id = p.id",
    "auth.users t set created_at = p.joined_at from demo_people p where t.id = p.id",
  ]) {
    await client.query(`update ${update}`);
  }
}

/** Hashing the passwords takes a second, so these people share the password hash of the first demo account. */
async function writeUsers(client: pg.Client): Promise<void> {
  await client.query(
    `with written as (
       insert into auth.users
         (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
       select p.id, 'authenticated', 'authenticated', p.email, first.encrypted_password, p.joined_at,
         '{"provider": "email", "providers": ["email"]}', jsonb_build_object('full_name', p.full_name, 'sub', p.id)
       from demo_people p
       join auth.users first on lower(first.email) = $1
       where not exists (select from auth.users u where u.id = p.id)
       returning id
     )
     insert into auth.identities (id, provider, provider_id, user_id, identity_data, last_sign_in_at, created_at)
     select gen_random_uuid(), 'email', p.id::text, p.id,
       jsonb_build_object('email', p.email, 'sub', p.id), p.joined_at, p.joined_at
     from demo_people p
     join written using (id)`,
    [demoAccounts[0].email],
  );
}
