import { inspect } from "node:util";
import { describe, expect, expectTypeOf, test } from "vitest";
import { type ClientErrorCode, createNectar, type ErrorCode, NectarError } from "#client";
import type { ErrorCode as CatalogueCode } from "#core/errors";
import { refusal, type Step, scripted } from "./scripted.ts";

const failure = async (step: Step, options = {}) => {
  const { nectar } = scripted([step], { retries: 0, ...options });
  const error: unknown = await nectar.user.readProfile().catch((thrown: unknown) => thrown);
  if (!(error instanceof NectarError)) throw new Error("expected a NectarError", { cause: error });
  return error;
};

describe("the error of a call", () => {
  test("has status, code, sentence and request id of the response, and when to try again", async () => {
    const error = await failure(refusal(429, "quota.exhausted", { "retry-after": "120" }));
    expect(error).toMatchObject({
      name: "NectarError",
      message: "No.",
      status: 429,
      code: "quota.exhausted",
      issues: [],
      requestId: "request-1",
      retryAfterSeconds: 120,
    });
  });

  test("has all problems of a request that is not valid", async () => {
    const issues = [{ path: "title", message: "must not be blank" }];
    const error = await failure(Response.json({ error: "No.", code: "request.invalid", issues }, { status: 400 }));
    expect(error.issues).toEqual(issues);
    expect(error.requestId).toBeNull();
  });

  test.each<[string, Response]>([
    ["a page of a gateway", new Response("<html>Bad gateway</html>", { status: 502 })],
    ["JSON of another server", Response.json(["no"], { status: 404 })],
    ["a success that is not JSON", new Response("hello")],
  ])("says that %s cannot be read", async (_, response) => {
    expect(await failure(response)).toMatchObject({ code: "client.unreadable", status: response.status });
  });

  test("says that the service did not respond in time", async () => {
    expect(await failure("hang", { timeoutMs: 5 })).toMatchObject({ code: "client.timeout", status: 0 });
  });

  test("names the server that cannot be reached, and why, if the platform says so", async () => {
    const refused = new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) });
    expect(await failure(refused)).toMatchObject({
      code: "client.network",
      message: "api.test cannot be reached (ECONNREFUSED).",
    });
    expect((await failure(new TypeError("Failed to fetch"))).message).toBe("api.test cannot be reached.");
    for (const [baseUrl, name] of [
      ["http://127.0.0.1:1", "127.0.0.1:1 cannot be reached"],
      ["http://nobody.invalid", "nobody.invalid cannot be reached (E"],
      ["localhost:3000", "localhost:3000/api/user/profile cannot be reached"],
      ["api.example.com", "api.example.com/api/user/profile cannot be reached (ERR_INVALID_URL)."],
    ] as const) {
      const { user } = createNectar({ baseUrl, retries: 0 });
      await expect.soft(user.readProfile()).rejects.toThrow(name);
    }
  });

  test("never contains the token", async () => {
    const withToken = new TypeError('Headers.append: "Bearer secret-token" is an invalid header value.');
    const errors = [
      await failure(new Error("secret-token", { cause: withToken })),
      await failure(withToken),
      await failure(refusal(401, "auth.invalid_token")),
    ];
    for (const error of errors) expect(inspect(error, { depth: 9 })).not.toContain("secret-token");
    const { nectar, sent } = scripted([refusal(401, "auth.invalid_token")], { token: () => "secret-token\n" });
    const refused: unknown = await nectar.user.readProfile().catch((thrown: unknown) => thrown);
    expect(inspect(refused)).toContain("The access token is not a token.");
    expect(inspect(refused)).not.toContain("secret-token");
    expect(sent).toEqual([]);
  });

  test("is that of the token function if it fails", async () => {
    const signedOut = new Error("No user is signed in.");
    const { nectar } = scripted([refusal(401, "auth.invalid_token")], { token: () => Promise.reject(signedOut) });
    await expect(nectar.user.readProfile()).rejects.toBe(signedOut);
  });

  test("has a code of the catalogue or of the client, which the compiler knows", () => {
    expectTypeOf<ErrorCode>().toEqualTypeOf<CatalogueCode>();
    expectTypeOf<NectarError["code"]>().toEqualTypeOf<CatalogueCode | ClientErrorCode>();
  });
});

test("an aborted call rejects with the reason of its signal", async () => {
  const { nectar, sent } = scripted(["hang"]);
  const left = new Error("The page was left.");
  const abort = new AbortController();
  const call = nectar.user.readProfile({}, { signal: abort.signal });
  abort.abort(left);
  await expect(call).rejects.toBe(left);
  await expect(nectar.user.readProfile({}, { signal: abort.signal })).rejects.toBe(left);
  expect(sent.length).toBeLessThanOrEqual(1);
});
