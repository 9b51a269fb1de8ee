import { AppError } from "@nectar/core/errors";
import type { SupabaseClient } from "@supabase/supabase-js";

/** Images with a public address: the Supabase Storage bucket of the tone packs. */
export interface PublicImages {
  /**
   * Stores an image; one at the same path is replaced, so that a repeated attempt ends the same way.
   * @throws AppError provider.failed when the storage does not take it
   */
  upload(path: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /**
   * Removes images; one that is not there is no error.
   * @throws AppError provider.failed when the storage does not do it
   */
  remove(paths: readonly string[]): Promise<void>;
  /** The public address of the image. */
  urlOf(path: string): string;
}

/** Which Supabase project holds the images. */
export interface SupabaseImagesOptions {
  /** Base address of the project, without a slash at its end. */
  readonly supabaseUrl: string;
  /** The project's secret key: only the service itself may write into the bucket. */
  readonly secretKey: string;
}

/** The bucket that the migrations make. */
const TONE_PACK_BUCKET = "tone-packs";

/** The longest that storing or removing takes, in milliseconds; neither is ever repeated by itself. */
export const PUBLIC_IMAGE_CALL_MS = 10_000;
/** A path is written once, so an image can be cached forever. */
const CACHE_SECONDS = "31536000";

/** The images of a Supabase project. supabase-js is loaded when something is written for the first time. */
export function supabaseImages(options: SupabaseImagesOptions): PublicImages {
  let client: Promise<SupabaseClient> | undefined;
  const bucket = async () => {
    client ??= connect(options);
    return (await client).storage.from(TONE_PACK_BUCKET);
  };
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

/** What went wrong stays here: the storage's own words may name paths and people. */
async function orFail(work: () => Promise<{ error: unknown }>): Promise<void> {
  const outcome = await work().catch((error: unknown) => ({ error }));
  if (outcome.error !== null) throw new AppError("provider.failed");
}
