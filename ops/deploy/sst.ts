import type { WebAcl } from "./firewall.ts";

/**
 * Our own types for the part of SST that we use: SST generates its types during `sst install`, and the deployment should
 * be type-checked in a fresh clone too. `Text` is a string that SST only knows during a deployment.
 */
export interface SstComponents<Text, Fn extends DeployedFunction<Text>> {
  readonly Function: new (name: string, args: FunctionArgs<Text>) => Fn;
  readonly Router: new (name: string, args: RouterArgs<Text>) => DeployedRouter<Text>;
  readonly CronV2: new (name: string, args: CronArgs<Text, Fn>) => unknown;
  readonly Queue: new (name: string, args: QueueArgs<Text>) => DeployedQueue<Text>;
  readonly Bucket: new (name: string) => DeployedBucket<Text>;
  readonly Secret: new (name: string, placeholder?: string) => { readonly value: Text };
  readonly apply: Apply<Text>;
}

/** Makes a string of another one as soon as that is known. */
export type Apply<Text> = (text: Text, transform: (value: string) => string) => Text;

export interface DeployedFunction<Text> {
  readonly url: Text;
}

export interface DeployedBucket<Text> {
  readonly name: Text;
  readonly arn: Text;
  readonly nodes: { readonly bucket: { readonly region: Text } };
}

export interface DeployedQueue<Text> {
  readonly arn: Text;
  readonly url: Text;
  /** Has a function invoked with the messages of the queue. */
  subscribe(
    subscriber: FunctionArgs<Text>,
    args: {
      batch: { size: number; partialResponses: boolean };
      transform: { eventSourceMapping: { scalingConfig: { maximumConcurrency: number } } };
    },
  ): { readonly nodes: { readonly function: { readonly name: Text } } };
}

export interface DeployedRouter<Text> {
  readonly url: Text;
  /** Routes a path prefix, and everything below it, to an address. */
  route(prefix: string, url: Text, args: { readTimeout: `${number} seconds` }): void;
}

export interface FunctionArgs<Text> {
  handler: string;
  description: string;
  runtime: "nodejs24.x";
  architecture: "arm64";
  memory: `${number} MB`;
  timeout: `${number} seconds`;
  environment: Record<string, string | Text>;
  url?: { authorization: "none"; cors: false };
  nodejs: {
    format: "esm";
    splitting: boolean;
    minify: boolean;
    sourcemap: boolean;
    esbuild: { external: string[] };
    /** Code at the beginning of each file of the bundle. */
    banner: string;
    /** Packages that are installed beside the bundle, with their versions. */
    install?: Record<string, string>;
  };
  /** Retries of asynchronous calls, such as the scheduler's. */
  retries?: number;
  permissions: { actions: string[]; resources: Text[] }[];
  transform?: { eventInvokeConfig: { destinationConfig: { onFailure: { destination: Text } } } };
}

export interface CronArgs<Text, Fn> {
  schedule: `cron(${string})`;
  timezone: "UTC";
  function: Fn;
  event: unknown;
  retries: number;
  dlq: Text;
}

export interface QueueArgs<Text> {
  visibilityTimeout?: `${number} seconds`;
  dlq?: { queue: Text; retry: number };
  transform?: { queue: { messageRetentionSeconds: number } };
}

export interface RouterArgs<Text> {
  /** SST creates its certificate and its records in Route 53. */
  domain?: string;
  /** Whether it has a firewall. */
  waf: boolean;
  edge: { viewerRequest: { injection: Text } };
  transform: { cdn: (args: Distribution) => undefined; waf: (args: WebAcl) => undefined };
}

/** The part that we change in the CloudFront distribution of SST's router. */
export interface Distribution {
  origins: unknown;
  defaultCacheBehavior: unknown;
  customErrorResponses?: unknown;
}

/** The resources of Pulumi's AWS provider that we use directly. */
export interface AwsComponents<Text> {
  readonly Topic: new (name: string) => { readonly arn: Text };
  readonly TopicSubscription: new (name: string, args: { topic: Text; protocol: "email"; endpoint: string }) => unknown;
  readonly FunctionRecursionConfig: new (
    name: string,
    args: {
      functionName: Text;
      /** Whether Lambda ends a chain of invocations that wake each other. */
      recursiveLoop: "Allow" | "Terminate";
    },
  ) => unknown;
  readonly MetricAlarm: new (name: string, args: MetricAlarmArgs<Text>) => unknown;
  readonly Dashboard: new (name: string, args: { dashboardName: string; dashboardBody: Text }) => unknown;
}

export interface MetricAlarmArgs<Text> {
  alarmDescription: string;
  comparisonOperator: "GreaterThanThreshold";
  threshold: number;
  /** Number of periods in a row in which the threshold must be exceeded. */
  evaluationPeriods: number;
  treatMissingData: "notBreaching" | "breaching";
  alarmActions: Text[];
  okActions: Text[];
  namespace?: string;
  metricName?: string;
  dimensions?: Record<string, Text>;
  statistic?: "Maximum" | "Sum";
  /** Seconds. */
  period?: number;
  metricQueries?: MetricQuery[];
}

/** A metric, or an expression over the other metrics of an alarm. */
export interface MetricQuery {
  id: string;
  returnData: boolean;
  label?: string;
  expression?: string;
  metric?: {
    namespace: string;
    metricName: string;
    dimensions: Record<string, string>;
    /** Seconds. */
    period: number;
    stat: "SampleCount";
  };
}
