import { vi } from "vitest";

/** A string that SST would know only while deploying; here it says where it comes from. */
export class Later {
  readonly origin: string;
  constructor(origin: string) {
    this.origin = origin;
  }
  apply(transform: (value: string) => string): Later {
    return new Later(transform(this.origin));
  }
}

/** One component that the configuration made. */
export interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly args: unknown;
  /** How many arguments followed the name. */
  readonly given: number;
}

/** One route of the router. */
export interface Route {
  readonly prefix: string;
  readonly url: unknown;
  readonly args: { readonly readTimeout: string };
}

/** What an evaluation of sst.config.ts declared. */
export interface Recording {
  readonly app: unknown;
  readonly declared: readonly Declared[];
  readonly routes: readonly Route[];
  readonly outputs: unknown;
}

/** What `$config` is given. */
interface Configuration {
  app(input: { stage: string }): unknown;
  run(): Promise<unknown>;
}

/**
 * Evaluates sst.config.ts against stand-ins for SST's globals that only write down what is asked of them.
 * @param environment the environment of whoever deploys
 */
export async function recordDeployment(stage: string, environment: Record<string, string>): Promise<Recording> {
  const declared: Declared[] = [];
  const routes: Route[] = [];
  const record = (kind: string) =>
    class {
      readonly name: Later;
      readonly arn: Later;
      readonly url: Later;
      readonly value: Later;
      constructor(name: string, ...args: unknown[]) {
        declared.push({ kind, name, args: args[0], given: args.length });
        this.name = new Later(`name of ${name}`);
        this.arn = new Later(`arn of ${name}`);
        this.url = new Later(`https://${name.toLowerCase()}.example/`);
        this.value = new Later(`secret ${name}`);
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
  vi.stubGlobal("sst", {
    aws: Object.fromEntries(["Function", "Router", "CronV2", "Queue", "Bucket"].map((kind) => [kind, record(kind)])),
    Secret: record("Secret"),
  });
  try {
    vi.resetModules();
    const loaded: { default: unknown } = await import("../../sst.config.ts");
    const configuration = loaded.default;
    if (!isConfiguration(configuration)) throw new Error("sst.config.ts does not export what $config made.");
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
