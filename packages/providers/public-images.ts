import { AppError } from "@nectar/core/errors";
import type { SupabaseClient } from "@supabase/supabase-js";
import { once } from "./once.ts";

/** Images with a public URL: the Supabase Storage bucket of the tone packs. */
export interface PublicImages {
  /**
   * Stores an image, replacing one at the same path, so that it can be repeated.
   * @throws AppError provider.failed
   */
  upload(path: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /**
   * Removes images; a missing one is no error.
   * @throws AppError provider.failed
   */
  remove(paths: readonly string[]): Promise<void>;
  /** The public URL of an image. */
  urlOf(path: string): string;
}

/** The Supabase project with the images. */
export interface SupabaseImagesOptions {
  /** Base URL of the project, without a slash at its end. */
  readonly supabaseUrl: string;
  /** The project's secret key; only the service may write into the bucket. */
  readonly secretKey: string;
}

/** The bucket that the migrations create. */
const TONE_PACK_BUCKET = "tone-packs";

/** Timeout of a call, which is not retried, in milliseconds. */
export const PUBLIC_IMAGE_CALL_MS = 10_000;
/** A year: the image at a path never changes. */
const CACHE_SECONDS = "31536000";

/** The images of a Supabase project. supabase-js is loaded on the first write. */
export function supabaseImages(options: SupabaseImagesOptions): PublicImages {
  const connected = once(() => connect(options));
  const bucket = async () => (await connected()).storage.from(TONE_PACK_BUCKET);
  return {
    async upload(path, bytes, contentType) {
      await orFail(async () =>
        (await bucket()).upload(path, bytes, { contentType, cacheControl: CACHE_SECONDS, upsert: true }),
      );
    },
    async remove(paths) {
      if (paths.length === 0) return;
      await orFail(async () => (await bucket()).remove([...paths]));
    },
    urlOf(path) {
      const segments = path.split("/").map(encodeURIComponent).join("/");
      return `${options.supabaseUrl}/storage/v1/object/public/${TONE_PACK_BUCKET}/${segments}`;
    },
  };
}

async function connect({ supabaseUrl, secretKey }: SupabaseImagesOptions): Promise<SupabaseClient> {
  const { createClient } = await import("@supabase/supabase-js");
  return createClient(supabaseUrl, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(PUBLIC_IMAGE_CALL_MS) }) },
  });
}

/** Replaces the storage's error, whose message may contain paths. */
async function orFail(work: () => Promise<{ error: unknown }>): Promise<void> {
  const outcome = await work().catch((error: unknown) => ({ error }));
  if (outcome.error !== null) throw new AppError("provider.failed");
}
