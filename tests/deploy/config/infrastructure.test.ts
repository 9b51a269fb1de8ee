import { existsSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { GROUPS } from "#functions/groups";
import { SCHEDULES } from "#functions/schedules";
import { scheduledEvent } from "#lambda/scheduled-event";
import { BUNDLING } from "#ops/deploy/bundling";
import { DEPLOYER, declaredOf, Later, type Recording, recordDeployment } from "./sst-recorder.ts";

const ROOT = new URL("../../../", import.meta.url);
const FunctionArgs = z.looseObject({ permissions: z.array(z.unknown()) });
let production: Recording;
let staging: Recording;

beforeAll(async () => {
  production = await recordDeployment("production", DEPLOYER);
  staging = await recordDeployment("staging", DEPLOYER);
});

// `npm run check:deploy` compares the resources of production with those of the last release and lists each difference. These
// tests look at the rest: other environments of the deployer, other stages, and what resources must have in common.
describe("the functions", () => {
  it("are the same in every stage", () => {
    const withoutEnvironment = (recording: Recording) =>
      declaredOf(recording, "Function").map(({ name, args }) => ({
        name,
        ...FunctionArgs.parse(args),
        environment: {},
      }));
    expect(withoutEnvironment(staging)).toStrictEqual(withoutEnvironment(production));
    expect(withoutEnvironment(staging)).toHaveLength(GROUPS.length);
  });

  it("have only the permissions that they need: to queue a failed job and tasks, and to use files in our own bucket", async () => {
    const { S3_BUCKET: _, ...withoutBucket } = DEPLOYER;
    const files = [
      {
        actions: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload"],
        resources: [new Later("arn of Files/*")],
      },
      // Without it S3 responds 403 to a missing file.
      { actions: ["s3:ListBucket", "s3:ListBucketMultipartUploads"], resources: [new Later("arn of Files")] },
    ];
    const expected = (usesOurBucket: (name: string) => boolean) =>
      GROUPS.map(({ name, capabilities }) => {
        const queues = [
          ...(SCHEDULES.some(({ group }) => group === name) ? [new Later("arn of FailedJobs")] : []),
          ...(new Set<string>(capabilities).has("tasks")
            ? [new Later("arn of Tasks"), new Later("arn of Ranges"), new Later("arn of Imports")]
            : []),
        ];
        return [
          ...(queues.length > 0 ? [{ actions: ["sqs:SendMessage"], resources: queues }] : []),
          ...(usesOurBucket(name) ? files : []),
        ];
      });
    const permissionsOf = (recording: Recording) =>
      declaredOf(recording, "Function").map(({ args }) => FunctionArgs.parse(args).permissions);
    expect(permissionsOf(production)).toStrictEqual(expected(() => false));
    const ownBucket = await recordDeployment("staging", withoutBucket);
    expect(permissionsOf(ownBucket)).toStrictEqual(
      expected((name) =>
        ["health", "user", "journal", "pictures", "imports", "ai", "safety", "workout-window"].includes(name),
      ),
    );
  });

  it("have names that SST accepts, each once", () => {
    const names = production.declared.map(({ kind, name }) => `${kind} ${name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { name } of production.declared) expect(name).toMatch(/^[A-Z][a-zA-Z0-9]*$/);
  });

  it("start from handlers that exist", () => {
    for (const { folder } of GROUPS) expect(existsSync(new URL(`functions/${folder}/handler.ts`, ROOT))).toBe(true);
  });

  it("are bundled as split, minified ESM with source maps", () => {
    expect(BUNDLING).toStrictEqual({
      format: "esm",
      splitting: true,
      minify: true,
      sourcemap: true,
      esbuild: { external: ["pg-native", "libheif-js", "sharp"] },
    });
  });
});

describe("the schedules", () => {
  it("belong to a path of their group", () => {
    for (const { group, path } of SCHEDULES) {
      const paths = GROUPS.find(({ name }) => name === group)?.paths;
      expect(paths?.some((prefix) => path.startsWith(`${prefix}/`))).toBe(true);
    }
  });

  it("send an event that only the scheduler can send, with method, path, secret and due time", () => {
    expect(scheduledEvent({ method: "POST", path: "/health/cron/x" }, "s")).toMatchObject({
      source: "nectar.schedule",
      version: "2.0",
      rawPath: "/health/cron/x",
      headers: { "x-cron-secret": "s", "x-due-at": "<aws.scheduler.scheduled-time>" },
      requestContext: { http: { method: "POST", path: "/health/cron/x" } },
      isBase64Encoded: false,
    });
  });

  it("use cron expressions that EventBridge accepts: six fields, and one of the two day fields is open", () => {
    for (const { cron } of SCHEDULES) {
      const fields = /^cron\((.+)\)$/.exec(cron)?.[1]?.split(" ") ?? [];
      expect(fields).toHaveLength(6);
      expect([fields[2], fields[4]].filter((field) => field === "?")).toHaveLength(1);
    }
  });
});

describe("the subscribers of the queues", () => {
  it("run as many tasks at the same time as the deployer says", () => {
    const Mapping = z.object({ transform: z.object({ eventSourceMapping: z.unknown() }) });
    const concurrency = declaredOf(production, "Subscriber").map(({ name, args }) => [
      name,
      z.tuple([z.unknown(), Mapping]).parse(args)[1].transform.eventSourceMapping,
    ]);
    expect(Object.fromEntries(concurrency)).toEqual({
      Tasks: { scalingConfig: { maximumConcurrency: 12 } },
      Ranges: { scalingConfig: { maximumConcurrency: 34 } },
      Imports: { scalingConfig: { maximumConcurrency: 2 } },
    });
  });

  it("may run as many tasks at the same time as AWS allows", async () => {
    for (const name of ["TASK_CONCURRENCY", "RANGE_CONCURRENCY"]) {
      for (const count of ["1", "1001", "many"]) {
        await expect(recordDeployment("production", { ...DEPLOYER, [name]: count })).rejects.toThrow(name);
      }
    }
  });
});

describe("the rest", () => {
  it("prints the address, the bucket and the queues of what failed for the deployer", () => {
    expect(production.outputs).toStrictEqual({
      api: new Later("https://api.example/"),
      files: new Later("name of Files"),
      failedJobs: new Later("arn of FailedJobs"),
      failedTasks: new Later("arn of FailedTasks"),
    });
  });

  it("is protected against removal in production only", () => {
    expect(production.app).toStrictEqual({ name: "nectar", home: "aws", removal: "retain", protect: true });
    expect(staging.app).toStrictEqual({ name: "nectar", home: "aws", removal: "remove", protect: false });
  });

  it("comes from a file without imports at its top, as SST requires", () => {
    expect(readFileSync(new URL("sst.config.ts", ROOT), "utf8")).not.toMatch(/^\s*import\b(?!\()/m);
  });
});
