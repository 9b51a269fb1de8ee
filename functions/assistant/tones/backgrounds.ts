import { sql } from "kysely";
import { backgroundPrompt } from "#assistant/background";
import { recordImageUsage, replyOrRecord } from "#assistant/usage";
import { AppError } from "#core/errors";
import { PICTURE_URL_SECONDS } from "#core/limits";
import type { ImageQuality } from "#core/money/pricing";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { expectNewFile } from "#database/stored-files";
import type { RunTransaction } from "#http/access/access";
import { readPage, withSignedUrl } from "#http/response/paging";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import type { BackgroundQuery, BackgroundRequest } from "./schema.ts";

const DRAWING_MS = 40_000;

/** A background to draw. */
export interface BackgroundJob {
  readonly id: string;
  readonly fileKey: string;
  readonly entryId: string | null;
  readonly quality: ImageQuality;
  readonly prompt: string;
}

/** A background whose file is stored. */
interface DrawnBackground {
  /** The address under which the image can be loaded. */
  readonly image_url: string;
  readonly cost_usd: number;
}

/**
 * Decides what to draw, and announces the file.
 * @throws AppError 404 or 403 for an entry that is not the caller's, 409 for an excluded one, 503 without providers
 */
export async function prepareBackground(
  tx: Tx,
  services: Services,
  userId: string,
  body: BackgroundRequest,
): Promise<BackgroundJob> {
  const prompt = backgroundPrompt(await readSource(tx, userId, body));
  configured(services.ai);
  configured(services.privateFiles);
  const { id, path: fileKey } = await expectNewFile(tx, "backgrounds");
  return { id, fileKey, entryId: body.entry_id ?? null, quality: body.quality, prompt };
}

/**
 * Draws the image and stores its file. The cost is recorded as soon as it is spent, even if storing fails.
 * @throws AppError `provider.failed`, or `ai.refused`; 404 or 409 if the entry was deleted or excluded before its text was sent again
 */
export async function drawBackground(
  services: Services,
  transaction: RunTransaction,
  { prompt, quality, entryId, fileKey }: BackgroundJob,
): Promise<DrawnBackground> {
  const files = configured(services.privateFiles);
  const ai = configured(services.ai);
  const beforeRetry = () => transaction((tx) => requireReadable(tx, entryId));
  const reply = ai.draw({ prompt, quality, timeoutMs: DRAWING_MS, beforeRetry });
  const reference = { type: "journal_entry", id: entryId } as const;
  const call = { usage_type: "background_generation", model: ai.imageModel, reference } as const;
  const drawing = await replyOrRecord(reply, transaction, call);
  await transaction((tx) => recordImageUsage(tx, "background_generation", drawing, { reference }));
  if (drawing.png === null) throw new AppError("provider.failed");
  await files.upload(fileKey, drawing.png, "image/png");
  const imageUrl = await files.signedUrl(fileKey, PICTURE_URL_SECONDS);
  return { image_url: imageUrl, cost_usd: Number(drawing.costUsd) };
}

/**
 * Saves a background whose file is stored. It replaces the one that the entry had before.
 * @throws AppError 404 or 409 if the entry was deleted or excluded while the image was drawn
 */
export async function saveBackground(tx: Tx, { id, entryId, quality }: BackgroundJob, drawn: DrawnBackground) {
  await requireReadable(tx, entryId);
  if (entryId !== null) await tx.deleteFrom("entry_backgrounds").where("entry_id", "=", entryId).execute();
  await tx.insertInto("entry_backgrounds").values({ id, entry_id: entryId, quality }).execute();
  return { ...drawn, quality };
}

/** Locks the entry that is drawn, if any. @throws AppError 404 or 409 if it was deleted or excluded meanwhile */
async function requireReadable(tx: Tx, entryId: string | null): Promise<void> {
  if (entryId === null) return;
  const entry = await tx
    .selectFrom("journal_entries")
    .select("ai_excluded")
    .where("id", "=", entryId)
    .forUpdate()
    .executeTakeFirst();
  if (entry === undefined) throw new AppError("journal.not_found");
  if (entry.ai_excluded) throw new AppError("journal.ai_excluded");
}

/**
 * A page of the caller's own backgrounds, or the background of an entry if the caller may see its content.
 * @throws AppError 404 for an entry that the caller may not see
 */
export async function listBackgrounds(tx: Tx, userId: string, query: BackgroundQuery) {
  const { entry_id: entryId } = query;
  if (entryId !== undefined) {
    // Reading a background is reading its entry, for the log of what super admins read.
    const isVisible = (await call(tx, "read_entry", { id: entryId })).length > 0;
    if (!isVisible) throw new AppError("journal.not_found");
  }
  const backgrounds = tx
    .selectFrom("entry_backgrounds")
    .select(["id", "entry_id", "file_key", "created_at"])
    .select(sql<ImageQuality>`quality`.as("quality"))
    .where((eb) => (entryId === undefined ? eb("user_id", "=", userId) : eb("entry_id", "=", entryId)));
  return readPage(backgrounds, query, withSignedUrl);
}

/** Adds to each background of a page the address under which its image can be loaded. */
export async function presentBackgrounds(
  { privateFiles }: Services,
  page: Awaited<ReturnType<typeof listBackgrounds>>,
) {
  const backgrounds = page.rows.map(async ({ file_key, ...background }) => ({
    ...background,
    image_url: await configured(privateFiles).signedUrl(file_key, PICTURE_URL_SECONDS),
  }));
  return { backgrounds: await Promise.all(backgrounds), next_cursor: page.next_cursor };
}

/**
 * The text to draw from: that of the request, or the caller's entry.
 * @throws AppError 404 or 403 for another entry, 409 for an excluded one
 */
async function readSource(tx: Tx, userId: string, request: BackgroundRequest) {
  const title = request.title || null;
  const mood = request.mood || null;
  const entryId = request.entry_id ?? null;
  if (entryId === null) return { title, mood, content: request.content ?? "" };
  const entry = await tx
    .selectFrom("journal_entries as e")
    .leftJoin("journal_entry_contents as c", "c.entry_id", "e.id")
    .select(["e.user_id", "e.ai_excluded", "e.title", "e.mood", "c.content"])
    .where("e.id", "=", entryId)
    .executeTakeFirst();
  if (entry === undefined) throw new AppError("journal.not_found");
  if (entry.user_id !== userId) throw new AppError("journal.not_yours");
  if (entry.ai_excluded) throw new AppError("journal.ai_excluded");
  return { title: title ?? entry.title, mood: mood ?? entry.mood, content: entry.content ?? "" };
}
