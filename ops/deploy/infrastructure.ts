import type { Capability } from "#config/capabilities";
import { parseVariables } from "#config/config";
import { Environment, OperatorEnvironment, VARIABLES } from "#config/variables";
import { IMPORT_CONCURRENCY } from "#core/work/tasks";
import { sendRouterSecret } from "#lambda/router-secret";
import { scheduledEvent } from "#lambda/scheduled-event";
import { createAlarms } from "./alarms.ts";
import { bundlingWith, type UnbundledPackage } from "./bundling.ts";
import { disableCaching } from "./distribution.ts";
import { checkEnvironmentSizes } from "./environment-size.ts";
import { limitRates } from "./firewall.ts";
import { functionVariables, PHOTO_ENVIRONMENT } from "./function-environment.ts";
import { componentName } from "./names.ts";
import type {
  Apply,
  AwsComponents,
  DeployedFunction,
  DeployedQueue,
  FunctionArgs,
  QueueArgs,
  SstComponents,
} from "./sst.ts";

/** The fields of a function that its deployment needs. */
export interface FunctionRow {
  readonly name: string;
  /** Its folder in `functions`. */
  readonly folder: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly capabilities: readonly Capability[];
  readonly unbundledPackages?: readonly UnbundledPackage[];
}

/** The fields of a group of endpoints that its deployment needs. */
export interface DeployedGroup extends FunctionRow {
  readonly paths: readonly string[];
}

/** The fields of a scheduled job that its deployment needs. */
export interface DeployedSchedule {
  readonly name: string;
  readonly group: string;
  readonly cron: `cron(${string})`;
  readonly method: "POST";
  readonly path: string;
  readonly secret: string;
}

export interface Plan {
  readonly groups: readonly DeployedGroup[];
  /** The function that does tasks; each queue has its own copy. */
  readonly tasks: FunctionRow;
  readonly schedules: readonly DeployedSchedule[];
  /** The deployer's environment, from which variables that are not secret are taken. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** The name of this copy of everything. `production` has rate limits. */
  readonly stage: string;
}

const ROUTER_SECRET = "ROUTER_SECRET";
/** Retries of a scheduled call: by EventBridge when it cannot reach the function, by Lambda when the job fails. */
const RETRIES = 2;
export const TWO_WEEKS_IN_SECONDS = 14 * 24 * 60 * 60;
/** Longer than the attempts at a range take; the job's runs queue the same people again. */
const FOUR_HOURS_IN_SECONDS = 4 * 60 * 60;
/** A task that failed this often is kept for the operator. */
const MAX_RECEIVES = 5;
/** AWS's advice: a message stays hidden for six times as long as its function may run. */
const VISIBILITY_TIMEOUTS = 6;
/** CloudFront waits no longer for a response. Only jobs take longer, and the scheduler starts them without CloudFront. */
const MAX_READ_SECONDS = 60;

/**
 * Declares everything that Nectar needs on AWS: one function per group behind one router, the schedules with a queue for
 * failed jobs, three queues of tasks (those for ranges of people, and imports, have their own, so that no push waits for
 * them), each with a subscriber, a queue for failed tasks, a private bucket, and alarms if they have an address. The first
 * group also gets the requests that belong to no group.
 * @returns the address of the API, the name of the bucket and the addresses of the queues for what failed
 */
