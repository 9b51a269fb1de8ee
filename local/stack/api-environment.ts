import { DEMO_SECRETS } from "#config/demo-secrets";
import { apiUrlOf } from "../database/api-login.ts";
import { LOCAL_API_PASSWORD } from "../settings/local-defaults.ts";
import { type Environment, type LocalSettings, localAppUrl } from "../settings/local-settings.ts";
import { isMoved, isStoodIn, localVendors } from "../stand-ins/vendors.ts";

/** The environment of the API, and which of its local defaults were replaced. */
export interface ApiEnvironment {
  variables: Record<string, string>;
  /** Names of the variables from outside that replace a local default. */
  replaced: string[];
}

/**
 * The complete environment of the API in the local stack: local defaults, and every variable that is set outside, also an
 * empty one, which takes precedence. A vendor's own key replaces its stand-in completely, and an empty key switches the vendor off. An
 * address alone replaces the address of the stand-in, but not its key.
 * @param databaseUrl the superuser's address of the local database.
 * @param supabaseUrl the address of the local Supabase.
 */
export function apiEnvironment(
  outside: Environment,
  settings: LocalSettings,
  databaseUrl: string,
  supabaseUrl: string,
): ApiEnvironment {
  const defaults: Record<string, string> = {
    DATABASE_URL: apiUrlOf(databaseUrl, LOCAL_API_PASSWORD),
    DATABASE_POOL_SIZE: "10",
    SUPABASE_URL: supabaseUrl,
    MAINTENANCE_CRON_SECRET: DEMO_SECRETS.MAINTENANCE_CRON_SECRET,
    DROPS_CRON_SECRET: DEMO_SECRETS.DROPS_CRON_SECRET,
    ENCOURAGEMENT_DROPS_CRON_SECRET: DEMO_SECRETS.ENCOURAGEMENT_DROPS_CRON_SECRET,
    CHAT_CRON_SECRET: DEMO_SECRETS.CHAT_CRON_SECRET,
    WORKOUT_WINDOW_CRON_SECRET: DEMO_SECRETS.WORKOUT_WINDOW_CRON_SECRET,
    EMAIL_UNSUBSCRIBE_SECRET: DEMO_SECRETS.EMAIL_UNSUBSCRIBE_SECRET,
    PUBLIC_URL: `http://localhost:${settings.ports.api}`,
    SUPER_ADMIN_EMAILS: "admin@nectar.local",
    PORT: String(settings.ports.api),
    APP_URL: localAppUrl(settings),
    // The demo has old reports, and no admin who would decide about them.
    REVIEW_ALARM_HOURS: "0",
  };
  // The keys of the local Supabase are wrong for another one.
  if ((outside.SUPABASE_URL ?? supabaseUrl) === supabaseUrl) {
    defaults.SUPABASE_PUBLISHABLE_KEY = settings.keys.publishableKey;
    defaults.SUPABASE_SECRET_KEY = settings.keys.secretKey;
    defaults.SUPABASE_JWT_SECRET = settings.keys.jwtSecret;
    // Supabase Lite names no issuer in its tokens.
    defaults.SUPABASE_JWT_ISSUER = "none";
  }
  const ownVendors: string[] = [];
  for (const vendor of Object.values(localVendors(settings))) {
    // All or nothing: a key for the vendor itself must never be sent to another address.
    if (isStoodIn(vendor, outside) || isMoved(vendor, outside)) Object.assign(defaults, vendor.variables);
    else ownVendors.push(outside[vendor.decidedBy] === undefined ? vendor.addressIn : vendor.decidedBy);
  }
  const variables = { ...defaults };
  for (const [name, value] of Object.entries(outside)) if (value !== undefined) variables[name] = value;
  const replaced = Object.keys(defaults).filter((name) => variables[name] !== defaults[name]);
  return { variables, replaced: [...replaced, ...ownVendors] };
}
