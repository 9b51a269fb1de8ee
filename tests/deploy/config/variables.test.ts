import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { CAPABILITIES } from "#config/capabilities";
import { VARIABLES } from "#config/variables";
import { GROUPS, type GroupName } from "#functions/groups";
import { SCHEDULES } from "#functions/schedules";
import { checkEnvironmentSizes } from "#ops/deploy/environment-size";
import { functionVariables } from "#ops/deploy/function-environment";
import { componentName } from "#ops/deploy/names";
import {
  DEPLOYER,
  type Declared,
  declaredOf,
  environmentOf,
  FunctionArgs,
  Later,
  type Recording,
  recordDeployment,
} from "./sst-recorder.ts";

let production: Recording;

beforeAll(async () => {
  production = await recordDeployment("production", DEPLOYER);
});

/** The functions that use each secret; those of nearly all functions are tested apart. */
const USERS_OF_SECRETS = {
  MAINTENANCE_CRON_SECRET: ["health", "user", "account", "notebooks", "imports", "notifications", "email-webhook"],
  DROPS_CRON_SECRET: ["drops", "encouragement-drops"],
  ENCOURAGEMENT_DROPS_CRON_SECRET: ["encouragement-drops"],
  CHAT_CRON_SECRET: ["encouragement-drops", "chat"],
  WORKOUT_WINDOW_CRON_SECRET: ["encouragement-drops", "workout-window", "chat"],
  AI_PROVIDER_API_KEY: ["health", "journal", "ai", "tone-packs", "encouragement-drops", "chat"],
  STRIPE_SECRET_KEY: ["account", "payment"],
  STRIPE_WEBHOOK_SECRET: ["payment-webhook"],
  RESEND_API_KEY: ["account", "organizations", "email", "email-webhook"],
  EMAIL_WEBHOOK_SECRET: ["email-webhook"],
  EMAIL_UNSUBSCRIBE_SECRET: ["account", "organizations", "email"],
  VAPID_PRIVATE_KEY: ["notifications"],
  FCM_SERVICE_ACCOUNT: ["notifications"],
  APNS_KEY: ["notifications"],
  S3_ACCESS_KEY_ID: ["health", "user", "journal", "pictures", "imports", "ai", "safety", "workout-window"],
  S3_SECRET_ACCESS_KEY: ["health", "user", "journal", "pictures", "imports", "ai", "safety", "workout-window"],
  SUPABASE_SECRET_KEY: ["health", "tone-packs"],
} as const satisfies Readonly<Record<string, readonly GroupName[]>>;
const WEBHOOKS: readonly GroupName[] = ["payment-webhook", "email-webhook"];
const SECRETS = VARIABLES.filter(({ isSecret, capability }) => isSecret && capability !== null);

/** The environment of each function as it is deployed, by group. */
function environments(recording = production): Map<GroupName, Record<string, unknown>> {
  const args = new Map(declaredOf(recording, "Function").map((declared) => [declared.name, declared.args]));
  return new Map(GROUPS.map(({ name }) => [name, environmentOf(args.get(componentName(name)))]));
}

/** The deployed value of a variable; the queues are created with the functions. */
function deployedValue({ name, isSecret }: { readonly name: string; readonly isSecret: boolean }): unknown {
  if (name === "TASK_QUEUE_URL") return new Later("https://tasks.example/");
  if (name === "IMPORT_QUEUE_URL") return new Later("https://imports.example/");
  if (name === "RANGE_QUEUE_URL") return new Later("https://ranges.example/");
  return isSecret ? new Later(`secret ${componentName(name)}`) : `set ${name}`;
}

/** The environments of the functions that take tasks from the queues. */
function subscribers(): Record<string, unknown>[] {
  return declaredOf(production, "Subscriber").map(({ args }) =>
    environmentOf(z.tuple([z.unknown()]).rest(z.unknown()).parse(args)[0]),
  );
}

function groupsWith(variable: string, recording = production): GroupName[] {
  return [...environments(recording)].filter(([, environment]) => variable in environment).map(([name]) => name);
}

