import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import * as z from "zod";
import { listenLocally } from "#local/support/listen";

/** A resource that SST's components declared. */
export interface Resource {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The part of SST's platform that evaluates a configuration. */
interface Platform {
  readonly sst: object;
  readonly aws: object;
  readonly pulumi: {
    readonly runtime: {
      setMocks(mocks: object, project: string, stack: string): Promise<void>;
      disconnect(): Promise<void>;
    };
    readonly output: unknown;
    readonly all: unknown;
    readonly interpolate: unknown;
  };
}

const STAGE = "production";
const PLATFORM = `
export * as sst from "./src/components/index.ts";
export * as aws from "@pulumi/aws";
export * as pulumi from "@pulumi/pulumi";`;

/**
 * Evaluates sst.config.ts with SST's own components under Pulumi's mocks: nothing is created and nothing leaves this
 * machine. Functions are not bundled.
 * @param folder with SST's platform and its packages below `.sst/platform`
 * @returns the resources, by type and name
 */
export async function declareResources(folder: string): Promise<Resource[]> {
  const platform = join(folder, ".sst/platform");
  const server = await startRpc(join(folder, "code"));
  process.env.SST_SERVER = server.url;
  process.env.SST_AWS_REGION = "eu-central-1";
  Object.assign(globalThis, {
    $app: { name: "nectar", stage: STAGE, removal: "retain", protect: true, providers: {} },
    $cli: {
      command: "deploy",
      paths: { home: folder, root: folder, work: join(folder, ".sst"), platform },
      state: { version: {} },
    },
    $dev: false,
  });
  const outfile = join(platform, "components.mjs");
  await build({
    stdin: { contents: PLATFORM, resolveDir: platform, loader: "ts" },
    absWorkingDir: platform,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "error",
    banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` },
  });
  try {
    const { sst, aws, pulumi }: Platform = await import(pathToFileURL(outfile).href);
    const resources: Resource[] = [];
    await pulumi.runtime.setMocks(mocksInto(resources), "nectar", STAGE);
    Object.assign(globalThis, {
      sst,
      aws,
      $util: pulumi,
      $output: pulumi.output,
      $resolve: pulumi.all,
      $interpolate: pulumi.interpolate,
      $config: (configuration: object) => configuration,
    });
    const loaded: { default: unknown } = await import("../../../sst.config.ts");
    if (!isConfiguration(loaded.default)) throw new Error("sst.config.ts does not export the result of $config.");
    await loaded.default.run();
    await pulumi.runtime.disconnect();
    return resources.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other), "en"));
  } finally {
    await server.stop();
  }
}

function isConfiguration(value: unknown): value is { run(): Promise<unknown> } {
  return typeof value === "object" && value !== null && "run" in value;
}

/** Names a resource in the comparison. */
export function keyOf({ type, name }: Resource): string {
  return `${type} ${name}`;
}

/** Has Pulumi believe that everything was created; results look like those of AWS. */
function mocksInto(resources: Resource[]) {
  return {
    newResource({ type, name, inputs }: Resource) {
      resources.push({ type, name, inputs: Inputs.parse(JSON.parse(JSON.stringify(inputs), revealed)) });
      const made = {
        arn: `arn:aws:${type.split(":")[1]?.split("/")[0]}:eu-central-1:000000000000:${name}`,
        name,
        url: `https://sqs.eu-central-1.amazonaws.com/000000000000/${name}`,
        functionUrl: `https://${name.toLowerCase()}.lambda-url.eu-central-1.on.aws/`,
        domainName: `${name.toLowerCase()}.cloudfront.net`,
        base64: "k".repeat(44),
        hex: "0".repeat(8),
        domainValidationOptions: [
          { resourceRecordName: `_${name}`, resourceRecordType: "CNAME", resourceRecordValue: "_.acm-validations.aws" },
        ],
      };
      return { id: `${name}-id`, state: { ...made, ...inputs } };
    },
    call({ token, inputs }: { token: string; inputs: object }) {
      const results: Record<string, object> = {
        "aws:iam/getPolicyDocument:getPolicyDocument": { ...inputs, json: JSON.stringify(inputs) },
        "aws:index/getRegion:getRegion": { id: "eu-central-1", name: "eu-central-1", region: "eu-central-1" },
        "aws:index/getPartition:getPartition": { partition: "aws" },
        "aws:index/getCallerIdentity:getCallerIdentity": { accountId: "000000000000" },
      };
      return results[token] ?? { ...inputs, id: token };
    },
  };
}

const Inputs = z.record(z.string(), z.unknown());
/** The property with which Pulumi marks a secret, whose value is beside it. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

function revealed(_key: string, value: unknown): unknown {
  return typeof value === "object" && value !== null && SIGNATURE in value && "value" in value ? value.value : value;
}

const Call = z.object({ method: z.string() });

/** Stands in for the process of SST that its components call: it bundles no code. */
async function startRpc(out: string) {
  await mkdir(out, { recursive: true });
  const results: Record<string, object> = {
    "Runtime.Build": { handler: "bundle.handler", out, errors: [], sourcemaps: [] },
    "Provider.Aws.Bootstrap": { asset: "assets", assetEcrRegistryId: "", assetEcrUrl: "", state: "state" },
  };
  const server = createServer(async (request, response) => {
    const { method } = Call.parse(JSON.parse(await text(request)));
    response.end(JSON.stringify({ result: results[method] ?? {} }));
  });
  const { port, stop } = await listenLocally(server, 0, "The components' RPC");
  return { url: `http://127.0.0.1:${port}`, stop };
}