export function createInfrastructure<Text, Fn extends DeployedFunction<Text>>(
  sst: SstComponents<Text, Fn>,
  aws: AwsComponents<Text>,
  { groups, tasks, schedules, settings: given, stage }: Plan,
): { api: Text; files: Text; failedJobs: Text; failedTasks: Text } {
  const settings = { METRICS_NAMESPACE: `nectar-${stage}`, ...given };
  if ((given.DATABASE_CA ?? "").trim() === "") {
    throw new Error(
      "Set DATABASE_CA in the environment before deploying: it makes connections to the database encrypted.",
    );
  }
  checkEnvironmentSizes([...groups, tasks], settings);
  const keptForTwoWeeks = { transform: { queue: { messageRetentionSeconds: TWO_WEEKS_IN_SECONDS } } };
  const failedJobs = new sst.Queue("FailedJobs", keptForTwoWeeks);
  const failedTasks = new sst.Queue("FailedTasks", keptForTwoWeeks);
  const retriedTasks: QueueArgs<Text> = {
    visibilityTimeout: `${VISIBILITY_TIMEOUTS * tasks.timeoutSeconds} seconds`,
    dlq: { queue: failedTasks.arn, retry: MAX_RECEIVES },
  };
  const taskQueue = new sst.Queue("Tasks", retriedTasks);
  const rangeQueue = new sst.Queue("Ranges", {
    ...retriedTasks,
    transform: { queue: { messageRetentionSeconds: FOUR_HOURS_IN_SECONDS } },
  });
  const importQueue = new sst.Queue("Imports", retriedTasks);
  const secrets = declareSecrets(sst, schedules);
  const files = new sst.Bucket("Files");

  /** Arguments that all functions have in common. */
  function argsOf(row: FunctionRow, description: string, hasSchedule: boolean): FunctionArgs<Text> {
    const chosen = functionVariables(row.capabilities, { settings, secrets });
    const environment: Record<string, string | Text> = { ...chosen.secrets };
    // If the deployer sets a bucket, they set its keys as well.
    const usesOurBucket = row.capabilities.includes("privateFiles") && chosen.settings.S3_BUCKET === undefined;
    if (usesOurBucket) {
      environment.S3_BUCKET = files.name;
      environment.S3_REGION = files.nodes.bucket.region;
    }
    if (row.unbundledPackages?.includes("sharp")) Object.assign(environment, PHOTO_ENVIRONMENT);
    const usesQueues = row.capabilities.includes("tasks");
    if (usesQueues) {
      environment.TASK_QUEUE_URL = taskQueue.url;
      environment.RANGE_QUEUE_URL = rangeQueue.url;
      environment.IMPORT_QUEUE_URL = importQueue.url;
    }
    const queues = usesQueues ? [taskQueue.arn, rangeQueue.arn, importQueue.arn] : [];
    const sendsTo = [...(hasSchedule ? [failedJobs.arn] : []), ...queues];
    return {
      handler: `functions/${row.folder}/handler.handler`,
      description: `Nectar: ${description}`,
      runtime: "nodejs24.x",
      architecture: "arm64",
      memory: `${row.memoryMb} MB`,
      timeout: `${row.timeoutSeconds} seconds`,
      environment,
      nodejs: bundlingWith(row.unbundledPackages ?? [], chosen.settings),
      permissions: [
        ...(sendsTo.length > 0 ? [{ actions: ["sqs:SendMessage"], resources: sendsTo }] : []),
        ...(usesOurBucket ? filePermissions(files.arn, sst.apply) : []),
      ],
    };
  }

  const functions = new Map<string, Fn>();
  for (const group of groups) {
    const hasSchedule = schedules.some((schedule) => schedule.group === group.name);
    functions.set(
      group.name,
      new sst.Function(componentName(group.name), {
        ...argsOf(group, group.paths.join(", "), hasSchedule),
        // The app checks tokens and responds to CORS itself; an IAM signature would replace the caller's token.
        url: { authorization: "none", cors: false },
        ...(hasSchedule ? retriesThenQueue(failedJobs.arn) : {}),
      }),
    );
  }
  const { TASK_CONCURRENCY, RANGE_CONCURRENCY } = parseVariables(
    Environment.pick({ TASK_CONCURRENCY: true, RANGE_CONCURRENCY: true }),
    settings,
  );
  const subscribe = (name: string, queue: DeployedQueue<Text>, description: string, maximumConcurrency: number) => {
    const subscriber = queue.subscribe(argsOf(tasks, description, false), {
      batch: { size: 1, partialResponses: true },
      // It bounds the connections to the database and the calls of the model.
      transform: { eventSourceMapping: { scalingConfig: { maximumConcurrency } } },
    });
    // A task that continues an import or wakes another worker is a chain of messages, which Lambda would end after 16.
    new aws.FunctionRecursionConfig(`${name}Recursion`, {
      functionName: subscriber.nodes.function.name,
      recursiveLoop: "Allow",
    });
  };
  subscribe("Tasks", taskQueue, "pushes, received mail, mosaics, exports and erasures", TASK_CONCURRENCY);
  subscribe("Ranges", rangeQueue, "the assistant's work for ranges of people", RANGE_CONCURRENCY);
  subscribe("Imports", importQueue, "imports", IMPORT_CONCURRENCY);

  const { ALARM_EMAIL, API_DOMAIN } = parseVariables(
    OperatorEnvironment.pick({ ALARM_EMAIL: true, API_DOMAIN: true }),
    settings,
  );
  const fallback = functionOf(functions, groups[0]?.name ?? "");
  const router = new sst.Router("Api", {
    ...(API_DOMAIN === null ? {} : { domain: API_DOMAIN }),
    waf: stage === "production",
    edge: { viewerRequest: { injection: sst.apply(secretOf(secrets, ROUTER_SECRET), sendRouterSecret) } },
    transform: {
      waf: limitRates,
      cdn: (args) =>
        disableCaching(
          args,
          sst.apply(fallback.url, (url) => new URL(url).host),
        ),
    },
  });
  for (const { name, paths, timeoutSeconds } of groups) {
    const { url } = functionOf(functions, name);
    const readTimeout = `${Math.min(timeoutSeconds, MAX_READ_SECONDS)} seconds` as const;
    for (const path of paths) router.route(path, url, { readTimeout });
  }

  for (const schedule of schedules) {
    new sst.CronV2(`${componentName(schedule.name)}Schedule`, {
      schedule: schedule.cron,
      timezone: "UTC",
      function: functionOf(functions, schedule.group),
      event: scheduledEvent(schedule, secretOf(secrets, schedule.secret)),
      retries: RETRIES,
      dlq: failedJobs.arn,
    });
  }

  if (ALARM_EMAIL !== null) {
    if (settings.METRICS_NAMESPACE.trim() === "") {
      throw new Error("ALARM_EMAIL needs metrics: do not set METRICS_NAMESPACE, or set a name.");
    }
    createAlarms(aws, sst.apply, {
      stage,
      namespace: settings.METRICS_NAMESPACE,
      email: ALARM_EMAIL,
      failures: { FailedJobs: failedJobs.arn, FailedTasks: failedTasks.arn },
    });
  }

  return { api: router.url, files: files.name, failedJobs: failedJobs.arn, failedTasks: failedTasks.arn };
}

