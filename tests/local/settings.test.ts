import { describe, expect, test } from "vitest";
import { readLocalSettings } from "#local/settings/local-settings";
import { apiEnvironment } from "#local/stack/api-environment";
import { isStoodIn, localVendors, vendorLocation } from "#local/stand-ins/vendors";

const databaseUrl = "postgresql://postgres:postgres@127.0.0.1:54322/postgres";
const supabaseUrl = "http://127.0.0.1:54321";

describe("settings of the local stack", () => {
  test("have defaults, also for empty variables", () => {
    expect(readLocalSettings({ PORT: "", LOCAL_DATA_DIR: "" })).toMatchObject({
      ports: {
        api: 3000,
        supabase: 54321,
        database: 54322,
        files: 54323,
        model: 54324,
        payments: 54325,
        mail: 54326,
        push: 54327,
      },
    });
  });

  test.each(["0", "65536", "80a", "-1", "3000.5"])("refuse %s as a port, naming the variable", (port) => {
    expect(() => readLocalSettings({ LOCAL_DB_PORT: port })).toThrow("LOCAL_DB_PORT: must be a port number");
  });

  test("refuse the same port twice", () => {
    expect(() => readLocalSettings({ PORT: "54321" })).toThrow("different ports");
    expect(() => readLocalSettings({ LOCAL_AI_PORT: "54325" })).toThrow("LOCAL_AI_PORT");
  });
});

