import { z } from "zod";

/** The environment of a running function, parsed and checked. */
export interface Config {
  /** Address of the login role nectar_api. */
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly supabaseUrl: string;
  readonly jwtSecret: string | null;
  /** The issuer that tokens must name, or null when none is asked for. */
  readonly jwtIssuer: string | null;
  /** Origins that browsers may call from; empty means every origin. */
  readonly appOrigins: readonly string[];
  readonly superAdminEmails: ReadonlySet<string>;
  readonly adminEmails: ReadonlySet<string>;
  readonly cronSecrets: CronSecrets;
  /** Null: no model is configured. */
  readonly ai: AiConfig | null;
  /** Null: no payment processor is configured. */
  readonly stripe: StripeConfig | null;
  /** Secret that the payment processor signs its events with; null: none can be verified, so none is accepted. */
  readonly stripeWebhookSecret: string | null;
  /** Key that may write to the project's storage, or null. */
  readonly supabaseSecretKey: string | null;
  /** Null: no place for private pictures is configured. */
  readonly s3: S3Config | null;
  /** Null: no mail can be sent. */
  readonly email: EmailConfig | null;
  /** Null: whoever calls the mail webhook is believed to be unverified. */
  readonly emailWebhookSecret: string | null;
  readonly emailRecipientPolicy: RecipientPolicy;
  /** Null: nothing is pushed to devices. */
  readonly push: PushConfig | null;
  /** Minutes before and after a window in which its photo may still be taken. */
  readonly checkinGraceMinutes: number;
  /** What becomes of a photo without an embedded time. */
  readonly checkinMissingExif: "reject" | "review";
  /** The name under which the assistant is shown. */
  readonly assistantName: string;
  readonly logLevel: LogLevel;
}

/** Secrets of the scheduled jobs by group of jobs; null is not configured, and then the jobs refuse every call. */
export interface CronSecrets {
  readonly maintenance: string | null;
  readonly drops: string | null;
  readonly encouragementDrops: string | null;
  readonly workoutWindow: string | null;
  readonly chat: string | null;
}

/** How to reach the text and image models. */
export interface AiConfig {
  readonly apiKey: string;
  /** Null is the vendor's own address. */
  readonly baseUrl: string | null;
  readonly textModel: string;
  readonly imageModel: string;
}

/** How to reach the payment processor. */
export interface StripeConfig {
  readonly secretKey: string;
  /** Null is the vendor's own address. */
  readonly baseUrl: string | null;
  /** Prices that may be subscribed to; empty means every price. */
  readonly priceIds: readonly string[];
}

/** How to send mail. */
export interface EmailConfig {
  readonly apiKey: string;
  /** Null is the vendor's own address. */
  readonly baseUrl: string | null;
  /** The sender that recipients see, such as `Nectar <hello@nectar.example>`. */
  readonly from: string;
}

/** How to reach people's devices: the keys that prove to push services who is sending (RFC 8292). */
export interface PushConfig {
  readonly publicKey: string;
  readonly privateKey: string;
  /** Whom a push service writes to when something is wrong: a mailto: or https: address. */
  readonly subject: string;
  /** Origins of push services beside the known ones. */
  readonly extraOrigins: readonly string[];
}

/** Whom a person may write mail to through us. */
export type RecipientPolicy = "any" | "members" | "self";

/** Where private pictures are kept. */
export interface S3Config {
  readonly bucket: string;
  readonly region: string;
  /** Null is AWS. */
  readonly endpoint: string | null;
  /** Null: the credentials of the function's own role. */
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
}

const LogLevel = z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]);
type LogLevel = z.infer<typeof LogLevel>;

const list = z
  .string()
  .default("")
  .transform((value) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );
const emails = list.transform((addresses) => new Set(addresses.map((address) => address.toLowerCase())));
const optional = z
  .string()
  .default("")
  .transform((value) => (value === "" ? null : value));
const optionalUrl = optional.refine(
  (url) => url === null || /^https?:\/\/\S+$/.test(url),
  "must be an http(s) address",
);
const orElse = (fallback: string) => (value: string) => (value === "" ? fallback : value);
const withoutTrailingSlash = (url: string) => url.replace(/\/+$/, "");

