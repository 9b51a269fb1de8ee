// SST allows no imports up here. The infrastructure is declared in ops/deploy, which is type-checked and tested.
export default $config({
  app(input) {
    const production = input?.stage === "production";
    return {
      name: "nectar",
      home: "aws",
      removal: production ? "retain" : "remove",
      protect: production,
    };
  },
  async run() {
    const { createInfrastructure } = await import("#ops/deploy/infrastructure");
    const { GROUPS, TASKS } = await import("#functions/groups");
    const { SCHEDULES } = await import("#functions/schedules");
    return createInfrastructure<$util.Output<string>, sst.aws.Function>(
      {
        Function: sst.aws.Function,
        Router: sst.aws.Router,
        CronV2: sst.aws.CronV2,
        Queue: sst.aws.Queue,
        Bucket: sst.aws.Bucket,
        Secret: sst.Secret,
        apply: (text, transform) => text.apply(transform),
      },
      {
        Topic: aws.sns.Topic,
        TopicSubscription: aws.sns.TopicSubscription,
        FunctionRecursionConfig: aws.lambda.FunctionRecursionConfig,
        MetricAlarm: aws.cloudwatch.MetricAlarm,
        Dashboard: aws.cloudwatch.Dashboard,
      },
      {
        groups: GROUPS,
        tasks: TASKS,
        schedules: SCHEDULES,
        settings: process.env,
        stage: $app.stage,
      },
    );
  },
});
