import { DUE_AT_HEADER } from "#http/jobs/due-at";

/** Marks a scheduled event: an HTTP caller controls path, headers and body, but no other field of an event. */
export const SCHEDULE_SOURCE = "nectar.schedule";

/**
 * The event with which EventBridge invokes a function for a scheduled job: a request to the job's route as a function URL
 * would deliver it (payload 2.0), so that the scheduler, an operator and a test all use the same route.
 * @param secret sent in `x-cron-secret`; during a deployment, a value that is known later
 */
export function scheduledEvent(schedule: { readonly method: "POST"; readonly path: string }, secret: unknown) {
  const host = "schedule.invalid";
  return {
    source: SCHEDULE_SOURCE,
    version: "2.0",
    routeKey: "$default",
    rawPath: schedule.path,
    rawQueryString: "",
    headers: {
      host,
      "user-agent": SCHEDULE_SOURCE,
      "x-cron-secret": secret,
      // EventBridge may invoke a function more than once for the same time, and replaces this by that time.
      [DUE_AT_HEADER]: "<aws.scheduler.scheduled-time>",
      // EventBridge replaces this by the id of the run, which connects its records with our logs.
      "x-request-id": "<aws.scheduler.execution-id>",
    },
    requestContext: {
      accountId: "anonymous",
      apiId: "schedule",
      domainName: host,
      domainPrefix: "schedule",
      http: {
        method: schedule.method,
        path: schedule.path,
        protocol: "HTTP/1.1",
        sourceIp: "127.0.0.1",
        userAgent: SCHEDULE_SOURCE,
      },
      requestId: "<aws.scheduler.execution-id>",
      routeKey: "$default",
      stage: "$default",
      time: "<aws.scheduler.scheduled-time>",
      timeEpoch: 0,
    },
    isBase64Encoded: false,
  };
}
