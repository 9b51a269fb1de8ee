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
      cronSecrets: { drops: null, maintenance: null },
      ai: null,
      stripe: null,
      supabaseSecretKey: null,
      s3: null,
      logLevel: "info",
    });
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
