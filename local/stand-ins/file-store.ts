import { join } from "node:path";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { html } from "hono/html";
import { LOCAL_FILES_BUCKET, LOCAL_FILES_KEY, LOCAL_FILES_REGION } from "../settings/local-defaults.ts";
import type { Html } from "../support/html.ts";
import { S3Error } from "./s3-error.ts";
import { type Objects, openObjects } from "./s3-objects.ts";
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
const OBJECT = "/:bucket/:key{.+}";
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
    c.status(status);
    return xmlResponse(c, "Error", { Code: code, Message: message, ...details });
  });
  app.use(cors({ origin: "*", allowMethods: ["GET", "HEAD", "PUT", "POST", "DELETE"], exposeHeaders: ["ETag"] }));
  app.use(async (c, next) => {
    await checkSignature(c.req.raw, await bodyOf(c), key, now());
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
    const { uploads, prefix = "", "continuation-token": after = "" } = c.req.query();
    if (uploads !== undefined) {
      const listed = objects.listUploads(prefix).map(([id, path]) => ({ Upload: { Key: path, UploadId: id } }));
      return xmlResponse(c, "ListMultipartUploadsResult", listed);
    }
    const isAfter = (path: string) => Buffer.compare(Buffer.from(path), Buffer.from(after)) > 0;
    const rest = (await objects.keys(prefix)).filter(isAfter);
    const isTruncated = rest.length > MAX_KEYS;
    const keys = rest.slice(0, MAX_KEYS);
    const next = isTruncated ? [{ NextContinuationToken: keys.at(-1) ?? "" }] : [];
    const sizes = await Promise.all(keys.map(async (path) => (await objects.get(path)).bytes.length));
    const contents = keys.map((path, index) => ({ Contents: { Key: path, Size: String(sizes[index]) } }));
    return xmlResponse(c, "ListBucketResult", [{ IsTruncated: String(isTruncated) }, ...next, ...contents]);
  });
  app.on("POST", BUCKET, async (c) => {
    if (!Object.keys(c.req.header()).some((name) => /^(content-md5|x-amz-checksum-\w+)$/.test(name))) {
      const message = "Missing required header for this request: Content-MD5 OR x-amz-checksum-*";
      throw new S3Error(400, "InvalidRequest", message);
    }
    const keys = textsIn(await c.req.text(), "Key");
    if (keys.length === 0 || keys.length > MAX_KEYS) {
      throw new S3Error(400, "MalformedXML", "The XML you provided was not well-formed or did not validate.");
    }
    await Promise.all(keys.map(objects.delete));
    // S3 responds so to a client that asks for errors only (`Quiet`).
    return xmlResponse(c, "DeleteResult", {});
  });
  app.put(OBJECT, async (c) => {
    const { uploadId, partNumber } = c.req.query();
    const [path, bytes] = [c.req.param("key"), await bodyOf(c)];
    const etag =
      uploadId === undefined
        ? await objects.put(path, typeOf(c), bytes)
        : objects.putPart(path, uploadId, Number(partNumber), bytes);
    return c.body(null, 200, { etag });
  });
  app.post(OBJECT, async (c) => {
    const [path, uploadId] = [c.req.param("key"), c.req.query("uploadId")];
    if (uploadId === undefined) {
      return xmlResponse(c, "InitiateMultipartUploadResult", { UploadId: objects.beginUpload(path, typeOf(c)) });
    }
    const body = await c.req.text();
    const [numbers, etags] = [textsIn(body, "PartNumber"), textsIn(body, "ETag")];
    const parts = numbers.map((number, index) => [Number(number), etags[index] ?? ""] as const);
    return xmlResponse(c, "CompleteMultipartUploadResult", {
      ETag: await objects.completeUpload(path, uploadId, parts),
    });
  });
  app.get(OBJECT, async (c) => {
    const { headers, bytes } = await objects.get(c.req.param("key"));
    if (![undefined, headers.etag].includes(c.req.header("if-match"))) {
      throw new S3Error(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
    }
    return c.body(bytes, 200, { ...headers, "content-length": String(bytes.length) });
  });
  app.delete(OBJECT, async (c) => {
    const [path, uploadId] = [c.req.param("key"), c.req.query("uploadId")];
    if (uploadId === undefined) await objects.delete(path);
    else objects.abortUpload(path, uploadId);
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

/** Elements by their names. */
type Elements = { readonly [name: string]: string | Elements } | readonly Elements[];

/** Responds with a document; a text in it is escaped as in HTML, which XML shares. */
async function xmlResponse(c: Context, root: string, content: Elements): Promise<Response> {
  const document = `<?xml version="1.0" encoding="UTF-8"?>\n${await elementsOf({ [root]: content })}`;
  return c.body(document, { headers: { "content-type": "application/xml" } });
}

function elementsOf(content: Elements): Html {
  const written = [content].flat().flatMap((one) => Object.entries(one));
  return html`${written.map(([name, value]) => html`<${name}>${typeof value === "string" ? value : elementsOf(value)}</${name}>`)}`;
}

/** The texts of all elements with a name. */
function textsIn(document: string, name: string): string[] {
  return [...document.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) =>
    unescapeXml(text),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#x([\da-fA-F]+)|#(\d+)|(\w+));/g, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
