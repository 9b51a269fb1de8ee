import * as z from "zod";
import { CAPABILITIES, type Capability } from "./capabilities.ts";
import {
  BaseUrl,
  Certificates,
  Dollars,
  Emails,
  Headers,
  List,
  OnOff,
  OptionalAppleId,
  OptionalEcKey,
  OptionalHops,
  OptionalServiceAccount,
  OptionalText,
  OptionalUrl,
  Port,
  PostgresUrl,
  PostgresUrls,
  ReasoningEffort,
  Seconds,
  Secrets,
  Topics,
  TrueFalse,
  vapidKey,
} from "./formats.ts";

/** The connections of `npm start`: one process does the work of many functions. */
export const SERVER_POOL_SIZE = "20";

export interface Variable {
  readonly name: string;
  /** One sentence for the operator who sets it. */
  readonly description: string;
  /** Applies when the variable is missing or blank; null: the service cannot run without it. */
  readonly default: string | null;
  /** An empty value is one of its own, and not replaced by the default. */
  readonly mayBeEmpty?: true;
  /** Secrets are stored encrypted when deployed, and are never logged. */
  readonly isSecret: boolean;
  /** Functions with this capability get the variable; null: no function gets it. */
  readonly capability: Capability | null;
  /** The programs and functions that read it, as docs/environment.md and .env.example say. */
  readonly neededBy: string;
}

const rows = new Map<z.ZodType, Omit<Variable, "name">>();

/** A row of the table below. @param schema parses the text of the variable, or of its default */
function variable<Schema extends z.ZodType>(
  schema: Schema,
  row: Omit<Variable, "name" | "neededBy">,
  neededBy = row.capability === null ? "`npm run dev` only" : CAPABILITIES[row.capability],
): Schema {
  // Rows may share a schema, but each needs an instance of its own to be found by.
  const own = schema.clone();
  rows.set(own, { ...row, neededBy });
  return own;
}

/** A variable that is no secret. @param defaultText null if the service cannot run without the variable */
function setting<Schema extends z.ZodType>(
  capability: Capability | null,
  schema: Schema,
  description: string,
  defaultText: string | null = "",
): Schema {
  return variable(schema, { capability, description, default: defaultText, isSecret: false });
}

/** How many tasks may run at the same time; AWS allows 2 to 1,000. */
function concurrency(defaultText: string, description: string) {
  const row = { capability: null, isSecret: false, default: defaultText, description };
  return variable(z.coerce.number().int().min(2).max(1_000), row, "the deployment, `npm run dev` and `npm start`");
}

/** A secret that the service can run without. */
function secret(capability: Capability, description: string) {
  return variable(OptionalText, { capability, description, default: "", isSecret: true });
}

/**
 * The one table of environment variables. The parsed configuration, `.env.example`, the table in docs/environment.md and what each
 * deployed function gets come from it.
 */
