import type pg from "pg";

/**
 * Creates many people at once: one signs up, and the others are copies of this person's rows. Signing everyone up would run
 * the triggers for each of them, which takes a second for a thousand people, and longer without current statistics.
 * @returns the ids of the new people
 */
export async function createCrowd(client: pg.Client | pg.PoolClient, count: number): Promise<string[]> {
  const original = await createUsers(client, 1);
  await client.query("set session_replication_role = replica");
  const copies = await createUsers(client, count - 1);
  const copyOf = (table: string, owner: string, own = "'{}'::jsonb") =>
    client.query(
      `insert into ${table}
       select copy.* from ${table} t
       cross join auth.users u
       cross join jsonb_populate_record(t, jsonb_build_object('${owner}', u.id) || ${own}) copy
       where t.${owner} = any ($1) and u.id = any ($2)`,
      [original, copies],
    );
  await copyOf("nectar.profiles", "id");
  await copyOf("nectar.accounts", "user_id", "jsonb_build_object('email', u.email)");
  await copyOf("nectar.drop_transactions", "user_id", "jsonb_build_object('id', gen_random_uuid())");
  await copyOf("nectar.badge_milestones", "user_id", "jsonb_build_object('id', gen_random_uuid())");
  // With generated columns, which cannot be copied.
  await client.query("insert into nectar.user_badges (user_id) select unnest($1::uuid[])", [copies]);
  await client.query("set session_replication_role = origin");
  await client.query(
    "analyze auth.users, nectar.profiles, nectar.accounts, nectar.drop_transactions, nectar.user_badges",
  );
  return [...original, ...copies];
}

async function createUsers(client: pg.Client | pg.PoolClient, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `insert into auth.users (id, email)
     select u.id, 'person-' || u.id || '@example.test' from (select gen_random_uuid() as id from generate_series(1, $1)) u
     returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
}
