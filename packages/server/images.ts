import type { Services } from "@nectar/http/services";
import { loadBucketImage } from "@nectar/providers/public-images";
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

/** Shows images of tone packs that are in the bucket below `/images/`; all other requests go to `next`. */
export function withImages({ privateFiles }: Pick<Services, "privateFiles">, next: Fetch): Fetch {
  return (request) => {
    const isReading = request.method === "GET" || request.method === "HEAD";
    if (privateFiles === null || !isReading || !URL_OF_IMAGE.test(request.url)) return next(request);
    return respond(privateFiles, new URL(request.url).pathname);
  };
}

async function respond(files: NonNullable<Services["privateFiles"]>, pathname: string): Promise<Response> {
  try {
    const image = await loadBucketImage(files, pathname);
    return image === null
      ? new Response(null, { status: 404 })
      : new Response(Buffer.from(image), { headers: HEADERS });
  } catch {
    return new Response(null, { status: 503, headers: { "retry-after": "5" } });
  }
}