export const Environment = z.object({
  DATABASE_URL: variable(PostgresUrl, {
    capability: "database",
    isSecret: true,
    default: null,
    description:
      "PostgreSQL address for the login role nectar_api; on Supabase that of the transaction pooler (port 6543).",
  }),
  DATABASE_CA: setting(
    "database",
    Certificates,
    "Certificate of the authority that signs the database server's certificate (PEM, line breaks may be written as `\\n`). With it, connections are encrypted and the server is checked; Supabase shows its own under Database Settings.",
  ),
  DATABASE_POOL_SIZE: setting(
    "database",
    z.coerce.number().int().min(1).max(100),
    `Connections that one running function may open. \`npm start\` opens up to ${SERVER_POOL_SIZE} unless this is set.`,
    "2",
  ),
  DATABASE_PREPARED_STATEMENTS: setting(
    "database",
    z.enum(["auto", "on", "off"]),
    "Whether statements are prepared once per connection, so that PostgreSQL parses and plans each once. `auto`: unless DATABASE_URL is that of Supabase's shared pooler in transaction mode. PgBouncer before 1.21 and Amazon RDS Proxy need `off`.",
    "auto",
  ),
  DATABASE_READ_URL: variable(PostgresUrls, {
    capability: "database",
    isSecret: true,
    default: "",
    description:
      "Addresses of streaming replicas for the login role nectar_api, comma-separated; each gets DATABASE_POOL_SIZE connections. Empty: everything is read from DATABASE_URL.",
  }),
  DATABASE_READ_MAX_LAG_SECONDS: setting(
    "database",
    z.coerce.number().int().min(1).max(60),
    "How old, in seconds, what a replica shows may be. What the caller wrote is always there.",
    "5",
  ),
  DATABASE_READ_SHARED: setting(
    "database",
    OnOff,
    "`on` also reads from replicas what depends on memberships, shares and blocks, so that withdrawing access takes effect after DATABASE_READ_MAX_LAG_SECONDS instead of at once.",
    "off",
  ),
  SUPABASE_URL: setting(
    "database",
    z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, "")),
    "Address of the Supabase project; its public signing keys are read from there. For another issuer of tokens its address, with SUPABASE_JWT_ISSUER, SUPABASE_JWKS_URL and SUPABASE_JWT_AUDIENCE.",
    null,
  ),
  ROUTER_SECRET: variable(Secrets, {
    capability: "router",
    isSecret: true,
    default: "",
    description:
      "Secret that the router sends to the deployed functions, which refuse HTTP requests without it. During a rotation two, comma-separated: the router sends the first one. Only deployed functions use it.",
  }),
  SUPABASE_JWT_SECRET: secret(
    "tokens",
    "Shared secret of projects that sign tokens with HS256; leave empty when the project has signing keys.",
  ),
  SUPABASE_JWT_ISSUER: setting(
    "tokens",
    OptionalText,
    "Issuer that every token must name; when empty `/auth/v1` of SUPABASE_URL. `none` accepts tokens without one (Supabase Lite writes none).",
  ),
  SUPABASE_JWKS_URL: setting(
    "tokens",
    OptionalUrl,
    "Address of the issuer's public signing keys (JWKS); when empty that of the Supabase project.",
  ),
  SUPABASE_JWT_AUDIENCE: setting(
    "tokens",
    z.string(),
    "Audience that every token must name. With another one than Supabase's, tokens need no claim `role`.",
    "authenticated",
  ),
  APP_ORIGINS: setting(
    "tokens",
    List,
    "Comma-separated web origins that may call the API from a browser; empty allows every origin.",
  ),
  SUPER_ADMIN_EMAILS: setting(
    "users",
    Emails,
    "Comma-separated confirmed addresses whose owners become super admin with their first request.",
  ),
  ADMIN_EMAILS: setting(
    "users",
    Emails,
    "Comma-separated confirmed addresses whose owners become admin with their first request.",
  ),
  MAINTENANCE_CRON_SECRET: secret(
    "maintenanceJobs",
    "Secret in x-cron-secret for housekeeping, exports, imports, push delivery, journal reminders, received mail and erasures; without it these jobs refuse every call.",
  ),
  DROPS_CRON_SECRET: secret(
    "dropJobs",
    "Secret in x-cron-secret for the monthly award, the reconciliation of drops and the daily drops; without it the first two refuse every call.",
  ),
  ENCOURAGEMENT_DROPS_CRON_SECRET: secret(
    "engagementJob",
    "Secret in x-cron-secret for the engagement job; without it the job refuses every call.",
  ),
  CHAT_CRON_SECRET: secret("assistantJobs", "Secret in x-cron-secret for the note analysis."),
  WORKOUT_WINDOW_CRON_SECRET: secret(
    "gameJobs",
    "Secret in x-cron-secret for the game's jobs; the assistant's jobs accept it when their own is not set.",
  ),
  AI_PROVIDER_API_KEY: secret(
    "models",
    "API key for the text and image models; without it no tones are detected and no images are drawn.",
  ),
  AI_PROVIDER_BASE_URL: setting("models", OptionalUrl, "Base URL of another provider with an OpenAI-compatible API."),
  AI_TEXT_MODEL: setting("models", z.string(), "Name of the small text model.", "gpt-6-luna"),
  AI_REASONING_EFFORT: variable(ReasoningEffort, {
    capability: "models",
    isSecret: false,
    default: "none",
    mayBeEmpty: true,
    description:
      "How much the text model reasons: none, minimal, low, medium, high, xhigh or max. Set it to nothing for models that do not reason and refuse the parameter, and for other providers.",
  }),
  AI_IMAGE_MODEL: setting("models", z.string(), "Name of the image model.", "gpt-image-2.5-flare"),
  AI_TEXT_INPUT_PRICE: setting("models", Dollars, "Price of a million input tokens of the text model in USD.", "0.15"),
  AI_TEXT_OUTPUT_PRICE: setting(
    "models",
    Dollars,
    "Price of a million output tokens of the text model in USD.",
    "0.60",
  ),
  AI_IMAGE_PRICE: setting("models", Dollars, "Price of an image of standard quality in USD.", "0.040"),
  AI_HD_IMAGE_PRICE: setting("models", Dollars, "Price of an image of HD quality in USD.", "0.080"),
  ASSISTANT_NAME: setting(
    "assistantName",
    z.string().trim().max(100),
    "Name of the assistant, as users see it.",
    "Nectar",
  ),
  STRIPE_SECRET_KEY: secret(
    "payments",
    "Secret key of the payment processor; without it subscriptions cannot be bought.",
  ),
  STRIPE_BASE_URL: setting("payments", OptionalUrl, "Base URL of another server with a Stripe-compatible API."),
  STRIPE_PRICE_IDS: setting(
    "payments",
    List,
    "Comma-separated prices that users can subscribe to; empty allows every price of the account.",
  ),
  STRIPE_WEBHOOK_SECRET: secret("paymentEvents", "Signing secret of the payment processor's webhook."),
  RESEND_API_KEY: secret("mail", "API key of the mail provider; without it no mail is sent."),
  RESEND_BASE_URL: setting("mail", OptionalUrl, "Base URL of another server with a Resend-compatible API."),
  EMAIL_FROM: setting(
    "sendMail",
    z.string(),
    "Sender of all mail; its domain must be verified at the mail provider.",
    "Nectar <onboarding@resend.dev>",
  ),
  PUBLIC_URL: setting(
    "sendMail",
    BaseUrl,
    "Address under which clients reach the API. Mails name it in their link to unsubscribe. `npm start` stores tone pack images in S3_BUCKET and shows them under it if there is no SUPABASE_SECRET_KEY.",
  ),
  EMAIL_UNSUBSCRIBE_SECRET: variable(Secrets, {
    capability: "sendMail",
    isSecret: true,
    default: "",
    description:
      "Secret that signs the links to unsubscribe, which mails have if PUBLIC_URL is set too. During a rotation several, comma-separated: the first one signs, and links of the others keep working.",
  }),
  EMAIL_RECIPIENT_POLICY: setting(
    "sendMail",
    z.enum(["any", "members", "self"]),
    "Addresses that users may send mail to: any, members (people who have acted in one of the same organizations), or self. Invitations are mailed to any address.",
    "any",
  ),
  APP_URL: setting(
    "sendMail",
    BaseUrl,
    "Address of the client app: an invitation leads to `/invitations/<token>` below it; when empty, invitations have no address.",
  ),
  EMAIL_WEBHOOK_SECRET: secret(
    "mailEvents",
    "Signing secret of the mail provider's webhook; when it is set, unsigned events are refused.",
  ),
  VAPID_PUBLIC_KEY: setting(
    "push",
    vapidKey(65),
    "Public VAPID key that browsers subscribe with; without the key pair nothing is pushed.",
  ),
  VAPID_PRIVATE_KEY: variable(vapidKey(32), {
    capability: "push",
    isSecret: true,
    default: "",
    description: "Private VAPID key.",
  }),
  VAPID_SUBJECT: setting(
    "push",
    z.string(),
    "Contact for push services when something is wrong: a mailto: or https: address.",
    "mailto:push@nectar.invalid",
  ),
  PUSH_SERVICE_ORIGINS: setting(
    "push",
    List,
    "Comma-separated origins of push services in addition to those of the common browsers.",
  ),
  FCM_SERVICE_ACCOUNT: variable(OptionalServiceAccount, {
    capability: "push",
    isSecret: true,
    default: "",
    description:
      "JSON of the Google service account that may send messages of Firebase Cloud Messaging, in one line; `project_id`, `client_email`, `private_key` and `token_uri` of it are enough. Without it nothing is pushed to Android.",
  }),
  FCM_URL: setting("push", BaseUrl, "Base URL of another server with the API of Firebase Cloud Messaging, HTTP v1."),
  APNS_KEY: variable(OptionalEcKey, {
    capability: "push",
    isSecret: true,
    default: "",
    description:
      "Private key for the Apple Push Notification service (the `.p8` file, line breaks may be written as `\\n`). Without it, its id, the team and an app, nothing is pushed to iOS.",
  }),
  APNS_KEY_ID: setting("push", OptionalAppleId, "Id of that key."),
  APNS_TEAM_ID: setting("push", OptionalAppleId, "Id of the Apple developer team."),
  APNS_TOPICS: setting(
    "push",
    Topics,
    "Comma-separated bundle ids of the apps. Messages to `<bundle id>@sandbox`, a development build, go to Apple's sandbox.",
  ),
  APNS_URL: setting(
    "push",
    BaseUrl,
    "Address of another server with the API of the Apple Push Notification service, instead of both of Apple's.",
  ),
  TASK_QUEUE_URL: setting(
    "tasks",
    OptionalUrl,
    "Address of the queue for pushes, received mail, mosaics, exports and erasures; when deployed, SST creates one. `npm run dev` and `npm start` do this work in their own process.",
  ),
  RANGE_QUEUE_URL: setting(
    "tasks",
    OptionalUrl,
    "The same for the assistant's work, which is queued for ranges of people.",
  ),
  IMPORT_QUEUE_URL: setting("tasks", OptionalUrl, "The same for imports, of which two run at the same time."),
  TASK_CONCURRENCY: concurrency(
    "5",
    "Pushes, fetches of received mail, mosaics, exports and erasures that run at the same time. Each needs DATABASE_POOL_SIZE connections when deployed.",
  ),
  RANGE_CONCURRENCY: concurrency(
    "10",
    "Ranges of people that the assistant works for at the same time. Each needs connections like the tasks above, and calls a model for a few people at a time.",
  ),
  CHECKIN_GRACE_MINUTES: setting(
    "checkIns",
    z.coerce.number().int().min(0).max(120),
    "Minutes before and after a workout window in which its photo may still be taken.",
    "15",
  ),
  REVIEW_ALARM_HOURS: setting(
    "maintenanceJobs",
    z.coerce.number().int().min(0).max(8_760),
    "Hours that a report, an appeal or a pending check-in may wait for an admin before `GET /health/jobs` is 503 and the alarms ring; 0 for no limit.",
    "24",
  ),
  CHECKIN_MISSING_EXIF: setting(
    "checkIns",
    z.enum(["reject", "review"]),
    "What happens to a photo without an embedded time: reject, or review by an admin.",
    "reject",
  ),
  PICTURE_BYTES_PER_PERSON: setting(
    "pictures",
    z.coerce
      .number()
      .int()
      .min(0)
      .max(2 ** 50),
    "Bytes that the stored pictures of a person's entries may have together.",
    "2147483648",
  ),
  S3_BUCKET: setting(
    "privateFiles",
    OptionalText,
    "Bucket for private files: photos, pictures, backgrounds, mosaics, exports and archives to import; when deployed, SST creates one unless this is set.",
  ),
  S3_REGION: setting(
    "privateFiles",
    z.string(),
    "Region of the bucket; when deployed, SST sets that of the bucket that it creates.",
    "us-east-1",
  ),
  S3_ENDPOINT: setting("privateFiles", OptionalUrl, "Address of another server with an S3-compatible API."),
  S3_ACCESS_KEY_ID: secret("privateFiles", "Access key of the bucket; empty uses the function's own role."),
  S3_SECRET_ACCESS_KEY: secret("privateFiles", "Secret of that access key."),
  SUPABASE_SECRET_KEY: secret(
    "publicImages",
    "Secret key of the Supabase project; tone pack images are uploaded with it.",
  ),
  BACKUP_EXPECTED: setting(
    "maintenanceJobs",
    TrueFalse,
    "`true` where `npm run backup` or another program records each backup: without a new one `GET /health/jobs` is 503 with `backup` among the late jobs.",
    "false",
  ),
  LOG_LEVEL: setting(
    "database",
    z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
    "Level of the logs: fatal, error, warn, info, debug, trace or silent.",
    "info",
  ),
  METRICS_NAMESPACE: setting(
    "database",
    OptionalText,
    "CloudWatch namespace of the metrics in the log lines; when empty there are none. When deployed, SST sets `nectar-<stage>` unless this is set.",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    "database",
    BaseUrl,
    "Address of a collector that takes traces as OTLP over HTTP, without `/v1/traces`; when empty nothing is traced.",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: variable(Headers, {
    capability: "database",
    isSecret: true,
    default: "",
    description: "Comma-separated headers for the collector, such as `authorization=Bearer%20abc`.",
  }),
  OTEL_TRACES_SAMPLER_ARG: setting(
    "database",
    z.coerce.number().min(0).max(1),
    "Share of the traces that is recorded, from 0 to 1.",
    "1",
  ),
});

