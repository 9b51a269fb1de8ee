import { dashboardBody } from "./dashboard.ts";
import type { Apply, AwsComponents, MetricAlarmArgs, MetricQuery } from "./sst.ts";

export interface Watched<Text> {
  readonly stage: string;
  /** The CloudWatch namespace of our metrics. */
  readonly namespace: string;
  /** Gets a mail when an alarm rings, after it was confirmed once. */
  readonly email: string;
  /** ARNs of the queues for what failed, by the names of their alarms. */
  readonly failures: Readonly<Record<string, Text>>;
}

const FIVE_MINUTES = 300;
const HOUR = 3_600;
/** Percent of the requests in five minutes. */
const MAX_FAILED_REQUESTS = 1;
/** Fewer failed requests in five minutes ring no alarm, however few requests there were. */
const MIN_FAILED_REQUESTS = 5;

/** Alarms that send mail, and a dashboard. docs/operations.md says what to do when one rings. */
export function createAlarms<Text>(
  aws: AwsComponents<Text>,
  apply: Apply<Text>,
  { stage, namespace, email, failures }: Watched<Text>,
): void {
  const topic = new aws.Topic("Alarms");
  new aws.TopicSubscription("AlarmMail", { topic: topic.arn, protocol: "email", endpoint: email });
  const alarm = (name: string, description: string, args: Partial<MetricAlarmArgs<Text>>) =>
    new aws.MetricAlarm(`${name}Alarm`, {
      alarmDescription: `Nectar ${stage}: ${description}`,
      comparisonOperator: "GreaterThanThreshold",
      threshold: 0,
      evaluationPeriods: 1,
      treatMissingData: "notBreaching",
      alarmActions: [topic.arn],
      okActions: [topic.arn],
      ...args,
    });

  for (const [name, arn] of Object.entries(failures)) {
    alarm(name, "something failed after all retries and waits in its queue.", {
      namespace: "AWS/SQS",
      metricName: "ApproximateNumberOfMessagesVisible",
      dimensions: { QueueName: apply(arn, (text) => text.split(":").at(-1) ?? "") },
      statistic: "Maximum",
      period: FIVE_MINUTES,
    });
  }
  alarm("FailedRequests", `more than ${MAX_FAILED_REQUESTS} % of the requests failed.`, {
    metricQueries: failedRequests(namespace),
    threshold: MAX_FAILED_REQUESTS,
    evaluationPeriods: 2,
  });
  // Throttling concerns all functions of an account and region.
  alarm("Throttles", "Lambda refused to run functions, because too many run.", {
    namespace: "AWS/Lambda",
    metricName: "Throttles",
    statistic: "Sum",
    period: FIVE_MINUTES,
  });

  // Housekeeping counts late jobs every hour. Without its line, the scheduler itself does not run.
  alarm("LateJobs", "a job is late, or housekeeping does not run.", {
    namespace,
    metricName: "late_jobs",
    statistic: "Maximum",
    period: HOUR,
    evaluationPeriods: 2,
    treatMissingData: "breaching",
  });
  alarm("WaitingReviews", "a report, an appeal or a check-in has waited for an admin for too long.", {
    namespace,
    metricName: "waiting_reviews",
    statistic: "Maximum",
    period: HOUR,
  });

  new aws.Dashboard("Dashboard", {
    dashboardName: `nectar-${stage}`,
    // The dashboard shows metrics of the region that its alarms are in.
    dashboardBody: apply(topic.arn, (arn) => dashboardBody(namespace, arn.split(":")[3] ?? "")),
  });
}

/** The percentage of requests that failed; 0 if only few did. */
function failedRequests(namespace: string): MetricQuery[] {
  const count = (id: string, statusClass: string): MetricQuery => ({
    id,
    returnData: false,
    metric: {
      namespace,
      metricName: "duration_ms",
      dimensions: { status_class: statusClass },
      period: FIVE_MINUTES,
      // Each request has one sample of its duration.
      stat: "SampleCount",
    },
  });
  return [
    count("succeeded", "2xx"),
    count("refused", "4xx"),
    count("failed", "5xx"),
    {
      id: "percent",
      label: "Failed requests (%)",
      returnData: true,
      expression: `IF(failed >= ${MIN_FAILED_REQUESTS}, 100 * failed / (FILL(succeeded, 0) + FILL(refused, 0) + failed), 0)`,
    },
  ];
}
