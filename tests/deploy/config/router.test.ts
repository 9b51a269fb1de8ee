import { readFileSync } from "node:fs";
import { disableCaching } from "@nectar/deploy/distribution";
import { componentName } from "@nectar/deploy/names";
import { sendRouterSecret } from "@nectar/deploy/router-secret";
import { beforeAll, describe, expect, it } from "vitest";
import { GROUPS } from "../../../functions/groups.ts";
import { SCHEDULES } from "../../../functions/schedules.ts";
import { DEPLOYER, declaredOf, Later, type Recording, recordDeployment } from "./sst-recorder.ts";

let production: Recording;
let staging: Recording;

beforeAll(async () => {
  production = await recordDeployment("production", DEPLOYER);
  staging = await recordDeployment("staging", DEPLOYER);
});

describe("the router", () => {
  it("is one, and sends every prefix of every group to that group's function", () => {
    expect(declaredOf(production, "Router").map(({ name }) => name)).toEqual(["Api"]);
    const expected = GROUPS.flatMap(({ name, paths, timeoutSeconds }) =>
      paths.map((prefix) => ({
        prefix,
        url: new Later(`https://${componentName(name).toLowerCase()}.example/`),
        args: { readTimeout: `${Math.min(timeoutSeconds, 60)} seconds` },
      })),
    );
    expect(production.routes).toStrictEqual(expected);
    expect(staging.routes).toStrictEqual(expected);
  });

  it("gets prefixes that mean the bare path and everything below it, each once", () => {
    // SST reads a host before the first slash, and a prefix with a trailing slash would not match the bare path.
    for (const { prefix } of production.routes) expect(prefix).toMatch(/^(\/[a-z0-9]+(-[a-z0-9]+)*)+$/);
    const prefixes = production.routes.map(({ prefix }) => prefix);
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });

  it("sends every operation of the reference to the function of its group", () => {
    const operations: [path: string, group: string][] = Object.entries<Record<string, { tags: [string] }>>(
      JSON.parse(readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8")).paths,
    ).flatMap(([path, methods]) => Object.values(methods).map(({ tags: [group] }) => [path, group] as const));
    expect(operations.length).toBeGreaterThan(100);
    for (const [path, group] of operations) {
      expect([path, routedTo(path)]).toEqual([
        path,
        new Later(`https://${componentName(group).toLowerCase()}.example/`),
      ]);
    }
    expect(operations.map(([, group]) => group)).toEqual(expect.arrayContaining(["payment-webhook", "email-webhook"]));
  });

  it("waits no longer for a function than CloudFront can; only groups with scheduled jobs may run longer", () => {
    const longer = GROUPS.filter(({ timeoutSeconds }) => timeoutSeconds > 60).map(({ name }) => name);
    const scheduled = new Set<string>(SCHEDULES.map(({ group }) => group));
    expect(longer.filter((name) => !scheduled.has(name))).toEqual([]);
    for (const { args } of production.routes) expect(Number.parseInt(args.readTimeout, 10)).toBeLessThanOrEqual(60);
  });

  it("limits the rate in production, without rules that read request bodies", () => {
    const everywhere = {
      edge: { viewerRequest: { injection: expect.any(Later) } },
      transform: { cdn: expect.any(Function), waf: expect.any(Function) },
    };
    expect(declaredOf(production, "Router")[0]?.args).toStrictEqual({
      waf: { rateLimitPerIp: 3000, managedRules: { coreRuleSet: false, knownBadInputs: false, sqlInjection: false } },
      ...everywhere,
    });
    expect(declaredOf(staging, "Router")[0]?.args).toStrictEqual(everywhere);
  });

  it("limits the rate of a token too, as the rule after those of SST", () => {
    const perAddress = { name: "RateLimitPerIP", priority: 0 };
    const webAcl = { rules: { apply: (add: (rules: object[]) => unknown) => add([perAddress]) } };
    transformOf(declaredOf(production, "Router")[0]?.args, "waf")(webAcl);
    expect(webAcl.rules).toStrictEqual([
      perAddress,
      {
        name: "RateLimitPerToken",
        priority: 1,
        action: {
          block: { customResponse: { responseCode: 429, responseHeaders: [{ name: "Retry-After", value: "300" }] } },
        },
        statement: {
          rateBasedStatement: {
            limit: 1500,
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
          },
        },
        visibilityConfig: {
          cloudwatchMetricsEnabled: true,
          metricName: "ApiRateLimitPerToken",
          sampledRequestsEnabled: false,
        },
      },
    ]);
  });

  it("sends its secret to every function, at the edge", () => {
    for (const recording of [production, staging]) {
      expect(declaredOf(recording, "Router")[0]?.args).toMatchObject({
        edge: { viewerRequest: { injection: new Later(sendRouterSecret("secret RouterSecret")) } },
      });
    }
  });

  it("caches no response and no error, and sends nothing to a host that is not ours", () => {
    const distribution = sstDistribution();
    const args = declaredOf(production, "Router")[0]?.args;
    transformOf(args, "cdn")(distribution);
    expect(distribution).toStrictEqual({
      comment: "unchanged",
      defaultCacheBehavior: {
        targetOriginId: "default",
        allowedMethods: ["GET", "POST"],
        originRequestPolicyId: "b689b0a8-53d0-40ab-baf2-68738e2966ac",
        cachePolicyId: "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
      },
      customErrorResponses: [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map((errorCode) => ({
        errorCode,
        errorCachingMinTtl: 0,
      })),
      origins: [
        {
          originId: "default",
          domainName: new Later("health.example"),
          customOriginConfig: {
            httpPort: 80,
            httpsPort: 443,
            originProtocolPolicy: "https-only",
            originReadTimeout: 20,
            originSslProtocols: ["TLSv1.2"],
          },
        },
      ],
    });
  });

  it("stops the deployment when SST's distribution has another shape", () => {
    for (const defaultCacheBehavior of [undefined, null, "text", { apply: () => undefined }]) {
      expect(() => disableCaching({ ...sstDistribution(), defaultCacheBehavior }, "host")).toThrow(
        "SST's router has changed",
      );
    }
  });
});

/** The address that a path is routed to: as in SST's router, the longest prefix wins, in whatever order they are declared. */
function routedTo(path: string): unknown {
  return production.routes
    .filter(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
    .toSorted((one, other) => other.prefix.length - one.prefix.length)[0]?.url;
}

/** The distribution of SST 4.17's router, without the fields that do not matter here. */
function sstDistribution() {
  return {
    comment: "unchanged",
    origins: [{ originId: "default", domainName: "placeholder.sst.dev" }] as unknown,
    defaultCacheBehavior: {
      targetOriginId: "default",
      allowedMethods: ["GET", "POST"],
      cachePolicyId: "SST's own",
      originRequestPolicyId: "b689b0a8-53d0-40ab-baf2-68738e2966ac",
    } as unknown,
  };
}

function transformOf(args: unknown, resource: "cdn" | "waf"): (resource: unknown) => unknown {
  const at = (value: unknown, key: string): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  const transform = at(at(args, "transform"), resource);
  if (typeof transform !== "function") throw new Error(`The router does not change its ${resource}.`);
  return (changed) => transform(changed);
}
