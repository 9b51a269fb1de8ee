import { mkdir } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { listenLocally } from "../listen.ts";
import { localFilesBucket, localFilesKey } from "./local-files.ts";

/** A running file store, and what a client of S3 needs to use it. */
export interface FileStore {
  url: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Ends it in good order; the files stay. */
  stop(): Promise<void>;
  /** Breaks off what is under way, for an end that cannot wait. */
  kill(): void;
}

/**
 * Starts a store that speaks the protocol of Amazon S3 on 127.0.0.1, with our bucket in it. Its files live in `folder`,
 * which is made when missing. It turns away who brings no signature, an unknown key or one that has run out; whether a
 * signature is right it does not work out.
 * @param options.port any free one when left out.
 * @throws StartupProblem when the port cannot be had.
 */
export async function startFileStore(options: { port?: number; folder: string }): Promise<FileStore> {
  // Loaded here: what uses no files should not wait for it.
  const { default: S3rver } = await import("s3rver");
  await mkdir(options.folder, { recursive: true });
  const store = new S3rver({
    silent: true,
    directory: options.folder,
    vhostBuckets: false,
    configureBuckets: [{ name: localFilesBucket }],
  });
  await store.configureBuckets();
  const handle = store.callback();
  // A server of our own: s3rver's turns a port that is taken into an error that nobody can catch, and shows any file to
  // anybody who does not say who they are.
  const server = await listenLocally(
    createServer((request, response) => {
      if (isSigned(request)) handle(request, response);
      else response.writeHead(403).end();
    }),
    options.port ?? 0,
    "The file store",
  );
  return {
    url: `http://127.0.0.1:${server.port}`,
    bucket: localFilesBucket,
    accessKeyId: localFilesKey,
    secretAccessKey: localFilesKey,
    stop: server.stop,
    kill: server.kill,
  };
}

function isSigned(request: IncomingMessage): boolean {
  return request.headers.authorization !== undefined || /[?&]X-Amz-Signature=/.test(request.url ?? "");
}
