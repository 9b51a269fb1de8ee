import { createHash } from "node:crypto";
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { type FileStore, startFileStore } from "@nectar/local/stand-ins/file-store";
import { beforeEach, describe, expect, test } from "vitest";
import { useFolder } from "./folder.ts";

const folder = useFolder();
const KEYS = ["a/1.txt", "a/2 & <3>.txt", "a/é 100%.txt", "a", "b..c.txt", "+ 'quoted' \"*\".txt"];
let store: FileStore;
let s3: S3Client;
let folders = 0;

async function start(into: string): Promise<void> {
  store = await startFileStore({ folder: into });
  s3 = clientIn("us-east-1");
}

function clientIn(region: string): S3Client {
  return new S3Client({
    region,
    endpoint: store.url,
    forcePathStyle: true,
    credentials: { accessKeyId: store.accessKeyId, secretAccessKey: store.secretAccessKey },
  });
}
beforeEach(async () => {
  folders += 1;
  await start(`${folder}/${folders}`);
  return () => store.stop();
});

const put = (Key: string, Body: string, ContentType = "text/plain") =>
  s3.send(new PutObjectCommand({ Bucket: store.bucket, Key, Body, ContentType }));
const read = async (Key: string) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: store.bucket, Key }));
  return Body?.transformToString();
};
const list = (options: { Prefix?: string; MaxKeys?: number; ContinuationToken?: string; StartAfter?: string }) =>
  s3.send(new ListObjectsV2Command({ Bucket: store.bucket, ...options }));

describe("the file store, with Amazon's own SDK", () => {
  test.each(KEYS)("puts, gets, heads and deletes %j", async (Key) => {
    const stored = await put(Key, "text", "text/markdown");
    const etag = `"${createHash("md5").update("text").digest("hex")}"`;
    expect(stored.ETag).toBe(etag);
    expect(await read(Key)).toBe("text");
    const head = await s3.send(new HeadObjectCommand({ Bucket: store.bucket, Key }));
    expect(head).toMatchObject({ ContentType: "text/markdown", ContentLength: 4, ETag: etag });
    expect(head.LastModified).toBeInstanceOf(Date);
    await s3.send(new DeleteObjectCommand({ Bucket: store.bucket, Key }));
    await s3.send(new DeleteObjectCommand({ Bucket: store.bucket, Key }));
    await expect(read(Key)).rejects.toMatchObject({ name: "NoSuchKey", $metadata: { httpStatusCode: 404 } });
  });

  test("lists by prefix in pages, in the order of the keys' bytes", async () => {
    for (const key of KEYS) await put(key, key);
    expect((await list({})).Contents?.map(({ Key }) => Key)).toEqual(
      KEYS.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))),
    );
    const first = await list({ Prefix: "a/", MaxKeys: 2 });
    expect(first).toMatchObject({ IsTruncated: true, KeyCount: 2, Prefix: "a/" });
    const { NextContinuationToken: ContinuationToken = "" } = first;
    const second = await list({ Prefix: "a/", MaxKeys: 2, ContinuationToken });
    expect(second).toMatchObject({ IsTruncated: false, KeyCount: 1 });
    const found = [...(first.Contents ?? []), ...(second.Contents ?? [])];
    expect(found.map(({ Key, Size }) => [Key, Size])).toEqual([
      ["a/1.txt", 7],
      ["a/2 & <3>.txt", 13],
      ["a/é 100%.txt", 13],
    ]);
    expect((await list({ StartAfter: "a/2" })).Contents?.[0]?.Key).toBe("a/2 & <3>.txt");
    expect(await list({ Prefix: "none" })).toMatchObject({ IsTruncated: false, KeyCount: 0 });
  });

  test("deletes several, and says which unless it is asked to be quiet", async () => {
    for (const key of KEYS) await put(key, key);
    const Objects = KEYS.slice(1).map((Key) => ({ Key }));
    const Bucket = store.bucket;
    const { Deleted } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(Deleted).toEqual(Objects);
    expect(await store.keys()).toEqual(KEYS.slice(0, 1));
    const quiet = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    expect(quiet.Deleted ?? []).toEqual([]);
    const tooMany = Array.from({ length: 1_001 }, (_, index) => ({ Key: `${index}` }));
    const refused = s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: tooMany } }));
    await expect(refused).rejects.toMatchObject({ name: "MalformedXML" });
  });

  test("has its files after a restart", async () => {
    await put("kept.txt", "kept");
    await store.stop();
    await start(`${folder}/${folders}`);
    expect(await read("kept.txt")).toBe("kept");
    expect(await store.keys()).toEqual(["kept.txt"]);
  });

  test("shows a whole object while it is replaced", async () => {
    const texts = ["a", "b"].map((letter) => letter.repeat(200_000));
    await put("busy.txt", texts[0] ?? "");
    const seen = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await put("busy.txt", texts[index % 2] ?? "");
        return read("busy.txt");
      }),
    );
    expect(seen.filter((text) => !texts.includes(text ?? ""))).toEqual([]);
  });

  test("knows only its bucket, and refuses what it cannot do", async () => {
    const elsewhere = s3.send(new GetObjectCommand({ Bucket: "another", Key: "x" }));
    await expect(elsewhere).rejects.toMatchObject({ name: "NoSuchBucket" });
    const versioned = s3.send(new GetObjectCommand({ Bucket: store.bucket, Key: "x", VersionId: "1" }));
    await expect(versioned).rejects.toMatchObject({ name: "NotImplemented" });
    await expect(put("x".repeat(300), "text")).rejects.toMatchObject({ name: "KeyTooLongError" });
  });

  test("redirects a client of another region to its own", async () => {
    const elsewhere = clientIn("eu-west-1");
    const moved = elsewhere.send(new PutObjectCommand({ Bucket: store.bucket, Key: "x", Body: "text" }));
    await expect(moved).rejects.toMatchObject({
      name: "PermanentRedirect",
      Bucket: store.bucket,
      $metadata: { httpStatusCode: 301 },
      $response: { headers: { "x-amz-bucket-region": "us-east-1" } },
    });
    const head = elsewhere.send(new HeadObjectCommand({ Bucket: store.bucket, Key: "x" }));
    await expect(head).rejects.toMatchObject({ $metadata: { httpStatusCode: 301 } });
    expect(await store.keys()).toEqual([]);
  });

  test("lets pages of other origins send and read", async () => {
    const headers = { origin: "https://app.test", "access-control-request-method": "PUT" };
    const preflight = await fetch(`${store.url}/${store.bucket}/x`, { method: "OPTIONS", headers });
    expect([preflight.ok, preflight.headers.get("access-control-allow-origin")]).toEqual([true, "*"]);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PUT");
    const refused = await fetch(`${store.url}/${store.bucket}/x`, { headers });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([403, "*"]);
  });
});
