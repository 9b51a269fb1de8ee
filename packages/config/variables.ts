/** What a variable of the environment is for. The tables in README.md and .env.example are generated from this list. */
export interface Variable {
  readonly name: string;
  /** One sentence for whoever sets it. */
  readonly description: string;
  /** What applies when it is not set; null when the service cannot run without it. */
  readonly fallback: string | null;
  /** Where the value may be seen: `secret` values are stored encrypted when deployed and are never logged. */
  readonly kind: "setting" | "secret" | "local";
}

/** Every variable that Nectar reads. `local` ones only steer `npm run dev`. */
export const VARIABLES = [
  {
    name: "DATABASE_URL",
    description: "PostgreSQL address of the login role nectar_api; on Supabase the transaction pooler (port 6543).",
    fallback: null,
    kind: "secret",
  },
  {
    name: "DATABASE_POOL_SIZE",
    description: "Connections that one running function may open.",
    fallback: "2",
    kind: "setting",
  },
  {
    name: "SUPABASE_URL",
    description: "Address of the Supabase project; its public signing keys are read from there.",
    fallback: null,
    kind: "setting",
  },
  {
    name: "SUPABASE_JWT_SECRET",
    description:
      "Shared secret of projects that sign tokens with HS256; leave empty when the project has signing keys.",
    fallback: "",
    kind: "secret",
  },
  {
    name: "SUPABASE_JWT_ISSUER",
    description: "Issuer that every token must name; `none` accepts tokens without one (Supabase Lite writes none).",
    fallback: "<SUPABASE_URL>/auth/v1",
    kind: "setting",
  },
  {
    name: "APP_ORIGINS",
    description: "Comma-separated web origins that may call the API from a browser; empty allows every origin.",
    fallback: "",
    kind: "setting",
  },
  {
    name: "SUPER_ADMIN_EMAILS",
    description: "Comma-separated confirmed addresses whose owners become super admin at their first request.",
    fallback: "",
    kind: "setting",
  },
  {
    name: "ADMIN_EMAILS",
    description: "Comma-separated confirmed addresses whose owners become admin at their first request.",
    fallback: "",
    kind: "setting",
  },
  {
    name: "MAINTENANCE_CRON_SECRET",
    description:
      "Secret in x-cron-secret of housekeeping, push delivery and received mail; without it these jobs are refused.",
    fallback: "",
    kind: "secret",
  },
  {
    name: "DROPS_CRON_SECRET",
    description: "Secret in x-cron-secret of the monthly award; without it the job is refused.",
    fallback: "",
    kind: "secret",
  },
  {
    name: "ENCOURAGEMENT_DROPS_CRON_SECRET",
    description: "Secret in x-cron-secret of the engagement job; without it the job is refused.",
    fallback: "",
    kind: "secret",
  },
  {
    name: "CHAT_CRON_SECRET",
    description: "Secret in x-cron-secret of the note analysis.",
    fallback: "",
    kind: "secret",
  },
  {
    name: "WORKOUT_WINDOW_CRON_SECRET",
    description: "Secret in x-cron-secret of the game's jobs; the assistant's jobs take it when their own is not set.",
    fallback: "",
    kind: "secret",
  },
  {
    name: "AI_PROVIDER_API_KEY",
    description: "Key of the text and image models; without it tones are not detected and nothing is drawn.",
    fallback: "",
    kind: "secret",
  },
  {
    name: "AI_PROVIDER_BASE_URL",
    description: "Address of another provider that speaks OpenAI's protocol.",
    fallback: "",
    kind: "setting",
  },
  {
    name: "AI_TEXT_MODEL",
    description: "Name of the small text model.",
    fallback: "gpt-4o-mini",
    kind: "setting",
  },
  { name: "AI_IMAGE_MODEL", description: "Name of the image model.", fallback: "gpt-image-2.5-flare", kind: "setting" },
  {
    name: "STRIPE_SECRET_KEY",
    description: "Secret key of the payment processor; without it nobody can subscribe.",
    fallback: "",
    kind: "secret",
  },
  {
    name: "STRIPE_WEBHOOK_SECRET",
    description: "Signing secret of the payment processor's webhook.",
    fallback: "",
    kind: "secret",
  },
  {
    name: "STRIPE_BASE_URL",
    description: "Address of another server that speaks Stripe's protocol.",
    fallback: "",
    kind: "setting",
  },
  {
    name: "STRIPE_PRICE_IDS",
    description: "Comma-separated prices that may be subscribed to; empty allows every price of the account.",
    fallback: "",
    kind: "setting",
  },
  {
    name: "RESEND_API_KEY",
    description: "Key of the mail provider; without it no mail is sent.",
    fallback: "",
    kind: "secret",
  },
  {
    name: "RESEND_BASE_URL",
    description: "Address of another server that speaks Resend's protocol.",
    fallback: "",
    kind: "setting",
  },
  {
    name: "EMAIL_FROM",
    description: "Sender of all mail, of a domain that the mail provider has verified.",
    fallback: "Nectar <onboarding@resend.dev>",
    kind: "setting",
  },
  {
    name: "EMAIL_WEBHOOK_SECRET",
    description: "Signing secret of the mail provider's webhook; when it is set, unsigned events are refused.",
    fallback: "",
    kind: "secret",
  },
  {
    name: "EMAIL_RECIPIENT_POLICY",
    description:
      "The addresses that a person may write to: any, members (people who have acted in an organization of theirs), or self.",
    fallback: "any",
    kind: "setting",
  },
  {
    name: "VAPID_PUBLIC_KEY",
    description: "Public key that browsers subscribe to notifications with; without the pair nothing is pushed.",
    fallback: "",
    kind: "setting",
  },
  {
    name: "VAPID_PRIVATE_KEY",
    description: "Private key of that pair.",
    fallback: "",
    kind: "secret",
  },
  {
    name: "VAPID_SUBJECT",
    description: "Whom push services write to when something is wrong: a mailto: or https: address.",
    fallback: "mailto:push@nectar.invalid",
    kind: "setting",
  },
  {
    name: "PUSH_SERVICE_ORIGINS",
    description: "Comma-separated origins of push services beside those of the common browsers.",
    fallback: "",
    kind: "setting",
  },
  {
    name: "CHECKIN_GRACE_MINUTES",
    description: "Minutes before and after a workout window in which its photo may still be taken.",
    fallback: "15",
    kind: "setting",
  },
  {
    name: "CHECKIN_MISSING_EXIF",
    description: "What becomes of a photo without an embedded time: reject, or review by an admin.",
    fallback: "reject",
    kind: "setting",
  },
  {
    name: "ASSISTANT_NAME",
    description: "Name under which the assistant's drops are shown.",
    fallback: "Nectar",
    kind: "setting",
  },
  {
    name: "S3_BUCKET",
    description: "Bucket of private pictures; when deployed it is the one that SST makes.",
    fallback: "",
    kind: "setting",
  },
  { name: "S3_REGION", description: "Region of the bucket.", fallback: "us-east-1", kind: "setting" },
  {
    name: "S3_ENDPOINT",
    description: "Address of another server that speaks S3's protocol.",
    fallback: "",
    kind: "setting",
  },
  {
    name: "S3_ACCESS_KEY_ID",
    description: "Key of the bucket; empty uses the function's own role.",
    fallback: "",
    kind: "secret",
  },
  { name: "S3_SECRET_ACCESS_KEY", description: "Secret of that key.", fallback: "", kind: "secret" },
  {
    name: "LOG_LEVEL",
    description: "fatal, error, warn, info, debug, trace or silent.",
    fallback: "info",
    kind: "setting",
  },
  { name: "PORT", description: "Port of the API.", fallback: "3000", kind: "local" },
  { name: "LOCAL_SUPABASE_PORT", description: "Port of Supabase Lite.", fallback: "54321", kind: "local" },
  { name: "LOCAL_DB_PORT", description: "Port of PostgreSQL.", fallback: "54322", kind: "local" },
  { name: "LOCAL_S3_PORT", description: "Port of the local file store.", fallback: "54323", kind: "local" },
  { name: "LOCAL_AI_PORT", description: "Port of the local model.", fallback: "54324", kind: "local" },
  { name: "LOCAL_PAYMENTS_PORT", description: "Port of the local payments.", fallback: "54325", kind: "local" },
  { name: "LOCAL_MAIL_PORT", description: "Port of the local mail server.", fallback: "54326", kind: "local" },
  { name: "LOCAL_PUSH_PORT", description: "Port of the local push service.", fallback: "54327", kind: "local" },
  { name: "LOCAL_DATA_DIR", description: "Folder that holds all local data.", fallback: ".local", kind: "local" },
  {
    name: "SUPABASE_PUBLISHABLE_KEY",
    description: "Key that clients send to the local Supabase.",
    fallback: "a fixed local key",
    kind: "local",
  },
  {
    name: "SUPABASE_SECRET_KEY",
    description: "Secret key of the Supabase project; tone pack images are uploaded with it.",
    fallback: "",
    kind: "secret",
  },
] as const satisfies readonly Variable[];

/** The name of a variable that Nectar reads. */
export type VariableName = (typeof VARIABLES)[number]["name"];
