import type pg from "pg";
import { momentOf } from "./moment-sql.ts";
import { tonePackRows, tonePackShareRows } from "./rows.ts";

/** Writes the tone packs of the people in demo_people and with whom they are shared; images come later. */
export async function writeTonePacks(client: pg.Client): Promise<void> {
  await client.query(
    `insert into nectar.tone_packs
       (id, owner_id, name, description, theme, is_public, price_drops, created_at, updated_at)
     select r.id, p.id, r.name, r.description, r.theme, r.is_public, r.price_drops, ${momentOf("r")}, ${momentOf("r")}
     from jsonb_to_recordset($1::jsonb)
       as r (id uuid, person text, name text, description text, theme nectar.tone_pack_theme, is_public boolean,
             price_drops int, days_ago int, at time)
     join demo_people p using (person)`,
    [JSON.stringify(tonePackRows())],
  );
  await client.query(
    `insert into nectar.tone_pack_shares (pack_id, owner_id, user_id, created_at)
     select k.id, k.owner_id, p.id, k.created_at + interval '10 minutes'
     from jsonb_to_recordset($1::jsonb) as r (pack_id uuid, person text)
     join nectar.tone_packs k on k.id = r.pack_id
     join demo_people p using (person)`,
    [JSON.stringify(tonePackShareRows())],
  );
}
