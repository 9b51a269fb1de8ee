import { createClient } from "@supabase/supabase-js";
import type pg from "pg";
import type { SeedTarget } from "../dev.ts";
import { drawing } from "../stand-ins/drawing.ts";
import { tonePacks } from "./data.ts";
import { stableId, timeOfDay, writeRows } from "./rows.ts";

/** Writes the tone packs and their shares; images come later. */
export async function writeTonePacks(client: pg.Client): Promise<void> {
  await writeRows(
    client,
    "id uuid, name text, description text, theme nectar.tone_pack_theme, is_public boolean, price_drops int",
    tonePackRows().map(({ pack, ...row }) => ({
      ...row,
      name: pack.name,
      description: pack.description,
      theme: pack.theme,
      is_public: pack.isPublic,
      price_drops: pack.priceDrops,
    })),
    `insert into nectar.tone_packs
       (id, owner_id, name, description, theme, is_public, price_drops, created_at, updated_at)
     select r.id, r.person_id, r.name, r.description, r.theme, r.is_public, r.price_drops, r.moment, r.moment from r`,
  );
  await writeRows(
    client,
    "id uuid",
    tonePackRows().flatMap(({ pack, ...row }) => pack.sharedWith.map((person) => ({ ...row, person }))),
    `insert into nectar.tone_pack_shares (pack_id, owner_id, user_id, created_at)
     select k.id, k.owner_id, r.person_id, k.created_at + interval '10 minutes'
     from r
     join nectar.tone_packs k on k.id = r.id`,
  );
}

/** Each tone pack with its id, its owner as `person`, and when it was created. */
export function tonePackRows() {
  return Object.entries(tonePacks).map(([key, pack]) => ({
    pack,
    id: tonePackId(key),
    person: pack.owner,
    days_ago: pack.createdDaysAgo,
    at: timeOfDay("12:30", key, 30),
  }));
}

/** The id of a tone pack by its short name. */
export function tonePackId(key: string): string {
  return stableId(`tone pack ${key}`);
}

interface MissingImage {
  pack_id: string;
  owner_id: string;
  theme: string;
  tone: string;
  created_at: Date;
}

/**
 * Draws the images of the tone packs that are missing and stores them where the API stores its images. Without a secret key
 * there is no store to write to, and the packs stay without images.
 * @throws Error when the storage refuses one.
 */
export async function drawTonePackImages(client: pg.Client, target: SeedTarget): Promise<void> {
  if (target.secretKey === undefined) return;
  const images = tonePackRows().flatMap(({ id, pack }) => pack.tones.map((tone) => ({ pack_id: id, tone })));
  const { rows: missing } = await client.query<MissingImage>(
    `select k.id as pack_id, k.owner_id, k.theme, r.tone, k.created_at
     from jsonb_to_recordset($1::jsonb) as r (pack_id uuid, tone text)
     join nectar.tone_packs k on k.id = r.pack_id and k.deleted_at is null
     where not exists (select from nectar.tone_pack_images i where i.pack_id = k.id and i.tone = r.tone)
     order by k.created_at, r.tone`,
    [JSON.stringify(images)],
  );
  const storage = createClient(target.supabaseUrl, target.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  }).storage.from("tone-packs");
  // One after the other: drawing blocks this thread, and a Ctrl-C must be handled in between.
  for (const { pack_id, owner_id, theme, tone, created_at } of missing) {
    // Named after the time of the pack, so that a second attempt after an interruption writes the same file.
    const path = `${owner_id}/${pack_id}/${tone.replaceAll(" ", "-")}-${created_at.getTime()}.png`;
    const picture = drawing(`In the style "${theme}" for the mood "${tone}"`);
    const { error } = await storage.upload(path, picture, { contentType: "image/png", upsert: true });
    if (error !== null) throw new Error(`An image of the demo data could not be stored: ${error.message}`);
    await client.query(
      `insert into nectar.tone_pack_images (pack_id, owner_id, tone, file_path, created_at)
       values ($1, $2, $3, $4, $5)`,
      [pack_id, owner_id, tone, path, created_at],
    );
  }
}