describe("the environment of the functions", () => {
  it("has the variables of the function's capabilities and no others, secrets from the store", () => {
    for (const group of GROUPS) {
      const granted = new Set<string | null>(group.capabilities);
      const expected = VARIABLES.filter(({ capability }) => granted.has(capability)).map((variable) => [
        variable.name,
        deployedValue(variable),
      ]);
      if ("unbundledPackages" in group) expected.push(["MALLOC_ARENA_MAX", "2"]);
      expect(environments().get(group.name)).toStrictEqual(Object.fromEntries(expected));
    }
  });

  it("has variables for secrets and for what is only known later, because Lambda takes few bytes of them", () => {
    const settings = new Set<string>(VARIABLES.filter(({ isSecret }) => !isSecret).map(({ name }) => name));
    for (const { args } of declaredOf(production, "Function")) {
      const { environment } = z.object({ environment: z.record(z.string(), z.unknown()) }).parse(args);
      const known = Object.entries(environment).filter(
        ([name, value]) => settings.has(name) && !(value instanceof Later),
      );
      expect(known).toEqual([]);
    }
  });

  it("writes settings into the bundles, and no secret or variable of the deployer", () => {
    const settings = VARIABLES.filter(({ isSecret }) => !isSecret).map(({ name }) => [name, `set ${name}`]);
    const functions = declaredOf(production, "Function").map(({ args }) => args);
    const workers = declaredOf(production, "Subscriber").map(({ args }) => z.array(z.unknown()).parse(args)[0]);
    for (const args of [...functions, ...workers]) {
      const { nodejs } = FunctionArgs.parse(args);
      const written = environmentOf({ nodejs, environment: {} });
      expect(Object.keys(written)).toContain("SUPABASE_URL");
      expect(Object.fromEntries(settings)).toMatchObject(written);
      // Nor does any other code or option of the bundle have one.
      expect(JSON.stringify(nodejs)).not.toMatch(/secret|the deployer's own/i);
    }
  });

  it("gives a secret only to the functions that use it", () => {
    const all = GROUPS.map(({ name }) => name);
    const expected = {
      ...USERS_OF_SECRETS,
      DATABASE_URL: all,
      DATABASE_READ_URL: all,
      ROUTER_SECRET: all,
      OTEL_EXPORTER_OTLP_HEADERS: all,
      SUPABASE_JWT_SECRET: all.filter((name) => !WEBHOOKS.includes(name)),
    };
    expect(Object.fromEntries(SECRETS.map(({ name }) => [name, groupsWith(name)]))).toStrictEqual(expected);
  });

  it("gives no subscriber of a queue the secret of the router, because it has no address", () => {
    expect(subscribers()).toHaveLength(3);
    for (const environment of subscribers()) expect(environment).not.toHaveProperty("ROUTER_SECRET");
  });

  it("gives every sender of mail the same settings for it, so that a mail is the same from each", () => {
    const mailSettings = VARIABLES.filter(({ capability }) => capability === "mail" || capability === "sendMail");
    const expected = Object.fromEntries(mailSettings.map((variable) => [variable.name, deployedValue(variable)]));
    expect(expected).toHaveProperty("PUBLIC_URL");
    const [subscriber] = subscribers();
    for (const environment of [
      subscriber,
      ...USERS_OF_SECRETS.EMAIL_UNSUBSCRIBE_SECRET.map((name) => environments().get(name)),
    ]) {
      expect(environment).toMatchObject(expected);
    }
  });

  it("gives a function the secrets of its scheduled jobs", () => {
    for (const { group, secret } of SCHEDULES) expect(groupsWith(secret)).toContain(group);
  });

  it("has the bucket that is created here, unless the deployer sets one", async () => {
    const { S3_BUCKET: _, ...withoutBucket } = DEPLOYER;
    expect(environments().get("ai")).toMatchObject({ S3_BUCKET: "set S3_BUCKET", S3_REGION: "set S3_REGION" });
    const ownBucket = await recordDeployment("production", withoutBucket);
    expect(groupsWith("S3_BUCKET", ownBucket)).toEqual([
      "health",
      "user",
      "journal",
      "pictures",
      "imports",
      "ai",
      "safety",
      "workout-window",
    ]);
    expect(environments(ownBucket).get("ai")).toMatchObject({
      S3_BUCKET: new Later("name of Files"),
      S3_REGION: new Later("region of Files"),
    });
  });

  it("leaves out a setting that is not set and has a default", () => {
    const values = {
      settings: { SUPABASE_URL: "https://x.supabase.co", LOG_LEVEL: "" },
      secrets: new Map([["DATABASE_URL", "postgres://"]]),
    };
    expect(functionVariables(["database", "tokens"], values)).toStrictEqual({
      settings: { SUPABASE_URL: "https://x.supabase.co" },
      secrets: { DATABASE_URL: "postgres://" },
    });
  });

  it("stops the deployment when a required setting is missing, and names it", async () => {
    for (const name of ["SUPABASE_URL", "DATABASE_CA"]) {
      await expect(recordDeployment("staging", { ...DEPLOYER, [name]: "" })).rejects.toThrow(
        `Set ${name} in the environment`,
      );
    }
  });
});

describe("the size of an environment", () => {
  it("stops the deployment before anything is created, and says which variables of which function are large", async () => {
    const secrets = {
      SST_SECRET_DatabaseUrl: "d".repeat(1_800),
      SST_SECRET_OtelExporterOtlpHeaders: "s".repeat(1_900),
    };
    const declared: Declared[] = [];
    await expect(recordDeployment("production", { ...DEPLOYER, ...secrets }, declared)).rejects.toThrow(
      /^The variables of the function "health" take up to \d+ bytes, and Lambda takes 4096\. The largest are OTEL_EXPORTER_OTLP_HEADERS \(1902\), DATABASE_URL \(1802\), /,
    );
    expect(declared).toEqual([]);
  });

  it("counts what is only known later", () => {
    const settings = { SUPABASE_URL: "https://x.supabase.co", SST_SECRET_DatabaseUrl: "d".repeat(3_600) };
    checkEnvironmentSizes([{ name: "one", capabilities: ["database"] }], settings);
    const check = () => checkEnvironmentSizes([{ name: "two", capabilities: ["database", "tasks"] }], settings);
    expect(check).toThrow('The variables of the function "two"');
  });

  it("has room for the longest secrets together, and for any settings", async () => {
    const secrets = {
      FcmServiceAccount: 1_980,
      AiProviderApiKey: 164,
      ApnsKey: 250,
      DatabaseUrl: 140,
      StripeSecretKey: 107,
      SupabaseSecretKey: 41,
      ResendApiKey: 36,
      EmailUnsubscribeSecret: 64,
      VapidPrivateKey: 43,
    };
    const given = Object.entries(secrets).map(([name, bytes]) => [`SST_SECRET_${name}`, "s".repeat(bytes)]);
    const { S3_BUCKET: _, ...deployer } = { ...DEPLOYER, ...Object.fromEntries(given), DATABASE_CA: "c".repeat(5_000) };
    await recordDeployment("production", deployer);
  });
});

describe("the table of variables", () => {
  it("has variables and functions for every capability", () => {
    const used = new Set<string>(GROUPS.flatMap(({ capabilities }) => capabilities));
    const granting = new Set(VARIABLES.map(({ capability }) => capability).filter((capability) => capability !== null));
    expect([...used].sort()).toEqual(Object.keys(CAPABILITIES).sort());
    expect([...granting].sort()).toEqual(Object.keys(CAPABILITIES).sort());
  });
});

describe("the secrets", () => {
  it("are all declared; only one that has a default, starts no job and is not the router's may stay unset", () => {
    const needed = new Set<string>(["ROUTER_SECRET", ...SCHEDULES.map(({ secret }) => secret)]);
    expect(declaredOf(production, "Secret")).toStrictEqual(
      SECRETS.map((variable) => {
        const isRequired = variable.default === null || needed.has(variable.name);
        return {
          kind: "Secret",
          name: componentName(variable.name),
          args: isRequired ? undefined : variable.default,
          given: isRequired ? 0 : 1,
        };
      }),
    );
  });
});