/** A row that both `npm run dev` and `npm start` read. */
const ApiPort = variable(
  Port,
  { capability: null, isSecret: false, default: "3000", description: "Port of the API." },
  "`npm run dev` and `npm start`",
);

/** Variables that only `npm run dev` reads, and the port. */
export const LocalEnvironment = z.object({
  PORT: ApiPort,
  LOCAL_SUPABASE_PORT: setting(null, Port, "Port of the local Supabase.", "54321"),
  LOCAL_DB_PORT: setting(null, Port, "Port of PostgreSQL.", "54322"),
  LOCAL_S3_PORT: setting(null, Port, "Port of the local file store.", "54323"),
  LOCAL_AI_PORT: setting(null, Port, "Port of the local models.", "54324"),
  LOCAL_PAYMENTS_PORT: setting(null, Port, "Port of the local payment processor.", "54325"),
  LOCAL_MAIL_PORT: setting(null, Port, "Port of the local mail provider.", "54326"),
  LOCAL_PUSH_PORT: setting(null, Port, "Port of the local push service.", "54327"),
  LOCAL_DATA_DIR: setting(null, z.string(), "Folder for all local data.", ".local"),
  SUPABASE_PUBLISHABLE_KEY: setting(
    null,
    z.string(),
    "Key that clients send to the local Supabase.",
    "sb_publishable_nectar_local",
  ),
});

