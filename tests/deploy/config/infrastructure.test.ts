import { existsSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { GROUPS } from "#functions/groups";
import { SCHEDULES } from "#functions/schedules";
import { scheduledEvent } from "#lambda/scheduled-event";
import { BUNDLING } from "#ops/deploy/bundling";
import { componentName } from "#ops/deploy/names";
import { DEPLOYER, declaredOf, Later, type Recording, recordDeployment } from "./sst-recorder.ts";

const ROOT = new URL("../../../", import.meta.url);
const FunctionArgs = z.object({ permissions: z.array(z.unknown()) });
let production: Recording;
let staging: Recording;

beforeAll(async () => {
  production = await recordDeployment("production", DEPLOYER);
  staging = await recordDeployment("staging", DEPLOYER);
});

/** The version of a package that the photo decoders are developed and tested with. */
function versionOf(name: string): unknown {
  return JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8")).dependencies[name];
}

describe("the functions", () => {
  it("are one for each group and no other, with what the table says", () => {
    const expected = GROUPS.map(({ name, folder, paths, memoryMb, timeoutSeconds }) => ({
      kind: "Function",
      name: componentName(name),
      given: 1,
      args: {
        handler: `functions/${folder}/handler.handler`,
        description: `Nectar: ${paths.join(", ")}`,
        runtime: "nodejs24.x",
        architecture: "arm64",
        memory: `${memoryMb} MB`,
        timeout: `${timeoutSeconds} seconds`,
        environment: expect.any(Object),
        url: { authorization: "none", cors: false },
        nodejs:
          name === "workout-window" || name === "pictures"
            ? { ...BUNDLING, install: { "libheif-js": versionOf("libheif-js"), sharp: versionOf("sharp") } }
            : BUNDLING,
        permissions: expect.any(Array),
        ...(SCHEDULES.some(({ group }) => group === name)
          ? {
              retries: 2,
              transform: {
                eventInvokeConfig: {
                  destinationConfig: { onFailure: { destination: new Later("arn of FailedJobs") } },
                },
              },
            }
          : {}),
      },
    }));
    expect(declaredOf(production, "Function")).toStrictEqual(expected);
    expect(declaredOf(staging, "Function")).toStrictEqual(expected);
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
  it("are one for each job and call the function of its group at the job's route, with the secret", () => {
    const functionNamed = (group: string) => ({
      url: new Later(`https://${componentName(group).toLowerCase()}.example/`),
    });
    expect(declaredOf(production, "CronV2")).toMatchObject(
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
    expect(declaredOf(production, "CronV2")).toHaveLength(SCHEDULES.length);
  });

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
  it.each([
    { queue: "Tasks", maximumConcurrency: 12 },
    { queue: "Ranges", maximumConcurrency: 34 },
    { queue: "Imports", maximumConcurrency: 2 },
  ])(
    "are functions without an address, which get one task at a time and report those that failed: $queue",
    ({ queue, maximumConcurrency }) => {
      const subscribers = declaredOf(production, "Subscriber").filter(({ name }) => name === queue);
      expect(subscribers.map(({ args }) => args)).toStrictEqual([
        [
          {
            handler: "functions/tasks/handler.handler",
            description: expect.stringMatching(/^Nectar: /),
            runtime: "nodejs24.x",
            architecture: "arm64",
            memory: "1536 MB",
            timeout: "900 seconds",
            environment: expect.objectContaining({
              TASK_QUEUE_URL: new Later("https://tasks.example/"),
              RANGE_QUEUE_URL: new Later("https://ranges.example/"),
              IMPORT_QUEUE_URL: new Later("https://imports.example/"),
            }),
            nodejs: { ...BUNDLING, install: { "libheif-js": versionOf("libheif-js"), sharp: versionOf("sharp") } },
            permissions: [
              {
                actions: ["sqs:SendMessage"],
                resources: ["Tasks", "Ranges", "Imports"].map((name) => new Later(`arn of ${name}`)),
              },
            ],
          },
          {
            batch: { size: 1, partialResponses: true },
            transform: { eventSourceMapping: { scalingConfig: { maximumConcurrency } } },
          },
        ],
      ]);
    },
  );

  it("may wake themselves through their queues as often as they must, which Lambda would end after 16 times", () => {
    expect(declaredOf(production, "FunctionRecursionConfig")).toStrictEqual(
      ["Tasks", "Ranges", "Imports"].map((queue) => ({
        kind: "FunctionRecursionConfig",
        name: `${queue}Recursion`,
        given: 1,
        args: { functionName: new Later(`subscriber of ${queue}`), recursiveLoop: "Allow" },
      })),
    );
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
  it("is three queues of tasks, two queues that keep failed jobs and tasks for two weeks, and a private bucket", () => {
    const twoWeeks = { transform: { queue: { messageRetentionSeconds: 1_209_600 } } };
    const retried = { visibilityTimeout: "5400 seconds", dlq: { queue: new Later("arn of FailedTasks"), retry: 5 } };
    const fourHours = { transform: { queue: { messageRetentionSeconds: 14_400 } } };
    expect(declaredOf(production, "Queue")).toStrictEqual([
      { kind: "Queue", name: "FailedJobs", given: 1, args: twoWeeks },
      { kind: "Queue", name: "FailedTasks", given: 1, args: twoWeeks },
      { kind: "Queue", name: "Tasks", given: 1, args: retried },
      { kind: "Queue", name: "Ranges", given: 1, args: { ...retried, ...fourHours } },
      { kind: "Queue", name: "Imports", given: 1, args: retried },
    ]);
    expect(declaredOf(production, "Bucket")).toStrictEqual([
      { kind: "Bucket", name: "Files", args: undefined, given: 0 },
    ]);
  });

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
