import { createServer } from "node:http";
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
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

/** What Supabase Auth signs with and publishes, for each method that it offers. */
const signers = await Promise.all(
  ["RS256", "RS512", "ES256", "ES512", "EdDSA"].map(async (alg) => {
    const pair = await generateKeyPair(alg, { extractable: true });
    const kid = `the key for ${alg}`;
    const jwk: JWK = { ...(await exportJWK(pair.publicKey)), kid, alg, use: "sig", key_ops: ["verify"] };
    const sign = (claims: object, header: object = {}) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg, kid, ...header }).sign(pair.privateKey);
    return { ...pair, alg, kid, jwk, sign };
  }),
);

describe("a token of a project with several signing keys", () => {
  const [first, second] = signers;
  if (first === undefined || second === undefined) throw new Error("There are no keys.");
  const refused = { code: "auth.invalid_token", status: 401 };
  let published: readonly JWK[];
  let reads: number;
  const auth = createServer((_, response) => {
    reads += 1;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys: published }));
  });
  let settings: ReturnType<typeof keysAt>;
  beforeAll(async () => {
    const { port } = await listenLocally(auth, 0, "Auth");
    settings = keysAt(port);
  });
  afterAll(() => void auth.close());
  beforeEach(() => {
    published = signers.map(({ jwk }) => jwk);
    reads = 0;
  });

  it.each(signers)("is accepted if it was signed with $alg, beside those of the shared secret", async ({ sign }) => {
    const verify = createTokenVerifier({ ...settings, jwtSecret: SECRET }, clock);
    expect(await verify(await sign(good))).toMatchObject({ userId: SUB });
    expect(await verify(await shared(good))).toMatchObject({ userId: SUB });
  });

  it.each(signers)("is refused if it names the key for $alg and was not signed with it", async (signer) => {
    const { alg, kid, jwk, publicKey } = signer;
    const stranger = await generateKeyPair(alg, { extractable: true });
    const asHmac = (key: string) =>
      new SignJWT(good).setProtectedHeader({ alg: "HS256", kid }).sign(new TextEncoder().encode(key));
    const forged = [
      await asHmac(await exportSPKI(publicKey)),
      await asHmac(JSON.stringify(jwk)),
      unsigned({ kid }),
      // Its header brings the key along.
      await new SignJWT(good)
        .setProtectedHeader({ alg, kid, jwk: await exportJWK(stranger.publicKey) })
        .sign(stranger.privateKey),
      ...(await Promise.all(signers.filter((each) => each !== signer).map(({ sign }) => sign(good, { kid })))),
    ];
    for (const jwtSecret of [null, SECRET]) {
      const verify = createTokenVerifier({ ...settings, jwtSecret }, clock);
      for (const token of forged) await expect(verify(token), token).rejects.toMatchObject(refused);
    }
  });

  it("is accepted as soon as its key is the one in use, if the key was published half a minute before", async () => {
    const verify = createTokenVerifier(settings, clock);
    vi.useFakeTimers({ toFake: ["Date"] });
    published = [first.jwk];
    await verify(await first.sign(good));
    published = [first.jwk, second.jwk];
    await expect(verify(await second.sign(good))).rejects.toMatchObject(refused);
    vi.setSystemTime(Date.now() + 31_000);
    expect(await verify(await second.sign(good))).toMatchObject({ userId: SUB });
    expect(await verify(await first.sign({ ...good, jti: "later" }))).toMatchObject({ userId: SUB });
    expect(reads).toBe(2);
  });

  it("is refused ten minutes after its key was withdrawn, unless it was accepted before", async () => {
    const verify = createTokenVerifier(settings, clock);
    vi.useFakeTimers({ toFake: ["Date"] });
    const known = await first.sign(good);
    await verify(known);
    published = [second.jwk];
    vi.setSystemTime(Date.now() + 9 * 60_000);
    expect(await verify(await first.sign({ ...good, jti: "soon" }))).toMatchObject({ userId: SUB });
    vi.setSystemTime(Date.now() + 2 * 60_000);
    await expect(verify(await first.sign({ ...good, jti: "later" }))).rejects.toMatchObject(refused);
    expect(await verify(await second.sign(good))).toMatchObject({ userId: SUB });
    expect(await verify(known)).toMatchObject({ userId: SUB });
    await expect(createTokenVerifier(settings, clock)(known)).rejects.toMatchObject(refused);
  });

  it("is refused if it names no published key, and Auth is asked for its keys once, not for every such token", async () => {
    const verify = createTokenVerifier(settings, clock);
    await verify(await first.sign(good));
    for (const kid of ["unknown", "", "../key", "unknown"]) {
      await expect(verify(await first.sign(good, { kid })), kid).rejects.toMatchObject(refused);
    }
    expect(reads).toBe(1);
  });
});

function unsigned(header: object = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none", ...header })}.${part(good)}.`;
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