/** A variable of `npm start`. */
function serverSetting<Schema extends z.ZodType>(schema: Schema, description: string, defaultText = ""): Schema {
  const row = { capability: null, description, default: defaultText, isSecret: false };
  return variable(schema, row, "`npm start` only");
}

/** Variables that `npm start` reads in addition to those of all functions. */
export const ServerEnvironment = z.object({
  HOST: serverSetting(z.string(), "Address that the server listens on; `0.0.0.0` for all of the machine.", "127.0.0.1"),
  PORT: ApiPort,
  SCHEDULER: serverSetting(
    OnOff,
    "`off` starts no scheduled jobs; one of several servers with `on` is enough, and several are safe.",
    "on",
  ),
  ADDRESS_LIMIT_PER_MINUTE: serverSetting(
    z.coerce.number().int().min(0).max(1_000_000),
    "Requests that one address, or one /64 of IPv6, may send to each server in a calendar minute; 0 for no limit. Health checks, `/metrics` and webhooks do not count. Needs TRUSTED_PROXY_HOPS.",
    "0",
  ),
  TRUSTED_PROXY_HOPS: serverSetting(
    OptionalHops,
    "How many proxies before the server add the address of their client to `X-Forwarded-For`; 0 if clients connect to the server itself.",
  ),
  METRICS_TOKEN: variable(
    OptionalText,
    {
      capability: null,
      isSecret: true,
      default: "",
      description:
        "Bearer token for `GET /metrics`, which Prometheus reads (docs/operations.md); when empty there is no such path.",
    },
    "`npm start` only",
  ),
  SHUTDOWN_GRACE_SECONDS: serverSetting(
    Seconds,
    "After SIGTERM, seconds in which health checks fail and requests are still accepted, so that a load balancer notices.",
    "5",
  ),
  SHUTDOWN_DRAIN_SECONDS: serverSetting(Seconds, "Seconds after that for running requests and jobs to finish.", "30"),
});

