import { createServer } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { createTokenVerifier } from "#http/services/tokens";
import { listenLocally } from "#local/support/listen";

const SECRET = "a shared secret of more than thirty-two bytes";
const SUB = "11111111-2222-4333-8444-555555555555";
const now = new Date("2026-05-01T12:00:00Z");
const clock = { now: () => now };
const seconds = Math.floor(now.getTime() / 1000);
const good = { sub: SUB, aud: "authenticated", role: "authenticated", email: "ada@example.test", exp: seconds + 60 };

const keys = await generateKeyPair("ES256", { extractable: true });
const publicKey = await exportJWK(keys.publicKey);
let fetches = 0;
const startSupabase = () =>
  listenLocally(
    createServer((request, response) => {
      fetches += 1;
      response
        .writeHead(request.url === "/auth/v1/.well-known/jwks.json" ? 200 : 404, { "content-type": "application/json" })
        .end(JSON.stringify({ keys: [{ ...publicKey, kid: "k1", alg: "ES256", use: "sig" }] }));
    }),
    0,
    "Supabase",
  );
const supabase = await startSupabase();
afterAll(() => supabase.kill());
afterEach(() => vi.useRealTimers());

const NOWHERE = "http://127.0.0.1:9";
const issuer = { jwtIssuer: null, jwtAudience: "authenticated" };
const withSecret = { ...issuer, jwksUrl: NOWHERE, jwtSecret: SECRET };
const keysAt = (port: number) => ({
  ...issuer,
  jwksUrl: `http://127.0.0.1:${port}/auth/v1/.well-known/jwks.json`,
  jwtSecret: null,
});
const withKeyPair = keysAt(supabase.port);

const shared = (claims: object, secret = SECRET) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(secret));
const asymmetric = (claims: object, key: (typeof keys)["privateKey"] = keys.privateKey) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: "ES256", kid: "k1" }).sign(key);

describe("a token signed with the shared secret", () => {
  const verify = createTokenVerifier(withSecret, clock);

  it("identifies the caller", async () => {
    expect(await verify(await shared(good))).toEqual({ userId: SUB, email: "ada@example.test", issuedAt: null });
    expect(await verify(await shared({ ...good, email: undefined }))).toMatchObject({ userId: SUB, email: null });
  });

  it("says when it was issued", async () => {
    expect(await verify(await shared({ ...good, iat: seconds - 60 }))).toMatchObject({
      issuedAt: new Date((seconds - 60) * 1000),
    });
  });

  it.each([["an id"], [""], [null]])(
    "is one of a program, which has not signed in, if it has a client_id: %j",
    async (client_id) => {
      const token = await shared({ ...good, iat: seconds, client_id });
      const program = {
        userId: SUB,
        email: "ada@example.test",
        issuedAt: null,
        program: { tokenId: null, scopes: [] },
      };
      for (const _ of ["verified", "cached"]) expect(await verify(token)).toEqual(program);
      expect(await verify(await shared(good))).not.toHaveProperty("program");
    },
  );

  it.each([
    ["has expired for 31 s", { ...good, exp: seconds - 31 }, "The access token has expired."],
    ["is not valid for another 31 s", { ...good, nbf: seconds + 31 }, undefined],
    ["has no expiry", { ...good, exp: undefined }, undefined],
    ["has another audience", { ...good, aud: "anon" }, undefined],
    ["is for the anonymous role", { ...good, role: "anon" }, undefined],
    ["is for the service role", { ...good, role: "service_role" }, undefined],
    ["has no subject", { ...good, sub: undefined }, undefined],
    ["has a subject that is no UUID", { ...good, sub: "ada" }, undefined],
  ])("is refused if it %s", async (_, claims, message) => {
    await expect(verify(await shared(claims))).rejects.toMatchObject({
      code: "auth.invalid_token",
      ...(message === undefined ? {} : { message }),
    });
  });

  it("is accepted up to 30 s early or late", async () => {
    await verify(await shared({ ...good, exp: seconds - 29 }));
    await verify(await shared({ ...good, nbf: seconds + 29 }));
  });

  it("is refused if it was signed with another secret, changed, or is no token", async () => {
    const token = await shared(good);
    const [head, , signature] = token.split(".");
    const forged = `${head}.${Buffer.from(JSON.stringify({ ...good, sub: SUB.replace("1", "2") })).toString("base64url")}.${signature}`;
    for (const bad of [
      await shared(good, "another secret of more than thirty-two bytes"),
      forged,
      "",
      "a.b.c",
      "🐝",
      unsigned(),
    ]) {
      await expect(verify(bad)).rejects.toMatchObject({ code: "auth.invalid_token" });
    }
  });

  it("is verified once and cached until it expires", async () => {
    let time = now.getTime();
    const moving = createTokenVerifier(withSecret, { now: () => new Date(time) });
    const token = await shared(good);
    for (time of [now.getTime(), now.getTime() + 60_000, now.getTime() + 89_999]) {
      expect(await moving(token)).toMatchObject({ userId: SUB });
    }
    time = now.getTime() + 90_000;
    await expect(moving(token)).rejects.toMatchObject({ code: "auth.invalid_token" });
    time = now.getTime();
    for (let other = 0; other < 1_100; other += 1) await moving(await shared({ ...good, jti: String(other) }));
    expect(await moving(token)).toMatchObject({ userId: SUB });
  });

  it("must name the issuer if one is configured", async () => {
    const iss = "https://p.supabase.co/auth/v1";
    const strict = createTokenVerifier({ ...withSecret, jwtIssuer: iss }, clock);
    await strict(await shared({ ...good, iss }));
    for (const other of [undefined, "https://q.supabase.co/auth/v1"]) {
      await expect(strict(await shared({ ...good, iss: other }))).rejects.toMatchObject({ code: "auth.invalid_token" });
    }
  });
});

