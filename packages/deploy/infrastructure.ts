import { bundlingWith, type UnbundledPackage } from "./bundling.ts";
import { keepNothing } from "./distribution.ts";
import { type DeployedVariable, functionEnvironment } from "./function-environment.ts";
import { componentName } from "./names.ts";
import { scheduledEvent } from "./scheduled-event.ts";
import type { DeployedFunction, EventualText, FunctionArgs, SstComponents } from "./sst.ts";

/** A group of endpoints as far as deploying it matters. */
export interface DeployedGroup {
  readonly name: string;
  readonly paths: readonly string[];
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly environment: readonly string[];
  readonly unbundledPackages?: readonly UnbundledPackage[];
}

/** A scheduled job as far as deploying it matters. */
export interface DeployedSchedule {
  readonly name: string;
  readonly group: string;
  readonly cron: `cron(${string})`;
  readonly method: "POST";
  readonly path: string;
  readonly secret: string;
}

/** What is to be deployed. */
export interface Plan {
  readonly groups: readonly DeployedGroup[];
  readonly schedules: readonly DeployedSchedule[];
  readonly variables: readonly DeployedVariable[];
  /** The environment of whoever deploys; plain settings are taken from it. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly production: boolean;
}

/** Requests of one address within five minutes; ten a second leaves room for an office behind one address. */
const REQUESTS_PER_ADDRESS = 3_000;
/** How often a scheduled call is tried again, by EventBridge when it cannot reach the function and by Lambda when it fails. */
const RETRIES = 2;
const TWO_WEEKS_IN_SECONDS = 14 * 24 * 60 * 60;

/**
 * Declares everything that Nectar needs on AWS: a function per group behind one router, the schedules with a queue for
 * what failed, and a private bucket. The first group also answers what belongs to no group.
 * @returns the address of the API, the name of the bucket and the address of the queue
 */
export function createInfrastructure<Text extends EventualText, Fn extends DeployedFunction<Text>>(
  sst: SstComponents<Text, Fn>,
  plan: Plan,
): { api: Text; files: Text; failedJobs: Text } {
  const failedJobs = new sst.Queue("FailedJobs", {
    transform: { queue: { messageRetentionSeconds: TWO_WEEKS_IN_SECONDS } },
  });
  const secrets = declareSecrets(sst, plan);
  const files = new sst.Bucket("Files");
  const functions = new Map<string, Fn>();
  for (const group of plan.groups) {
    const environment = functionEnvironment(group.environment, plan.variables, { settings: plan.settings, secrets });
    // Whoever names a bucket of their own brings its keys as well.
    const usesFiles = group.environment.includes("S3_BUCKET") && environment.S3_BUCKET === undefined;
    if (usesFiles) environment.S3_BUCKET = files.name;
    const hasSchedule = plan.schedules.some((schedule) => schedule.group === group.name);
    functions.set(
      group.name,
      new sst.Function(componentName(group.name), {
        handler: `functions/${group.name}/handler.handler`,
        description: `Nectar: ${group.paths.join(", ")}`,
        runtime: "nodejs24.x",
        architecture: "arm64",
        memory: `${group.memoryMb} MB`,
        timeout: `${group.timeoutSeconds} seconds`,
        environment,
        // The app checks tokens and answers CORS itself; IAM signatures would take the place of the caller's token.
        url: { authorization: "none", cors: false },
        nodejs: bundlingWith(group.unbundledPackages ?? []),
        ...(hasSchedule || usesFiles
          ? {
              permissions: [
                ...(hasSchedule ? [{ actions: ["sqs:SendMessage"], resources: [failedJobs.arn] }] : []),
                ...(usesFiles
                  ? [
                      { actions: FILE_ACTIONS, resources: [files.arn.apply(everyFileOf)] },
                      { actions: BUCKET_ACTIONS, resources: [files.arn] },
                    ]
                  : []),
              ],
            }
          : {}),
        ...(hasSchedule ? failuresTo(failedJobs.arn) : {}),
      }),
    );
  }

  const fallback = functionOf(functions, plan.groups[0]?.name ?? "");
  const router = new sst.Router("Api", {
    ...(plan.production ? { waf: RATE_LIMIT_ONLY } : {}),
    transform: {
      cdn: (args) =>
        keepNothing(
          args,
          fallback.url.apply((url) => new URL(url).host),
        ),
    },
  });
  for (const { name, paths, timeoutSeconds } of plan.groups) {
    const { url } = functionOf(functions, name);
    const readTimeout = `${Math.min(timeoutSeconds, LONGEST_READ_SECONDS)} seconds` as const;
    for (const path of paths) router.route(path, url, { readTimeout });
  }

  for (const schedule of plan.schedules) {
    new sst.CronV2(`${componentName(schedule.name)}Schedule`, {
      schedule: schedule.cron,
      timezone: "UTC",
      function: functionOf(functions, schedule.group),
      event: scheduledEvent(schedule, secrets.get(schedule.secret)),
      retries: RETRIES,
      dlq: failedJobs.arn,
    });
  }

  return { api: router.url, files: files.name, failedJobs: failedJobs.arn };
}

/** What a function that keeps private files may do with them. */
const FILE_ACTIONS = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"];

/** No function lists files, but S3 says that one is not there only to whoever might; everybody else it refuses (403). */
const BUCKET_ACTIONS = ["s3:ListBucket"];

function everyFileOf(bucketArn: string): string {
  return `${bucketArn}/*`;
}

/** CloudFront waits no longer for an answer. What takes longer are jobs, which the scheduler starts without it. */
const LONGEST_READ_SECONDS = 60;

/** AWS's managed rules stay off: they read people's own prose and take some of it for an attack. */
const RATE_LIMIT_ONLY = {
  rateLimitPerIp: REQUESTS_PER_ADDRESS,
  managedRules: { coreRuleSet: false, knownBadInputs: false, sqlInjection: false },
};

/** Every secret that some function or schedule uses. One that a schedule needs has no default, so it must be set. */
function declareSecrets<Text extends EventualText, Fn extends DeployedFunction<Text>>(
  sst: SstComponents<Text, Fn>,
  plan: Plan,
): Map<string, Text> {
  const used = new Set(plan.groups.flatMap((group) => group.environment));
  const needed = new Set(plan.schedules.map((schedule) => schedule.secret));
  const secrets = new Map<string, Text>();
  for (const { name, kind, fallback } of plan.variables) {
    if (kind !== "secret" || !used.has(name)) continue;
    const optional = fallback !== null && !needed.has(name);
    const secret = optional ? new sst.Secret(componentName(name), fallback) : new sst.Secret(componentName(name));
    secrets.set(name, secret.value);
  }
  for (const name of needed) if (!secrets.has(name)) throw new Error(`${name} is not a secret of any function.`);
  return secrets;
}

/** Lambda answers EventBridge before the job has run, so what fails then is Lambda's to retry and to put aside. */
function failuresTo<Text>(queueArn: Text): Pick<FunctionArgs<Text>, "retries" | "transform"> {
  return {
    retries: RETRIES,
    transform: { eventInvokeConfig: { destinationConfig: { onFailure: { destination: queueArn } } } },
  };
}

function functionOf<Fn>(functions: ReadonlyMap<string, Fn>, name: string): Fn {
  const found = functions.get(name);
  if (found === undefined) throw new Error(`There is no group named "${name}".`);
  return found;
}
