import { type BackgroundSource, backgroundPrompt } from "@nectar/ai/background";
import { recordImageUsage } from "@nectar/ai/usage";
import { AppError } from "@nectar/core/errors";
import { imageCostUsd } from "@nectar/core/pricing";
import type { Tx } from "@nectar/database/database";
import { consumeQuota } from "@nectar/database/quota";
import { expectNewFile } from "@nectar/database/stored-files";
import { configured } from "@nectar/http/configured";
import { readPage, withSignedUrl } from "@nectar/http/paging";
import type { Services } from "@nectar/http/services";
import { sql } from "kysely";
import type { BackgroundQuery, BackgroundRequest } from "./schema.ts";

const DRAWING_MS = 40_000;
/** Shorter than the temporary credentials live that sign it: an address ends with them. */
const URL_SECONDS = 60 * 60;

/** A background to draw. */
export interface BackgroundJob {
  readonly id: string;
  readonly fileKey: string;
  readonly entryId: string | null;
  readonly quality: "standard" | "hd";
  readonly prompt: string;
}

/**
 * Decides what to draw, counts it against the quota and announces the file.
 * @throws AppError 404 or 403 for an entry that is not the caller's, 503 without providers, 429 when the quota is used up
 */
export async function prepareBackground(
  tx: Tx,
  { ai, privateFiles }: Services,
  userId: string,
  request: BackgroundRequest,
): Promise<BackgroundJob> {
  const source = await sourceOf(tx, userId, request);
  configured(ai);
  configured(privateFiles);
  await consumeQuota(tx, "background_generation");
  const { id, path: fileKey } = await expectNewFile(tx, "backgrounds");
  return {
    id,
    fileKey,
    entryId: request.entry_id ?? null,
    quality: request.quality,
    prompt: backgroundPrompt(source),
  };
}

/**
 * Draws the image and stores its file. The cost is recorded as soon as it is spent, even if storing fails.
 * @returns the address under which the image can be loaded
 * @throws AppError `provider.failed`
 */
export async function drawBackground(
  services: Services,
  asUser: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>,
  { prompt, quality, entryId, fileKey }: BackgroundJob,
): Promise<string> {
  const files = configured(services.privateFiles);
  const drawing = await configured(services.ai).draw({ prompt, quality, timeoutMs: DRAWING_MS });
  await asUser((tx) =>
    recordImageUsage(
      tx,
      "background_generation",
      drawing,
      entryId === null ? undefined : { type: "journal_entry", id: entryId },
    ),
  );
  await files.upload(fileKey, drawing.png, "image/png");
  return files.signedUrl(fileKey, URL_SECONDS);
}

/**
 * Saves a background whose file is stored. It replaces the one that the entry had before.
 * @throws AppError 404 when the entry was deleted while the image was drawn
 */
export async function saveBackground(tx: Tx, background: BackgroundJob, imageUrl: string) {
  const { id, entryId, quality } = background;
  if (entryId !== null) {
    const entry = await tx
      .selectFrom("journal_entries")
      .select("id")
      .where("id", "=", entryId)
      .forUpdate()
      .executeTakeFirst();
    if (entry === undefined) throw new AppError("journal.not_found");
    await tx.deleteFrom("entry_backgrounds").where("entry_id", "=", entryId).execute();
  }
  await tx.insertInto("entry_backgrounds").values({ id, entry_id: entryId, quality }).execute();
  return { image_url: imageUrl, quality, cost_usd: Number(imageCostUsd(quality)) };
}

/** A page of the caller's own backgrounds, or of an entry's, as far as the caller may see its content. */
export async function listBackgrounds(tx: Tx, userId: string, query: BackgroundQuery) {
  const { entry_id: entryId } = query;
  if (entryId !== undefined && (await authorOf(tx, entryId)) === null) throw new AppError("journal.not_found");
  const backgrounds = tx
    .selectFrom("entry_backgrounds")
    .select(["id", "entry_id", "file_key", "created_at"])
    .select(sql<"standard" | "hd">`quality`.as("quality"))
    .where((eb) => (entryId === undefined ? eb("user_id", "=", userId) : eb("entry_id", "=", entryId)));
  return readPage(backgrounds, query, withSignedUrl);
}

/** Backgrounds as they are sent, each with an address under which its image can be loaded. */
export async function presentBackgrounds(
  { privateFiles }: Services,
  page: Awaited<ReturnType<typeof listBackgrounds>>,
) {
  const backgrounds = page.rows.map(async ({ id, entry_id, file_key, quality, created_at }) => ({
    id,
    entry_id,
    image_url: await configured(privateFiles).signedUrl(file_key, URL_SECONDS),
    quality,
    created_at,
  }));
  return { backgrounds: await Promise.all(backgrounds), next_cursor: page.next_cursor };
}

/** What to draw from: the text of the request, or the caller's entry. */
async function sourceOf(tx: Tx, userId: string, request: BackgroundRequest): Promise<BackgroundSource> {
  const title = request.title || null;
  const mood = request.mood || null;
  const entryId = request.entry_id ?? null;
  if (entryId === null) return { title, mood, content: request.content ?? "" };
  const author = await authorOf(tx, entryId);
  if (author !== userId) throw new AppError(author === null ? "journal.not_found" : "journal.not_yours");
  const entry = await tx
    .selectFrom("journal_entries as e")
    .innerJoin("journal_entry_contents as c", "c.entry_id", "e.id")
    .select((eb) => ["e.title", eb.fn.coalesce("e.mood", "c.found_mood").as("mood"), "c.content"])
    .where("e.id", "=", entryId)
    .executeTakeFirst();
  if (entry === undefined) throw new AppError("journal.not_found");
  return { title: title ?? entry.title, mood: mood ?? entry.mood, content: entry.content };
}

/** Whose an entry is that the caller may see, or null. */
async function authorOf(tx: Tx, entryId: string): Promise<string | null> {
  const entry = await tx.selectFrom("journal_entries").select("user_id").where("id", "=", entryId).executeTakeFirst();
  return entry?.user_id ?? null;
}
