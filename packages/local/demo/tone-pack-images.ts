import { createClient } from "@supabase/supabase-js";
import type pg from "pg";
import type { SeedTarget } from "../dev.ts";
import { drawing } from "../stand-ins/drawing.ts";
import { tonePackToneRows } from "./rows.ts";

interface MissingImage {
  pack_id: string;
  owner_id: string;
  theme: string;
  tone: string;
  created_at: Date;
}

/**
 * Draws the images of the demo's tone packs that are not there yet and stores them where those of the API go. Without a
 * secret key there is no store to write to, and the packs stay without images.
 * @throws Error when the storage refuses one.
 */
export async function drawTonePackImages(client: pg.Client, target: SeedTarget): Promise<void> {
  if (target.secretKey === undefined) return;
  const { rows: missing } = await client.query<MissingImage>(
    `select k.id as pack_id, k.owner_id, k.theme, r.tone, k.created_at
     from jsonb_to_recordset($1::jsonb) as r (pack_id uuid, tone text)
     join nectar.tone_packs k on k.id = r.pack_id and k.deleted_at is null
     where not exists (select from nectar.tone_pack_images i where i.pack_id = k.id and i.tone = r.tone)
     order by k.created_at, r.tone`,
    [JSON.stringify(tonePackToneRows())],
  );
  const storage = createClient(target.supabaseUrl, target.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  }).storage.from("tone-packs");
  // One after the other: drawing keeps this thread busy, and in between a Ctrl-C must be heard.
  for (const { pack_id, owner_id, theme, tone, created_at } of missing) {
    // The moment is that of the pack, so that a second attempt after an interruption writes the same file.
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
