const WIDTH = 12;
const HEIGHT = 6;

/** The dashboard as CloudWatch takes it: a few graphs in two columns. */
export function dashboardBody(namespace: string, region: string): string {
  const requests = (statusClass: string, stat: string) => [
    namespace,
    "duration_ms",
    "status_class",
    statusClass,
    { stat, label: `${statusClass} ${stat}` },
  ];
  const search = (dimensions: string, stat: string, more = "") => [
    { expression: `SEARCH('{${namespace},${dimensions}} MetricName="duration_ms" ${more}', '${stat}')` },
  ];
  const graphs = [
    { title: "Requests", metrics: ["2xx", "4xx", "5xx"].map((statusClass) => requests(statusClass, "SampleCount")) },
    { title: "Duration of requests (ms)", metrics: ["p50", "p99"].map((stat) => requests("2xx", stat)) },
    { title: "Slow groups (p99, ms)", metrics: [search("group,status_class", "p99", 'status_class="2xx"')] },
    { title: "Failed requests by group", metrics: [search("group,status_class", "SampleCount", 'status_class="5xx"')] },
    { title: "Duration of jobs (ms)", metrics: [search("job,outcome", "Maximum")] },
    { title: "Duration of tasks (ms)", metrics: [search("task,outcome", "Maximum")] },
    {
      title: "Lambda in this account",
      metrics: [
        ["AWS/Lambda", "ConcurrentExecutions", { stat: "Maximum" }],
        ["AWS/Lambda", "Throttles", { stat: "Sum" }],
        ["AWS/Lambda", "Errors", { stat: "Sum" }],
      ],
    },
    {
      title: "Messages in queues",
      metrics: [
        [
          {
            expression: "SEARCH('{AWS/SQS,QueueName} MetricName=\"ApproximateNumberOfMessagesVisible\"', 'Maximum')",
          },
        ],
      ],
    },
  ];
  return JSON.stringify({
    widgets: graphs.map(({ title, metrics }, index) => ({
      type: "metric",
      x: (index % 2) * WIDTH,
      y: Math.floor(index / 2) * HEIGHT,
      width: WIDTH,
      height: HEIGHT,
      properties: { title, metrics, region, view: "timeSeries", period: 300 },
    })),
  });
}
