import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { recordImageUsage, replyOrRecord } from "#assistant/usage";
import { AppError, sentenceOf } from "#core/errors";
import { sumUsd } from "#core/money/pricing";
import { inLanes } from "#core/work/lanes";
import type { Tx } from "#database/database";
import { expectToneImage } from "#database/stored-files";
import type { RunTransaction } from "#http/access/access";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import type { PublicImages } from "#providers/public-images";
import { presentImage } from "./packs.ts";
import type { ImageRequest, ImagesResponse, ToneImage, TonePack } from "./schema.ts";

const AT_ONCE = 5;
/** Drawing and storing together must fit into one call of the function. */
const DRAWING_MS = 42_000;
const STORING_MS = 8_000;
/** Pauses before an image is sent again. A retry at once would often fail for the same reason. */
const PAUSES_MS = [200, 500, 1_000, 2_000];
const NOT_DRAWN = "The image could not be drawn.";
/** A drawing with less time than this would be paid for and not arrive. */
const MIN_DRAWING_MS = 3_000;

/** The images to draw for a tone pack. */
export interface ImageJob extends ImageRequest {
  readonly packId: string;
  readonly ownerId: string;
  readonly theme: TonePack["theme"];
}

/** The result of one tone. A drawing is paid for even if it cannot be stored. */
interface Attempt {
  readonly tone: string;
  /** In US dollars; null if nothing was drawn. */
  readonly cost: string | null;
  readonly image: ToneImage | null;
  readonly error: string;
  /** Why nothing was drawn, if the model said so. */
  readonly reason?: AppError;
}

/**
 * Draws an image for each tone, a few at a time. Each cost is recorded as soon as its drawing is done, whether or not the
 * others succeed.
 * @throws AppError if there is no image at all: `ai.refused` if the model refused all tones, else `provider.failed`
 */
export async function drawImages(
  { ai, publicImages, clock }: Services,
  asOwner: RunTransaction,
  job: ImageJob,
): Promise<ImagesResponse> {
  const { quality, theme } = job;
  const [models, store] = [configured(ai), configured(publicImages)];
  const reference = { type: "tone_pack", id: job.packId } as const;
  const call = { usage_type: "tone_pack_image", model: models.imageModel, reference } as const;
  const start = clock.now().getTime();
  const attempts = await inLanes(withPaths(job, start), AT_ONCE, async ({ tone, path }): Promise<Attempt> => {
    const failed = (cost: string | null, error: string) => ({ tone, cost, image: null, error });
    const timeoutMs = Math.min(start + DRAWING_MS - clock.now().getTime(), DRAWING_MS);
    if (timeoutMs < MIN_DRAWING_MS) return failed(null, "There was no time left.");
    const reply = models.draw({ prompt: promptFor(theme, tone), quality, timeoutMs });
    const drawing = await replyOrRecord(reply, asOwner, call).catch(vendorError);
    if (drawing instanceof AppError) {
      const error = drawing.code === "ai.refused" ? sentenceOf("ai.refused") : NOT_DRAWN;
      return { ...failed(null, error), reason: drawing };
    }
    const { costUsd: cost } = drawing;
    const isStored = drawing.png !== null && (await storeImage(store, asOwner, path, drawing.png));
    const image = await asOwner(async (tx) => {
      await recordImageUsage(tx, "tone_pack_image", drawing, { reference });
      return isStored ? replaceImage(tx, store, { pack_id: job.packId, tone, file_path: path }) : null;
    });
    if (image !== null) return { tone, cost, image, error: "" };
    if (drawing.png === null) return failed(cost, NOT_DRAWN);
    return failed(cost, isStored ? "The tone pack is gone." : "The image could not be stored.");
  });
  const images = attempts.flatMap(({ image }) => image ?? []);
  if (images.length === 0) throw errorOf(attempts);
  return {
    images,
    failed: attempts.filter(({ image }) => image === null).map(({ tone, error }) => ({ tone, error })),
    cost_usd: Number(sumUsd(attempts.flatMap(({ cost }) => cost ?? []))),
  };
}

/** The error if no tone has an image. Trying again helps unless the model refused all of them. */
function errorOf(attempts: readonly Attempt[]): AppError {
  const failure = attempts.find(({ reason }) => reason?.code !== "ai.refused");
  return failure === undefined ? new AppError("ai.refused") : (failure.reason ?? new AppError("provider.failed"));
}

/** Stores a drawing. Housekeeping removes its file unless a row of an image refers to it within the hour. */
async function storeImage(
  store: PublicImages,
  asOwner: RunTransaction,
  path: string,
  png: Uint8Array,
): Promise<boolean> {
  // Two requests for one tone in one millisecond have the same path; only the first one stores its image.
  if (!(await asOwner((tx) => expectToneImage(tx, path)))) return false;
  const timer = new AbortController();
  const { signal } = timer;
  const timeout = setTimeout(STORING_MS, false, { signal });
  try {
    return await Promise.race([upload(() => store.upload(path, png, "image/png"), signal), timeout]);
  } finally {
    timer.abort();
  }
}

/** Sends an image, several times if it fails: it is paid for, and sending it twice has the same result. */
async function upload(send: () => Promise<void>, stopped: AbortSignal): Promise<boolean> {
  const attempt = async () => (await send().catch(vendorError)) === undefined;
  for (const pause of PAUSES_MS) {
    if (await attempt()) return true;
    await setTimeout(pause);
    if (stopped.aborted) return false;
  }
  return attempt();
}

/** Replaces the image of a tone. Null if the pack was deleted meanwhile. */
async function replaceImage(
  tx: Tx,
  store: PublicImages,
  image: { readonly pack_id: string; readonly tone: string; readonly file_path: string },
): Promise<ToneImage | null> {
  const pack = await tx
    .selectFrom("tone_packs")
    .select("id")
    .where("id", "=", image.pack_id)
    .forShare()
    .executeTakeFirst();
  if (pack === undefined) return null;
  const row = await tx
    .insertInto("tone_pack_images")
    .values(image)
    .onConflict((conflict) =>
      conflict
        .constraint("tone_pack_images_one_for_a_tone")
        .doUpdateSet({ file_path: image.file_path, created_at: sql<string>`now()` }),
    )
    .returning(["id", "tone", "file_path", "created_at"])
    .executeTakeFirstOrThrow();
  return presentImage(row, store);
}

/** The tones, each with another path for its image: those of `very happy` and `very-happy` differ by a millisecond. */
function withPaths({ ownerId, packId, tones }: ImageJob, now: number) {
  const taken = new Set<string>();
  return tones.map((tone) => {
    const pathAt = (at: number) => `${ownerId}/${packId}/${tone.replaceAll(" ", "-")}-${at}.png`;
    let at = now;
    while (taken.has(pathAt(at))) at += 1;
    taken.add(pathAt(at));
    return { tone, path: pathAt(at) };
  });
}

/** Nothing that users write reaches the model but a tone of letters, spaces and hyphens. */
function promptFor(theme: TonePack["theme"], tone: string): string {
  return (
    `A single small icon in the style "${theme}" that expresses the mood "${tone}". ` +
    "Centered, on a plain background, easily recognized at 16 pixels, with no letters, numbers or logos."
  );
}

/** The code of a vendor's failure. Any other error ends the request. */
function vendorError(error: unknown): AppError {
  if (error instanceof AppError && ["provider.failed", "ai.refused"].includes(error.code)) return error;
  throw error;
}
