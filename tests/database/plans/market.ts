import type pg from "pg";

/** A database with many people's money, pictures and packs in it, and one of the people. */
export interface Market {
  readonly reader: string;
  /** An entry of the reader that has a background. */
  readonly entry: string;
  /** A public pack of another person. */
  readonly pack: string;
}

/**
 * Fills the database with 2,000 people who have 20 movements, 5 entries with a background, 5 backgrounds without an entry
 * and 4 tone packs of 5 images each; two of the packs are public, and everyone has bought two and is shared one. The reader
 * has 2,000 movements more, nearly all of one type, and 1,000 backgrounds. Triggers are off while loading.
 */
export async function gatherMarket(admin: pg.Client): Promise<Market> {
  await admin.query("set session_replication_role = replica");
  await admin.query(
    `insert into auth.users (id, email)
     select gen_random_uuid(), 'p' || n || '@example.test' from generate_series(1, 2000) n`,
  );
  // The reserved user is there already, and has nothing.
  await admin.query("insert into nectar.profiles (id) select id from auth.users where id <> private.system_user_id()");
  await admin.query(
    "insert into nectar.accounts (user_id, email) select id, email from auth.users where id <> private.system_user_id()",
  );
  await admin.query(
    "create temp table people as select id, row_number() over (order by id)::int as n from nectar.profiles where id <> private.system_user_id()",
  );
  await admin.query(
    `insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key, created_at)
     select p.id, case when k % 500 = 0 then 'refund' when p.n = 1 or k % 2 = 0 then 'purchase' else 'monthly_recurring' end::nectar.drop_transaction_type,
       1, k, 'Movement', 'event:' || k, now() - (k * 2000 + p.n) * interval '1 minute'
     from people p cross join lateral generate_series(1, case when p.n = 1 then 2020 else 20 end) k`,
  );
  await admin.query(
    `insert into nectar.journal_entries (user_id, title, metadata_audience_id, content_audience_id)
     select p.id, 'Day ' || k, p.id, p.id from people p cross join generate_series(1, 5) k`,
  );
  await admin.query(
    `insert into nectar.journal_entry_contents (entry_id, user_id, content, metadata_audience_id, content_audience_id)
     select id, user_id, 'What happened.', user_id, user_id from nectar.journal_entries`,
  );
  await admin.query(
    `insert into nectar.entry_backgrounds (user_id, entry_id, quality, created_at)
     select user_id, id, 'standard', now() - random() * interval '1 year' from nectar.journal_entries
     union all
     select p.id, null, 'hd', now() - random() * interval '1 year'
     from people p cross join lateral generate_series(1, case when p.n = 1 then 1000 else 5 end)`,
  );
  await admin.query(
    `insert into nectar.tone_packs (owner_id, name, theme, is_public, price_drops, created_at)
     select p.id, 'Pack ' || k, 'nature', k > 2, k, now() - (k * 2000 + p.n) * interval '1 minute'
     from people p cross join generate_series(1, 4) k`,
  );
  await admin.query(
    `insert into nectar.tone_pack_images (pack_id, owner_id, tone, file_path)
     select t.id, t.owner_id, w.tone, t.owner_id || '/' || t.id || '/' || w.tone
     from nectar.tone_packs t cross join unnest(array['calm', 'happy', 'sad', 'angry', 'tired']) w (tone)`,
  );
  // The public pack of the next two people is bought, a private one of the third is shared.
  await admin.query(
    `insert into nectar.tone_pack_purchases (pack_id, user_id, price_drops, transaction_id)
     select t.id, p.id, 3, gen_random_uuid()
     from people p cross join generate_series(1, 2) k
     join people o on o.n = 1 + (p.n + k) % 2000
     join nectar.tone_packs t on t.owner_id = o.id and t.name = 'Pack 3'`,
  );
  await admin.query(
    `insert into nectar.tone_pack_shares (pack_id, user_id, owner_id)
     select t.id, p.id, o.id from people p join people o on o.n = 1 + (p.n + 3) % 2000
     join nectar.tone_packs t on t.owner_id = o.id and t.name = 'Pack 1'`,
  );
  await admin.query(
    `update nectar.accounts a set active_tone_pack_id = t.id
     from nectar.tone_packs t where t.owner_id = a.user_id and t.name = 'Pack 2'`,
  );
  await admin.query("set session_replication_role = origin");
  await admin.query("vacuum analyze");
  const { rows } = await admin.query<Market>(
    `select p.id as reader, e.id as entry,
       (select t.id from nectar.tone_packs t where t.owner_id <> p.id and t.name = 'Pack 4' limit 1) as pack
     from people p join nectar.journal_entries e on e.user_id = p.id where p.n = 1 limit 1`,
  );
  const [market] = rows;
  if (market === undefined) throw new Error("No one has an entry.");
  return market;
}