/** Variables of the operator's own programs, which no function gets. */
export const OperatorEnvironment = z.object({
  DATABASE_ADMIN_URL: variable(
    PostgresUrl,
    {
      capability: null,
      isSecret: true,
      default: null,
      description:
        "PostgreSQL address of a role that may create roles and schemas, such as `postgres`: a direct connection or the session pooler (port 5432). With it, `npm start` migrates before it listens, and sets the password in DATABASE_URL if the database refuses it.",
    },
    "`npm run migrate`, `npm run backup` and `npm run restore:drill`, and `npm start` if it is set",
  ),
  ALARM_EMAIL: variable(
    OptionalText.refine((address) => address === null || address.includes("@"), "must be an e-mail address"),
    {
      capability: null,
      isSecret: false,
      default: "",
      description: "Address that gets a mail when an alarm rings; when empty there are no alarms and no dashboard.",
    },
    "the deployment",
  ),
  API_DOMAIN: variable(
    OptionalText.refine(
      (domain) => domain === null || /^([a-z0-9-]+\.)+[a-z]+$/.test(domain),
      "must be a domain in lower case, without https://",
    ),
    {
      capability: null,
      isSecret: false,
      default: "",
      description: "Domain of the API, in a zone of Route 53 in the same account; when empty an address of CloudFront.",
    },
    "the deployment",
  ),
});

