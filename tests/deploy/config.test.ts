import { existsSync, readFileSync } from "node:fs";
import { VARIABLES } from "@nectar/config/variables";
import { BUNDLING } from "@nectar/deploy/bundling";
import { keepNothing } from "@nectar/deploy/distribution";
import { functionEnvironment } from "@nectar/deploy/function-environment";
import { componentName } from "@nectar/deploy/names";
import { scheduledEvent } from "@nectar/deploy/scheduled-event";
import { beforeAll, describe, expect, it } from "vitest";
import { GROUPS } from "../../functions/groups.ts";
import { SCHEDULES } from "../../functions/schedules.ts";
import { Later, type Recording, recordDeployment } from "./sst-recorder.ts";

/** Every setting, told apart, and names that no function asked for. */
const DEPLOYER = {
  ...Object.fromEntries(VARIABLES.filter(({ kind }) => kind === "setting").map(({ name }) => [name, `set ${name}`])),
  ...Object.fromEntries(VARIABLES.filter(({ kind }) => kind === "secret").map(({ name }) => [name, "not from here"])),
  AWS_SECRET_ACCESS_KEY: "the deployer's own",
  PATH: "/usr/bin",
};
const root = new URL("../../", import.meta.url);
let production: Recording;
let staging: Recording;

beforeAll(async () => {
  production = await recordDeployment("production", DEPLOYER);
  staging = await recordDeployment("staging", DEPLOYER);
});

/** The version of a package that the decoders of photos are developed and tested with. */
function versionOf(name: string): unknown {
  return JSON.parse(readFileSync(new URL("packages/providers/package.json", root), "utf8")).dependencies[name];
}

const of = ({ declared }: Recording, kind: string) => declared.filter((component) => component.kind === kind);