const Environment = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "must be a postgres:// address"),
  // A job holds its lock on one connection while it works on another.
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(100).default(2),
  SUPABASE_URL: z.url({ protocol: /^https?$/ }).transform(withoutTrailingSlash),
  SUPABASE_JWT_SECRET: optional,
  SUPABASE_JWT_ISSUER: optional,
  APP_ORIGINS: list,
  SUPER_ADMIN_EMAILS: emails,
  ADMIN_EMAILS: emails,
  MAINTENANCE_CRON_SECRET: optional,
  DROPS_CRON_SECRET: optional,
  ENCOURAGEMENT_DROPS_CRON_SECRET: optional,
  WORKOUT_WINDOW_CRON_SECRET: optional,
  CHAT_CRON_SECRET: optional,
  AI_PROVIDER_API_KEY: optional,
  AI_PROVIDER_BASE_URL: optionalUrl,
  AI_TEXT_MODEL: z.string().default("").transform(orElse("gpt-4o-mini")),
  AI_IMAGE_MODEL: z.string().default("").transform(orElse("gpt-image-2.5-flare")),
  STRIPE_SECRET_KEY: optional,
  STRIPE_WEBHOOK_SECRET: optional,
  STRIPE_BASE_URL: optionalUrl,
  STRIPE_PRICE_IDS: list,
  SUPABASE_SECRET_KEY: optional,
  S3_BUCKET: optional,
  S3_REGION: z.string().default("").transform(orElse("us-east-1")),
  S3_ENDPOINT: optionalUrl,
  S3_ACCESS_KEY_ID: optional,
  S3_SECRET_ACCESS_KEY: optional,
  RESEND_API_KEY: optional,
  RESEND_BASE_URL: optionalUrl,
  EMAIL_FROM: z.string().default("").transform(orElse("Nectar <onboarding@resend.dev>")),
  EMAIL_WEBHOOK_SECRET: optional,
  EMAIL_RECIPIENT_POLICY: z
    .enum(["", "any", "members", "self"])
    .default("any")
    .transform((policy) => policy || "any"),
  VAPID_PUBLIC_KEY: optional,
  VAPID_PRIVATE_KEY: optional,
  VAPID_SUBJECT: z.string().default("").transform(orElse("mailto:push@nectar.invalid")),
  PUSH_SERVICE_ORIGINS: list,
  CHECKIN_GRACE_MINUTES: z.coerce.number().int().min(0).max(120).default(15),
  CHECKIN_MISSING_EXIF: z
    .enum(["", "reject", "review"])
    .default("reject")
    .transform((what) => what || "reject"),
  ASSISTANT_NAME: z.string().trim().max(100).default("").transform(orElse("Nectar")),
  LOG_LEVEL: LogLevel.default("info"),
});

/**
 * Reads the configuration from an environment.
 * @throws Error that names every missing or malformed variable, and no value of any
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${problemWithoutValue(issue)}`);
    throw new Error(`The environment is not complete. ${problems.join("; ")}. See .env.example.`);
  }
  const values = parsed.data;
  return {
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    supabaseUrl: values.SUPABASE_URL,
    jwtSecret: values.SUPABASE_JWT_SECRET,
    jwtIssuer: issuerOf(values.SUPABASE_JWT_ISSUER, values.SUPABASE_URL),
    appOrigins: values.APP_ORIGINS,
    superAdminEmails: values.SUPER_ADMIN_EMAILS,
    adminEmails: values.ADMIN_EMAILS,
    cronSecrets: {
      maintenance: values.MAINTENANCE_CRON_SECRET,
      drops: values.DROPS_CRON_SECRET,
      encouragementDrops: values.ENCOURAGEMENT_DROPS_CRON_SECRET,
      workoutWindow: values.WORKOUT_WINDOW_CRON_SECRET,
      chat: values.CHAT_CRON_SECRET,
    },
    ai: aiOf(values),
    stripe: stripeOf(values),
    stripeWebhookSecret: values.STRIPE_WEBHOOK_SECRET,
    supabaseSecretKey: values.SUPABASE_SECRET_KEY,
    s3: s3Of(values),
    email: emailOf(values),
    emailWebhookSecret: values.EMAIL_WEBHOOK_SECRET,
    emailRecipientPolicy: values.EMAIL_RECIPIENT_POLICY,
    push: pushOf(values),
    checkinGraceMinutes: values.CHECKIN_GRACE_MINUTES,
    checkinMissingExif: values.CHECKIN_MISSING_EXIF,
    assistantName: values.ASSISTANT_NAME,
    logLevel: values.LOG_LEVEL,
  };
}

/** Reads the configuration from the environment of this process: the only place that looks at it. */
export function readProcessConfig(): Config {
  return readConfig(process.env);
}

type Values = z.output<typeof Environment>;

function aiOf(values: Values): AiConfig | null {
  if (values.AI_PROVIDER_API_KEY === null) return null;
  return {
    apiKey: values.AI_PROVIDER_API_KEY,
    baseUrl: values.AI_PROVIDER_BASE_URL,
    textModel: values.AI_TEXT_MODEL,
    imageModel: values.AI_IMAGE_MODEL,
  };
}

function stripeOf(values: Values): StripeConfig | null {
  if (values.STRIPE_SECRET_KEY === null) return null;
  return {
    secretKey: values.STRIPE_SECRET_KEY,
    baseUrl: values.STRIPE_BASE_URL,
    priceIds: values.STRIPE_PRICE_IDS,
  };
}

function s3Of(values: Values): S3Config | null {
  if (values.S3_BUCKET === null) return null;
  return {
    bucket: values.S3_BUCKET,
    region: values.S3_REGION,
    endpoint: values.S3_ENDPOINT,
    accessKeyId: values.S3_ACCESS_KEY_ID,
    secretAccessKey: values.S3_SECRET_ACCESS_KEY,
  };
}

function emailOf(values: Values): EmailConfig | null {
  if (values.RESEND_API_KEY === null) return null;
  return { apiKey: values.RESEND_API_KEY, baseUrl: values.RESEND_BASE_URL, from: values.EMAIL_FROM };
}

function pushOf(values: Values): PushConfig | null {
  if (values.VAPID_PUBLIC_KEY === null || values.VAPID_PRIVATE_KEY === null) return null;
  return {
    publicKey: values.VAPID_PUBLIC_KEY,
    privateKey: values.VAPID_PRIVATE_KEY,
    subject: values.VAPID_SUBJECT,
    extraOrigins: values.PUSH_SERVICE_ORIGINS,
  };
}

function issuerOf(configured: string | null, supabaseUrl: string): string | null {
  if (configured === null) return `${supabaseUrl}/auth/v1`;
  return configured === "none" ? null : configured;
}

function problemWithoutValue(issue: z.core.$ZodIssue): string {
  return issue.code === "invalid_type" ? "is missing" : issue.message;
}
