import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { asVendorFailure, callVendor } from "./call-vendor.ts";
import { once } from "./once.ts";
import { addressSigner, type Credentials } from "./signed-address.ts";

/** Files behind signed URLs: an S3 bucket without public access. */
export interface PrivateFiles {
  /**
   * Stores a file, replacing one with the same key.
   * @throws AppError provider.failed
   */
  upload(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /**
   * Stores a file of any size, piece by piece, replacing one with the same key. There is no file before its last piece, and
   * none if the pieces fail.
   * @throws Error of the pieces
   * @throws AppError provider.failed
   */
  uploadStream(key: string, pieces: AsyncIterable<Uint8Array>, contentType: string): Promise<void>;
  /**
   * Ends all unfinished uploads of a file and removes what they stored.
   * @throws AppError provider.failed
   */
  abortUploads(key: string): Promise<void>;
  /**
   * Removes files; a missing one is no error.
   * @throws AppError provider.failed unless all of them were removed
   */
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Signs a URL that loads a file, without checking that it exists.
   * @param seconds how long the URL is valid
   * @throws AppError provider.failed if there are no credentials to sign with
   */
  signedUrl(key: string, seconds: number): Promise<string>;
  /**
   * Signs a URL that stores a file of exactly this type and size with PUT.
   * @param seconds how long the URL is valid
   * @throws AppError provider.failed if there are no credentials to sign with
   */
  signedUpload(key: string, contentType: string, size: number, seconds: number): Promise<string>;
  /**
   * Loads a file.
   * @returns null if there is none; `too_large`, without loading it, if it has more than `maxBytes`
   * @throws AppError provider.failed
   */
  download(key: string, maxBytes: number): Promise<Uint8Array | "too_large" | null>;
  /**
   * Size and version of a file.
   * @returns null if there is none
   * @throws AppError provider.failed
   */
  describe(key: string): Promise<StoredFile | null>;
  /**
   * Lists the files whose keys begin with a prefix, by their keys.
   * @throws AppError provider.failed
   */
  list(prefix: string): AsyncIterable<ListedFile>;
  /**
   * Loads a version of a file into a local file.
   * @returns `missing` or `replaced` if the store has not this version
   * @throws AppError provider.failed
   */
  downloadTo(into: FileHandle, key: string, version: string): Promise<"loaded" | "missing" | "replaced">;
}

/** A file in the store. */
export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  /** Changes when the file is replaced with other bytes: its ETag. */
  readonly version: string;
}

/** A file in a list of the store. */
export interface ListedFile {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
}

/** The bucket and its address. */
export interface S3FilesOptions {
  readonly bucket: string;
  readonly region: string;
  /** Address of another store with the S3 API; null for Amazon's own. */
  readonly endpoint: string | null;
  /** null, like the secret, to use the credentials of the environment, such as a Lambda function's role. */
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
}

/** Maximum number of keys of one DeleteObjects call. */
const MAX_KEYS_PER_REMOVAL = 1_000;
/** Timeout of a call, its retries included, in milliseconds. */
export const PRIVATE_FILE_CALL_MS = 10_000;
const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 8_000;
/** For a file of 200 MB, and for a store that looks at all parts of a file before it responds. */
const LARGE_FILE_MS = 120_000;
/** The least that S3 takes, for files of up to 50 GB: several parts are in memory. */
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 2;

/**
 * The files of an S3 bucket. The AWS SDK is loaded on first use.
 * @param callMs timeout of a call in milliseconds
 */
