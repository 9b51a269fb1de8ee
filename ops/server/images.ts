import { randomUUID } from "node:crypto";
import type { Services } from "#http/services/services";
import type { PrivateFiles } from "#providers/private-files";
import { hasBucketImage, loadBucketImage } from "#providers/public-images";
import type { Fetch } from "./http-server.ts";

/** Images of tone packs, for everyone. A path never gets another image. */
const HEADERS = {
  "content-type": "image/png",
  "cache-control": "public, max-age=31536000, immutable",
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
};

const URL_OF_IMAGE = /^[^/]+\/\/[^/]+\/images\//;
/** Anyone may ask for images, so this limits how much memory they take: 5 MB each. */
const MAX_DOWNLOADS = 10;

/**
 * Shows images of tone packs that are in the bucket below `/images/`; all other requests go to `next`. A request that comes
 * while the maximum number of images is being loaded gets 503.
 */
export function withImages(
  { privateFiles, logger, meter }: Pick<Services, "privateFiles" | "logger" | "meter">,
  next: Fetch,
): Fetch {
  let downloads = 0;

  async function load(files: PrivateFiles, { method, url }: Request): Promise<Response> {
    if (downloads === MAX_DOWNLOADS) return unavailable();
    const { pathname } = new URL(url);
    downloads += 1;
    try {
      if (method === "HEAD") {
        return (await hasBucketImage(files, pathname)) ? new Response(null, { headers: HEADERS }) : notFound();
      }
      const image = await loadBucketImage(files, pathname);
      return image === null ? notFound() : new Response(Buffer.from(image), { headers: HEADERS });
    } catch {
      return unavailable();
    } finally {
      downloads -= 1;
    }
  }

  async function respond(files: PrivateFiles, request: Request): Promise<Response> {
    const startedAt = performance.now();
    const response = await load(files, request);
    meter?.request("images", response.status, performance.now() - startedAt);
    const requestId = randomUUID();
    response.headers.set("x-request-id", requestId);
    const { method } = request;
    logger.info({ request_id: requestId, method, route: "/images/*", status: response.status }, "request");
    return response;
  }

  return (request) => {
    const isReading = request.method === "GET" || request.method === "HEAD";
    if (privateFiles === null || !isReading || !URL_OF_IMAGE.test(request.url)) return next(request);
    return respond(privateFiles, request);
  };
}

const notFound = () => new Response(null, { status: 404 });
const unavailable = () => new Response(null, { status: 503, headers: { "retry-after": "5" } });
