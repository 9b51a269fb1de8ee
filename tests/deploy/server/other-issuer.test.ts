import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { readConfig } from "#config/config";
import { routeToGroups } from "#functions/all";
import { servicesFor } from "#http/services/services-for";
import { apiUrlOf } from "#local/database/api-login";
import { listenLocally } from "#local/support/listen";
import { migrate } from "#ops/migrate/migrate";
import { clientOf } from "#tests/client";
import { asSuperuser, closeSuperuser, query } from "#tests/people";

const { adminUrl } = inject("testCluster");
const name = `plain_${randomBytes(8).toString("hex")}`;
const databaseUrl = new URL(`/${name}`, adminUrl).href;
const keys = await generateKeyPair("ES256");
const jwk = { ...(await exportJWK(keys.publicKey)), kid: "k", alg: "ES256", use: "sig" };
const issuer = await listenLocally(
  createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] }))),
  0,
  "An issuer",
);

/** The statements of the page about self-hosting. */
function documentedTable(): string {
  const page = readFileSync(new URL("../../../docs/self-hosting.md", import.meta.url), "utf8");
  const sql = /```sql\n(.*?)```/s.exec(page)?.[1];
  if (sql === undefined) throw new Error("The page has no SQL.");
  return sql;
}

beforeAll(async () => {
  await query(adminUrl, `create database ${name}`);
  await query(databaseUrl, documentedTable());
  await migrate(databaseUrl);
});
afterAll(async () => {
  issuer.kill();
  await closeSuperuser(databaseUrl);
  await query(adminUrl, `drop database ${name} with (force)`);
});

it("a plain PostgreSQL and another issuer of tokens are enough", async () => {
  const id = randomUUID();
  await asSuperuser(databaseUrl, (client) =>
    client.query(
      `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values ($1, $2, now(), $3)`,
      [id, "ada@example.org", { full_name: "Ada" }],
    ),
  );
  const token = await new SignJWT({ aud: "nectar" })
    .setProtectedHeader({ alg: "ES256", kid: "k" })
    .setSubject(id)
    .setIssuer("https://id.example.org/realms/nectar")
    .setExpirationTime("1h")
    .sign(keys.privateKey);
  const services = servicesFor(
    readConfig({
      DATABASE_URL: apiUrlOf(databaseUrl, "nectar-api-test"),
      SUPABASE_URL: "https://id.example.org",
      SUPABASE_JWT_ISSUER: "https://id.example.org/realms/nectar",
      SUPABASE_JWKS_URL: `http://127.0.0.1:${issuer.port}/`,
      SUPABASE_JWT_AUDIENCE: "nectar",
      LOG_LEVEL: "silent",
    }),
  );
  try {
    const api = clientOf(routeToGroups(services));
    expect(await api.get("/api/user/profile", { token }).ok()).toMatchObject({ profile: { full_name: "Ada" } });
    await api.post("/api/journal", { token }, { title: "A walk", content: "To the lake" }).created();
    await query(databaseUrl, "delete from auth.users where id = $1", [id]);
    await api.get("/api/user/profile", { token }).refused(401, "auth.unknown_account");
  } finally {
    await services.database.close();
  }
});
