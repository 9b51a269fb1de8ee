import type * as z from "zod";
import { demoSecretProblems } from "./demo-secrets.ts";
import {
  BackupEnvironment,
  Environment,
  OperatorEnvironment,
  SERVER_POOL_SIZE,
  ServerEnvironment,
  VARIABLES,
} from "./variables.ts";

/** The environment of a running function, parsed and checked. `null` is what is not configured. */
export type Config = ReturnType<typeof readConfig>;

/** A variable that holds the secret of scheduled jobs. */
export type CronSecretName = keyof Config["cronSecrets"];

/** Environment variables by name, as a process has them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from an environment.
 * @throws InvalidEnvironment that lists every missing or malformed variable, without any values
 */
export function readConfig(environment: Variables) {
  const values = parseVariables(Environment, environment);
  return {
    /** Address for the login role nectar_api. */
    databaseUrl: values.DATABASE_URL,
    /** Certificates that the server's must be signed by; null leaves TLS to the address. */
    databaseCa: values.DATABASE_CA,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    preparedStatements: preparesStatements(values.DATABASE_PREPARED_STATEMENTS, new URL(values.DATABASE_URL)),
    /** Addresses of streaming replicas, for the same role; there may be none. */
    replicaUrls: values.DATABASE_READ_URL,
    replicaMaxLagMs: values.DATABASE_READ_MAX_LAG_SECONDS * 1_000,
    /** Whether replicas may show what depends on memberships, shares and blocks. */
    replicasShared: values.DATABASE_READ_SHARED,
    /** Deployed functions refuse HTTP requests without one of these. */
    routerSecrets: values.ROUTER_SECRET,
    supabaseUrl: values.SUPABASE_URL,
    jwtSecret: values.SUPABASE_JWT_SECRET,
    /** The issuer that tokens must name; null accepts any. */
    jwtIssuer: issuerOf(values.SUPABASE_JWT_ISSUER, values.SUPABASE_URL),
    jwtAudience: values.SUPABASE_JWT_AUDIENCE,
    jwksUrl: values.SUPABASE_JWKS_URL ?? `${values.SUPABASE_URL}/auth/v1/.well-known/jwks.json`,
    /** Origins that browsers may call from; empty allows every origin. */
    appOrigins: values.APP_ORIGINS,
    superAdminEmails: values.SUPER_ADMIN_EMAILS,
    adminEmails: values.ADMIN_EMAILS,
    /** Jobs without a configured secret refuse every call. */
    cronSecrets: {
      MAINTENANCE_CRON_SECRET: values.MAINTENANCE_CRON_SECRET,
      DROPS_CRON_SECRET: values.DROPS_CRON_SECRET,
      ENCOURAGEMENT_DROPS_CRON_SECRET: values.ENCOURAGEMENT_DROPS_CRON_SECRET,
      WORKOUT_WINDOW_CRON_SECRET: values.WORKOUT_WINDOW_CRON_SECRET,
      CHAT_CRON_SECRET: values.CHAT_CRON_SECRET,
    },
    ai:
      values.AI_PROVIDER_API_KEY === null
        ? null
        : {
            apiKey: values.AI_PROVIDER_API_KEY,
            /** Null is the vendor's own address, here and below. */
            baseUrl: values.AI_PROVIDER_BASE_URL,
            textModel: values.AI_TEXT_MODEL,
            /** Null is not sent. */
            reasoningEffort: values.AI_REASONING_EFFORT,
            imageModel: values.AI_IMAGE_MODEL,
            /** In micro-dollars, tokens by the million. */
            prices: {
              textInput: values.AI_TEXT_INPUT_PRICE,
              textOutput: values.AI_TEXT_OUTPUT_PRICE,
              image: values.AI_IMAGE_PRICE,
              hdImage: values.AI_HD_IMAGE_PRICE,
            },
          },
    stripe:
      values.STRIPE_SECRET_KEY === null
        ? null
        : {
            secretKey: values.STRIPE_SECRET_KEY,
            baseUrl: values.STRIPE_BASE_URL,
            /** Prices that users can subscribe to; empty allows every price. */
            priceIds: values.STRIPE_PRICE_IDS,
          },
    stripeWebhookSecret: values.STRIPE_WEBHOOK_SECRET,
    /** Key that may write to the project's storage. */
    supabaseSecretKey: values.SUPABASE_SECRET_KEY,
    /** Address of the API; without that key, tone pack images are shown under it. */
    publicUrl: values.PUBLIC_URL,
    s3: s3Of(values),
    email:
      values.RESEND_API_KEY === null
        ? null
        : {
            apiKey: values.RESEND_API_KEY,
            baseUrl: values.RESEND_BASE_URL,
            from: values.EMAIL_FROM,
            unsubscribe: unsubscribeOf(values),
          },
    /** The first one signs links to unsubscribe, and all are accepted. */
    emailUnsubscribeSecrets: values.EMAIL_UNSUBSCRIBE_SECRET,
    /** Address of the client app; null if it is not known. */
    appUrl: values.APP_URL,
    /** Null accepts every event and marks it as not verified. */
    emailWebhookSecret: values.EMAIL_WEBHOOK_SECRET,
    emailRecipientPolicy: values.EMAIL_RECIPIENT_POLICY,
    push:
      values.VAPID_PUBLIC_KEY === null || values.VAPID_PRIVATE_KEY === null
        ? null
        : {
            publicKey: values.VAPID_PUBLIC_KEY,
            privateKey: values.VAPID_PRIVATE_KEY,
            subject: values.VAPID_SUBJECT,
            extraOrigins: values.PUSH_SERVICE_ORIGINS,
          },
    fcm: values.FCM_SERVICE_ACCOUNT === null ? null : { account: values.FCM_SERVICE_ACCOUNT, url: values.FCM_URL },
    apns: apnsOf(values),
    /** Addresses of the queues for tasks; null runs them in this process, if it can, or not at all. */
    taskQueueUrl: values.TASK_QUEUE_URL,
    rangeQueueUrl: values.RANGE_QUEUE_URL,
    importQueueUrl: values.IMPORT_QUEUE_URL,
    taskConcurrency: values.TASK_CONCURRENCY,
    rangeConcurrency: values.RANGE_CONCURRENCY,
    checkinGraceMinutes: values.CHECKIN_GRACE_MINUTES,
    checkinMissingExif: values.CHECKIN_MISSING_EXIF,
    /** 0 for no limit. */
    reviewAlarmHours: values.REVIEW_ALARM_HOURS,
    pictureBytesPerPerson: values.PICTURE_BYTES_PER_PERSON,
    assistantName: values.ASSISTANT_NAME,
    /** Whether a missing backup is late, like a job. */
    backupExpected: values.BACKUP_EXPECTED,
    logLevel: values.LOG_LEVEL,
    /** The CloudWatch namespace of the metrics in the log lines; null leaves them out. */
    metricsNamespace: values.METRICS_NAMESPACE,
    /** The collector of spans; null records none. */
    telemetry:
      values.OTEL_EXPORTER_OTLP_ENDPOINT === null
        ? null
        : {
            exportTo: {
              endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
              headers: values.OTEL_EXPORTER_OTLP_HEADERS,
            },
            share: values.OTEL_TRACES_SAMPLER_ARG,
          },
  };
}

