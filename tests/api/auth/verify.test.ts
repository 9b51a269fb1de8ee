import { randomUUID } from "node:crypto";
import { generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { tokenFor } from "#tests/people";

const api = useApi();
const verify = (token: unknown) => api.post("/api/auth/verify", undefined, { token });
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe("POST /api/auth/verify", () => {
  it("returns the owner of a valid token, without any other sign-in", async () => {
    const ada = await api.person();
    expect(await verify(ada.token).ok()).toEqual({ user: { id: ada.id, email: ada.email } });
    await verify(`  ${ada.token}\n`).ok();
  });

  it("checks the token in the body, not the one in the header", async () => {
    const ada = await api.person();
    const grace = await api.person();
    const response = await api.post("/api/auth/verify", ada, { token: grace.token });
    expect(response.body.user.id).toBe(grace.id);
    await api.post("/api/auth/verify", ada, { token: "garbage" }).refused(401);
  });

  it("returns null as the address of a token that has none", async () => {
    const sub = (await api.person()).id;
    for (const email of [{}, { email: "" }, { email: null }]) {
      const token = await tokenFor({ sub: sub.toUpperCase(), ...email });
      expect(await verify(token).ok()).toEqual({ user: { id: sub, email: null } });
    }
  });

  it("accepts a clock that is up to 30 seconds off", async () => {
    const sub = (await api.person()).id;
    await verify(await tokenFor({ sub }, { expiresAt: inSeconds(-20) })).ok();
    await verify(await tokenFor({ sub, nbf: inSeconds(20) })).ok();
    await verify(await tokenFor({ sub }, { expiresAt: inSeconds(-40) })).refused(401);
    await verify(await tokenFor({ sub, nbf: inSeconds(40) })).refused(401);
  });

  it("is 401 for an invalid token, and says so if it has only expired", async () => {
    const sub = randomUUID();
    const expired = await verify(await tokenFor({ sub }, { expiresAt: inSeconds(-60) }));
    expect(expired.body).toEqual({ error: expect.stringMatching(/expired/), code: "auth.invalid_token" });
    const bad = [
      "garbage",
      "a.b.c",
      await tokenFor({ sub }, { secret: "another-secret-that-is-long-enough-0123456789" }),
      await tokenFor({ sub, aud: "another audience" }),
      await tokenFor({ sub, role: "anon" }),
      await tokenFor({ sub: "not-a-uuid" }),
      await tokenFor({}),
      `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify({ sub })).toString("base64url")}.`,
    ];
    for (const token of bad) {
      const { status, body } = await verify(token);
      expect(status, token).toBe(401);
      expect(body.code).toBe("auth.invalid_token");
    }
  });

  it("is 400 without a token to check", async () => {
    for (const token of [undefined, "", "  ", null, 7, "x".repeat(16_001)]) await verify(token).refused(400);
  });

  it("needs JSON: 415 for another media type, 413 if it is too large, 400 if it is malformed", async () => {
    const post = (body: string, type: string) =>
      api.send("POST", "/api/auth/verify", { body, headers: { "content-type": type } });
    await post("token=x", "application/x-www-form-urlencoded").refused(415);
    await post(JSON.stringify({ token: "x".repeat(1024 * 1024) }), "application/json").refused(413);
    await post("{", "application/json").refused(400);
    await api.get("/api/auth/verify").refused(405);
  });
});

describe("POST /api/auth/verify without the keys of the issuer or a database", () => {
  const keyless = useApi({ environment: { SUPABASE_JWKS_URL: "http://127.0.0.1:9" } });
  const away = useApi({ environment: { DATABASE_URL: "postgres://nectar_api:hush@127.0.0.1:9/nowhere" } });

  it("is 503 for a token that a key pair signed", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const token = await new SignJWT({ aud: "authenticated", role: "authenticated", sub: randomUUID() })
      .setProtectedHeader({ alg: "ES256" })
      .setExpirationTime("1h")
      .sign(privateKey);
    await keyless.post("/api/auth/verify", undefined, { token }).refused(503, "service.identity_unavailable");
  });

  it("is 503 for a valid token, and 401 for any other", async () => {
    const token = await tokenFor({ sub: randomUUID() });
    await away.post("/api/auth/verify", undefined, { token }).refused(503, "service.database_unavailable");
    await away.post("/api/auth/verify", undefined, { token: "garbage" }).refused(401);
  });
});
