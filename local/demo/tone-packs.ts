import { createClient } from "@supabase/supabase-js";
import type pg from "pg";
import { drawing } from "../stand-ins/drawing.ts";
import { type TonePack, tonePacks } from "./data.ts";
import { idOf, localMoment, type Past, written } from "./past.ts";
import { insertRows, stableId, timeOfDay } from "./rows.ts";
import type { SeedTarget } from "./target.ts";

/** Writes the tone packs and their shares; images come later. */
export async function writeTonePacks(past: Past): Promise<void> {
  const packs = Object.entries(tonePacks);
  await insertRows(past.client, "nectar.tone_packs", packs, ([key, pack]) => ({
    id: tonePackId(key),
    owner_id: idOf(past, pack.owner),
    name: pack.name,
    description: pack.description,
    theme: pack.theme,
    is_public: pack.isPublic,
    price_drops: pack.priceDrops,
    ...written(tonePackMoment(past, key, pack)),
  }));
  await insertRows(past.client, "nectar.tone_pack_shares", packs, ([key, { owner, sharedWith, createdDaysAgo }]) =>
    sharedWith.map((person) => ({
      pack_id: tonePackId(key),
      owner_id: idOf(past, owner),
      user_id: idOf(past, person),
      created_at: localMoment(past, owner, createdDaysAgo, timeOfDay("13:10", key, 30)),
    })),
  );
}

/** When a tone pack was created. */
export function tonePackMoment(past: Past, key: string, { owner, createdDaysAgo }: TonePack): string {
  return localMoment(past, owner, createdDaysAgo, timeOfDay("12:30", key, 30));
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
  const images = Object.entries(tonePacks).flatMap(([key, { tones }]) =>
    tones.map((tone) => ({ pack_id: tonePackId(key), tone })),
  );
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
  for (const { pack_id, owner_id, theme, tone, created_at } of missing) {
    // Named after the time of the pack, so that a second attempt after an interruption writes the same file.
    const path = `${owner_id}/${pack_id}/${tone.replaceAll(" ", "-")}-${created_at.getTime()}.png`;
    const picture = await drawing(`In the style "${theme}" for the mood "${tone}"`);
    const { error } = await storage.upload(path, picture, { contentType: "image/png", upsert: true });
    if (error !== null) throw new Error(`An image of the demo data could not be stored: ${error.message}`);
    await client.query(
      `insert into nectar.tone_pack_images (pack_id, owner_id, tone, file_path, created_at)
       values ($1, $2, $3, $4, $5)`,
      [pack_id, owner_id, tone, path, created_at],
    );
  }
}
