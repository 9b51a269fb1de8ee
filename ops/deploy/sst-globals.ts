import type { AwsComponents, DeployedFunction, SstComponents } from "./sst.ts";

// The globals that SST defines for sst.config.ts and that we use. SST's own declarations exist only after `sst install`;
// with these the file is type-checked in every clone.
declare global {
  namespace $util {
    interface Output<Value extends string> {
      apply(transform: (value: Value) => Value): Output<Value>;
    }
  }
  namespace sst.aws {
    type Function = DeployedFunction<$util.Output<string>>;
  }
  const $config: (config: {
    app(input: { readonly stage?: string } | undefined): {
      name: string;
      home: "aws";
      removal: "retain" | "remove";
      protect: boolean;
    };
    run(): Promise<Record<string, $util.Output<string>>>;
  }) => unknown;
  const $app: { readonly stage: string };
  const sst: {
    readonly aws: Omit<Components, "Secret" | "apply">;
    readonly Secret: Components["Secret"];
  };
  const aws: {
    readonly sns: Pick<Aws, "Topic" | "TopicSubscription">;
    readonly lambda: Pick<Aws, "FunctionRecursionConfig">;
    readonly cloudwatch: Pick<Aws, "MetricAlarm" | "Dashboard">;
  };
}

type Aws = AwsComponents<$util.Output<string>>;
type Components = SstComponents<$util.Output<string>, sst.aws.Function>;
