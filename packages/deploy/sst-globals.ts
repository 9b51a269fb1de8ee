import type { AwsComponents, DeployedFunction, EventualText, SstComponents } from "./sst.ts";

// The globals that SST defines for sst.config.ts and that we use. SST's own declarations exist only after `sst install`;
// with these the file is type-checked in every clone.
declare global {
  const $config: (config: {
    app(input: { readonly stage?: string } | undefined): {
      name: string;
      home: "aws";
      removal: "retain" | "remove";
      protect: boolean;
    };
    run(): Promise<Record<string, EventualText>>;
  }) => unknown;
  const $app: { readonly stage: string };
  const sst: {
    readonly aws: Omit<Components, "Secret">;
    readonly Secret: Components["Secret"];
  };
  const aws: {
    readonly sns: Pick<Aws, "Topic" | "TopicSubscription">;
    readonly cloudwatch: Pick<Aws, "MetricAlarm" | "Dashboard">;
  };
}

type Aws = AwsComponents<EventualText>;
type Components = SstComponents<EventualText, DeployedFunction<EventualText>>;