/**
 * Reads the configuration from the environment of this process: the only place that looks at it.
 * @throws InvalidEnvironment also for secrets of `npm run dev`
 */
export function readProcessConfig(): Config {
  const problems = demoSecretProblems(process.env);
  if (problems.length > 0) throw new InvalidEnvironment(problems);
  return readConfig(process.env);
}

export type ServerSettings = ReturnType<typeof readServerSettings>;

/**
 * Reads what `npm start` needs.
 * @param environment of this process by default
 * @throws InvalidEnvironment with the problems of all variables, secrets of `npm run dev` included
 */
export function readServerSettings(environment: Variables = process.env) {
  const problems = demoSecretProblems(environment);
  const config = collectProblems(problems, () => readConfig(withServerDefaults(environment)));
  const values = collectProblems(problems, () => parseVariables(ServerEnvironment, environment));
  const { DATABASE_ADMIN_URL: adminUrl = "" } = environment;
  const admin =
    adminUrl.trim() === "" ? null : collectProblems(problems, () => parseVariables(OperatorEnvironment, environment));
  const { ADDRESS_LIMIT_PER_MINUTE: perMinute = 0, TRUSTED_PROXY_HOPS: proxyHops = null } = values ?? {};
  if (perMinute > 0 && proxyHops === null) problems.push("ADDRESS_LIMIT_PER_MINUTE: needs TRUSTED_PROXY_HOPS");
  if (config === undefined || values === undefined || problems.length > 0) throw new InvalidEnvironment(problems);
  return {
    config,
    host: values.HOST,
    port: values.PORT,
    /** Address of a role that may migrate; null to start without migrating. */
    adminUrl: admin?.DATABASE_ADMIN_URL ?? null,
    runsJobs: values.SCHEDULER,
    /** Null for no limit. */
    addressLimit: perMinute === 0 || proxyHops === null ? null : { perMinute, proxyHops },
    /** Null: nobody may read metrics, and none are counted. */
    metricsToken: values.METRICS_TOKEN,
    graceMs: values.SHUTDOWN_GRACE_SECONDS * 1_000,
    drainMs: values.SHUTDOWN_DRAIN_SECONDS * 1_000,
  };
}

function withServerDefaults(environment: Variables): Variables {
  const { DATABASE_POOL_SIZE: poolSize = "" } = environment;
  return { ...environment, DATABASE_POOL_SIZE: poolSize.trim() === "" ? SERVER_POOL_SIZE : poolSize };
}

