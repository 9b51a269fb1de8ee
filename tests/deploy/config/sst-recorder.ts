import { runInNewContext } from "node:vm";
import { vi } from "vitest";
import * as z from "zod";
import { VARIABLES } from "#config/variables";

/** A string that SST only knows during a deployment; here it says where it comes from. */
export class Later {
  readonly origin: string;
  constructor(origin: string) {
    this.origin = origin;
  }
  apply(transform: (value: string) => string): Later {
    return new Later(transform(this.origin));
  }
}

/** A component that the configuration declared. */
export interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly args: unknown;
  /** How many arguments followed the name. */
  readonly given: number;
}

export interface Route {
  readonly prefix: string;
  readonly url: unknown;
  readonly args: { readonly readTimeout: string };
}

/** Everything that an evaluation of sst.config.ts declared. */
export interface Recording {
  readonly app: unknown;
  readonly declared: readonly Declared[];
  readonly routes: readonly Route[];
  readonly outputs: unknown;
}

/** The argument of `$config`. */
interface Configuration {
  app(input: { stage: string }): unknown;
  run(): Promise<unknown>;
}

/**
 * Evaluates sst.config.ts with stand-ins for SST's globals that only record the calls.
 * @param environment the environment of the deployer
 * @param declared gets the components, also those of a deployment that fails
 */
export async function recordDeployment(
  stage: string,
  environment: Record<string, string>,
  declared: Declared[] = [],
): Promise<Recording> {
  const routes: Route[] = [];
  const record = (kind: string) =>
    class {
      readonly #declaredName: string;
      readonly name: Later;
      readonly arn: Later;
      readonly url: Later;
      readonly value: Later;
      readonly nodes: { readonly bucket: { readonly region: Later } };
      constructor(name: string, ...args: unknown[]) {
        declared.push({ kind, name, args: args[0], given: args.length });
        this.#declaredName = name;
        this.name = new Later(`name of ${name}`);
        this.arn = new Later(`arn of ${name}`);
        this.url = new Later(`https://${name.toLowerCase()}.example/`);
        this.value = new Later(`secret ${name}`);
        this.nodes = { bucket: { region: new Later(`region of ${name}`) } };
      }
      subscribe(...args: unknown[]) {
        declared.push({ kind: "Subscriber", name: this.#declaredName, args, given: args.length });
        return { nodes: { function: { name: new Later(`subscriber of ${this.#declaredName}`) } } };
      }
      route(prefix: string, url: unknown, args: Route["args"]) {
        routes.push({ prefix, url, args });
      }
    };
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.stubGlobal("$config", (configuration: Configuration) => configuration);
  vi.stubGlobal("$app", { stage });
  vi.stubGlobal("aws", {
    sns: { Topic: record("Topic"), TopicSubscription: record("TopicSubscription") },
    lambda: { FunctionRecursionConfig: record("FunctionRecursionConfig") },
    cloudwatch: { MetricAlarm: record("MetricAlarm"), Dashboard: record("Dashboard") },
  });
  vi.stubGlobal("sst", {
    aws: Object.fromEntries(["Function", "Router", "CronV2", "Queue", "Bucket"].map((kind) => [kind, record(kind)])),
    Secret: record("Secret"),
  });
  try {
    vi.resetModules();
    const loaded: { default: unknown } = await import("../../../sst.config.ts");
    const configuration = loaded.default;
    if (!isConfiguration(configuration)) throw new Error("sst.config.ts does not export the result of $config.");
    const app = configuration.app({ stage });
    return { app, outputs: await configuration.run(), declared, routes };
  } finally {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  }
}

function isConfiguration(value: unknown): value is Configuration {
  return typeof value === "object" && value !== null && "app" in value && "run" in value;
}

/** The components of one kind, in the order of their declaration. */
export function declaredOf({ declared }: Recording, kind: string): Declared[] {
  return declared.filter((component) => component.kind === kind);
}

/** Arguments of a function: its variables, and how it is bundled. */
export const FunctionArgs = z.object({
  environment: z.record(z.string(), z.unknown()),
  nodejs: z.looseObject({ banner: z.string() }),
});

/** What a deployed function finds in its environment, by the arguments of its component: variables and settings. */
export function environmentOf(args: unknown): Record<string, unknown> {
  const { environment, nodejs } = FunctionArgs.parse(args);
  const process = { env: { ...environment } };
  runInNewContext(nodejs.banner, { process });
  return process.env;
}

/** A deployer's environment: every setting with a value of its own, and variables that no function may get. */
export const DEPLOYER: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    VARIABLES.map(({ name, isSecret }) => [name, isSecret ? "secrets come from the store" : `set ${name}`]),
  ),
  TASK_CONCURRENCY: "12",
  RANGE_CONCURRENCY: "34",
  ALARM_EMAIL: "operator@nectar.test",
  API_DOMAIN: "api.nectar.test",
  AWS_SECRET_ACCESS_KEY: "the deployer's own",
  PATH: "/usr/bin",
};