describe("the API's environment", () => {
  const defaultsWith = (outside: Record<string, string>) =>
    apiEnvironment(outside, readLocalSettings(outside), databaseUrl, supabaseUrl);

  test("is complete by itself", () => {
    const { variables, replaced } = defaultsWith({});
    expect(variables).toMatchObject({
      DATABASE_URL: expect.stringMatching(/^postgresql:\/\/nectar_api:.+@127\.0\.0\.1:54322\/postgres$/),
      SUPABASE_URL: supabaseUrl,
      SUPER_ADMIN_EMAILS: "admin@nectar.local",
    });
    expect(replaced).toEqual([]);
  });

  test("prefers every variable that is set outside, also an empty one", () => {
    const { variables, replaced } = defaultsWith({ MAINTENANCE_CRON_SECRET: "", SUPER_ADMIN_EMAILS: "me@example.com" });
    expect(variables).toMatchObject({ MAINTENANCE_CRON_SECRET: "", SUPER_ADMIN_EMAILS: "me@example.com" });
    expect(replaced.sort()).toEqual(["MAINTENANCE_CRON_SECRET", "SUPER_ADMIN_EMAILS"]);
  });

  test("uses a stand-in for every vendor", () => {
    expect(defaultsWith({ LOCAL_AI_PORT: "60001" }).variables).toMatchObject({
      S3_BUCKET: "nectar-files",
      S3_ENDPOINT: "http://127.0.0.1:54323",
      S3_ACCESS_KEY_ID: expect.any(String),
      S3_SECRET_ACCESS_KEY: expect.any(String),
      AI_PROVIDER_API_KEY: expect.any(String),
      AI_PROVIDER_BASE_URL: "http://127.0.0.1:60001/v1",
      STRIPE_SECRET_KEY: expect.any(String),
      STRIPE_WEBHOOK_SECRET: expect.any(String),
      STRIPE_BASE_URL: "http://127.0.0.1:54325",
      RESEND_API_KEY: expect.any(String),
      RESEND_BASE_URL: "http://127.0.0.1:54326",
      EMAIL_WEBHOOK_SECRET: expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/),
      EMAIL_FROM: expect.stringContaining("@"),
      VAPID_PUBLIC_KEY: expect.stringMatching(/^[\w-]{87}$/),
      VAPID_PRIVATE_KEY: expect.stringMatching(/^[\w-]{43}$/),
      PUSH_SERVICE_ORIGINS: "http://127.0.0.1:54327",
      FCM_SERVICE_ACCOUNT: expect.stringContaining('"token_uri":"http://127.0.0.1:54327/token"'),
      FCM_URL: "http://127.0.0.1:54327",
      APNS_KEY: expect.stringContaining("PRIVATE KEY"),
      APNS_KEY_ID: expect.any(String),
      APNS_TEAM_ID: expect.any(String),
      APNS_TOPICS: expect.stringContaining("@sandbox"),
      APNS_URL: "http://127.0.0.1:54327",
      DROPS_CRON_SECRET: "local-drops",
    });
  });

  test.each([
    ["AI_PROVIDER_API_KEY", ["AI_PROVIDER_BASE_URL"]],
    ["STRIPE_SECRET_KEY", ["STRIPE_BASE_URL", "STRIPE_WEBHOOK_SECRET"]],
    ["RESEND_API_KEY", ["RESEND_BASE_URL", "EMAIL_WEBHOOK_SECRET", "EMAIL_FROM"]],
    ["VAPID_PRIVATE_KEY", ["VAPID_PUBLIC_KEY", "PUSH_SERVICE_ORIGINS"]],
    ["FCM_SERVICE_ACCOUNT", ["FCM_URL"]],
    ["APNS_KEY", ["APNS_KEY_ID", "APNS_TEAM_ID", "APNS_TOPICS", "APNS_URL"]],
    ["S3_BUCKET", ["S3_ENDPOINT", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"]],
  ])(
    "a %s in the environment replaces all variables of the stand-in; an empty one switches the vendor off",
    (name, others) => {
      for (const value of ["of-my-own", ""]) {
        const { variables, replaced } = defaultsWith({ [name]: value });
        expect(variables[name]).toBe(value);
        for (const other of others) expect(variables).not.toHaveProperty(other);
        expect(replaced).toEqual([name]);
      }
    },
  );

  test.each([
    ["model", "AI_PROVIDER_BASE_URL", "AI_PROVIDER_API_KEY"],
    ["payments", "STRIPE_BASE_URL", "STRIPE_SECRET_KEY"],
    ["files", "S3_ENDPOINT", "S3_BUCKET"],
  ] as const)("an address alone replaces the stand-in for %s but keeps its key", (part, address, key) => {
    const vendor = localVendors(readLocalSettings({}))[part];
    const outside = { [address]: "http://127.0.0.1:11434" };
    expect(isStoodIn(vendor, {})).toBe(true);
    expect(isStoodIn(vendor, outside)).toBe(false);
    expect(vendorLocation(vendor, outside)).toBe(`your own (${address})`);
    const { variables, replaced } = defaultsWith(outside);
    expect(variables).toMatchObject({ ...vendor.variables, ...outside });
    expect(replaced).toEqual([address]);
    // Empty, it means the vendor's own address, to which our key must not be sent.
    expect(isStoodIn(vendor, { [address]: "" })).toBe(false);
    expect(vendorLocation(vendor, { [address]: "" })).toBe("switched off");
    expect(defaultsWith({ [address]: "" }).variables).not.toHaveProperty(key);
  });

  test("prints no values of a vendor's variables", () => {
    const { model } = localVendors(readLocalSettings({}));
    expect(vendorLocation(model, {})).toContain("http://127.0.0.1:54324/v1");
    expect(vendorLocation(model, { AI_PROVIDER_API_KEY: "" })).toBe("switched off");
    expect(vendorLocation(model, { AI_PROVIDER_API_KEY: "sk-mine" })).not.toContain("sk-mine");
  });

  test("has no local signing key for an API with another Supabase", () => {
    const { variables } = defaultsWith({ SUPABASE_URL: "https://project.supabase.co" });
    expect(variables).not.toHaveProperty("SUPABASE_JWT_SECRET");
    expect(variables).not.toHaveProperty("SUPABASE_JWT_ISSUER");
  });
});