function collectProblems<Result>(problems: string[], read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidEnvironment)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** An environment that the service cannot run with. The message lists the variables, without any values. */
export class InvalidEnvironment extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The environment is not valid. ${problems.join("; ")}. See .env.example.`);
    this.problems = problems;
  }
}

/** The variables of the functions that the operator's programs read too. */
const SHARED_WITH_OPERATOR = Environment.pick({ DATABASE_CA: true }).extend({
  DATABASE_URL: Environment.shape.DATABASE_URL.optional(),
});

/**
 * Reads what `npm run migrate` and `npm run restore:drill` need from the environment of this process.
 * @throws InvalidEnvironment with every missing or malformed variable, without the values
 */
export function readOperatorConfig() {
  const values = parseVariables(OperatorEnvironment.extend(SHARED_WITH_OPERATOR.shape), process.env);
  return {
    /** How to reach the database as its administrator. */
    admin: { url: values.DATABASE_ADMIN_URL, ca: values.DATABASE_CA },
    /** The address of the functions; undefined if it is not set. */
    apiUrl: values.DATABASE_URL,
  };
}

/** The variables that say where the files of the service are. */
const FilesEnvironment = Environment.pick({
  S3_BUCKET: true,
  S3_REGION: true,
  S3_ENDPOINT: true,
  S3_ACCESS_KEY_ID: true,
  S3_SECRET_ACCESS_KEY: true,
});

/**
 * Reads what `npm run backup` needs from the environment of this process.
 * @throws InvalidEnvironment with every missing or malformed variable, without the values
 */
export function readBackupConfig() {
  const values = parseVariables(BackupEnvironment.extend(FilesEnvironment.shape), process.env);
  return {
    admin: readOperatorConfig().admin,
    /** The bucket whose files are listed; null if there is none. */
    files: s3Of(values),
    folder: values.BACKUP_FOLDER,
    hour: values.BACKUP_HOUR,
    /** The bucket that backups are stored in; null leaves them in the folder. */
    bucket: s3Of({
      S3_BUCKET: values.BACKUP_BUCKET,
      S3_REGION: values.BACKUP_REGION,
      S3_ENDPOINT: values.BACKUP_ENDPOINT,
      S3_ACCESS_KEY_ID: values.BACKUP_ACCESS_KEY_ID,
      S3_SECRET_ACCESS_KEY: values.BACKUP_SECRET_ACCESS_KEY,
    }),
  };
}

/**
 * Parses the variables of a table. Missing ones get their default, and so do blank ones that may not be empty.
 * @throws InvalidEnvironment that lists every missing or malformed variable, without any values
 */
export function parseVariables<Shape extends z.ZodRawShape>(table: z.ZodObject<Shape>, environment: Variables) {
  const texts = Object.fromEntries(
    VARIABLES.map((variable) => {
      const text = environment[variable.name] ?? "";
      const isLeftOut = variable.mayBeEmpty ? environment[variable.name] === undefined : text.trim() === "";
      return [variable.name, isLeftOut ? (variable.default ?? undefined) : text];
    }),
  );
  const parsed = table.safeParse(texts);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path: [name = ""], message }) =>
    texts[String(name)] === undefined ? `${String(name)}: is missing` : `${String(name)}: ${message}`,
  );
  throw new InvalidEnvironment(problems);
}

type ApnsVariables = Pick<
  z.infer<typeof Environment>,
  "APNS_KEY" | "APNS_KEY_ID" | "APNS_TEAM_ID" | "APNS_TOPICS" | "APNS_URL"
>;

function apnsOf({ APNS_KEY: key, APNS_KEY_ID: keyId, APNS_TEAM_ID: teamId, ...values }: ApnsVariables) {
  const { APNS_TOPICS: topics, APNS_URL: url } = values;
  return key === null || keyId === null || teamId === null || topics.length === 0
    ? null
    : { key, keyId, teamId, topics, url };
}

type S3Variables = Pick<
  z.infer<typeof Environment>,
  "S3_BUCKET" | "S3_REGION" | "S3_ENDPOINT" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY"
>;

function s3Of(values: S3Variables) {
  if (values.S3_BUCKET === null) return null;
  return {
    bucket: values.S3_BUCKET,
    region: values.S3_REGION,
    endpoint: values.S3_ENDPOINT,
    /** Null uses the credentials of the function's own role. */
    accessKeyId: values.S3_ACCESS_KEY_ID,
    secretAccessKey: values.S3_SECRET_ACCESS_KEY,
  };
}

function unsubscribeOf(values: Pick<z.output<typeof Environment>, "PUBLIC_URL" | "EMAIL_UNSUBSCRIBE_SECRET">) {
  const [secret] = values.EMAIL_UNSUBSCRIBE_SECRET;
  if (values.PUBLIC_URL === null || secret === undefined) return null;
  return { url: `${values.PUBLIC_URL}/api/email/unsubscribe`, secret };
}

/** Supabase's shared pooler gives each transaction any of its sessions, which do not know each other's statements. */
function preparesStatements(configured: "auto" | "on" | "off", { hostname, port }: URL): boolean {
  if (configured !== "auto") return configured === "on";
  return !(hostname.endsWith(".pooler.supabase.com") && port === "6543");
}

function issuerOf(configured: string | null, supabaseUrl: string): string | null {
  if (configured === null) return `${supabaseUrl}/auth/v1`;
  return configured === "none" ? null : configured;
}
