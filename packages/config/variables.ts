import * as z from "zod";

/**
 * What a function can do. A function gets the variables of its capabilities (functions/groups.ts) and no others. The text
 * is how README.md and .env.example name the functions with that capability.
 */
export const CAPABILITIES = {
  database: "every function with a database",
  tokens: "functions that check access tokens",
  users: "functions that serve signed-in users",
  maintenanceJobs: "functions with maintenance jobs",
  dropJobs: "functions that award or generate drops",
  engagementJob: "the function that rewards engagement",
  assistantJobs: "functions with the assistant's jobs",
  gameJobs: "functions with the game's or the assistant's jobs",
  models: "functions that call a model",
  assistantDrops: "the function that writes the assistant's drops",
  payments: "the function that takes payments",
  paymentEvents: "the payment webhook",
  mail: "functions that read or send mail",
  sendMail: "the function that sends mail",
  mailEvents: "the mail webhook",
  push: "functions that send push messages",
  checkIns: "the function that checks photos in",
  privateFiles: "functions that store private files",
  publicImages: "functions that store public images",
} as const;

/** A capability of a function. */
export type Capability = keyof typeof CAPABILITIES;

/** An environment variable. */
export interface Variable {
  readonly name: string;
  /** One sentence for the operator who sets it. */
  readonly description: string;
  /** Applies when the variable is missing or blank; null: the service cannot run without it. */
  readonly default: string | null;
  /** Secrets are stored encrypted when deployed, and are never logged. */
  readonly isSecret: boolean;
  /** Functions with this capability get the variable; null: only `npm run dev` reads it. */
  readonly capability: Capability | null;
}

/** How a row of the table below is written. */
interface Row<Schema extends z.ZodType> {
  /** Parses the text of the variable, or of its default. */
  readonly schema: Schema;
  readonly capability: Capability | null;
  readonly isSecret?: true;
  /** An empty text when left out. */
  readonly default?: string | null;
  readonly description: string;
}

const rows = new Map<z.ZodType, Omit<Variable, "name">>();

function variable<Schema extends z.ZodType>({ schema, capability, isSecret, ...row }: Row<Schema>): Schema {
  // Rows may share a schema, but each needs an instance of its own to be found by.
  const own = schema.clone();
  rows.set(own, {
    ...row,
    default: row.default === undefined ? "" : row.default,
    isSecret: isSecret ?? false,
    capability,
  });
  return own;
}

const OptionalText = z.string().transform((text) => (text === "" ? null : text));
const OptionalUrl = OptionalText.refine(
  (url) => url === null || /^https?:\/\/\S+$/.test(url),
  "must be an http(s) address",
);
const List = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);
const Emails = List.transform((addresses) => new Set(addresses.map((address) => address.toLowerCase())));
const Port = z
  .string()
  .trim()
  .refine((text) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535, "must be a port number from 1 to 65535")
  .transform(Number);

/**
 * The one table of environment variables. The parsed configuration, `.env.example`, the table in README.md and what each
 * deployed function gets come from it.
 */
