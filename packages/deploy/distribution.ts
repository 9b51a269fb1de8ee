import type { Distribution } from "./sst.ts";

/** CloudFront's own policy that keeps nothing (Managed-CachingDisabled). */
const CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";

/** The answers that CloudFront keeps for ten seconds unless told otherwise, even when they say `no-store`. */
const KEPT_ERRORS = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/**
 * Makes SST's router fit for answers that differ from person to person. As it comes, its cache key knows neither token
 * nor cookie: one person's answer could be handed to another who asks for the same address at the same moment, and one
 * person's 404 is repeated to everybody for ten seconds. And what belongs to no route it would send, with the token,
 * unencrypted to a host that is not ours: here it goes to `fallbackHost` instead, which answers 404 in our form.
 * @throws Error when SST's distribution no longer looks as expected, so that a deployment stops instead of caching
 */
export function keepNothing(distribution: Distribution, fallbackHost: unknown): undefined {
  const behavior = distribution.defaultCacheBehavior;
  if (typeof behavior !== "object" || behavior === null || !("targetOriginId" in behavior)) {
    throw new Error("SST's router has changed: its cache behavior can no longer be set here.");
  }
  distribution.defaultCacheBehavior = { ...behavior, cachePolicyId: CACHING_DISABLED };
  distribution.customErrorResponses = KEPT_ERRORS.map((errorCode) => ({ errorCode, errorCachingMinTtl: 0 }));
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
