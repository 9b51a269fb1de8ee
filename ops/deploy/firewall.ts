import { type ErrorCode, sentenceOf, statusOf } from "#core/errors";

/** The part that we change in the rules of AWS WAF that SST's router has. */
export interface WebAcl {
  rules?: unknown;
  customResponseBodies?: unknown;
}

/** How often something may be requested: more requests in a row are refused until the window has passed. */
interface RateLimit {
  readonly name: string;
  readonly limit: number;
  /** Windows that AWS WAF can count in. */
  readonly windowSeconds: 60 | 120 | 300 | 600;
  /** The requests that are counted together, and which of them are counted at all. */
  readonly counted: {
    readonly aggregateKeyType: string;
    readonly customKeys?: object[];
    scopeDownStatement?: typeof COSTLY;
  };
}

/** A caller with many addresses has one token. `Bearer` may be written in any case and with any number of spaces after it. */
const PER_TOKEN = {
  aggregateKeyType: "CUSTOM_KEYS",
  customKeys: [
    {
      header: {
        name: "authorization",
        textTransformations: [
          { priority: 0, type: "COMPRESS_WHITE_SPACE" },
          { priority: 1, type: "LOWERCASE" },
        ],
      },
    },
  ],
};

/** Addresses may be written with escapes, which the functions decode too. */
const DECODED = [{ priority: 0, type: "URL_DECODE" }];

/** Requests that may keep the database busy until it gives up: searches, and previews of who sees a change. */
const COSTLY = {
  orStatement: {
    statements: [
      {
        regexMatchStatement: {
          regexString: "(^|&)q=",
          fieldToMatch: { queryString: {} },
          textTransformations: DECODED,
        },
      },
      {
        byteMatchStatement: {
          searchString: "/audience-preview",
          positionalConstraint: "ENDS_WITH",
          fieldToMatch: { uriPath: {} },
          textTransformations: DECODED,
        },
      },
    ],
  },
};

/** docs/scale.md has the arithmetic. */
const RATE_LIMITS: readonly RateLimit[] = [
  // Ten a second leaves room for an office behind one address.
  { name: "RateLimitPerIP", limit: 3_000, windowSeconds: 300, counted: { aggregateKeyType: "IP" } },
  // Five a second is more than an app needs.
  { name: "RateLimitPerToken", limit: 1_500, windowSeconds: 300, counted: PER_TOKEN },
  {
    name: "CostlyRequestsPerToken",
    limit: 60,
    windowSeconds: 60,
    counted: { ...PER_TOKEN, scopeDownStatement: COSTLY },
  },
];

const REFUSAL: ErrorCode = "quota.exhausted";

/** Declares our rate limits instead of SST's rules: AWS's managed rules mistake some journal texts for an attack. */
export function limitRates(webAcl: WebAcl): undefined {
  Object.assign(webAcl, FIREWALL);
}

/** The rules, whose refusals are responses like ours. */
export const FIREWALL = {
  customResponseBodies: [
    {
      key: "refusal",
      contentType: "APPLICATION_JSON",
      content: JSON.stringify({ error: sentenceOf(REFUSAL), code: REFUSAL }),
    },
  ],
  rules: RATE_LIMITS.map(({ name, limit, windowSeconds, counted }, priority) => ({
    name,
    priority,
    action: {
      block: {
        customResponse: {
          responseCode: statusOf(REFUSAL),
          customResponseBodyKey: "refusal",
          responseHeaders: Object.entries({
            "retry-after": String(windowSeconds),
            "cache-control": "no-store",
            // The refusal has nothing of the caller, so a page of any origin may read it.
            "access-control-allow-origin": "*",
            "access-control-expose-headers": "retry-after",
          }).map(([header, value]) => ({ name: header, value })),
        },
      },
    },
    statement: { rateBasedStatement: { limit, evaluationWindowSec: windowSeconds, ...counted } },
    visibilityConfig: {
      cloudwatchMetricsEnabled: true,
      metricName: `Api${name}`,
      // A sample would show tokens.
      sampledRequestsEnabled: false,
    },
  })),
};
