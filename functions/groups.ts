import type { VariableName } from "@nectar/config/variables";

/** A group of endpoints: one folder here, one Hono app, one deployed function. */
export interface Group {
  readonly name: string;
  /**
   * Path prefixes that belong to the group: the bare prefix and everything below it, except what a longer prefix of
   * another group takes out of it.
   */
  readonly paths: readonly string[];
  /** Memory of the function in megabytes; on Lambda it also sets the share of a processor. */
  readonly memoryMb: number;
  /** After how many seconds a call is given up; more than the router's 60 only for scheduled jobs. */
  readonly timeoutSeconds: number;
  /** The variables that the function gets; nothing else reaches it. */
  readonly environment: readonly VariableName[];
  /** Packages that lie beside its bundle instead of in it. */
  readonly unbundledPackages?: readonly ("libheif-js" | "sharp")[];
}

/** What every function needs to reach the database. */
const DATABASE = ["DATABASE_URL", "DATABASE_POOL_SIZE"] as const satisfies readonly VariableName[];

/** What every function needs that checks tokens. */
const TOKENS = [
  "SUPABASE_URL",
  "SUPABASE_JWT_SECRET",
  "SUPABASE_JWT_ISSUER",
  "APP_ORIGINS",
  "LOG_LEVEL",
] as const satisfies readonly VariableName[];

/** What every function needs that answers signed-in people from the database. */
const SIGNED_IN = [
  ...DATABASE,
  ...TOKENS,
  "SUPER_ADMIN_EMAILS",
  "ADMIN_EMAILS",
] as const satisfies readonly VariableName[];

/** What a function needs that takes a vendor's signed events: no key that verifies tokens. */
const WEBHOOK = [...DATABASE, "SUPABASE_URL", "LOG_LEVEL"] as const satisfies readonly VariableName[];

/** What a function needs that asks the models. */
const MODELS = [
  "AI_PROVIDER_API_KEY",
  "AI_PROVIDER_BASE_URL",
  "AI_TEXT_MODEL",
  "AI_IMAGE_MODEL",
] as const satisfies readonly VariableName[];

/** What a function needs that stores private files. */
const PRIVATE_FILES = [
  "S3_BUCKET",
  "S3_REGION",
  "S3_ENDPOINT",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
] as const satisfies readonly VariableName[];

/** What a function needs that pushes notifications to devices. */
const PUSH = [
  "VAPID_PUBLIC_KEY",
  "VAPID_PRIVATE_KEY",
  "VAPID_SUBJECT",
  "PUSH_SERVICE_ORIGINS",
] as const satisfies readonly VariableName[];