/** A variable of `npm run backup`. */
function backupSetting<Schema extends z.ZodType>(schema: Schema, description: string, more: Partial<Variable> = {}) {
  return variable(
    schema,
    { capability: null, description, default: "", isSecret: false, ...more },
    "`npm run backup` only",
  );
}

/** Variables that only `npm run backup` reads. */
export const BackupEnvironment = z.object({
  BACKUP_FOLDER: backupSetting(
    z.string(),
    "Folder of the backups. With BACKUP_BUCKET a backup is there only until it is uploaded.",
    { default: "/var/backups/nectar" },
  ),
  BACKUP_HOUR: backupSetting(
    z.coerce.number().int().min(0).max(23),
    "Hour of the nightly backup, in UTC, with `--nightly`.",
    { default: "2" },
  ),
  BACKUP_BUCKET: backupSetting(
    OptionalText,
    "Bucket for the backups, best in another account; when empty they stay in BACKUP_FOLDER.",
  ),
  BACKUP_REGION: backupSetting(z.string(), "Region of that bucket.", { default: "us-east-1" }),
  BACKUP_ENDPOINT: backupSetting(OptionalUrl, "Address of another server with an S3-compatible API, for the backups."),
  BACKUP_ACCESS_KEY_ID: backupSetting(OptionalText, "Access key of that bucket.", { isSecret: true }),
  BACKUP_SECRET_ACCESS_KEY: backupSetting(OptionalText, "Secret of that access key.", { isSecret: true }),
});

/** The rows of all tables, in their order. */
export const VARIABLES: readonly Variable[] = Object.entries({
  ...Environment.shape,
  ...LocalEnvironment.shape,
  ...ServerEnvironment.shape,
  ...OperatorEnvironment.shape,
  ...BackupEnvironment.shape,
}).map(([name, schema]) => {
  const row = rows.get(schema);
  if (row === undefined) throw new Error(`${name} is declared by neither setting() nor secret().`);
  return { name, ...row };
});
