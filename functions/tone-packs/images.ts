import { setTimeout } from "node:timers/promises";
import { recordImageUsage } from "@nectar/ai/usage";
import { AppError } from "@nectar/core/errors";
import { inLanes } from "@nectar/core/lanes";
import { imageCostUsd } from "@nectar/core/pricing";
import type { Tx } from "@nectar/database/database";
import { expectToneImage } from "@nectar/database/stored-files";
import type { Clock } from "@nectar/http/clock";
import { configured } from "@nectar/http/configured";
import type { AiProvider, Drawing } from "@nectar/providers/ai";
import type { PublicImages } from "@nectar/providers/public-images";
import { sql } from "kysely";
import { present } from "./packs.ts";
import type { ImageRequest, ImagesResponse, ToneImage, TonePack } from "./schema.ts";

const AT_ONCE = 5;
/** All of it must fit into one call of the function, and storing needs its share. */
const DRAWING_MS = 42_000;
const STORING_MS = 8_000;
/**
 * How long to wait before an image is sent again. An attempt at once would often fail for the same reason, or on the
 * connection that the refusal has just closed.
 */
const PAUSES_MS = [200, 500, 1_000, 2_000];
/** A drawing that is begun with less time than this left would only be paid for. */
const MIN_DRAWING_MS = 3_000;

/** What drawing needs from outside. */
export interface ImageTools {
  readonly ai: AiProvider;
  readonly store: PublicImages;
  readonly clock: Clock;
  /** Runs a transaction as the owner of the pack. */
  readonly asOwner: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
}

/** The tone pack to draw images for. */
export interface ImageJob {
  readonly packId: string;
  readonly ownerId: string;
  readonly theme: TonePack["theme"];
}

/** What became of one tone; a drawing is paid for whatever happens to it afterwards. */
interface Attempt {
  readonly tone: string;
  readonly paid: boolean;
  readonly image: ToneImage | null;
  readonly error: string;
}

/** The models and the store for drawing. @throws AppError 503 when one of them is not configured */
export function requireImageTools(parts: { ai: AiProvider | null; publicImages: PublicImages | null }) {
  return { ai: configured(parts.ai), store: configured(parts.publicImages) };
}

/**
 * Draws an image for each tone, a few at a time. Each is recorded when it is done, so that what one of them costs is known
 * whatever happens to the others.
 * @throws AppError provider.failed when not one came to be
 */
export async function drawImages(
  tools: ImageTools,
  job: ImageJob,
  { tones, quality }: ImageRequest,
): Promise<ImagesResponse> {
  const started = tools.clock.now().getTime();
  const paths = pathsFor(job, tones, started);
  const attempts = await inLanes(tones, AT_ONCE, (tone, index) => {
    const left = started + DRAWING_MS - tools.clock.now().getTime();
    return attemptTone(tools, job, { tone, quality, path: paths[index] ?? "", left });
  });
  const images = attempts.flatMap(({ image }) => image ?? []);
  if (images.length === 0) throw new AppError("provider.failed");
  return {
    images,
    failed: attempts.filter(({ image }) => image === null).map(({ tone, error }) => ({ tone, error })),
    cost_usd: Number(imageCostUsd(quality, attempts.filter(({ paid }) => paid).length)),
  };
}

async function attemptTone(
  tools: ImageTools,
  job: ImageJob,
  { tone, quality, path, left }: { tone: string; quality: ImageRequest["quality"]; path: string; left: number },
): Promise<Attempt> {
  const failed = (paid: boolean, error: string): Attempt => ({ tone, paid, image: null, error });
  if (left < MIN_DRAWING_MS) return failed(false, "There was no time left.");
  const drawing = await orNull(
    tools.ai.draw({ prompt: promptFor(job.theme, tone), quality, timeoutMs: Math.min(left, DRAWING_MS) }),
  );
  if (drawing === null) return failed(false, "The image could not be drawn.");
  const stored = await isStored(tools, path, drawing);
  const image = await tools.asOwner((tx) => record(tx, tools.store, job, { tone, drawing, path, stored }));
  if (image !== null) return { tone, paid: true, image, error: "" };
  return failed(true, stored ? "The tone pack is gone." : "The image could not be stored.");
}

