import { readConfig } from "@nectar/config/config";
import { describe, expect, it } from "vitest";

const complete = { DATABASE_URL: "postgres://a:b@c/d", SUPABASE_URL: "https://p.supabase.co/" };

describe("the configuration", () => {
  it("has a default for whatever may be left out", () => {
    expect(readConfig(complete)).toEqual({
      databaseUrl: "postgres://a:b@c/d",
      databasePoolSize: 2,
      supabaseUrl: "https://p.supabase.co",
      jwtSecret: null,
      jwtIssuer: "https://p.supabase.co/auth/v1",
      appOrigins: [],
      superAdminEmails: new Set(),
      adminEmails: new Set(),
      cronSecrets: { chat: null, drops: null, encouragementDrops: null, maintenance: null, workoutWindow: null },
      ai: null,
      stripe: null,
      stripeWebhookSecret: null,
      supabaseSecretKey: null,
      s3: null,
      email: null,
      emailWebhookSecret: null,
      emailRecipientPolicy: "any",
      push: null,
      assistantName: "Nectar",
      checkinGraceMinutes: 15,
      checkinMissingExif: "reject",
      logLevel: "info",
    });
  });

  it("takes an empty variable for one that was left out", () => {
    const empty = {
      ...complete,
      RESEND_API_KEY: "",
      EMAIL_FROM: "",
      EMAIL_WEBHOOK_SECRET: "",
      EMAIL_RECIPIENT_POLICY: "",
      VAPID_PUBLIC_KEY: "",
      VAPID_PRIVATE_KEY: "",
      VAPID_SUBJECT: "",
      ASSISTANT_NAME: " ",
    };
    expect(readConfig(empty)).toEqual(readConfig(complete));
  });

  it("sends mail with a key of the provider, and pushes with both keys and not with one", () => {
    expect(readConfig({ ...complete, RESEND_API_KEY: "re_1" }).email).toEqual({
      apiKey: "re_1",
      baseUrl: null,
      from: "Nectar <onboarding@resend.dev>",
    });
    expect(readConfig({ ...complete, VAPID_PUBLIC_KEY: "public" }).push).toBeNull();
    expect(readConfig({ ...complete, VAPID_PRIVATE_KEY: "private" }).push).toBeNull();
    const keys = { VAPID_PUBLIC_KEY: "public", VAPID_PRIVATE_KEY: "private" };
    const push = {
      publicKey: "public",
      privateKey: "private",
      subject: "mailto:push@nectar.invalid",
      extraOrigins: [],
    };
    expect(readConfig({ ...complete, ...keys }).push).toEqual(push);
  });

  it("knows three policies of recipients and no other", () => {
    for (const policy of ["any", "members", "self"]) {
      expect(readConfig({ ...complete, EMAIL_RECIPIENT_POLICY: policy }).emailRecipientPolicy).toBe(policy);
    }
    expect(() => readConfig({ ...complete, EMAIL_RECIPIENT_POLICY: "everybody" })).toThrow(/EMAIL_RECIPIENT_POLICY/);
  });

  it("splits lists and lowers addresses", () => {
    const config = readConfig({
      ...complete,
      APP_ORIGINS: " https://a.example , https://b.example,",
      SUPER_ADMIN_EMAILS: "Ada@Example.test,,ben@example.test",
      SUPABASE_JWT_ISSUER: "none",
    });
    expect(config.appOrigins).toEqual(["https://a.example", "https://b.example"]);
    expect(config.superAdminEmails).toEqual(new Set(["ada@example.test", "ben@example.test"]));
    expect(config.jwtIssuer).toBeNull();
  });

  it("names everything that is wrong and quotes nothing of it", () => {
    const secret = "mysql://user:hush@host/db";
    const read = () => readConfig({ DATABASE_URL: secret, DATABASE_POOL_SIZE: "1", LOG_LEVEL: "loud" });
    expect(read).toThrow(/DATABASE_URL.*DATABASE_POOL_SIZE.*SUPABASE_URL: is missing.*LOG_LEVEL/);
    expect(read).not.toThrow(/hush|loud/);
  });
});