/** The one table of endpoint groups. */
export const GROUPS = [
  {
    name: "health",
    paths: ["/health"],
    memoryMb: 256,
    timeoutSeconds: 60,
    environment: [...SIGNED_IN, ...PRIVATE_FILES, "SUPABASE_SECRET_KEY", "MAINTENANCE_CRON_SECRET"],
  },
  { name: "auth", paths: ["/api/auth"], memoryMb: 256, timeoutSeconds: 10, environment: [...DATABASE, ...TOKENS] },
  { name: "user", paths: ["/api/user"], memoryMb: 512, timeoutSeconds: 20, environment: SIGNED_IN },
  { name: "organizations", paths: ["/api/organizations"], memoryMb: 512, timeoutSeconds: 20, environment: SIGNED_IN },
  { name: "teams", paths: ["/api/teams"], memoryMb: 512, timeoutSeconds: 20, environment: SIGNED_IN },
  { name: "notebooks", paths: ["/api/notebooks"], memoryMb: 512, timeoutSeconds: 20, environment: SIGNED_IN },
  {
    name: "journal",
    paths: ["/api/journal", "/api/moods"],
    memoryMb: 512,
    timeoutSeconds: 30,
    environment: [...SIGNED_IN, ...MODELS],
  },
  {
    name: "ai",
    paths: ["/api/ai"],
    memoryMb: 512,
    timeoutSeconds: 60,
    environment: [...SIGNED_IN, ...MODELS, ...PRIVATE_FILES],
  },
  {
    name: "drops",
    paths: ["/api/drops"],
    memoryMb: 512,
    timeoutSeconds: 60,
    environment: [...SIGNED_IN, "DROPS_CRON_SECRET"],
  },
  { name: "admin", paths: ["/api/admin"], memoryMb: 512, timeoutSeconds: 20, environment: SIGNED_IN },
  {
    name: "tone-packs",
    paths: ["/api/tone-packs"],
    memoryMb: 512,
    timeoutSeconds: 60,
    environment: [...SIGNED_IN, ...MODELS, "SUPABASE_SECRET_KEY"],
  },
  {
    name: "payment",
    paths: ["/api/payment"],
    memoryMb: 512,
    timeoutSeconds: 50,
    environment: [...SIGNED_IN, "STRIPE_SECRET_KEY", "STRIPE_BASE_URL", "STRIPE_PRICE_IDS"],
  },
  {
    name: "payment-webhook",
    paths: ["/api/payment/webhook"],
    memoryMb: 512,
    timeoutSeconds: 20,
    environment: [...WEBHOOK, "STRIPE_WEBHOOK_SECRET"],
  },
  { name: "goals", paths: ["/api/goals"], memoryMb: 512, timeoutSeconds: 20, environment: SIGNED_IN },
  {
    name: "wellness-entries",
    paths: ["/api/wellness-entries"],
    memoryMb: 512,
    timeoutSeconds: 20,
    environment: SIGNED_IN,
  },
  {
    name: "notifications",
    paths: ["/api/notifications"],
    memoryMb: 512,
    timeoutSeconds: 60,
    environment: [...SIGNED_IN, ...PUSH, "MAINTENANCE_CRON_SECRET"],
  },
  {
    name: "email",
    paths: ["/api/email"],
    memoryMb: 512,
    timeoutSeconds: 30,
    environment: [...SIGNED_IN, "RESEND_API_KEY", "RESEND_BASE_URL", "EMAIL_FROM", "EMAIL_RECIPIENT_POLICY"],
  },
  {
    name: "email-webhook",
    paths: ["/api/email/webhook"],
    memoryMb: 512,
    timeoutSeconds: 60,
    environment: [
      ...WEBHOOK,
      "EMAIL_WEBHOOK_SECRET",
      // An event brings no text: it is read from the provider.
      "RESEND_API_KEY",
      "RESEND_BASE_URL",
      "MAINTENANCE_CRON_SECRET",
    ],
  },
  {
    name: "encouragement-drops",
    paths: ["/api/encouragement-drops"],
    memoryMb: 512,
    timeoutSeconds: 300,
    environment: [
      ...SIGNED_IN,
      ...MODELS,
      ...PUSH,
      "ASSISTANT_NAME",
      "ENCOURAGEMENT_DROPS_CRON_SECRET",
      "DROPS_CRON_SECRET",
      "WORKOUT_WINDOW_CRON_SECRET",
      "CHAT_CRON_SECRET",
    ],
  },
  {
    name: "workout-window",
    paths: ["/api/workout-window"],
    // Decoding a phone's photo takes memory, and a mosaic of everybody as well.
    memoryMb: 1536,
    timeoutSeconds: 300,
    environment: [
      ...SIGNED_IN,
      ...PRIVATE_FILES,
      ...PUSH,
      "CHECKIN_GRACE_MINUTES",
      "CHECKIN_MISSING_EXIF",
      "WORKOUT_WINDOW_CRON_SECRET",
    ],
    unbundledPackages: ["libheif-js", "sharp"],
  },
  {
    name: "chat",
    paths: ["/api/chat"],
    memoryMb: 512,
    timeoutSeconds: 300,
    environment: [...SIGNED_IN, ...MODELS, "CHAT_CRON_SECRET", "WORKOUT_WINDOW_CRON_SECRET"],
  },
] as const satisfies readonly Group[];

/** The name of a group. */
export type GroupName = (typeof GROUPS)[number]["name"];
