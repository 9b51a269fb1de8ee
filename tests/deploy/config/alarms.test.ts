import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { DEPLOYER, declaredOf, Later, type Recording, recordDeployment } from "./sst-recorder.ts";

const { METRICS_NAMESPACE: _, ...WITHOUT_NAMESPACE } = DEPLOYER;
const TOPIC = new Later("arn of Alarms");
const Dashboard = z.object({
  dashboardName: z.string(),
  dashboardBody: z
    .instanceof(Later)
    .transform(({ origin }) =>
      z.object({ widgets: z.array(z.object({ properties: z.unknown() })) }).parse(JSON.parse(origin)),
    ),
});
const FunctionArgs = z.object({ environment: z.record(z.string(), z.unknown()) });
let staging: Recording;

beforeAll(async () => {
  staging = await recordDeployment("staging", WITHOUT_NAMESPACE);
});

describe("the alarms", () => {
  it("send mail to the operator when they ring and when they are over", () => {
    expect(declaredOf(staging, "Topic")).toMatchObject([{ name: "Alarms" }]);
    expect(declaredOf(staging, "TopicSubscription")).toMatchObject([
      { args: { topic: TOPIC, protocol: "email", endpoint: "operator@nectar.test" } },
    ]);
    for (const { args } of declaredOf(staging, "MetricAlarm")) {
      expect(args).toMatchObject({ alarmActions: [TOPIC], okActions: [TOPIC] });
    }
  });

  it("ring for failed jobs and tasks, failed requests, throttled functions and late jobs", () => {
    const alarms = new Map(declaredOf(staging, "MetricAlarm").map(({ name, args }) => [name, args]));
    expect(Object.fromEntries(alarms)).toMatchObject({
      FailedJobsAlarm: {
        namespace: "AWS/SQS",
        metricName: "ApproximateNumberOfMessagesVisible",
        dimensions: { QueueName: new Later("arn of FailedJobs") },
        threshold: 0,
      },
      FailedTasksAlarm: { dimensions: { QueueName: new Later("arn of FailedTasks") } },
      FailedRequestsAlarm: {
        threshold: 1,
        evaluationPeriods: 2,
        metricQueries: [
          { id: "succeeded", metric: { namespace: "nectar-staging", dimensions: { status_class: "2xx" } } },
          { id: "refused", metric: { metricName: "duration_ms", dimensions: { status_class: "4xx" } } },
          { id: "failed", metric: { stat: "SampleCount", dimensions: { status_class: "5xx" } } },
          { id: "percent", returnData: true, expression: expect.stringContaining("100 * failed / ") },
        ],
      },
      ThrottlesAlarm: { namespace: "AWS/Lambda", metricName: "Throttles", statistic: "Sum" },
      LateJobsAlarm: { namespace: "nectar-staging", metricName: "late_jobs", treatMissingData: "breaching" },
    });
  });

  it("and the dashboard are left out without an address", async () => {
    const { ALARM_EMAIL: __, ...withoutAddress } = DEPLOYER;
    const { declared } = await recordDeployment("production", withoutAddress);
    const kinds = new Set(declared.map(({ kind }) => kind));
    for (const kind of ["Topic", "TopicSubscription", "MetricAlarm", "Dashboard"]) expect(kinds).not.toContain(kind);
  });

  it("need a namespace with metrics", async () => {
    const recording = recordDeployment("staging", { ...DEPLOYER, METRICS_NAMESPACE: "" });
    await expect(recording).rejects.toThrow("ALARM_EMAIL needs metrics");
    const { ALARM_EMAIL: __, ...withoutAddress } = DEPLOYER;
    await recordDeployment("staging", { ...withoutAddress, METRICS_NAMESPACE: "" });
  });

  it("need an address that can be one", async () => {
    await expect(recordDeployment("staging", { ...DEPLOYER, ALARM_EMAIL: "operator" })).rejects.toThrow("ALARM_EMAIL");
  });
});

describe("the dashboard", () => {
  it("shows the metrics of its stage", () => {
    const [dashboard] = declaredOf(staging, "Dashboard");
    const { dashboardName, dashboardBody } = Dashboard.parse(dashboard?.args);
    expect(dashboardName).toBe("nectar-staging");
    expect(dashboardBody.widgets.length).toBeGreaterThan(5);
    expect(JSON.stringify(dashboardBody)).toContain("nectar-staging");
  });
});

describe("the metrics", () => {
  it("of every function are in the namespace of the stage, unless the deployer sets one", async () => {
    const namespaces = (recording: Recording) =>
      new Set(
        declaredOf(recording, "Function").map(({ args }) => FunctionArgs.parse(args).environment.METRICS_NAMESPACE),
      );
    expect([...namespaces(staging)]).toEqual(["nectar-staging"]);
    expect([...namespaces(await recordDeployment("staging", DEPLOYER))]).toEqual(["set METRICS_NAMESPACE"]);
  });
});
