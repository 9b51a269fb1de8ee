import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { GROUPS } from "#functions/groups";
import { SCHEDULES } from "#functions/schedules";
import { disableCaching } from "#ops/deploy/distribution";
import { FIREWALL } from "#ops/deploy/firewall";
import { componentName } from "#ops/deploy/names";
import { DEPLOYER, declaredOf, Later, type Recording, recordDeployment } from "./sst-recorder.ts";

const RouterArgs = z.looseObject({ waf: z.boolean(), transform: z.looseObject({}) });
let production: Recording;
let staging: Recording;

beforeAll(async () => {
  production = await recordDeployment("production", DEPLOYER);
  staging = await recordDeployment("staging", DEPLOYER);
});

describe("the router", () => {
  it("sends the same prefixes to the same functions in every stage", () => {
    expect(staging.routes).toStrictEqual(production.routes);
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

  it("has a firewall in production, and all else everywhere", () => {
    const [inProduction, inStaging] = [production, staging].map((one) =>
      RouterArgs.parse(declaredOf(one, "Router")[0]?.args),
    );
    expect([inProduction?.waf, inStaging?.waf]).toEqual([true, false]);
    expect({ ...inStaging, waf: true, transform: null }).toStrictEqual({ ...inProduction, transform: null });
    expect(Object.keys(inStaging?.transform ?? {}).toSorted()).toEqual(["cdn", "waf"]);
  });

  it("counts each operation of the reference as costly that searches or previews an audience", () => {
    const [query, path] =
      FIREWALL.rules[2]?.statement.rateBasedStatement.scopeDownStatement?.orStatement.statements ?? [];
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
