import type pg from "pg";
import { demoAccounts } from "../demo-accounts.ts";
import { momentOf } from "./moment-sql.ts";
import { personRows } from "./rows.ts";

/**
 * Writes everybody who has not signed up, in the form that Auth itself writes, and gives all of them a past. Leaves the
 * temporary table demo_people (person, id, time_zone and more) until the transaction ends.
 */
export async function writePeople(client: pg.Client): Promise<void> {
  await client.query(
    `create temporary table demo_people on commit drop as
     select p.*, ${momentOf("p")} as joined_at, gen_random_uuid() as id
     from jsonb_to_recordset($1::jsonb)
       as p (person text, email text, full_name text, avatar_url text, time_zone text, days_ago int, at time)`,
    [JSON.stringify(personRows())],
  );
  await client.query("update demo_people p set id = u.id from auth.users u where lower(u.email) = p.email");
  await writeUsers(client);
  await client.query(
    `update nectar.profiles c set full_name = p.full_name, avatar_url = p.avatar_url from demo_people p where c.id = p.id`,
  );
  await client.query(
    `update nectar.profiles c set created_at = p.joined_at, updated_at = p.joined_at from demo_people p where c.id = p.id`,
  );
  await client.query(`update nectar.accounts a set timezone = p.time_zone from demo_people p where a.user_id = p.id`);
  await client.query(
    `update nectar.drop_transactions t set created_at = p.joined_at from demo_people p where t.user_id = p.id`,
  );
  await client.query(`update auth.users u set created_at = p.joined_at from demo_people p where u.id = p.id`);
}

/** Hashing a dozen passwords takes well over a second, so these people share the first demo account's password and its hash. */
async function writeUsers(client: pg.Client): Promise<void> {
  const [first] = demoAccounts;
  const written = await client.query<{ id: string }>(
    `insert into auth.users
       (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
     select p.id, 'authenticated', 'authenticated', p.email, first.encrypted_password, p.joined_at,
       '{"provider": "email", "providers": ["email"]}', jsonb_build_object('full_name', p.full_name, 'sub', p.id)
     from demo_people p
     join auth.users first on lower(first.email) = $1
     where not exists (select from auth.users u where u.id = p.id)
     returning id`,
    [first?.email],
  );
  await client.query(
    `insert into auth.identities (id, provider, provider_id, user_id, identity_data, last_sign_in_at, created_at)
     select gen_random_uuid(), 'email', p.id::text, p.id,
       jsonb_build_object('email', p.email, 'sub', p.id), p.joined_at, p.joined_at
     from demo_people p
     where p.id = any ($1::uuid[])`,
    [written.rows.map(({ id }) => id)],
  );
}
