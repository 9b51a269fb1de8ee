import { describe, expect, it } from "vitest";
import { readConfig, readServerSettings } from "#config/config";
import { newVapidKeys } from "#local/stand-ins/vapid-keys";
import { localPushVariables } from "#local/stand-ins/vendors";
import { FRONT_CA } from "#tests/tls-front";

const REQUIRED = { DATABASE_URL: "postgres://a:b@c/d", SUPABASE_URL: "https://p.supabase.co/" };
const DEFAULTS = {
  databaseUrl: "postgres://a:b@c/d",
  databaseCa: null,
  databasePoolSize: 2,
  preparedStatements: true,
  replicaUrls: [],
  replicaMaxLagMs: 5_000,
  replicasShared: false,
  routerSecrets: [],
  supabaseUrl: "https://p.supabase.co",
  jwtSecret: null,
  jwtIssuer: "https://p.supabase.co/auth/v1",
  jwtAudience: "authenticated",
  jwksUrl: "https://p.supabase.co/auth/v1/.well-known/jwks.json",
  appOrigins: [],
  superAdminEmails: new Set(),
  adminEmails: new Set(),
  cronSecrets: {
    MAINTENANCE_CRON_SECRET: null,
    DROPS_CRON_SECRET: null,
    ENCOURAGEMENT_DROPS_CRON_SECRET: null,
    WORKOUT_WINDOW_CRON_SECRET: null,
    CHAT_CRON_SECRET: null,
  },
  ai: null,
  stripe: null,
  stripeWebhookSecret: null,
  supabaseSecretKey: null,
  publicUrl: null,
  s3: null,
  email: null,
  emailUnsubscribeSecrets: [],
  emailWebhookSecret: null,
  emailRecipientPolicy: "any",
  appUrl: null,
  push: null,
  fcm: null,
  apns: null,
  assistantName: "Nectar",
  backupExpected: false,
  taskQueueUrl: null,
  rangeQueueUrl: null,
  importQueueUrl: null,
  taskConcurrency: 5,
  rangeConcurrency: 10,
  checkinGraceMinutes: 15,
  checkinMissingExif: "reject",
  reviewAlarmHours: 24,
  pictureBytesPerPerson: 2_147_483_648,
  logLevel: "info",
  metricsNamespace: null,
  telemetry: null,
};

