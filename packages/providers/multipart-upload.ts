import type { S3Client } from "@aws-sdk/client-s3";
import { callVendor } from "./call-vendor.ts";

/** A part of a file that is stored in parts, and what the store called it. */
export interface StoredPart {
  /** 1 to 10,000; a part with the same number replaces it until the upload is completed. */
  readonly number: number;
  readonly etag: string;
}

/** Files that are stored part by part, because they do not fit into memory. */
export interface MultipartUploads {
  /**
   * Begins to store a file in parts.
   * @returns the id of the upload
   * @throws AppError provider.failed
   */
  createUpload(key: string, contentType: string): Promise<string>;
  /**
   * Stores a part. All but the last one must have at least `MIN_PART_BYTES`.
   * @returns its etag
   * @throws AppError provider.failed
   */
  uploadPart(key: string, uploadId: string, number: number, bytes: Uint8Array): Promise<string>;
  /**
   * Makes the parts one file, which replaces one with the same key.
   * @param parts in the order of their numbers
   * @throws AppError provider.failed
   */
  completeUpload(key: string, uploadId: string, parts: readonly StoredPart[]): Promise<void>;
  /**
   * Ends all unfinished uploads of a file and removes their parts.
   * @throws AppError provider.failed
   */
  abortUploads(key: string): Promise<void>;
}

/** S3 takes no smaller part but as the last one. */
export const MIN_PART_BYTES = 5 * 1024 * 1024;
/** Timeout of completing an upload: the store has to look at all its parts. */
const COMPLETION_MS = 120_000;

/** Uploads in parts to a bucket of S3. */
export function multipartUploads(Bucket: string, connected: () => Promise<S3Client>, callMs: number): MultipartUploads {
  return {
    createUpload: (key, contentType) =>
      callVendor(callMs, async () => {
        const { CreateMultipartUploadCommand } = await import("@aws-sdk/client-s3");
        const command = new CreateMultipartUploadCommand({ Bucket, Key: key, ContentType: contentType });
        return required((await (await connected()).send(command)).UploadId);
      }),
    uploadPart: (key, uploadId, number, bytes) =>
      callVendor(callMs, async () => {
        const { UploadPartCommand } = await import("@aws-sdk/client-s3");
        const part = { Bucket, Key: key, UploadId: uploadId, PartNumber: number, Body: bytes };
        return required((await (await connected()).send(new UploadPartCommand(part))).ETag);
      }),
    completeUpload: (key, uploadId, parts) =>
      callVendor(COMPLETION_MS, async () => {
        const { CompleteMultipartUploadCommand } = await import("@aws-sdk/client-s3");
        const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
        const upload = { Bucket, Key: key, UploadId: uploadId, MultipartUpload: { Parts } };
        // The timeout of other requests is too short for a store that sends nothing before it is done.
        await (await connected()).send(new CompleteMultipartUploadCommand(upload), { requestTimeout: COMPLETION_MS });
      }),
    abortUploads: (key) =>
      callVendor(callMs, async () => {
        const { AbortMultipartUploadCommand, ListMultipartUploadsCommand } = await import("@aws-sdk/client-s3");
        const s3 = await connected();
        const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: key }));
        for (const { Key, UploadId } of Uploads) {
          if (Key === key) await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
        }
      }),
  };
}

function required(value: string | undefined): string {
  if (value === undefined) throw new Error("The store left out a part of its response.");
  return value;
}
