import { Hono } from "hono";
import type { LambdaEvent } from "hono/aws-lambda";
import { describe, expect, it } from "vitest";
import { readConfig } from "#config/config";
import { servicesFor } from "#http/services/services-for";
import { lambdaHandler } from "#lambda/lambda-handler";
import { ROUTER_HEADER, sendRouterSecret } from "#lambda/router-secret";
import { functionUrlEvent } from "./function-url-event.ts";

const OLD = "old-old-old-old-old-old-old-old-old-old";
const NEW = "new-new-new-new-new-new-new-new-new-new";

/** A function that responds with the headers it gets. */
function functionWith(secrets: string) {
  const environment = {
    DATABASE_URL: "postgres://a:b@c/d",
    SUPABASE_URL: "http://127.0.0.1:9",
    ROUTER_SECRET: secrets,
  };
  const app = new Hono().get("/", ({ req }) => Response.json(req.header()));
  return lambdaHandler(() => app, servicesFor(readConfig(environment)));
}

/** The event of a request that passed the router's edge function. */
function routed(secrets: string, headers: Readonly<Record<string, string>> = {}): LambdaEvent {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]));
  const event = { request: { headers: sent } };
  new Function("event", sendRouterSecret(secrets))(event);
  const received = Object.fromEntries(Object.entries(event.request.headers).map(([name, { value }]) => [name, value]));
  return JSON.parse(JSON.stringify(functionUrlEvent({ path: "/", headers: received })));
}

describe("the router's secret", () => {
  it("lets a request pass, and does not reach the app", async () => {
    const { statusCode, body } = await functionWith(NEW)(routed(NEW, { accept: "text/plain" }));
    expect([statusCode, JSON.parse(body)]).toEqual([200, expect.objectContaining({ accept: "text/plain" })]);
    expect(body).not.toContain(NEW);
    expect(body.toLowerCase()).not.toContain(ROUTER_HEADER);
  });

  it("replaces what the caller sent in its header", () => {
    expect(routed(NEW, { [ROUTER_HEADER]: "guessed" }).headers).toMatchObject({ [ROUTER_HEADER]: NEW });
  });

  it("may contain any character without changing the edge function's code", () => {
    const secret = `"; event.request.headers = {}; // \\ \u2028 ${"x".repeat(32)}`;
    expect(routed(secret, { accept: "kept" }).headers).toMatchObject({ accept: "kept", [ROUTER_HEADER]: secret });
  });

  it("can be rotated without refusing a request: each step works with the functions of the step before", async () => {
    const steps = [OLD, `${OLD},${NEW}`, `${NEW}, ${OLD}`, NEW];
    for (const [index, secrets] of steps.entries()) {
      for (const others of steps.slice(Math.max(0, index - 1), index + 2)) {
        expect((await functionWith(others)(routed(secrets))).statusCode).toBe(200);
      }
    }
    expect((await functionWith(NEW)(routed(OLD))).statusCode).toBe(403);
  });

  it("is needed to start a function, and must be long", () => {
    expect(() => functionWith("")).toThrow("ROUTER_SECRET: is missing.");
    expect(() => functionWith(`${NEW},short`)).toThrow("ROUTER_SECRET: every secret must have at least 32 characters");
  });
});