/** Declares all secrets of functions. Those of the router and the schedules get no default, so they must be set. */
function declareSecrets<Text, Fn extends DeployedFunction<Text>>(
  sst: SstComponents<Text, Fn>,
  schedules: readonly DeployedSchedule[],
): Map<string, Text> {
  const needed = new Set([ROUTER_SECRET, ...schedules.map(({ secret }) => secret)]);
  const secrets = new Map<string, Text>();
  for (const { name, isSecret, capability, default: fallback } of VARIABLES) {
    if (!isSecret || capability === null) continue;
    const isRequired = fallback === null || needed.has(name);
    const secret = isRequired ? new sst.Secret(componentName(name)) : new sst.Secret(componentName(name), fallback);
    secrets.set(name, secret.value);
  }
  return secrets;
}

function secretOf<Text>(secrets: ReadonlyMap<string, Text>, name: string): Text {
  const secret = secrets.get(name);
  if (secret === undefined) throw new Error(`${name} is not a secret of any function.`);
  return secret;
}

/** Permissions in our bucket. No function lists files, but without that right S3 responds 403 to a missing file. */
function filePermissions<Text>(bucketArn: Text, apply: Apply<Text>) {
  return [
    {
      actions: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload"],
      resources: [apply(bucketArn, (arn) => `${arn}/*`)],
    },
    { actions: ["s3:ListBucket", "s3:ListBucketMultipartUploads"], resources: [bucketArn] },
  ];
}

/** Lambda responds to EventBridge before the job has run, so retrying and queueing a failed job is Lambda's part. */
function retriesThenQueue<Text>(queueArn: Text): Pick<FunctionArgs<Text>, "retries" | "transform"> {
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