export function s3Files(options: S3FilesOptions, callMs = PRIVATE_FILE_CALL_MS): PrivateFiles {
  const connected = once(() => connect(options));
  const Bucket = options.bucket;
  const signer = once(() => signerOf(options));
  let reading: Promise<Credentials> | undefined;
  /** Many addresses that are signed at once ask for the credentials once. */
  const credentials = () => {
    reading ??= callVendor(callMs, async () => (await connected()).config.credentials()).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return {
    upload: (key, bytes, contentType) =>
      callVendor(callMs, async () => {
        const { PutObjectCommand } = await import("@aws-sdk/client-s3");
        await (await connected()).send(
          new PutObjectCommand({ Bucket, Key: key, Body: bytes, ContentType: contentType }),
        );
      }),
    async uploadStream(key, pieces, contentType) {
      const { Upload } = await import("@aws-sdk/lib-storage");
      const failure: unknown[] = [];
      async function* source(): AsyncGenerator<Uint8Array> {
        try {
          yield* pieces;
        } catch (error) {
          failure.push(error);
          throw error;
        }
      }
      const client = await connect(options, LARGE_FILE_MS);
      try {
        const params = { Bucket, Key: key, Body: Readable.from(source()), ContentType: contentType };
        await new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE }).done();
      } catch (error) {
        if (failure.length > 0) throw failure[0];
        throw asVendorFailure(error);
      } finally {
        client.destroy();
      }
    },
    abortUploads: (key) =>
      callVendor(callMs, async () => {
        const { AbortMultipartUploadCommand, ListMultipartUploadsCommand } = await import("@aws-sdk/client-s3");
        const s3 = await connected();
        const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: key }));
        for (const { Key, UploadId } of Uploads) {
          if (Key === key) await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
        }
      }),
    remove: (keys) =>
      callVendor(callMs, async () => {
        if (keys.length === 0) return;
        const { DeleteObjectsCommand } = await import("@aws-sdk/client-s3");
        const s3 = await connected();
        for (let from = 0; from < keys.length; from += MAX_KEYS_PER_REMOVAL) {
          const Objects = keys.slice(from, from + MAX_KEYS_PER_REMOVAL).map((Key) => ({ Key }));
          const { Errors = [] } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
          if (Errors.length > 0) throw new Error(`${Errors.length} files were not removed.`);
        }
      }),
    async signedUrl(key, seconds) {
      const [sign, found] = await Promise.all([signer(), credentials()]);
      return sign(key, seconds, new Date(), found);
    },
    signedUpload: (key, contentType, size, seconds) =>
      callVendor(callMs, async () => {
        const [{ PutObjectCommand }, { getSignedUrl }] = await Promise.all([
          import("@aws-sdk/client-s3"),
          import("@aws-sdk/s3-request-presigner"),
        ]);
        const command = new PutObjectCommand({ Bucket, Key: key, ContentType: contentType, ContentLength: size });
        // The headers are signed, so the store refuses another type or size.
        const signableHeaders = new Set(["content-type", "content-length", "host"]);
        return getSignedUrl(await connected(), command, { expiresIn: seconds, signableHeaders });
      }),
    download: (key, maxBytes) =>
      callVendor(callMs, async () => {
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
    describe: (key) =>
      callVendor(callMs, async () => {
        const { HeadObjectCommand, NotFound } = await import("@aws-sdk/client-s3");
        try {
          const { ContentLength, ETag } = await (await connected()).send(new HeadObjectCommand({ Bucket, Key: key }));
          if (ContentLength === undefined || ETag === undefined)
            throw new Error("The store did not describe the file.");
          return { size: ContentLength, version: ETag };
        } catch (error) {
          if (error instanceof NotFound) return null;
          throw error;
        }
      }),
    async *list(prefix) {
      let next: string | undefined;
      do {
        const page = await callVendor(callMs, async () => {
          const { ListObjectsV2Command } = await import("@aws-sdk/client-s3");
          const command = new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: next });
          return (await connected()).send(command);
        });
        for (const { Key: key = "", Size: size = 0 } of page.Contents ?? []) yield { key, size };
        next = page.NextContinuationToken;
      } while (next !== undefined);
    },
    downloadTo: (into, key, version) =>
      callVendor(LARGE_FILE_MS, async () => {
        const { GetObjectCommand, S3ServiceException } = await import("@aws-sdk/client-s3");
        try {
          const command = new GetObjectCommand({ Bucket, Key: key, IfMatch: version });
          const { Body } = await (await connected()).send(command);
          if (Body === undefined) throw new Error("The store sent no file.");
          await into.writeFile(Body.transformToWebStream());
          return "loaded";
        } catch (error) {
          if (!(error instanceof S3ServiceException)) throw error;
          if (error.name === "NoSuchKey") return "missing";
          if (error.name === "PreconditionFailed") return "replaced";
          throw error;
        }
      }),
  };
}

/** Signs addresses of the bucket, whose own address the SDK knows. @throws AppError provider.failed */
async function signerOf(options: S3FilesOptions): Promise<ReturnType<typeof addressSigner>> {
  try {
    const { GetObjectCommand } = await import("@aws-sdk/client-s3");
    const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
    const client = await connect({ ...options, accessKeyId: "none", secretAccessKey: "none" });
    const { origin, pathname } = new URL(
      await getSignedUrl(client, new GetObjectCommand({ Bucket: options.bucket, Key: "key" })),
    );
    return addressSigner(origin + pathname.slice(0, -"key".length), options.region);
  } catch (error) {
    throw asVendorFailure(error);
  }
}

async function connect(options: S3FilesOptions, requestTimeout = REQUEST_TIMEOUT_MS): Promise<S3Client> {
  const { S3Client } = await import("@aws-sdk/client-s3");
  const { accessKeyId, secretAccessKey } = options;
  return new S3Client({
    region: options.region,
    // Other stores rarely have a host name for each bucket, and not all of them support the SDK's newer checksums.
    ...(options.endpoint === null ? {} : { endpoint: options.endpoint, forcePathStyle: true }),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(accessKeyId === null || secretAccessKey === null ? {} : { credentials: { accessKeyId, secretAccessKey } }),
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout,
      // Without this the SDK only logs a warning after the timeout, and continues to wait.
      throwOnRequestTimeout: true,
    },
  });
}
