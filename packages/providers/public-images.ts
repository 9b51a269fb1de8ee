import type { SupabaseClient } from "@supabase/supabase-js";
import { AppError } from "#core/errors";
import { once } from "./once.ts";
import type { PrivateFiles } from "./private-files.ts";

/** Images with a public URL: those of the tone packs. */
export interface PublicImages {
  /**
   * Stores an image, replacing one at the same path, so that it can be repeated.
   * @throws AppError provider.failed
   */
  upload(path: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /**
   * Loads an image.
   * @returns null if there is none
   * @throws AppError provider.failed
   */
  download(path: string): Promise<Uint8Array | null>;
  /**
   * Removes images; a missing one is no error.
   * @throws AppError provider.failed
   */
  remove(paths: readonly string[]): Promise<void>;
  /** The public URL of an image. */
  urlOf(path: string): string;
}

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
  const urlOf = (path: string) =>
    `${options.supabaseUrl}/storage/v1/object/public/${TONE_PACK_BUCKET}/${encodePath(path)}`;
  return {
    async upload(path, bytes, contentType) {
      await orFail(async () =>
        (await bucket()).upload(path, bytes, { contentType, cacheControl: CACHE_SECONDS, upsert: true }),
      );
    },
    async download(path) {
      const signal = AbortSignal.timeout(PUBLIC_IMAGE_CALL_MS);
      const response = await fetch(urlOf(path), { signal }).catch(() => null);
      if (response?.ok === true) return response.bytes();
      // Supabase Storage responds with 400 where there is no file.
      if (response?.status === 400 || response?.status === 404) return null;
      throw new AppError("provider.failed");
    },
    async remove(paths) {
      if (paths.length === 0) return;
      await orFail(async () => (await bucket()).remove([...paths]));
    },
    urlOf,
  };
}

/** Prefix of the images in the private bucket; everything below it is public. */
const TONE_PACK_FOLDER = "tone-packs/";
/** The path below which a server shows them. */
const PUBLIC_PATH = `/images/${TONE_PACK_FOLDER}`;
/** Two ids and a file name, as `withPaths` of the tone packs builds them. */
const IMAGE_PATH = /^[0-9a-f-]{36}\/[0-9a-f-]{36}\/[a-z-]+-\d+\.png$/;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/**
 * The images of a server without Supabase Storage: they are in a folder of the private bucket, and the server itself shows
 * them, because a signed URL would expire.
 * @param publicUrl address of the server, without a slash at its end
 */
export function bucketImages(files: PrivateFiles, publicUrl: string): PublicImages {
  const keyOf = (path: string) => TONE_PACK_FOLDER + path;
  return {
    upload: (path, bytes, contentType) => files.upload(keyOf(path), bytes, contentType),
    async download(path) {
      const image = await files.download(keyOf(path), MAX_IMAGE_BYTES);
      return image === "too_large" ? null : image;
    },
    remove: (paths) => files.remove(paths.map(keyOf)),
    urlOf: (path) => `${publicUrl}${PUBLIC_PATH}${encodePath(path)}`,
  };
}

/**
 * Loads the image at the path of a URL of `bucketImages`.
 * @returns null if the path is not one of an image, or there is none
 * @throws AppError provider.failed
 */
export async function loadBucketImage(files: PrivateFiles, urlPath: string): Promise<Uint8Array | null> {
  const key = keyOfUrl(urlPath);
  const image = key === null ? null : await files.download(key, MAX_IMAGE_BYTES);
  return image === "too_large" ? null : image;
}

/**
 * Whether there is an image at the path of a URL of `bucketImages`, without loading it.
 * @throws AppError provider.failed
 */
export async function hasBucketImage(files: PrivateFiles, urlPath: string): Promise<boolean> {
  const key = keyOfUrl(urlPath);
  // Every image is larger than no bytes.
  return key !== null && (await files.download(key, 0)) !== null;
}

/** Nothing but images of tone packs is public. */
function keyOfUrl(urlPath: string): string | null {
  const decoded = decodePath(urlPath);
  const path = decoded.slice(PUBLIC_PATH.length);
  return decoded.startsWith(PUBLIC_PATH) && IMAGE_PATH.test(path) ? TONE_PACK_FOLDER + path : null;
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
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
