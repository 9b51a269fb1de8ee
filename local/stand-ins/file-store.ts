import { join } from "node:path";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { html } from "hono/html";
import { LOCAL_FILES_BUCKET, LOCAL_FILES_KEY, LOCAL_FILES_REGION } from "../settings/local-defaults.ts";
import { element, errorResponse, S3Error, xmlResponse } from "./s3-error.ts";
import { type ObjectHead, type Objects, openObjects } from "./s3-objects.ts";
import { checkSignature } from "./s3-signature.ts";
import { openUploads, type Uploads } from "./s3-uploads.ts";
import { type StandIn, serveStandIn } from "./server.ts";

/** A running file store, and what a client of S3 needs to use it. */
export interface FileStore extends StandIn {
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The keys of its files that begin with a prefix, sorted. */
  keys(prefix?: string): Promise<string[]>;
}

/** How the file store is set up. */
export interface FileStoreOptions {
  /** Any free one if left out. */
  readonly port?: number;
  readonly folder: string;
  /** Id and secret of the only key that it accepts; that of `npm run dev` if left out. */
  readonly accessKey?: string;
  /** The clock that signatures are checked with. */
  readonly now?: () => Date;
}

const BUCKET = ["/:bucket", "/:bucket/"];
const WRONG_REGION =
  "The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint.";
/** Maximum number of keys of a listing, and of a removal. */
const MAX_KEYS = 1_000;
/** In bytes as encoded: the name of a file may have 255 on Linux. */
const MAX_KEY_LENGTH = 240;
/** Parameters of what the stand-in can do; those of signatures start with `X-Amz-`. */
const KNOWN_PARAMETERS = [
  ...["x-id", "list-type", "prefix", "max-keys", "start-after", "continuation-token", "delete"],
  ...["uploads", "uploadId", "partNumber"],
];

/**
 * Starts a store on 127.0.0.1 that speaks the protocol of Amazon S3, with our bucket in it: put, get (also a range of
 * bytes) and delete objects, upload one in parts, delete several, and list them. Its files are in `folder`, which is
 * created if it is missing. Like S3 it refuses a request without a signature, or with a wrong or expired one.
 * @throws StartupProblem if the port is in use
 */
export async function startFileStore(options: FileStoreOptions): Promise<FileStore> {
  const { port = 0, folder, accessKey = LOCAL_FILES_KEY, now = () => new Date() } = options;
  const objects = await openObjects(join(folder, LOCAL_FILES_BUCKET));
  const uploads = openUploads(join(folder, "uploads"), objects);
  const server = await serveStandIn(fileStore(objects, uploads, accessKey, now), port, "The file store");
  return {
    ...server,
    bucket: LOCAL_FILES_BUCKET,
    accessKeyId: accessKey,
    secretAccessKey: accessKey,
    keys: objects.keys,
  };
}

