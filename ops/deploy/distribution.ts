import type { Distribution } from "./sst.ts";

/** CloudFront's own policy that caches nothing (Managed-CachingDisabled). */
const CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";

/** Statuses whose responses CloudFront caches for ten seconds by default, even with `no-store`. */
const CACHED_ERRORS = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/**
 * Makes SST's router safe for responses that differ between users. Its own cache key contains neither the token nor
 * cookies: two users who request the same address at the same moment could get the same response, and one user's 404
 * would be repeated to all others for ten seconds. A request that matches no route goes, token included, unencrypted to
 * a host that is not ours; here it goes to `fallbackHost`, which responds with our 404.
 * @throws Error when SST's distribution no longer looks as expected, so that a deployment stops instead of caching
 */
export function disableCaching(distribution: Distribution, fallbackHost: unknown): undefined {
  const behavior = distribution.defaultCacheBehavior;
  if (typeof behavior !== "object" || behavior === null || !("targetOriginId" in behavior)) {
    throw new Error("SST's router has changed: its cache behavior can no longer be set here.");
  }
  distribution.defaultCacheBehavior = { ...behavior, cachePolicyId: CACHING_DISABLED };
  distribution.customErrorResponses = CACHED_ERRORS.map((errorCode) => ({ errorCode, errorCachingMinTtl: 0 }));
  distribution.origins = [
    {
      originId: behavior.targetOriginId,
      domainName: fallbackHost,
      customOriginConfig: {
        httpPort: 80,
        httpsPort: 443,
        originProtocolPolicy: "https-only",
        originReadTimeout: 20,
        originSslProtocols: ["TLSv1.2"],
      },
    },
  ];
  return undefined;
}
