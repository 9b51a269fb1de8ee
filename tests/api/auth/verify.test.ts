import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "../../support/api.ts";
import { tokenFor } from "../../support/people.ts";

const api = useApi();
const verify = (token: unknown) => api.post("/api/auth/verify", undefined, { token });
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe("POST /api/auth/verify", () => {
  it("tells whom a good token belongs to, without any other sign-in", async () => {
    const ada = await api.person();
    const { status, body } = await verify(ada.token);
    expect(status).toBe(200);
    expect(body).toEqual({ user: { id: ada.id, email: ada.email } });
    expect((await verify(`  ${ada.token}\n`)).status).toBe(200);
  });

  it("looks at the token of the body, not at the one of the header", async () => {
    const ada = await api.person();
    const grace = await api.person();
    const answer = await api.post("/api/auth/verify", ada, { token: grace.token });
    expect(answer.body.user.id).toBe(grace.id);
    expect((await api.post("/api/auth/verify", ada, { token: "garbage" })).status).toBe(401);
  });

  it("answers null for the address of a token that has none", async () => {
    const sub = (await api.person()).id;
    expect((await verify(await tokenFor({ sub: sub.toUpperCase() }))).body).toEqual({ user: { id: sub, email: null } });
  });

  it("takes a clock that is up to 30 seconds off", async () => {
    const sub = (await api.person()).id;
    expect((await verify(await tokenFor({ sub }, { expiresAt: inSeconds(-20) }))).status).toBe(200);
    expect((await verify(await tokenFor({ sub, nbf: inSeconds(20) }))).status).toBe(200);
    expect((await verify(await tokenFor({ sub }, { expiresAt: inSeconds(-40) }))).status).toBe(401);
    expect((await verify(await tokenFor({ sub, nbf: inSeconds(40) }))).status).toBe(401);
  });

  it("is 401 for a token that is no good, with a sentence when it has merely expired", async () => {
    const sub = randomUUID();
    const expired = await verify(await tokenFor({ sub }, { expiresAt: inSeconds(-60) }));
    expect(expired.body).toEqual({ error: expect.stringMatching(/expired/), code: "auth.invalid_token" });
    const bad = [
      "garbage",
      "a.b.c",
      await tokenFor({ sub }, { secret: "another-secret-that-is-long-enough-0123456789" }),
      await tokenFor({ sub, aud: "somebody" }),
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

  it("is 401 for a good token whose account does not exist", async () => {
    const { status, body } = await verify(await tokenFor({ sub: randomUUID() }));
    expect([status, body.code]).toEqual([401, "auth.unknown_account"]);
  });

  it.each([{}, { token: "" }, { token: "  " }, { token: null }, { token: 7 }, { token: "x".repeat(16_385) }])(
    "is 400 without a token to check (%#)",
    async (body) => {
      expect((await api.post("/api/auth/verify", undefined, body)).status).toBe(400);
    },
  );

  it("asks for JSON: another media type is 415, too much 413, anything broken 400", async () => {
    const post = (body: string, type: string) =>
      api.send("POST", "/api/auth/verify", { body, headers: { "content-type": type } });
    expect((await post("token=x", "application/x-www-form-urlencoded")).status).toBe(415);
    expect((await post(JSON.stringify({ token: "x".repeat(1024 * 1024) }), "application/json")).status).toBe(413);
    expect((await post("{", "application/json")).status).toBe(400);
    expect((await api.get("/api/auth/verify")).status).toBe(405);
  });
});

describe("POST /api/auth/verify without a database", () => {
  const away = useApi({ environment: { DATABASE_URL: "postgres://nectar_api:hush@127.0.0.1:9/nowhere" } });

  it("is 503 for a good token, and 401 for any other", async () => {
    const token = await tokenFor({ sub: randomUUID() });
    const { status, body } = await away.post("/api/auth/verify", undefined, { token });
    expect([status, body.code]).toEqual([503, "service.database_unavailable"]);
    expect((await away.post("/api/auth/verify", undefined, { token: "garbage" })).status).toBe(401);
  });
});