export const Environment = z.object({
  DATABASE_URL: variable({
    capability: "database",
    isSecret: true,
    schema: z.string().regex(/^postgres(ql)?:\/\//, "must be a postgres:// address"),
    default: null,
    description:
      "PostgreSQL address for the login role nectar_api; on Supabase that of the transaction pooler (port 6543).",
  }),
  DATABASE_POOL_SIZE: variable({
    capability: "database",
    schema: z.coerce.number().int().min(2).max(100),
    default: "2",
    description: "Connections that one running function may open.",
  }),
  SUPABASE_URL: variable({
    capability: "database",
    schema: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, "")),
    default: null,
    description: "Address of the Supabase project; its public signing keys are read from there.",
  }),
  SUPABASE_JWT_SECRET: variable({
    capability: "tokens",
    isSecret: true,
    schema: OptionalText,
    description:
      "Shared secret of projects that sign tokens with HS256; leave empty when the project has signing keys.",
  }),
  SUPABASE_JWT_ISSUER: variable({
    capability: "tokens",
    schema: OptionalText,
    description:
      "Issuer that every token must name; when empty `/auth/v1` of SUPABASE_URL. `none` accepts tokens without one (Supabase Lite writes none).",
  }),
  APP_ORIGINS: variable({
    capability: "tokens",
    schema: List,
    description: "Comma-separated web origins that may call the API from a browser; empty allows every origin.",
  }),
  SUPER_ADMIN_EMAILS: variable({
    capability: "users",
    schema: Emails,
    description: "Comma-separated confirmed addresses whose owners become super admin with their first request.",
  }),
  ADMIN_EMAILS: variable({
    capability: "users",
    schema: Emails,
    description: "Comma-separated confirmed addresses whose owners become admin with their first request.",
  }),
  MAINTENANCE_CRON_SECRET: variable({
    capability: "maintenanceJobs",
    isSecret: true,
    schema: OptionalText,
    description:
      "Secret in x-cron-secret for housekeeping, push delivery and received mail; without it these jobs refuse every call.",
  }),
  DROPS_CRON_SECRET: variable({
    capability: "dropJobs",
    isSecret: true,
    schema: OptionalText,
    description:
      "Secret in x-cron-secret for the monthly award and the daily drops; without it the monthly award refuses every call.",
  }),
  ENCOURAGEMENT_DROPS_CRON_SECRET: variable({
    capability: "engagementJob",
    isSecret: true,
    schema: OptionalText,
    description: "Secret in x-cron-secret for the engagement job; without it the job refuses every call.",
  }),
  CHAT_CRON_SECRET: variable({
    capability: "assistantJobs",
    isSecret: true,
    schema: OptionalText,
    description: "Secret in x-cron-secret for the note analysis.",
  }),
  WORKOUT_WINDOW_CRON_SECRET: variable({
    capability: "gameJobs",
    isSecret: true,
    schema: OptionalText,
    description:
      "Secret in x-cron-secret for the game's jobs; the assistant's jobs accept it when their own is not set.",
  }),
  AI_PROVIDER_API_KEY: variable({
    capability: "models",
    isSecret: true,
    schema: OptionalText,
    description: "API key for the text and image models; without it no tones are detected and no images are drawn.",
  }),
  AI_PROVIDER_BASE_URL: variable({
    capability: "models",
    schema: OptionalUrl,
    description: "Base URL of another provider with an OpenAI-compatible API.",
  }),
  AI_TEXT_MODEL: variable({
    capability: "models",
    schema: z.string(),
    default: "gpt-4o-mini",
    description: "Name of the small text model.",
  }),
  AI_IMAGE_MODEL: variable({
    capability: "models",
    schema: z.string(),
    default: "gpt-image-2.5-flare",
    description: "Name of the image model.",
  }),
  ASSISTANT_NAME: variable({
    capability: "assistantDrops",
    schema: z.string().trim().max(100),
    default: "Nectar",
    description: "Name that the assistant's drops are signed with.",
  }),
  STRIPE_SECRET_KEY: variable({
    capability: "payments",
    isSecret: true,
    schema: OptionalText,
    description: "Secret key of the payment processor; without it subscriptions cannot be bought.",
  }),
  STRIPE_BASE_URL: variable({
    capability: "payments",
    schema: OptionalUrl,
    description: "Base URL of another server with a Stripe-compatible API.",
  }),
  STRIPE_PRICE_IDS: variable({
    capability: "payments",
    schema: List,
    description: "Comma-separated prices that users can subscribe to; empty allows every price of the account.",
  }),
  STRIPE_WEBHOOK_SECRET: variable({
    capability: "paymentEvents",
    isSecret: true,
    schema: OptionalText,
    description: "Signing secret of the payment processor's webhook.",
  }),
  RESEND_API_KEY: variable({
    capability: "mail",
    isSecret: true,
    schema: OptionalText,
    description: "API key of the mail provider; without it no mail is sent.",
  }),
  RESEND_BASE_URL: variable({
    capability: "mail",
    schema: OptionalUrl,
    description: "Base URL of another server with a Resend-compatible API.",
  }),
  EMAIL_FROM: variable({
    capability: "sendMail",
    schema: z.string(),
    default: "Nectar <onboarding@resend.dev>",
    description: "Sender of all mail; its domain must be verified at the mail provider.",
  }),
  EMAIL_RECIPIENT_POLICY: variable({
    capability: "sendMail",
    schema: z.enum(["any", "members", "self"]),
    default: "any",
    description:
      "Addresses that users may send mail to: any, members (people who have acted in one of the same organizations), or self.",
  }),
  EMAIL_WEBHOOK_SECRET: variable({
    capability: "mailEvents",
    isSecret: true,
    schema: OptionalText,
    description: "Signing secret of the mail provider's webhook; when it is set, unsigned events are refused.",
  }),
  VAPID_PUBLIC_KEY: variable({
    capability: "push",
    schema: OptionalText,
    description: "Public VAPID key that browsers subscribe with; without the key pair nothing is pushed.",
  }),
  VAPID_PRIVATE_KEY: variable({
    capability: "push",
    isSecret: true,
    schema: OptionalText,
    description: "Private VAPID key.",
  }),
  VAPID_SUBJECT: variable({
    capability: "push",
    schema: z.string(),
    default: "mailto:push@nectar.invalid",
    description: "Contact for push services when something is wrong: a mailto: or https: address.",
  }),
  PUSH_SERVICE_ORIGINS: variable({
    capability: "push",
    schema: List,
    description: "Comma-separated origins of push services in addition to those of the common browsers.",
  }),
  CHECKIN_GRACE_MINUTES: variable({
    capability: "checkIns",
    schema: z.coerce.number().int().min(0).max(120),
    default: "15",
    description: "Minutes before and after a workout window in which its photo may still be taken.",
  }),
  CHECKIN_MISSING_EXIF: variable({
    capability: "checkIns",
    schema: z.enum(["reject", "review"]),
    default: "reject",
    description: "What happens to a photo without an embedded time: reject, or review by an admin.",
  }),
  S3_BUCKET: variable({
    capability: "privateFiles",
    schema: OptionalText,
    description: "Bucket for private images; when deployed, SST creates one unless this is set.",
  }),
  S3_REGION: variable({
    capability: "privateFiles",
    schema: z.string(),
    default: "us-east-1",
    description: "Region of the bucket.",
  }),
  S3_ENDPOINT: variable({
    capability: "privateFiles",
    schema: OptionalUrl,
    description: "Address of another server with an S3-compatible API.",
  }),
  S3_ACCESS_KEY_ID: variable({
    capability: "privateFiles",
    isSecret: true,
    schema: OptionalText,
    description: "Access key of the bucket; empty uses the function's own role.",
  }),
  S3_SECRET_ACCESS_KEY: variable({
    capability: "privateFiles",
    isSecret: true,
    schema: OptionalText,
    description: "Secret of that access key.",
  }),
  SUPABASE_SECRET_KEY: variable({
    capability: "publicImages",
    isSecret: true,
    schema: OptionalText,
    description: "Secret key of the Supabase project; tone pack images are uploaded with it.",
  }),
  LOG_LEVEL: variable({
    capability: "database",
    schema: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
    default: "info",
    description: "Level of the logs: fatal, error, warn, info, debug, trace or silent.",
  }),
});

