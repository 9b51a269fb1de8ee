import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { readConfig } from "#config/config";
import { servicesFor } from "#http/services/services-for";
import { lambdaHandler } from "#lambda/lambda-handler";
import { functionUrlEvent, ROUTER_SECRET } from "./function-url-event.ts";

/** The most that Lambda takes from a function, in bytes of JSON. */
const MAX_RESULT = 6 * 1_024 * 1_024;
const environment = { DATABASE_URL: "postgres://a:b@c/d", SUPABASE_URL: "http://127.0.0.1:9", ROUTER_SECRET };

/** Has a function respond with this body, as Lambda would get it. */
function responseTo(acceptEncoding: string | null, body: string | Uint8Array<ArrayBuffer>, headers: object = {}) {
  const type = typeof body === "string" ? "application/json" : "image/png";
  const app = new Hono().get("/", () => new Response(body, { headers: { "content-type": type, ...headers } }));
  const accepted = acceptEncoding === null ? {} : { "accept-encoding": acceptEncoding };
  const handler = lambdaHandler(() => app, servicesFor(readConfig(environment)));
  return handler(JSON.parse(JSON.stringify(functionUrlEvent({ path: "/", headers: accepted }))));
}

const list = JSON.stringify({ entries: Array.from({ length: 50 }, (_, n) => ({ n, title: "Grüße vom See" })) });

describe("the response of a function", () => {
  it.each(["gzip", "br;q=1.0, GZIP;q=0.8, *;q=0.1", "deflate,gzip ; q=0.001"])(
    "is compressed for a caller who accepts %j, and the same after it",
    async (accepted) => {
      const response = await responseTo(accepted, list, { "x-request-id": "kept" });
      expect(response).toMatchObject({
        statusCode: 200,
        isBase64Encoded: true,
        headers: { "content-encoding": "gzip", vary: "Accept-Encoding", "x-request-id": "kept" },
      });
      const bytes = Buffer.from(response.body, "base64");
      expect(gunzipSync(bytes).toString()).toBe(list);
      expect(bytes.byteLength).toBeLessThan(Buffer.byteLength(list) / 4);
    },
  );

  it.each([null, "", "identity", "br", "gzip;q=0", "gzip; q=0.0, br", "x-gzip2"])(
    "is sent as it is to a caller who accepts %j, with the header that caches need",
    async (accepted) => {
      expect(await responseTo(accepted, list)).toEqual({
        statusCode: 200,
        isBase64Encoded: false,
        headers: { "content-type": "application/json", vary: "Accept-Encoding" },
        body: list,
      });
    },
  );

  it("keeps what else it varies by", async () => {
    const { headers } = await responseTo("gzip", list, { vary: "Origin" });
    expect(headers).toMatchObject({ vary: "Origin, Accept-Encoding" });
  });

  it.each([
    ["a text of less than a kilobyte", `"${"a".repeat(1_021)}"`],
    ["nothing", ""],
  ])("is left alone if it is %s", async (_, body) => {
    expect(await responseTo("gzip", body)).toMatchObject({ isBase64Encoded: false, headers: {}, body });
    expect((await responseTo("gzip", body)).headers).not.toHaveProperty("vary");
  });

  it("is left alone if it is bytes", async () => {
    const image = new Uint8Array(randomBytes(5_000));
    const response = await responseTo("gzip", image);
    expect(response).toMatchObject({ isBase64Encoded: true, body: Buffer.from(image).toString("base64") });
    expect(response.headers).not.toHaveProperty("content-encoding");
  });

  it("still fits into what Lambda takes if it is a page of 4 MB that can hardly be compressed", async () => {
    const page = JSON.stringify({ text: randomBytes(3_000_000).toString("base64") });
    const response = await responseTo("gzip", page);
    expect(response).toMatchObject({ headers: { "content-encoding": "gzip" } });
    expect(JSON.stringify(response).length).toBeLessThan(MAX_RESULT);
  });
});
