import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { VARIABLES } from "#config/variables";
import { MAX_ENVIRONMENT_BYTES } from "#ops/deploy/environment-size";
import { componentName } from "#ops/deploy/names";
import { declareResources, keyOf, type Resource } from "./declare.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FOLDER = join(ROOT, ".local/check-deploy");
const PLATFORM = join(FOLDER, ".sst/platform");
const RELEASED = fileURLToPath(new URL("./released.json", import.meta.url));
/** Bytes of the code of a CloudFront function. */
const MAX_EDGE_CODE = 10_240;
/** Roles that a new AWS account may have. */
const MAX_ROLES = 1_000;
/** Longer values of a resource are compared by their hash. */
const MAX_SHOWN = 40;

const GLOBALS = `import "./.sst/platform/src/global.d.ts";
import * as provider from "@pulumi/aws";
import type { App, AppInput, Config } from "./.sst/platform/src/config";
declare global {
  // @ts-ignore TypeScript has no other way to declare a global namespace of a package.
  export import aws = provider;
  const $config: (config: Omit<Config, "app"> & { app(input: AppInput): App }) => Config;
}
`;
/** The rules replace those of SST's router in a function, where their type is not compared. */
const RULES = `import { FIREWALL } from "../../ops/deploy/firewall.ts";
export const rules: Pick<aws.wafv2.WebAclArgs, "rules" | "customResponseBodies"> = FIREWALL;
`;
const TSCONFIG = {
  extends: "../../tsconfig.json",
  compilerOptions: {
    module: "esnext",
    moduleResolution: "bundler",
    paths: { "@pulumi/*": ["./.sst/platform/node_modules/@pulumi/*"] },
  },
  files: ["../../sst.config.ts", "./globals.d.ts", "./rules.ts"],
  include: [],
};

/** A name as SST makes it, with random letters at its end. */
const CHOSEN_NAME = /(production-[A-Za-z]+)-[a-z]{8}(?![a-z])/g;

/** Values of fields by the names of resources. */
const Compact = z.record(z.string(), z.record(z.string(), z.string()));
type Compact = z.infer<typeof Compact>;

