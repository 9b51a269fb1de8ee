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
  APNS_KEY:
    "-----BEGIN PRIVATE KEY-----\\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwKPht0gdZZq4JFfd\\nzl2EiORG2jP56I+arbm/z1gDCyChRANCAAQJvVYZZGrivPihjhMEptnnYNuBVdO+\\nYfMPcB75kbomOj+7jK1oKR/kjbjWNNKkGTwW3SUarQz/o0wfWqiNjTgq\\n-----END PRIVATE KEY-----",
} as const;

/** The private key in FCM_SERVICE_ACCOUNT, whose other fields depend on a port. Base64, one line. */
const DEMO_FCM_KEY =
  "MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCnFiFlsLAMEAKYEEtDNCpfGZWKnVtLneF0Iy5rG1IkvUWx4uw+EjBaBPLXbOqzuA/niFr138zOoOo6rwOBc+G+GjHtbKPdxKpgxX+FsZo1qL1DJWW7ZU3Uy7DIX7Tv1oPIO5xjaz/PoXkG8EWw/6xnrMSZuXbWRavvhONghB0WUkgOCAqcqG/NiVnT+OcCrLCLKd/lv0kjzu4yhQEwvWhk6hChHjMba6sb3kyvvdxaK4+KnkesWIh+ZuzsAuEFZzqhH4ylmRIOj9CcEGFoy4nKFEkRS+7//9O6JpgE3XbQWgVQykl/2isONE+OoAoTgBVhmv62Narco47qyh6c0GUHAgMBAAECggEAODhikWhjvBNRBCCLanftf+VIY4Ux+F4Nw7mov0JIn/MNtd6wdexB17BNk73itQkMVPAVByFANRCA77D+wXqf7Qq8XPKOqqqnV3tsvqv1QvPdhu/Y7LaX+y90ct99Lqwj2GZyZyNpq6/d3L9Q+87zkEjaOA1nFo8H3MZ+iXW6oc0PXdLSMpvb3tjM3GwkEBIFS+QTr6BoytfPs5i9rqj1pUbRqfdUPDFdsQ7H6Oa9sBkNsh5gER3932EZfkoXkUy9kh/XXRRxsUmoKiqB3Rh0+paVxSYhRDwAIfKfClGzjWudJBiRxusOJG25esYuPpHpRZye4byceNjMs8nttZcKiQKBgQDcDjFiufe3pXPx7txr3eFBfdLdN6PFzzYGeWqogpAK53FkK0nLMahS3NjdIprxNwYgYBY2ZdrLDZarBSIoWLlTLbcepHJtymPxWsxC1g3GJWagifpNrPe0sBfu7U7E+4Kdqzp7eE0NC+84I1G8WKdeFuweYW9GNwYrnH7myokhCQKBgQDCYP5dYmWCbUc37FgAYr8B+SQwuzyB2+U2OzOymD1wvEQRPH9xFYpGeTB7pV5rnLt01FUc05sg973aQCJSHUpouH7HDEHioM8CwIkeSCMMN7PBOXOPGvTMntZxcysiwKgsE9o1pb7rgNcxtUuQS0ZO/RycuglD9LjykuQX+iipjwKBgG0Mh4KyP8T9M+j3grndmYwX60//C6SyG8a3kphxIyqUKQgHv6j3Mb/me32ScZAJwXp3w2ovrW4kjL6xa4zs8uH6bJ29xosL2d04LrMMWoUP8byqw6SMi7A595JKfVd2f/LccL3RDvXhLSn3rsCUelRRLa+cf0UfbWpdQjHiunPpAoGBAIWWxZqGkn8l/WlIzF5Pfziq8p1vQTF6YDh6TZhzmt5M9XbnHispA6RVi+WejJrm18p+V5R9NcNdoKRLqYrHyKjaC39fRDSuEjew/UvLhhLSgX7Nrkbu3sl2bKkB3uZ+g9XvOuvd4q3WGY93Ktybb1HAERcBoHaMzUMhgxObgLCvAoGBALe8x4BNDdR9Kxw8QXTZQKt+VPi4BE+IAbv3nzIjJExhYAmHMB7hmsSK8y54WfXiKAO88jHSnScKGgYvKUrSTTL36WI6sHQgDS12iEI2pw19bLwID3eNpyM2TjVtRj1FhgCDTYEktDTisANM1PmEs2Y2w9KoaYj9bT3vQD5v6ju8";

/** The service account that messages are pushed with through the local FCM. @param url its origin */
export function demoServiceAccount(url: string) {
  return {
    project_id: "nectar-local",
    client_email: "push@nectar-local.invalid",
    private_key: `-----BEGIN PRIVATE KEY-----\n${DEMO_FCM_KEY}\n-----END PRIVATE KEY-----\n`,
    token_uri: `${url}/token`,
  };
}

/** The problems of an environment that has secrets of `npm run dev`. */
export function demoSecretProblems(environment: Readonly<Record<string, string | undefined>>): string[] {
  const secrets = Object.entries(DEMO_SECRETS).filter(([name, value]) => environment[name]?.trim() === value);
  const accounts = ["FCM_SERVICE_ACCOUNT"].filter((name) => environment[name]?.includes(DEMO_FCM_KEY));
  const published = new Set<string>(Object.values(DEMO_DATABASE_PASSWORDS));
  const databases = ["DATABASE_URL", "DATABASE_ADMIN_URL"].filter((name) =>
    passwordsIn(environment[name] ?? "").some((password) => published.has(password)),
  );
  return [
    ...[...secrets.map(([name]) => name), ...accounts].map(
      (name) => `${name}: is the published secret of \`npm run dev\``,
    ),
    ...databases.map((name) => `${name}: has a published password of \`npm run dev\``),
  ];
}

/** The passwords in an address, also as a parameter, which pg prefers. */
function passwordsIn(address: string): string[] {
  const url = URL.parse(address);
  return url === null ? [] : [querystring.unescape(url.password), ...url.searchParams.getAll("password")];
}
