import type { S3Client } from "@aws-sdk/client-s3";
import { AppError } from "@nectar/core/errors";
import { within } from "./deadline.ts";

/** Files that can only be loaded through a signed address: an S3 bucket without public access. */
export interface PrivateFiles {
  /**
   * Stores a file; one with the same key is replaced.
   * @throws AppError provider.failed when the store does not take it
   */
  upload(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /**
   * Removes files; one that is not there is no error.
   * @throws AppError provider.failed when the store does not remove all of them
   */
  remove(keys: readonly string[]): Promise<void>;
  /**
   * A signed address that is valid for so many seconds. It is not checked that the file exists.
   * @throws AppError provider.failed when there are no credentials to sign with
   */
  signedUrl(key: string, seconds: number): Promise<string>;
  /**
   * An address to which exactly one file of this type and size can be sent with PUT for so many seconds.
   * @throws AppError provider.failed when there are no credentials to sign with
   */
  signedUpload(key: string, contentType: string, size: number, seconds: number): Promise<string>;
  /**
   * The bytes of a file; null when there is none.
   * @returns `too_large` when it has more bytes than `maxBytes`; they are not loaded then
   * @throws AppError provider.failed when the store does not answer
   */
  download(key: string, maxBytes: number): Promise<Uint8Array | "too_large" | null>;
}

/** Which bucket, and how to reach it. */
export interface S3FilesOptions {
  readonly bucket: string;
  readonly region: string;
  /** Address of a store that is not Amazon's own; null for Amazon's. */
  readonly endpoint: string | null;
  /** Null, like the secret, where the surroundings give the credentials: the role of a Lambda function. */
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
}

/** As many as one DeleteObjects call takes. */
const KEYS_PER_REMOVAL = 1_000;
/** The longest that storing, removing or signing takes, its retries included, in milliseconds. */
export const PRIVATE_FILE_CALL_MS = 10_000;
const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 8_000;

/**
 * The files of an S3 bucket. The AWS SDK is loaded on first use.
 * @param callMs the longest that a call may take
 */
export function s3Files(options: S3FilesOptions, callMs = PRIVATE_FILE_CALL_MS): PrivateFiles {
  let client: Promise<S3Client> | undefined;
  const connected = () => {
    client ??= connect(options);
    return client;
  };
  const Bucket = options.bucket;
  return {
    upload: (key, bytes, contentType) =>
      orFail(callMs, async () => {
        const { PutObjectCommand } = await import("@aws-sdk/client-s3");
        await (await connected()).send(
          new PutObjectCommand({ Bucket, Key: key, Body: bytes, ContentType: contentType }),
        );
      }),
    remove: (keys) =>
      orFail(callMs, async () => {
        if (keys.length === 0) return;
        const { DeleteObjectsCommand } = await import("@aws-sdk/client-s3");
        const s3 = await connected();
        for (let from = 0; from < keys.length; from += KEYS_PER_REMOVAL) {
          const Objects = keys.slice(from, from + KEYS_PER_REMOVAL).map((Key) => ({ Key }));
          const { Errors = [] } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
          if (Errors.length > 0) throw new Error(`${Errors.length} files were not removed.`);
        }
      }),
    signedUrl: (key, seconds) =>
      orFail(callMs, async () => {
        const [{ GetObjectCommand }, { getSignedUrl }] = await Promise.all([
          import("@aws-sdk/client-s3"),
          import("@aws-sdk/s3-request-presigner"),
        ]);
        return getSignedUrl(await connected(), new GetObjectCommand({ Bucket, Key: key }), { expiresIn: seconds });
      }),
    signedUpload: (key, contentType, size, seconds) =>
      orFail(callMs, async () => {
        const [{ PutObjectCommand }, { getSignedUrl }] = await Promise.all([
          import("@aws-sdk/client-s3"),
          import("@aws-sdk/s3-request-presigner"),
        ]);
        const command = new PutObjectCommand({ Bucket, Key: key, ContentType: contentType, ContentLength: size });
        // Signed as headers, so that the store refuses another type or size.
        const signableHeaders = new Set(["content-type", "content-length", "host"]);
        return getSignedUrl(await connected(), command, { expiresIn: seconds, signableHeaders });
      }),
    download: (key, maxBytes) =>
      orFail(callMs, async () => {
        const { GetObjectCommand, NoSuchKey } = await import("@aws-sdk/client-s3");
        const s3 = await connected();
        const file = await s3.send(new GetObjectCommand({ Bucket, Key: key })).catch((error: unknown) => {
          if (error instanceof NoSuchKey) return null;
          throw error;
        });
        if (file?.Body === undefined) return null;
        if (file.ContentLength === undefined || file.ContentLength > maxBytes) {
          const body = file.Body.transformToWebStream();
          await body.cancel();
          return "too_large";
        }
        return file.Body.transformToByteArray();
      }),
  };
}

async function connect(options: S3FilesOptions): Promise<S3Client> {
  const { S3Client } = await import("@aws-sdk/client-s3");
  const { accessKeyId, secretAccessKey } = options;
  return new S3Client({
    region: options.region,
    // Other stores rarely have a host name for each bucket, and not all of them know the SDK's newer checksums.
    ...(options.endpoint === null ? {} : { endpoint: options.endpoint, forcePathStyle: true }),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(accessKeyId === null || secretAccessKey === null ? {} : { credentials: { accessKeyId, secretAccessKey } }),
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Without this the SDK writes a warning when the time is over, and waits on.
      throwOnRequestTimeout: true,
    },
  });
}

/** What went wrong stays here: the store's own words may name keys and people. */
async function orFail<Result>(callMs: number, work: () => Promise<Result>): Promise<Result> {
  try {
    return await within(callMs, work);
  } catch {
    throw new AppError("provider.failed");
  }
}