/** Unpacks the components that are part of the installed SST, and has npm install what they need; only the first time. */
async function prepare(): Promise<void> {
  const { version } = JSON.parse(await readFile(join(ROOT, "node_modules/sst/package.json"), "utf8"));
  const done = join(FOLDER, "installed");
  if (existsSync(done) && (await readFile(done, "utf8")) === version) return;
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(
    join(FOLDER, "sst.config.ts"),
    'export default $config({ app: () => ({ name: "nectar", home: "aws" }), run: async () => ({}) });\n',
  );
  // SST unpacks its platform and then fails, because without its dependency check it has no Bun to install with.
  const environment = { ...process.env, HOME: FOLDER, SST_SKIP_DEPENDENCY_CHECK: "1", DO_NOT_TRACK: "1" };
  const sst = join(ROOT, "node_modules/.bin/sst");
  spawnSync(sst, ["install", "--stage", "production"], { cwd: FOLDER, env: environment });
  if (!existsSync(PLATFORM)) throw new Error(`SST ${version} did not unpack its platform into ${PLATFORM}.`);
  console.log("Installing what SST's components need (once, about 300 MB)...");
  const install = ["install", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", install, { cwd: PLATFORM, stdio: "inherit" });
  if (status !== 0) throw new Error("npm could not install the packages of SST's platform.");
  await writeFile(done, version);
}

/** Type errors of our files against SST's own types; those inside of SST come from our stricter settings. */
async function typeProblems(): Promise<string[]> {
  await writeFile(join(FOLDER, "globals.d.ts"), GLOBALS);
  await writeFile(join(FOLDER, "rules.ts"), RULES);
  await writeFile(join(FOLDER, "tsconfig.json"), JSON.stringify(TSCONFIG));
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const { stdout, stderr } = spawnSync(tsc, ["--noEmit", "--pretty", "false", "-p", join(FOLDER, "tsconfig.json")], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const inSst = relative(ROOT, PLATFORM);
  const problems = `${stdout}${stderr}`.split(/\n(?=\S)/).map((problem) => problem.trim());
  return problems.filter((problem) => problem !== "" && !problem.startsWith(inSst));
}

/** An environment of a deployer with a value for what is needed, and secrets as SST passes them on. */
function setDeployersEnvironment(): void {
  const secrets = VARIABLES.filter(({ isSecret }) => isSecret).map(({ name }) => [
    `SST_SECRET_${componentName(name)}`,
    "s".repeat(40),
  ]);
  const settings = {
    SUPABASE_URL: "https://project.supabase.co",
    DATABASE_CA: "c",
    ALARM_EMAIL: "operator@nectar.test",
    API_DOMAIN: "api.nectar.test",
  };
  const unset = VARIABLES.map(({ name }) => name).filter((name) => !(name in settings));
  for (const name of unset) delete process.env[name];
  Object.assign(process.env, settings, Object.fromEntries(secrets));
}

const FunctionInputs = z.object({ environment: z.object({ variables: z.record(z.string(), z.string()) }) });
const EdgeInputs = z.object({ code: z.string() });

function limitProblems(resources: readonly Resource[]): string[] {
  const ofType = (type: string) => resources.filter((resource) => resource.type === type);
  const roles = ofType("aws:iam/role:Role").length;
  const sizes = [
    ...ofType("aws:lambda/function:Function").map(({ name, inputs }) => ({
      what: `variables of ${name}`,
      size: Buffer.byteLength(JSON.stringify(FunctionInputs.parse(inputs).environment.variables)),
      max: MAX_ENVIRONMENT_BYTES,
    })),
    ...ofType("aws:cloudfront/function:Function").map(({ name, inputs }) => ({
      what: `code of ${name}`,
      size: Buffer.byteLength(EdgeInputs.parse(inputs).code),
      max: MAX_EDGE_CODE,
    })),
    { what: "number of roles", size: roles, max: MAX_ROLES },
  ];
  const [fullest] = sizes.toSorted((one, other) => other.size / other.max - one.size / one.max);
  console.log(
    `${resources.length} resources; closest to its limit: ${fullest?.what} (${fullest?.size} of ${fullest?.max})`,
  );
  return sizes.filter(({ size, max }) => size > max).map(({ what, size, max }) => `${what}: ${size}, at most ${max}`);
}

/** The resources that AWS gets, with short values as they are and all others as hashes. */
function compact(resources: readonly Resource[]): Compact {
  const created = resources.filter(({ type }) => !/^(sst|pulumi):/.test(type));
  return Object.fromEntries(
    created.map((resource) => [
      keyOf(resource),
      Object.fromEntries(
        Object.entries(resource.inputs)
          // The code of a function and of SST itself.
          .filter(([field]) => !["source", "__provider", "s3Key", "key"].includes(field))
          .map(([field, value]) => [
            field,
            shown(JSON.stringify(value).replaceAll(FOLDER, "").replace(CHOSEN_NAME, "$1")),
          ])
          .toSorted(([one = ""], [other = ""]) => one.localeCompare(other, "en")),
      ),
    ]),
  );
}

function shown(json: string): string {
  return json.length <= MAX_SHOWN ? json : `#${createHash("sha256").update(json).digest("hex").slice(0, 8)}`;
}

/** Resources that another release would create, change and delete. */
function differences(released: Compact, present: Compact): string[] {
  const changes = (before: Compact[string], after: Compact[string]) =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((field) => before[field] !== after[field])
      .map((field) => `${field}: ${before[field] ?? "-"} -> ${after[field] ?? "-"}`);
  return [...new Set([...Object.keys(released), ...Object.keys(present)])].sort().flatMap((key) => {
    const [before, after] = [released[key], present[key]];
    if (before === undefined) return [`+ ${key}`];
    if (after === undefined) return [`- ${key}`];
    const changed = changes(before, after);
    return changed.length === 0 ? [] : [`~ ${key}\n    ${changed.join("\n    ")}`];
  });
}

await prepare();
const problems = await typeProblems();
setDeployersEnvironment();
const resources = await declareResources(FOLDER);
problems.push(...limitProblems(resources));
const present = compact(resources);
if (process.argv.includes("--release")) {
  const lines = Object.entries(present).map(([key, fields]) => `${JSON.stringify(key)}: ${JSON.stringify(fields)}`);
  await writeFile(RELEASED, `{\n${lines.join(",\n")}\n}\n`);
} else {
  const released = Compact.parse(JSON.parse(await readFile(RELEASED, "utf8")));
  const found = differences(released, present);
  console.log(found.length === 0 ? "As in the last release." : `Since the last release:\n${found.join("\n")}`);
}
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
}
