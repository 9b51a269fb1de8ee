import { join } from "node:path";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { LOCAL_FILES_BUCKET, LOCAL_FILES_KEY, LOCAL_FILES_REGION } from "../settings/local-defaults.ts";
import type { Html } from "../support/html.ts";
import { S3Error } from "./s3-error.ts";
import { type ObjectHead, type Objects, openObjects } from "./s3-objects.ts";
import { checkSignature, type S3Key } from "./s3-signature.ts";
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
/** Maximum number of keys of a listing, and of a removal. */
const MAX_KEYS = 1_000;
/** Parameters of what the stand-in can do; those of signatures start with `X-Amz-`. */
const KNOWN_PARAMETERS = [
  ...["x-id", "list-type", "prefix", "continuation-token", "delete"],
  ...["uploads", "uploadId", "partNumber"],
];

/**
 * Starts a store on 127.0.0.1 that speaks the protocol of Amazon S3, with our bucket in it: put, get and delete objects,
 * upload one in parts, delete several, and list them. Its files are in `folder`, which is created if it is missing. Like
 * S3 it refuses a request without a signature, or with a wrong or expired one.
 * @throws StartupProblem if the port is in use
 */
export async function startFileStore(options: FileStoreOptions): Promise<FileStore> {
  const { port = 0, folder, accessKey = LOCAL_FILES_KEY, now = () => new Date() } = options;
  const objects = await openObjects(join(folder, LOCAL_FILES_BUCKET));
  const app = fileStore(objects, { id: accessKey, secret: accessKey, region: LOCAL_FILES_REGION }, now);
  const server = await serveStandIn(app, port, "The file store");
  return {
    ...server,
    bucket: LOCAL_FILES_BUCKET,
    accessKeyId: accessKey,
    secretAccessKey: accessKey,
    keys: objects.keys,
  };
}

function fileStore(objects: Objects, key: S3Key, now: () => Date): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    const { status, code, message, details } =
      error instanceof S3Error ? error : new S3Error(500, "InternalError", "It failed.");
    const elements = Object.entries({ Code: code, Message: message, ...details });
    const root = html`<Error>${elements.map(([name, text]) => element(name, text))}</Error>`;
    return xmlResponse(c, root, status);
  });
  app.use(cors({ origin: "*", allowMethods: ["GET", "HEAD", "PUT", "POST", "DELETE"], exposeHeaders: ["ETag"] }));
  app.use(async (c, next) => {
    checkSignature(c.req.raw, await bodyOf(c), key, now());
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
    const { uploads, prefix = "", "continuation-token": token = "" } = c.req.query();
    if (uploads !== undefined) {
      const listed = objects
        .listUploads(prefix)
        .map(({ id, key }) => html`<Upload>${element("Key", key)}${element("UploadId", id)}</Upload>`);
      return xmlResponse(c, html`<ListMultipartUploadsResult>${listed}</ListMultipartUploadsResult>`);
    }
    const after = Buffer.from(token, "base64url");
    const rest = (await objects.keys(prefix)).filter((key) => Buffer.compare(Buffer.from(key), after) > 0);
    const keys = rest.slice(0, MAX_KEYS);
    const isTruncated = rest.length > keys.length;
    const next = isTruncated ? Buffer.from(keys.at(-1) ?? "").toString("base64url") : "";
    return xmlResponse(
      c,
      html`<ListBucketResult>${element("IsTruncated", String(isTruncated))}${next && element("NextContinuationToken", next)}${keys.map((key) => html`<Contents>${element("Key", key)}</Contents>`)}</ListBucketResult>`,
    );
  });
  app.on("POST", BUCKET, async (c) => {
    await Promise.all(keysToDelete(c.req.header(), await c.req.text()).map(objects.delete));
    // S3 responds so to a client that asks for errors only (`Quiet`).
    return xmlResponse(c, html`<DeleteResult></DeleteResult>`);
  });
  app.put("/:bucket/:key{.+}", async (c) => {
    const { uploadId, partNumber } = c.req.query();
    const [path, bytes] = [c.req.param("key"), await bodyOf(c)];
    const etag = await (uploadId === undefined
      ? objects.put(path, bytes, typeOf(c))
      : objects.putPart(path, uploadId, Number(partNumber), bytes));
    return c.body(null, 200, { etag });
  });
  app.post("/:bucket/:key{.+}", async (c) => {
    const path = c.req.param("key");
    const { uploadId } = c.req.query();
    if (uploadId === undefined) {
      const id = element("UploadId", objects.beginUpload(path, typeOf(c)));
      return xmlResponse(c, html`<InitiateMultipartUploadResult>${id}</InitiateMultipartUploadResult>`);
    }
    const etag = await objects.completeUpload(path, uploadId, partsOf(await c.req.text()));
    return xmlResponse(
      c,
      html`<CompleteMultipartUploadResult>${element("ETag", etag)}</CompleteMultipartUploadResult>`,
    );
  });
  app.get("/:bucket/:key{.+}", async (c) => {
    const path = c.req.param("key");
    if (c.req.method === "HEAD") {
      const head = await objects.head(path);
      return head === null ? c.body(null, 404) : c.body(null, 200, headersOf(head));
    }
    const object = await objects.get(path);
    if (object === null) throw new S3Error(404, "NoSuchKey", "The specified key does not exist.");
    const { head, bytes } = object;
    if (![undefined, head.etag].includes(c.req.header("if-match"))) {
      throw new S3Error(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
    }
    return c.body(bytes, 200, headersOf(head));
  });
  app.delete("/:bucket/:key{.+}", async (c) => {
    const uploadId = c.req.query("uploadId");
    await (uploadId === undefined
      ? objects.delete(c.req.param("key"))
      : objects.abortUpload(c.req.param("key"), uploadId));
    return c.body(null, 204);
  });
  return app;
}

async function bodyOf(c: Context): Promise<Uint8Array> {
  return new Uint8Array(await c.req.arrayBuffer());
}

function typeOf(c: Context): string {
  return c.req.header("content-type") ?? "binary/octet-stream";
}

function headersOf({ contentType, etag, size, modifiedAt }: ObjectHead): Record<string, string> {
  return {
    "content-type": contentType,
    "content-length": String(size),
    etag,
    "last-modified": new Date(modifiedAt).toUTCString(),
  };
}

/** Responds with a document; a value in its template is escaped as in HTML, which XML shares. */
async function xmlResponse(c: Context, root: Html, status: ContentfulStatusCode = 200) {
  return c.body(`<?xml version="1.0" encoding="UTF-8"?>\n${await root}`, status, { "content-type": "application/xml" });
}

function element(name: string, text: string): Html {
  return html`<${name}>${text}</${name}>`;
}

/** The parts in the body that completes an upload. */
function partsOf(body: string) {
  return [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]) => ({
    number: Number(/<PartNumber>(\d+)<\/PartNumber>/.exec(part)?.[1]),
    etag: unescapeXml(/<ETag>([^<]*)<\/ETag>/.exec(part)?.[1] ?? ""),
  }));
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