describe("a token signed with the project's key pair", () => {
  const verify = createTokenVerifier(withKeyPair, clock);

  it("is checked against the published keys, which are fetched once", async () => {
    const fresh = createTokenVerifier(withKeyPair, clock);
    fetches = 0;
    for (let time = 0; time < 5; time += 1) {
      expect(await fresh(await asymmetric(good))).toMatchObject({ userId: SUB });
    }
    expect(fetches).toBe(1);
  });

  it("is refused if another key signed it", async () => {
    const stranger = await generateKeyPair("ES256");
    await expect(verify(await asymmetric(good, stranger.privateKey))).rejects.toMatchObject({
      code: "auth.invalid_token",
    });
  });

  it("is refused if it was signed with the public key as a shared secret", async () => {
    await expect(verify(await shared(good, JSON.stringify(publicKey)))).rejects.toMatchObject({
      code: "auth.invalid_token",
    });
  });

  it("is accepted while Auth is down: for ten minutes, and after that if it was accepted before", async () => {
    const auth = await startSupabase();
    const known = createTokenVerifier(keysAt(auth.port), clock);
    const tokens = await Promise.all(["a", "b", "c"].map((jti) => asymmetric({ ...good, jti })));
    const [before = "", meanwhile = "", after = ""] = tokens;
    vi.useFakeTimers({ toFake: ["Date"] });
    await known(before);
    const stopped = auth.stop();
    auth.kill();
    await stopped;
    vi.setSystemTime(Date.now() + 9 * 60_000);
    expect(await known(meanwhile)).toMatchObject({ userId: SUB });
    vi.setSystemTime(Date.now() + 2 * 60_000);
    expect(await known(before)).toMatchObject({ userId: SUB });
    expect(await known(meanwhile)).toMatchObject({ userId: SUB });
    await expect(known(after)).rejects.toMatchObject({ code: "service.identity_unavailable" });
  });

  it("is 503, not 401, if the keys cannot be fetched", async () => {
    const unreachable = createTokenVerifier({ ...withKeyPair, jwksUrl: NOWHERE }, clock);
    await expect(unreachable(await asymmetric(good))).rejects.toMatchObject({
      code: "service.identity_unavailable",
      status: 503,
    });
  });
});

function unsigned(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part(good)}.`;
}

describe("a token of another issuer than Supabase", () => {
  const verify = createTokenVerifier({ ...withKeyPair, jwtAudience: "nectar" }, clock);

  it("must name the configured audience, and needs no role", async () => {
    const { role, ...withoutRole } = good;
    expect(await verify(await asymmetric({ ...withoutRole, aud: "nectar" }))).toMatchObject({ userId: SUB });
    for (const claims of [withoutRole, { ...withoutRole, aud: "another-app" }]) {
      await expect(verify(await asymmetric(claims))).rejects.toMatchObject({ code: "auth.invalid_token" });
    }
    expect(role).toBe("authenticated");
  });
});