describe("the functions", () => {
  it("are one for each group and no other, with what the table says", () => {
    const expected = GROUPS.map(({ name, paths, memoryMb, timeoutSeconds, environment }) => ({
      kind: "Function",
      name: componentName(name),
      given: 1,
      args: {
        handler: `functions/${name}/handler.handler`,
        description: `Nectar: ${paths.join(", ")}`,
        runtime: "nodejs24.x",
        architecture: "arm64",
        memory: `${memoryMb} MB`,
        timeout: `${timeoutSeconds} seconds`,
        environment: Object.fromEntries(
          environment.map((variable) => [
            variable,
            VARIABLES.some(({ name: known, kind }) => known === variable && kind === "secret")
              ? new Later(`secret ${componentName(variable)}`)
              : `set ${variable}`,
          ]),
        ),
        url: { authorization: "none", cors: false },
        nodejs:
          name === "workout-window"
            ? { ...BUNDLING, install: { "libheif-js": versionOf("libheif-js"), sharp: versionOf("sharp") } }
            : BUNDLING,
        ...(SCHEDULES.some(({ group }) => group === name)
          ? {
              retries: 2,
              permissions: [{ actions: ["sqs:SendMessage"], resources: [new Later("arn of FailedJobs")] }],
              transform: {
                eventInvokeConfig: {
                  destinationConfig: { onFailure: { destination: new Later("arn of FailedJobs") } },
                },
              },
            }
          : {}),
      },
    }));
    expect(of(production, "Function")).toStrictEqual(expected);
    expect(of(staging, "Function")).toStrictEqual(expected);
  });

  it("that keep private files get the bucket that is made here, and may read, write and remove in it alone, and ask what is there", async () => {
    const { S3_BUCKET: _, ...without } = DEPLOYER as Record<string, string>;
    const recording = await recordDeployment("staging", without);
    const keeping = GROUPS.filter(({ environment }) => new Set<string>(environment).has("S3_BUCKET"));
    expect(keeping.map(({ name }) => name)).toContain("health");
    for (const { name, args } of of(recording, "Function")) {
      const keeps = keeping.some((group) => componentName(group.name) === name);
      const permissions = [
        { actions: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], resources: [new Later("arn of Files/*")] },
        // Without it S3 answers 403 for a file that is not there.
        { actions: ["s3:ListBucket"], resources: [new Later("arn of Files")] },
      ];
      expect(args).toMatchObject(keeps ? { environment: { S3_BUCKET: new Later("name of Files") } } : {});
      for (const permission of permissions) {
        expect(JSON.stringify(args).includes(JSON.stringify(permission))).toBe(keeps);
      }
    }
  });

  it("have the names that SST takes, each once", () => {
    const names = production.declared.map(({ kind, name }) => `${kind} ${name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { name } of production.declared) expect(name).toMatch(/^[A-Z][a-zA-Z0-9]*$/);
  });

  it("start from handlers that exist", () => {
    for (const { name } of GROUPS) expect(existsSync(new URL(`functions/${name}/handler.ts`, root))).toBe(true);
  });

  it("are bundled as ESM in parts, small, with source maps", () => {
    expect(BUNDLING).toStrictEqual({
      format: "esm",
      splitting: true,
      minify: true,
      sourcemap: true,
      esbuild: { external: ["pg-native", "libheif-js", "sharp"] },
    });
  });
});

describe("the environment of a function", () => {
  const secrets = new Map([["DATABASE_URL", "postgres://"]]);

  it("leaves a setting out that was not given and has a default", () => {
    const values = { settings: { SUPABASE_URL: "https://x.supabase.co", LOG_LEVEL: "" }, secrets };
    expect(functionEnvironment(["SUPABASE_URL", "LOG_LEVEL", "APP_ORIGINS"], VARIABLES, values)).toStrictEqual({
      SUPABASE_URL: "https://x.supabase.co",
    });
  });

  it("stops the deployment for a required setting that is missing, by name", async () => {
    await expect(recordDeployment("staging", {})).rejects.toThrow("Set SUPABASE_URL in the environment");
  });

  it("refuses what is not for a deployed function", () => {
    for (const name of ["PORT", "LOCAL_DB_PORT", "NO_SUCH_VARIABLE"]) {
      const values = { settings: { [name]: "x" }, secrets };
      expect(() => functionEnvironment([name], VARIABLES, values)).toThrow(`${name} is not for a deployed function.`);
    }
  });
});

describe("the secrets", () => {
  it("are all that some function uses; only one that nothing needs may be left unset", () => {
    const used = VARIABLES.filter(
      ({ name, kind }) => kind === "secret" && GROUPS.some(({ environment }) => new Set<string>(environment).has(name)),
    );
    const needed = new Set<string>(SCHEDULES.map(({ secret }) => secret));
    expect(of(production, "Secret")).toStrictEqual(
      used.map(({ name, fallback }) => {
        const optional = fallback !== null && !needed.has(name);
        return {
          kind: "Secret",
          name: componentName(name),
          args: optional ? fallback : undefined,
          given: optional ? 1 : 0,
        };
      }),
    );
  });
});

describe("the functions of the webhooks", () => {
  const secretsOf = (group: string) =>
    GROUPS.find(({ name }) => name === group)?.environment.filter((variable) =>
      VARIABLES.some(({ name, kind }) => name === variable && kind === "secret"),
    );

  it("hold the secrets that they need and no other", () => {
    expect(secretsOf("payment-webhook")).toEqual(["DATABASE_URL", "STRIPE_WEBHOOK_SECRET"]);
    expect(secretsOf("email-webhook")).toEqual([
      "DATABASE_URL",
      "EMAIL_WEBHOOK_SECRET",
      // For the text of received mail, which no event brings, and for the job that fetches it.
      "RESEND_API_KEY",
      "MAINTENANCE_CRON_SECRET",
    ]);
  });

  it("are the only ones that can verify a vendor's events", () => {
    for (const secret of ["STRIPE_WEBHOOK_SECRET", "EMAIL_WEBHOOK_SECRET"]) {
      const holders = GROUPS.filter(({ environment }) => new Set<string>(environment).has(secret));
      expect(holders.map(({ name }) => name)).toEqual([
        secret === "STRIPE_WEBHOOK_SECRET" ? "payment-webhook" : "email-webhook",
      ]);
    }
  });
});

describe("the router", () => {
  it("is one, and sends every prefix of every group to that group's function", () => {
    expect(of(production, "Router").map(({ name }) => name)).toEqual(["Api"]);
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

  it("is given prefixes that mean the bare path and everything below, each once", () => {
    // SST reads a host before the first slash, and for a trailing slash would not match the bare prefix.
    for (const { prefix } of production.routes) expect(prefix).toMatch(/^(\/[a-z0-9]+(-[a-z0-9]+)*)+$/);
    const prefixes = production.routes.map(({ prefix }) => prefix);
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });

  it("sends every operation of the reference to the function of the group that has it", () => {
    const operations: [path: string, group: string][] = Object.entries<Record<string, { tags: [string] }>>(
      JSON.parse(readFileSync(new URL("openapi.json", root), "utf8")).paths,
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

  it("waits for no function longer than CloudFront can; only groups with scheduled jobs work longer", () => {
    const longer = GROUPS.filter(({ timeoutSeconds }) => timeoutSeconds > 60).map(({ name }) => name);
    const scheduled = new Set<string>(SCHEDULES.map(({ group }) => group));
    expect(longer.filter((name) => !scheduled.has(name))).toEqual([]);
    for (const { args } of production.routes) expect(Number.parseInt(args.readTimeout, 10)).toBeLessThanOrEqual(60);
  });

  it("limits the rate in production, without rules that read people's texts", () => {
    expect(of(production, "Router")[0]?.args).toStrictEqual({
      waf: { rateLimitPerIp: 3000, managedRules: { coreRuleSet: false, knownBadInputs: false, sqlInjection: false } },
      transform: { cdn: expect.any(Function) },
    });
    expect(of(staging, "Router")[0]?.args).toStrictEqual({ transform: { cdn: expect.any(Function) } });
  });

  it("keeps no answer, no error, and sends nothing to a host that is not ours", () => {
    const distribution = sstDistribution();
    const args = of(production, "Router")[0]?.args;
    cdnTransformOf(args)(distribution);
    expect(distribution).toStrictEqual({
      comment: "kept",
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
      expect(() => keepNothing({ ...sstDistribution(), defaultCacheBehavior }, "host")).toThrow(
        "SST's router has changed",
      );
    }
  });
});

/** The address that a path is sent to: as in SST's router, the longest prefix wins, whatever order they come in. */
function routedTo(path: string): unknown {
  return production.routes
    .filter(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
    .toSorted((one, other) => other.prefix.length - one.prefix.length)[0]?.url;
}

/** The distribution as SST 4.17's router makes it, shortened to what matters here. */
function sstDistribution() {
  return {
    comment: "kept",
    origins: [{ originId: "default", domainName: "placeholder.sst.dev" }] as unknown,
    defaultCacheBehavior: {
      targetOriginId: "default",
      allowedMethods: ["GET", "POST"],
      cachePolicyId: "SST's own",
      originRequestPolicyId: "b689b0a8-53d0-40ab-baf2-68738e2966ac",
    } as unknown,
  };
}

function cdnTransformOf(args: unknown): (distribution: unknown) => unknown {
  const at = (value: unknown, key: string): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  const transform = at(at(args, "transform"), "cdn");
  if (typeof transform !== "function") throw new Error("The router's distribution is not changed.");
  return (distribution) => transform(distribution);
}

describe("the schedules", () => {
  it("are one for each job, calling the group's own function through the job's route, with the secret", () => {
    const functionNamed = (group: string) => ({
      url: new Later(`https://${componentName(group).toLowerCase()}.example/`),
    });
    expect(of(production, "CronV2")).toMatchObject(
      SCHEDULES.map(({ name, group, cron, method, path, secret }) => ({
        name: `${componentName(name)}Schedule`,
        args: {
          schedule: cron,
          timezone: "UTC",
          function: functionNamed(group),
          event: scheduledEvent({ method, path }, new Later(`secret ${componentName(secret)}`)),
          retries: 2,
          dlq: new Later("arn of FailedJobs"),
        },
      })),
    );
    expect(of(production, "CronV2")).toHaveLength(SCHEDULES.length);
  });

  it("belong to a path of their group, and to a group that knows the secret", () => {
    for (const { group, path, secret } of SCHEDULES) {
      const owner = GROUPS.find(({ name }) => name === group);
      expect(owner?.paths.some((prefix) => path.startsWith(`${prefix}/`))).toBe(true);
      expect(owner?.environment).toContain(secret);
    }
  });

  it("send an event that only the scheduler can send, with method, path and secret", () => {
    expect(scheduledEvent({ method: "POST", path: "/health/cron/x" }, "s")).toMatchObject({
      source: "nectar.schedule",
      version: "2.0",
      rawPath: "/health/cron/x",
      headers: { "x-cron-secret": "s" },
      requestContext: { http: { method: "POST", path: "/health/cron/x" } },
      isBase64Encoded: false,
    });
  });

  it("use a form of cron that EventBridge takes: six fields, one of the two days left open", () => {
    for (const { cron } of SCHEDULES) {
      const fields = /^cron\((.+)\)$/.exec(cron)?.[1]?.split(" ") ?? [];
      expect(fields).toHaveLength(6);
      expect([fields[2], fields[4]].filter((field) => field === "?")).toHaveLength(1);
    }
  });
});

describe("the rest", () => {
  it("is a queue that keeps failures for two weeks, and a private bucket that no function may touch", () => {
    expect(of(production, "Queue")).toStrictEqual([
      {
        kind: "Queue",
        name: "FailedJobs",
        given: 1,
        args: { transform: { queue: { messageRetentionSeconds: 1_209_600 } } },
      },
    ]);
    expect(of(production, "Bucket")).toStrictEqual([{ kind: "Bucket", name: "Files", args: undefined, given: 0 }]);
  });

  it("is told to whoever deploys: the address, the bucket, the queue", () => {
    expect(production.outputs).toStrictEqual({
      api: new Later("https://api.example/"),
      files: new Later("name of Files"),
      failedJobs: new Later("arn of FailedJobs"),
    });
  });

  it("survives a mistake in production only", () => {
    expect(production.app).toStrictEqual({ name: "nectar", home: "aws", removal: "retain", protect: true });
    expect(staging.app).toStrictEqual({ name: "nectar", home: "aws", removal: "remove", protect: false });
  });

  it("comes from a file without imports at its top, as SST demands", () => {
    expect(readFileSync(new URL("sst.config.ts", root), "utf8")).not.toMatch(/^\s*import\b(?!\()/m);
  });
});
