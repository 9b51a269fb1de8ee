import querystring from "node:querystring";

/** The passwords of the local database's logins. */
export const DEMO_DATABASE_PASSWORDS = { postgres: "postgres", nectar_api: "nectar-api-local" } as const;

/** The secrets of `npm run dev` by variable. They are published with this code, so no other server may run with them. */
export const DEMO_SECRETS = {
  SUPABASE_SECRET_KEY: "sb_secret_nectar_local",
  SUPABASE_JWT_SECRET: "Nectar-signs-local-tokens-with-this-1-only",
  MAINTENANCE_CRON_SECRET: "local-maintenance",
  DROPS_CRON_SECRET: "local-drops",
  ENCOURAGEMENT_DROPS_CRON_SECRET: "local-encouragement-drops",
  CHAT_CRON_SECRET: "local-chat",
  WORKOUT_WINDOW_CRON_SECRET: "local-workout-window",
  S3_SECRET_ACCESS_KEY: "nectar-local-files",
  AI_PROVIDER_API_KEY: "nectar-local",
  STRIPE_SECRET_KEY: "sk_test_nectar_local",
  STRIPE_WEBHOOK_SECRET: "whsec_nectar_local",
  RESEND_API_KEY: "re_nectar_local",
  // The prefix, and a key in base64.
  EMAIL_WEBHOOK_SECRET: "whsec_bmVjdGFyLWxvY2FsLW1haWwtZXZlbnRz",
  EMAIL_UNSUBSCRIBE_SECRET: "nectar-local-signs-links-to-unsubscribe",
  VAPID_PRIVATE_KEY: "z-j9rFBAmS7Wzw-wNIw-6_5w3CFBs-ggZjt4jOnmqZw",
} as const;

/** The problems of an environment that has secrets of `npm run dev`. */
export function demoSecretProblems(environment: Readonly<Record<string, string | undefined>>): string[] {
  const secrets = Object.entries(DEMO_SECRETS).filter(([name, value]) => environment[name]?.trim() === value);
  const published = new Set<string>(Object.values(DEMO_DATABASE_PASSWORDS));
  const databases = ["DATABASE_URL", "DATABASE_ADMIN_URL"].filter((name) =>
    passwordsIn(environment[name] ?? "").some((password) => published.has(password)),
  );
  return [
    ...secrets.map(([name]) => `${name}: is the published secret of \`npm run dev\``),
    ...databases.map((name) => `${name}: has a published password of \`npm run dev\``),
  ];
}

/** The passwords in an address, also as a parameter, which pg prefers. */
function passwordsIn(address: string): string[] {
  const url = URL.parse(address);
  return url === null ? [] : [querystring.unescape(url.password), ...url.searchParams.getAll("password")];
}