/** Stores a drawing; until its row is written it counts as one that nobody owns. */
async function isStored(tools: ImageTools, path: string, drawing: Drawing): Promise<boolean> {
  // Two requests for one tone in one millisecond mean the same file: then the first one stores it.
  if (!(await tools.asOwner((tx) => expectToneImage(tx, path)))) return false;
  const timer = new AbortController();
  const { signal } = timer;
  try {
    return await Promise.race([upload(tools.store, path, drawing, signal), setTimeout(STORING_MS, false, { signal })]);
  } finally {
    timer.abort();
  }
}

/**
 * Uploads a drawing. It is paid for, and storing it again ends the same way, so a hiccup of the store may not lose it.
 * @param over once it is aborted nothing more is sent
 */
async function upload(store: PublicImages, path: string, { png }: Drawing, over: AbortSignal): Promise<boolean> {
  const attempt = () =>
    store.upload(path, png, "image/png").then(
      () => true,
      (error: unknown) => unlessFailed(error, false),
    );
  for (const pause of PAUSES_MS) {
    if (await attempt()) return true;
    await setTimeout(pause);
    if (over.aborted) return false;
  }
  return attempt();
}

/** Records what was paid for, and the image in place of the one before, unless the pack was deleted meanwhile. */
async function record(
  tx: Tx,
  store: PublicImages,
  { packId }: ImageJob,
  { tone, drawing, path, stored }: { tone: string; drawing: Drawing; path: string; stored: boolean },
): Promise<ToneImage | null> {
  await recordImageUsage(tx, "tone_pack_image", drawing, { type: "tone_pack", id: packId });
  if (!stored) return null;
  const pack = await tx.selectFrom("tone_packs").select("id").where("id", "=", packId).forShare().executeTakeFirst();
  if (pack === undefined) return null;
  const row = await tx
    .insertInto("tone_pack_images")
    .values({ pack_id: packId, tone, file_path: path })
    .onConflict((conflict) =>
      conflict
        .constraint("tone_pack_images_one_for_a_tone")
        .doUpdateSet({ file_path: path, created_at: sql<string>`now()` }),
    )
    .returning(["id", "tone", "file_path", "created_at"])
    .executeTakeFirstOrThrow();
  return present(row, store);
}

/** `very happy` and `very-happy` would be one file: the later one is a millisecond younger. */
function pathsFor({ ownerId, packId }: ImageJob, tones: readonly string[], now: number): string[] {
  const taken = new Set<string>();
  return tones.map((tone) => {
    const pathAt = (at: number) => `${ownerId}/${packId}/${tone.replaceAll(" ", "-")}-${at}.png`;
    let at = now;
    while (taken.has(pathAt(at))) at += 1;
    taken.add(pathAt(at));
    return pathAt(at);
  });
}

/** Only words of a closed form reach the model: a theme of ours, and a tone of letters, spaces and hyphens. */
function promptFor(theme: TonePack["theme"], tone: string): string {
  return (
    `A single small icon in the style "${theme}" that expresses the mood "${tone}". ` +
    "Centred, on a plain background, easily recognised at 16 pixels, with no letters, numbers or logos."
  );
}

async function orNull(drawing: Promise<Drawing>): Promise<Drawing | null> {
  return drawing.catch((error: unknown) => unlessFailed(error, null));
}

/** One image may fail at the vendor's; any other error is ours and ends the request. */
function unlessFailed<Value>(error: unknown, value: Value): Value {
  if (error instanceof AppError && error.code === "provider.failed") return value;
  throw error;
}