describe("the configuration", () => {
  it("prepares statements unless the address is that of Supabase's shared pooler in transaction mode", () => {
    const at = (host: string, how = "") =>
      readConfig({ ...REQUIRED, DATABASE_URL: `postgres://a:b@${host}/postgres`, DATABASE_PREPARED_STATEMENTS: how })
        .preparedStatements;
    expect(at("aws-0-eu-central-1.pooler.supabase.com:6543")).toBe(false);
    expect(at("aws-0-eu-central-1.pooler.supabase.com:5432")).toBe(true);
    expect(at("db.project.supabase.co:6543")).toBe(true);
    expect(at("aws-0-eu-central-1.pooler.supabase.com:6543", "on")).toBe(true);
    expect(at("127.0.0.1:5432", "off")).toBe(false);
  });

  it("has a default for every optional variable", () => {
    expect(readConfig(REQUIRED)).toEqual(DEFAULTS);
  });

  it("treats a blank variable as missing", () => {
    const blank = {
      ...REQUIRED,
      DATABASE_POOL_SIZE: "",
      APP_ORIGINS: " ",
      RESEND_API_KEY: "",
      EMAIL_FROM: "",
      EMAIL_RECIPIENT_POLICY: "",
      VAPID_PUBLIC_KEY: "",
      CHECKIN_GRACE_MINUTES: "",
      ASSISTANT_NAME: " ",
      LOG_LEVEL: "",
    };
    expect(readConfig(blank)).toEqual(DEFAULTS);
    expect(() => readConfig({ ...REQUIRED, DATABASE_URL: " " })).toThrow("DATABASE_URL: is missing");
  });

  it("lets one process of all functions open 20 connections unless another number is set", () => {
    const sizeWith = (size: string) =>
      readServerSettings({ ...REQUIRED, DATABASE_POOL_SIZE: size }).config.databasePoolSize;
    expect([readServerSettings(REQUIRED).config.databasePoolSize, sizeWith(" "), sizeWith("7")]).toEqual([20, 20, 7]);
  });

  it("configures a vendor only with its key, and push only with both keys", () => {
    const { publicKey, privateKey } = newVapidKeys();
    const config = readConfig({
      ...REQUIRED,
      AI_PROVIDER_API_KEY: "sk-1",
      STRIPE_SECRET_KEY: "sk_2",
      S3_BUCKET: "files",
      RESEND_API_KEY: "re_1",
      VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey,
    });
    expect(config).toMatchObject({
      ai: {
        apiKey: "sk-1",
        baseUrl: null,
        textModel: "gpt-6-luna",
        reasoningEffort: "none",
        imageModel: "gpt-image-2.5-flare",
        // The specification's prices: 0.15 and 0.60 USD for a million tokens, 0.040 and 0.080 for an image.
        prices: { textInput: 150_000, textOutput: 600_000, image: 40_000, hdImage: 80_000 },
      },
      stripe: { secretKey: "sk_2", baseUrl: null, priceIds: [] },
      s3: { bucket: "files", region: "us-east-1", endpoint: null, accessKeyId: null, secretAccessKey: null },
      email: { apiKey: "re_1", baseUrl: null, from: "Nectar <onboarding@resend.dev>" },
      push: { publicKey, privateKey, subject: "mailto:push@nectar.invalid", extraOrigins: [] },
    });
    expect(readConfig({ ...REQUIRED, VAPID_PUBLIC_KEY: publicKey }).push).toBeNull();
    expect(readConfig({ ...REQUIRED, VAPID_PRIVATE_KEY: privateKey }).push).toBeNull();
  });

  it("refuses a VAPID key of another length or in another alphabet", () => {
    const { publicKey, privateKey } = newVapidKeys();
    for (const key of [
      privateKey.slice(2),
      `${privateKey}AA`,
      publicKey,
      `${privateKey.slice(1)}+`,
      `${privateKey}=`,
    ]) {
      expect(() => readConfig({ ...REQUIRED, VAPID_PRIVATE_KEY: key })).toThrow(
        "VAPID_PRIVATE_KEY: must be a VAPID key: 32 bytes in base64url",
      );
    }
    expect(() => readConfig({ ...REQUIRED, VAPID_PUBLIC_KEY: privateKey })).toThrow(
      "VAPID_PUBLIC_KEY: must be a VAPID key: 65 bytes in base64url",
    );
  });

  it("configures push to phones only with all variables of a vendor, and takes development builds for the sandbox", () => {
    const phones = localPushVariables("http://127.0.0.1:1");
    const { fcm, apns } = readConfig({ ...REQUIRED, ...phones });
    expect(fcm).toMatchObject({ account: { projectId: "nectar-local" }, url: "http://127.0.0.1:1" });
    expect(apns?.topics.map(({ isSandbox }) => isSandbox)).toEqual([false, true]);
    for (const name of ["APNS_KEY", "APNS_KEY_ID", "APNS_TEAM_ID", "APNS_TOPICS"]) {
      expect(readConfig({ ...REQUIRED, ...phones, [name]: "" }).apns).toBeNull();
    }
    for (const wrong of [
      { FCM_SERVICE_ACCOUNT: "{}" },
      { APNS_KEY: "x" },
      { APNS_KEY_ID: "x" },
      { APNS_TOPICS: "a,a@sandbox" },
    ]) {
      expect(() => readConfig({ ...REQUIRED, ...phones, ...wrong })).toThrow(Object.keys(wrong)[0]);
    }
  });

  it("reads a certificate with its line breaks, or with them written as \\n, and nothing else", () => {
    for (const text of [FRONT_CA, FRONT_CA.replaceAll("\n", "\\n")]) {
      expect(readConfig({ ...REQUIRED, DATABASE_CA: text }).databaseCa).toBe(FRONT_CA);
    }
    expect(() => readConfig({ ...REQUIRED, DATABASE_CA: "/etc/ssl/ca.pem" })).toThrow(
      "DATABASE_CA: must be a certificate in PEM format",
    );
  });

  it("decodes the headers for the collector, and refuses those that it cannot decode", () => {
    const read = (headers: string) =>
      readConfig({
        ...REQUIRED,
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector",
        OTEL_EXPORTER_OTLP_HEADERS: headers,
      });
    expect(read("a=b%20c,d=e=f").telemetry?.exportTo?.headers).toEqual({ a: "b c", d: "e=f" });
    for (const headers of ["a", "=b", "a=%zz", "a=%ff"]) {
      expect(() => read(headers)).toThrow("OTEL_EXPORTER_OTLP_HEADERS: must be name=value, percent-encoded");
    }
  });

  it("accepts three recipient policies and no other", () => {
    for (const policy of ["any", "members", "self"]) {
      expect(readConfig({ ...REQUIRED, EMAIL_RECIPIENT_POLICY: policy }).emailRecipientPolicy).toBe(policy);
    }
    expect(() => readConfig({ ...REQUIRED, EMAIL_RECIPIENT_POLICY: "all" })).toThrow(/EMAIL_RECIPIENT_POLICY/);
  });

  it("splits lists and converts addresses to lower case", () => {
    const config = readConfig({
      ...REQUIRED,
      APP_ORIGINS: " https://a.example , https://b.example,",
      SUPER_ADMIN_EMAILS: "Ada@Example.test,,ben@example.test",
      SUPABASE_JWT_ISSUER: "none",
    });
    expect(config.appOrigins).toEqual(["https://a.example", "https://b.example"]);
    expect(config.superAdminEmails).toEqual(new Set(["ada@example.test", "ben@example.test"]));
    expect(config.jwtIssuer).toBeNull();
  });

  it("reports all problems at once, without any values", () => {
    const environment = {
      DATABASE_URL: "mysql://user:hush@host/db",
      DATABASE_POOL_SIZE: "hush",
      AI_PROVIDER_BASE_URL: "hush",
      LOG_LEVEL: "hush",
    };
    const read = () => readConfig(environment);
    expect(read).toThrow(/DATABASE_URL.*DATABASE_POOL_SIZE.*SUPABASE_URL: is missing.*AI_PROVIDER_BASE_URL.*LOG_LEVEL/);
    expect(read).not.toThrow(/hush|DATABASE_POOL_SIZE: is missing/);
  });
});