function fileStore(objects: Objects, uploads: Uploads, accessKey: string, now: () => Date): Hono {
  const app = new Hono();
  app.onError((error, c) => errorResponse(c, error));
  app.use(cors({ origin: "*", allowMethods: ["GET", "HEAD", "PUT", "POST", "DELETE"], exposeHeaders: ["ETag"] }));
  app.use(async (c, next) => {
    const region = checkSignature(c.req.raw, await bodyOf(c), { id: accessKey, secret: accessKey }, now());
    if (region !== LOCAL_FILES_REGION) {
      c.header("x-amz-bucket-region", LOCAL_FILES_REGION);
      const details = { Endpoint: new URL(c.req.url).host, Bucket: LOCAL_FILES_BUCKET };
      throw new S3Error(301, "PermanentRedirect", WRONG_REGION, details);
    }
    const unknown = Object.keys(c.req.query()).find(
      (name) => !name.startsWith("X-Amz-") && !KNOWN_PARAMETERS.includes(name),
    );
    if (unknown !== undefined) throw new S3Error(501, "NotImplemented", `The stand-in does not know ${unknown}.`);
    await next();
  });
  app.use("/:bucket/*", async (c, next) => {
    if (c.req.param("bucket") === LOCAL_FILES_BUCKET) return next();
    throw new S3Error(404, "NoSuchBucket", "The specified bucket does not exist");
  });

  app.on("GET", BUCKET, async (c) => {
    const { uploads: asked, prefix } = c.req.query();
    return xmlResponse(
      c,
      await (asked === undefined ? listing(objects, c.req.query()) : uploadListing(uploads, prefix)),
    );
  });
  app.on("POST", BUCKET, async (c) => {
    const quiet = /<Quiet>true<\/Quiet>/.test(await c.req.text());
    const keys = keysToDelete(c.req.header(), await c.req.text());
    await Promise.all(keys.map((key) => objects.delete(key)));
    const deleted = quiet ? [] : keys.map((key) => html`<Deleted>${element("Key", key)}</Deleted>`);
    return xmlResponse(c, html`<DeleteResult>${deleted}</DeleteResult>`);
  });
  app.put("/:bucket/:key{.+}", async (c) => {
    const key = c.req.param("key");
    const { uploadId, partNumber } = c.req.query();
    if (uploadId !== undefined) {
      return c.body(null, 200, { etag: await uploads.put(key, uploadId, Number(partNumber), await bodyOf(c)) });
    }
    checkLength(key);
    const head = await objects.put(key, await bodyOf(c), c.req.header("content-type") ?? "binary/octet-stream");
    return c.body(null, 200, { etag: head.etag });
  });
  app.post("/:bucket/:key{.+}", async (c, next) => {
    const key = c.req.param("key");
    const { uploadId, uploads: creates } = c.req.query();
    if (creates !== undefined) {
      checkLength(key);
      const id = await uploads.create(key, c.req.header("content-type") ?? "binary/octet-stream");
      return xmlResponse(
        c,
        html`<InitiateMultipartUploadResult>${uploadElements(key, id)}</InitiateMultipartUploadResult>`,
      );
    }
    if (uploadId === undefined) return next();
    const { etag } = await uploads.complete(key, uploadId, partsOf(await c.req.text()));
    const names = html`${element("Bucket", LOCAL_FILES_BUCKET)}${element("Key", key)}${element("ETag", etag)}`;
    return xmlResponse(c, html`<CompleteMultipartUploadResult>${names}</CompleteMultipartUploadResult>`);
  });
  app.get("/:bucket/:key{.+}", async (c) => {
    const key = c.req.param("key");
    const head = await objects.head(key);
    const range = c.req.header("range");
    if (head !== null && c.req.method === "HEAD") return c.body(null, 200, headersOf(head));
    const expected = c.req.header("if-match");
    if (head !== null && expected !== undefined && expected !== head.etag) {
      throw new S3Error(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
    }
    if (head !== null && range !== undefined) return rangeResponse(c, objects, key, head, range);
    const object = await objects.get(key);
    if (object === null) throw new S3Error(404, "NoSuchKey", "The specified key does not exist.");
    return c.body(object.bytes, 200, headersOf(object.head));
  });
  app.delete("/:bucket/:key{.+}", async (c) => {
    const uploadId = c.req.query("uploadId");
    if (uploadId === undefined) await objects.delete(c.req.param("key"));
    else await uploads.abort(c.req.param("key"), uploadId);
    return c.body(null, 204);
  });
  app.all("*", () => {
    throw new S3Error(405, "MethodNotAllowed", "The specified method is not allowed against this resource.");
  });
  return app;
}

/** Responds with a part of an object. @param range as in `bytes=0-99`; the stand-in knows no other form */
async function rangeResponse(c: Context, objects: Objects, key: string, head: ObjectHead, range: string) {
  const [, first = "", last = ""] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  if (first === "") throw new S3Error(501, "NotImplemented", "The stand-in knows ranges such as bytes=0-99 only.");
  const from = Number(first);
  const length = Math.min(Number(last), head.size - 1) - from + 1;
  const bytes = length > 0 ? await objects.getRange(key, from, length) : null;
  if (bytes === null) throw new S3Error(416, "InvalidRange", "The requested range is not satisfiable");
  const part = { "content-length": String(length), "content-range": `bytes ${from}-${from + length - 1}/${head.size}` };
  return c.body(bytes, 206, { ...headersOf(head), ...part });
}

async function bodyOf(c: Context): Promise<Uint8Array> {
  return new Uint8Array(await c.req.arrayBuffer());
}

function headersOf({ contentType, etag, size, modifiedAt }: ObjectHead): Record<string, string> {
  return {
    "content-type": contentType,
    "content-length": String(size),
    etag,
    "last-modified": new Date(modifiedAt).toUTCString(),
  };
}

async function listing(objects: Objects, query: Record<string, string>) {
  const { prefix = "", "start-after": startAfter = "", "continuation-token": token, "max-keys": max } = query;
  if (query["list-type"] !== "2") throw new S3Error(501, "NotImplemented", "The stand-in lists with version 2 only.");
  const after = token === undefined ? startAfter : Buffer.from(token, "base64url").toString();
  const size = Math.min(Number(max ?? MAX_KEYS), MAX_KEYS);
  const rest = (await objects.keys(prefix)).filter((key) => Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0);
  const keys = rest.slice(0, size);
  const isTruncated = rest.length > size;
  const heads = await Promise.all(keys.map(async (key) => ({ key, head: await objects.head(key) })));
  // An object may have been deleted since.
  const contents = heads.map(({ key, head }) =>
    head === null
      ? ""
      : html`<Contents>${element("Key", key)}${element("LastModified", new Date(head.modifiedAt).toISOString())}${element("ETag", head.etag)}${element("Size", head.size)}<StorageClass>STANDARD</StorageClass></Contents>`,
  );
  const next = isTruncated
    ? element("NextContinuationToken", Buffer.from(keys.at(-1) ?? "").toString("base64url"))
    : "";
  return html`<ListBucketResult>${element("Name", LOCAL_FILES_BUCKET)}${element("Prefix", prefix)}${element("MaxKeys", size)}${element("KeyCount", keys.length)}${element("IsTruncated", isTruncated)}${next}${contents}</ListBucketResult>`;
}

async function uploadListing(uploads: Uploads, prefix = "") {
  const found = await uploads.list(prefix);
  const listed = found.map(
    ({ id, key, begunAt }) =>
      html`<Upload>${element("Key", key)}${element("UploadId", id)}${element("Initiated", new Date(begunAt).toISOString())}</Upload>`,
  );
  return html`<ListMultipartUploadsResult>${element("Bucket", LOCAL_FILES_BUCKET)}${element("Prefix", prefix)}${element("IsTruncated", false)}${listed}</ListMultipartUploadsResult>`;
}

function uploadElements(key: string, id: string) {
  return html`${element("Bucket", LOCAL_FILES_BUCKET)}${element("Key", key)}${element("UploadId", id)}`;
}

/** The parts in the body that completes an upload. */
function partsOf(body: string) {
  return [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]) => ({
    number: Number(/<PartNumber>(\d+)<\/PartNumber>/.exec(part)?.[1]),
    etag: unescapeXml(/<ETag>([^<]*)<\/ETag>/.exec(part)?.[1] ?? ""),
  }));
}

function checkLength(key: string): void {
  if (encodeURIComponent(key).length > MAX_KEY_LENGTH) {
    throw new S3Error(400, "KeyTooLongError", "Your key is too long");
  }
}

/** The keys in the body of a removal. */
function keysToDelete(headers: Record<string, string>, body: string): string[] {
  if (!Object.keys(headers).some((name) => /^(content-md5|x-amz-checksum-\w+)$/.test(name))) {
    const message = "Missing required header for this request: Content-MD5 OR x-amz-checksum-*";
    throw new S3Error(400, "InvalidRequest", message);
  }
  const keys = [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, text = ""]) => unescapeXml(text));
  if (keys.length > 0 && keys.length <= MAX_KEYS) return keys;
  throw new S3Error(400, "MalformedXML", "The XML you provided was not well-formed or did not validate.");
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#x([\da-fA-F]+)|#(\d+)|(\w+));/g, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
