import { mkdir } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { listenLocally } from "../listen.ts";
import { LOCAL_FILES_BUCKET, LOCAL_FILES_KEY } from "../local-defaults.ts";
import { signatureProblem } from "./s3-signature.ts";
import type { StandIn } from "./server.ts";

/** A running file store, and what a client of S3 needs to use it. */
export interface FileStore extends StandIn {
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Starts a store that speaks the protocol of Amazon S3 on 127.0.0.1, with our bucket in it. Its files live in `folder`,
 * which is created if it is missing. Like S3 it refuses a request without a signature, with a wrong or expired one, or of an
 * unknown key, and the removal of several files without a checksum.
 * @param options.port any free one if left out.
 * @throws StartupProblem if the port is in use
 */
export async function startFileStore(options: { port?: number; folder: string }): Promise<FileStore> {
  // Loaded on first use, because loading takes a while.
  const { default: S3rver } = await import("s3rver");
  await mkdir(options.folder, { recursive: true });
  const store = new S3rver({
    silent: true,
    directory: options.folder,
    vhostBuckets: false,
    configureBuckets: [{ name: LOCAL_FILES_BUCKET }],
  });
  await store.configureBuckets();
  const handle = store.callback();
  // A server of our own: that of s3rver throws an error that cannot be caught when the port is taken, and serves every file
  // to requests without a signature.
  const server = await listenLocally(
    createServer((request, response) => {
      const problem = problemWith(request);
      if (problem === null) return handle(request, response);
      const [status, code] = problem;
      response
        .writeHead(status, { "content-type": "application/xml" })
        .end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`);
    }),
    options.port ?? 0,
    "The file store",
  );
  return {
    url: `http://127.0.0.1:${server.port}`,
    bucket: LOCAL_FILES_BUCKET,
    accessKeyId: LOCAL_FILES_KEY,
    secretAccessKey: LOCAL_FILES_KEY,
    stop: server.stop,
    kill: server.kill,
  };
}

/** Status and code of S3 for a request that s3rver would accept and S3 refuses. */
function problemWith(request: IncomingMessage): readonly [status: number, code: string] | null {
  // A preflight request of a browser, which has no signature.
  if (request.method === "OPTIONS") return null;
  const problem = signatureProblem(request, { id: LOCAL_FILES_KEY, secret: LOCAL_FILES_KEY });
  if (problem !== null) return [403, problem];
  const removesSeveral = request.method === "POST" && /[?&]delete(=|&|$)/.test(request.url ?? "");
  const hasChecksum = Object.keys(request.headers).some((name) => /^(content-md5|x-amz-checksum-\w+)$/.test(name));
  return removesSeveral && !hasChecksum ? [400, "InvalidRequest"] : null;
}
