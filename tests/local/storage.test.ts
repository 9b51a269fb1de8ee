import { open } from "node:fs/promises";
import { join } from "node:path";
import {
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { encode } from "fast-png";
import { Client } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCAL_FILES_REGION, LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { type FileStore, startFileStore } from "#local/stand-ins/file-store";
import { type PrivateFiles, s3Files } from "#providers/private-files";
import { type PublicImages, supabaseImages } from "#providers/public-images";
import { useDatabase } from "#tests/database";
import { startTestSupabase } from "#tests/supabase";
import { useFolder } from "./folder.ts";

const folder = useFolder();
const png = encode({ width: 2, height: 2, channels: 3, data: new Uint8Array(12).fill(200) });

function clientOf({ url, accessKeyId, secretAccessKey }: FileStore): S3Client {
  const credentials = { accessKeyId, secretAccessKey };
  return new S3Client({ region: LOCAL_FILES_REGION, endpoint: url, forcePathStyle: true, credentials });
}

describe("the private files, with Amazon's own SDK", () => {
  let store: FileStore;
  let files: PrivateFiles;
  const optionsWith = (accessKeyId: string) => ({
    bucket: store.bucket,
    region: LOCAL_FILES_REGION,
    endpoint: store.url,
    accessKeyId,
    secretAccessKey: store.secretAccessKey,
  });
  const filesWith = (accessKeyId: string) => s3Files(optionsWith(accessKeyId));

  beforeAll(async () => {
    store = await startFileStore({ folder: join(folder, "files") });
    files = filesWith(store.accessKeyId);
  });
  afterAll(() => store?.stop());

  test("can be read with a signed address only", async () => {
    const key = "photos/a person/1 & 2+3.png";
    await files.upload(key, png, "image/png");
    const url = await files.signedUrl(key, 60);
    const seen = await fetch(url);
    expect(seen.status).toBe(200);
    expect(seen.headers.get("content-type")).toBe("image/png");
    expect(new Uint8Array(await seen.arrayBuffer())).toEqual(new Uint8Array(png));
    expect(new URL(url).searchParams.get("X-Amz-Expires")).toBe("60");
    const unsigned = new URL(url);
    unsigned.search = "";
    expect((await fetch(unsigned)).status).toBe(403);
  });

  test("cannot be read after the signed address has expired", async () => {
    await files.upload("short.png", png, "image/png");
    const url = await files.signedUrl("short.png", 1);
    await expect.poll(async () => (await fetch(url)).status, { interval: 250 }).toBe(403);
  });

  test("take an upload to a signed address only with the announced type, size and name", async () => {
    const url = await files.signedUpload("upload 1+2.png", "image/png", png.length, 60);
    const put = (address: string, body: Uint8Array<ArrayBuffer>, type: string) =>
      fetch(address, { method: "PUT", body, headers: { "content-type": type } });
    const bytes = new Uint8Array(png);
    const elsewhere = url.replace("upload%201%2B2.png", "another.png");
    expect(elsewhere).not.toBe(url);
    const longer = url.replace("X-Amz-Expires=60", "X-Amz-Expires=600");
    const refused = [
      await put(url, bytes, "text/html"),
      await put(url, new Uint8Array([...bytes, 0]), "image/png"),
      await put(elsewhere, bytes, "image/png"),
      await put(longer, bytes, "image/png"),
      await put(url.replace(/X-Amz-Signature=..../, "X-Amz-Signature=0000"), bytes, "image/png"),
      await fetch(url),
    ];
    for (const response of refused) {
      expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("SignatureDoesNotMatch")]);
    }
    expect((await put(url, bytes, "image/png")).status).toBe(200);
    expect(await files.download("upload 1+2.png", 10_000)).toEqual(bytes);
  });

  test("say how large they are, and are loaded into a local file unless they were replaced", async () => {
    await files.upload("text.txt", new TextEncoder().encode("0123456789"), "text/plain");
    const { size, version = "" } = (await files.describe("text.txt")) ?? {};
    expect(size).toBe(10);
    expect(await files.describe("never-there.txt")).toBeNull();
    const into = await open(join(folder, "loaded.txt"), "w+");
    expect(await files.downloadTo(into, "text.txt", version)).toBe("loaded");
    expect((await into.read(Buffer.alloc(20), 0, 20, 0)).buffer.toString("utf8", 0, 11)).toBe("0123456789\0");
    expect(await files.downloadTo(into, "never-there.txt", version)).toBe("missing");
    await files.upload("text.txt", new TextEncoder().encode("9876543210"), "text/plain");
    expect(await files.downloadTo(into, "text.txt", version)).toBe("replaced");
    await into.close();
  });

  test("are stored piece by piece, in parts if they are large", async () => {
    async function* pieces(count: number): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < count; index += 1) yield new Uint8Array(1_000_000).fill(index);
    }
    for (const count of [1, 20]) {
      await files.uploadStream("large.bin", pieces(count), "application/zip");
      const stored = await files.download("large.bin", 100_000_000);
      expect(stored?.length).toBe(count * 1_000_000);
      expect(stored?.at(-1)).toBe(count - 1);
    }
  });

  test("are not stored, and leave no part, if their pieces fail", async () => {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < 20; index += 1) yield new Uint8Array(1_000_000);
      throw new Error("There are no more.");
    }
    await expect(files.uploadStream("failed.bin", pieces(), "application/zip")).rejects.toThrow("no more");
    expect(await files.describe("failed.bin")).toBeNull();
    const client = clientOf(store);
    expect((await client.send(new ListMultipartUploadsCommand({ Bucket: store.bucket }))).Uploads).toBeUndefined();
  });

  test("have no unfinished upload after it was aborted, and others keep theirs", async () => {
    const client = clientOf(store);
    for (const Key of ["a.zip", "a.zip.2", "a.zip"]) {
      await client.send(new CreateMultipartUploadCommand({ Bucket: store.bucket, Key }));
    }
    await files.abortUploads("a.zip");
    await files.abortUploads("a.zip");
    const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: store.bucket }));
    expect(Uploads?.map(({ Key }) => Key)).toEqual(["a.zip.2"]);
  });

  test("refuse a client with the wrong secret, and the removal of several files without a checksum", async () => {
    const impostor = s3Files({
      bucket: store.bucket,
      region: LOCAL_FILES_REGION,
      endpoint: store.url,
      accessKeyId: store.accessKeyId,
      secretAccessKey: "a guess",
    });
    await expect(impostor.upload("forged.png", png, "image/png")).rejects.toMatchObject({ code: "provider.failed" });
    expect((await fetch(await impostor.signedUrl("one.txt", 60))).status).toBe(403);
    expect((await fetch(await files.signedUrl("forged.png", 60))).status).toBe(404);
    const client = clientOf(store);
    // What the SDK adds by itself, an older client leaves out.
    client.middlewareStack.add(
      (next) => (args) => {
        const { request } = args;
        if (typeof request === "object" && request !== null && "headers" in request) {
          const headers = Object.entries(request.headers ?? {}).filter(([name]) => !/checksum|content-md5/i.test(name));
          Object.assign(request, { headers: Object.fromEntries(headers) });
        }
        return next(args);
      },
      { step: "build", priority: "low", name: "withoutChecksum" },
    );
    const removal = new DeleteObjectsCommand({ Bucket: store.bucket, Delete: { Objects: [{ Key: "x" }] } });
    await expect(client.send(removal)).rejects.toMatchObject({ name: "InvalidRequest" });
  });

  test("are replaced under the same key, and can be removed twice", async () => {
    await files.upload("one.txt", new TextEncoder().encode("before"), "text/plain");
    await files.upload("one.txt", new TextEncoder().encode("after"), "text/plain");
    await files.upload("two.txt", new TextEncoder().encode("two"), "text/plain");
    const url = await files.signedUrl("one.txt", 60);
    expect(await (await fetch(url)).text()).toBe("after");
    await files.remove(["one.txt", "two.txt"]);
    await files.remove(["one.txt", "never-there.txt"]);
    await files.remove([]);
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(await files.signedUrl("two.txt", 60))).status).toBe(404);
  });

  test("say nothing about the key or the store in an error", async () => {
    const failure = await filesWith("ANOTHER-KEY")
      .upload("secret-name.png", png, "image/png")
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "provider.failed", status: 500 });
    expect(String(failure)).not.toMatch(/secret-name|key/i);
  });

  test("report a port in use at once", async () => {
    await expect(startFileStore({ folder, port: Number(new URL(store.url).port) })).rejects.toThrow(
      "The file store cannot listen on port",
    );
  });
});