/** Variables that only `npm run dev` reads. */
export const LocalEnvironment = z.object({
  PORT: variable({ capability: null, schema: Port, default: "3000", description: "Port of the API." }),
  LOCAL_SUPABASE_PORT: variable({
    capability: null,
    schema: Port,
    default: "54321",
    description: "Port of Supabase Lite.",
  }),
  LOCAL_DB_PORT: variable({ capability: null, schema: Port, default: "54322", description: "Port of PostgreSQL." }),
  LOCAL_S3_PORT: variable({
    capability: null,
    schema: Port,
    default: "54323",
    description: "Port of the local file store.",
  }),
  LOCAL_AI_PORT: variable({
    capability: null,
    schema: Port,
    default: "54324",
    description: "Port of the local models.",
  }),
  LOCAL_PAYMENTS_PORT: variable({
    capability: null,
    schema: Port,
    default: "54325",
    description: "Port of the local payment processor.",
  }),
  LOCAL_MAIL_PORT: variable({
    capability: null,
    schema: Port,
    default: "54326",
    description: "Port of the local mail provider.",
  }),
  LOCAL_PUSH_PORT: variable({
    capability: null,
    schema: Port,
    default: "54327",
    description: "Port of the local push service.",
  }),
  LOCAL_DATA_DIR: variable({
    capability: null,
    schema: z.string(),
    default: ".local",
    description: "Folder for all local data.",
  }),
  SUPABASE_PUBLISHABLE_KEY: variable({
    capability: null,
    schema: z.string(),
    default: "sb_publishable_nectar_local",
    description: "Key that clients send to the local Supabase.",
  }),
});

/** The rows of both tables, in their order. */
export const VARIABLES: readonly Variable[] = Object.entries({ ...Environment.shape, ...LocalEnvironment.shape }).map(
  ([name, schema]) => {
    const row = rows.get(schema);
    if (row === undefined) throw new Error(`${name} is not declared by variable().`);
    return { name, ...row };
  },
);
