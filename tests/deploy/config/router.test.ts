import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { GROUPS } from "#functions/groups";
import { SCHEDULES } from "#functions/schedules";
import { sendRouterSecret } from "#lambda/router-secret";
import { disableCaching } from "#ops/deploy/distribution";
import { FIREWALL } from "#ops/deploy/firewall";
import { componentName } from "#ops/deploy/names";
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

  it("has the domain of the deployer's environment, which must be one", async () => {
    const domainsOf = (recording: Recording) =>
      declaredOf(recording, "Router").map(({ args }) => z.object({ domain: z.string().optional() }).parse(args).domain);
    expect(domainsOf(production)).toEqual(["api.nectar.test"]);
    const withoutDomain = await recordDeployment("production", { ...DEPLOYER, API_DOMAIN: "" });
    expect(domainsOf(withoutDomain)).toEqual([undefined]);
    const withAddress = recordDeployment("production", { ...DEPLOYER, API_DOMAIN: "https://api.example.org" });
    await expect(withAddress).rejects.toThrow("API_DOMAIN");
  });

  it("gets prefixes that mean the bare path and everything below it, each once", () => {
    // SST reads a host before the first slash, and a prefix with a trailing slash would not match the bare path.
    for (const { prefix } of production.routes) expect(prefix).toMatch(/^(\/[a-z0-9]+(-[a-z0-9]+)*)+$/);
    const prefixes = production.routes.map(({ prefix }) => prefix);
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });

  it("sends every operation of the reference to the function of its group", () => {
    expect(operations().length).toBeGreaterThan(100);
    for (const { path, group } of operations()) {
      expect([path, routedTo(path)]).toEqual([
        path,
        new Later(`https://${componentName(group).toLowerCase()}.example/`),
      ]);
    }
    expect(operations().map(({ group }) => group)).toEqual(
      expect.arrayContaining(["payment-webhook", "email-webhook"]),
    );
  });

  it("waits no longer for a function than CloudFront can; only groups with scheduled jobs may run longer", () => {
    const longer = GROUPS.filter(({ timeoutSeconds }) => timeoutSeconds > 60).map(({ name }) => name);
    const scheduled = new Set<string>(SCHEDULES.map(({ group }) => group));
    expect(longer.filter((name) => !scheduled.has(name))).toEqual([]);
    for (const { args } of production.routes) expect(Number.parseInt(args.readTimeout, 10)).toBeLessThanOrEqual(60);
  });

  it("has a firewall in production", () => {
    const everywhere = {
      domain: DEPLOYER.API_DOMAIN,
      edge: { viewerRequest: { injection: expect.any(Later) } },
      transform: { cdn: expect.any(Function), waf: expect.any(Function) },
    };
    expect(declaredOf(production, "Router")[0]?.args).toStrictEqual({ waf: true, ...everywhere });
    expect(declaredOf(staging, "Router")[0]?.args).toStrictEqual({ waf: false, ...everywhere });
  });

  it("limits rates by address, by token, and of what is costly by token, without rules that read request bodies", () => {
    const token = {
      header: {
        name: "authorization",
        textTransformations: [
          { priority: 0, type: "COMPRESS_WHITE_SPACE" },
          { priority: 1, type: "LOWERCASE" },
        ],
      },
    };
    const perToken = { aggregateKeyType: "CUSTOM_KEYS", customKeys: [token] };
    expect(firewall().rules).toMatchObject([
      {
        name: "RateLimitPerIP",
        priority: 0,
        statement: { rateBasedStatement: { limit: 3000, evaluationWindowSec: 300, aggregateKeyType: "IP" } },
      },
      {
        name: "RateLimitPerToken",
        priority: 1,
        statement: { rateBasedStatement: { limit: 1500, evaluationWindowSec: 300, ...perToken } },
      },
      {
        name: "CostlyRequestsPerToken",
        priority: 2,
        statement: {
          rateBasedStatement: {
            limit: 60,
            evaluationWindowSec: 60,
            ...perToken,
            scopeDownStatement: expect.any(Object),
          },
        },
      },
    ]);
  });

  it("counts each operation of the reference as costly that searches or previews an audience", () => {
    const [query, path] =
      firewall().rules[2]?.statement.rateBasedStatement.scopeDownStatement?.orStatement.statements ?? [];
    const isSearch = new RegExp(query?.regexMatchStatement?.regexString ?? "$.");
    const ending = path?.byteMatchStatement?.searchString ?? "nothing";
    const costly = operations().filter(
      (operation) =>
        operation.path.endsWith(ending) || operation.parameters.some((name) => isSearch.test(`limit=9&${name}=x`)),
    );
    expect(costly.map((operation) => operation.path).sort()).toEqual([
      "/api/admin/users",
      "/api/goals/audience-preview",
      "/api/journal",
      "/api/journal/audience-preview",
      "/api/notebooks/{id}/audience-preview",
      "/api/users",
    ]);
  });

  it("refuses with our error body, which a browser may read", () => {
    const { customResponseBodies, rules } = firewall();
    expect(customResponseBodies.map(({ content, ...more }) => ({ ...more, content: JSON.parse(content) }))).toEqual([
      {
        key: "refusal",
        contentType: "APPLICATION_JSON",
        content: { error: "You have reached the limit for now; try again later.", code: "quota.exhausted" },
      },
    ]);
    for (const { action, statement } of rules) {
      expect(action.block.customResponse).toEqual({
        responseCode: 429,
        customResponseBodyKey: "refusal",
        responseHeaders: [
          { name: "retry-after", value: String(statement.rateBasedStatement.evaluationWindowSec) },
          { name: "cache-control", value: "no-store" },
          { name: "access-control-allow-origin", value: "*" },
          { name: "access-control-expose-headers", value: "retry-after" },
        ],
      });
    }
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

/** The operations of the reference, with the names of their parameters. */
function operations() {
  const { paths } = z
    .object({
      paths: z.record(
        z.string(),
        z.record(
          z.string(),
          z.object({ tags: z.tuple([z.string()]), parameters: z.array(z.object({ name: z.string() })).default([]) }),
        ),
      ),
    })
    .parse(JSON.parse(readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8")));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ tags: [group], parameters }) => ({
      path,
      group,
      parameters: parameters.map(({ name }) => name),
    })),
  );
}

/** The rules as they replace those of SST's router. */
function firewall() {
  const webAcl = { scope: "CLOUDFRONT", rules: [{ name: "AWSManagedRulesCommonRuleSet" }] };
  transformOf(declaredOf(production, "Router")[0]?.args, "waf")(webAcl);
  expect(webAcl).toStrictEqual({ scope: "CLOUDFRONT", ...FIREWALL });
  return FIREWALL;
}

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