describe("the public images, with supabase-js", () => {
  const database = useDatabase();
  let images: PublicImages;
  let imagesWith: (secretKey: string) => PublicImages;

  beforeAll(async () => {
    const supabase = await startTestSupabase(database.adminUrl);
    imagesWith = (secretKey) => supabaseImages({ supabaseUrl: supabase.url, secretKey });
    images = imagesWith(LOCAL_SUPABASE_KEYS.secretKey);
    return supabase.stop;
  });

  test("can be read by anyone at their address until they are removed", async () => {
    const path = "user-1/pack-1/joy-1.png";
    await images.upload(path, png, "image/png");
    const seen = await fetch(images.urlOf(path));
    expect(seen.status).toBe(200);
    expect(seen.headers.get("content-type")).toBe("image/png");
    expect(new Uint8Array(await seen.arrayBuffer())).toEqual(new Uint8Array(png));
    await images.upload(path, png, "image/png");
    expect(await images.download(path)).toEqual(new Uint8Array(png));
    await images.remove([path]);
    expect(await images.download(path)).toBeNull();
    await images.remove([path]);
    await images.remove([]);
    expect((await fetch(images.urlOf(path))).status).not.toBe(200);
  });

  /** By a connection of its own: the server may close the one on which it refused a body. */
  async function isPublic(path: string): Promise<boolean> {
    const { origin, pathname } = new URL(images.urlOf(path));
    const client = new Client(origin);
    try {
      const { statusCode, body } = await client.request({ method: "GET", path: pathname });
      await body.dump();
      return statusCode === 200;
    } finally {
      await client.close();
    }
  }

  test("are images of up to 5 MB and nothing else", async () => {
    await images.upload("full.webp", new Uint8Array(5_242_880), "image/webp");
    await expect(images.upload("a.txt", new TextEncoder().encode("text"), "text/plain")).rejects.toMatchObject({
      code: "provider.failed",
    });
    await expect(images.upload("big.png", new Uint8Array(5_242_881), "image/png")).rejects.toMatchObject({
      code: "provider.failed",
    });
    expect([await isPublic("full.webp"), await isPublic("a.txt"), await isPublic("big.png")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("can be written with the secret key only", async () => {
    await expect(
      imagesWith(LOCAL_SUPABASE_KEYS.publishableKey).upload("b.png", png, "image/png"),
    ).rejects.toMatchObject({
      code: "provider.failed",
    });
    expect((await fetch(images.urlOf("b.png"))).ok).toBe(false);
  });
});
