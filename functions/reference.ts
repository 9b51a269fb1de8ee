import type { AppEnv } from "@nectar/http/context";
import { Hono } from "hono";
import { generateSpecs } from "hono-openapi";
import type { GroupApp } from "./all.ts";
import type { GroupName } from "./groups.ts";

const INVALID_PARAMETER = {
  description: "The request is not valid.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};

/** Builds the OpenAPI document from what the routes say of themselves. */
export async function buildReference(apps: readonly { name: GroupName; app: GroupApp }[]): Promise<object> {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, unknown> = {};
  for (const { name, app } of apps) {
    const document = await generateSpecs(asHono(app), { defaultValidationErrorResponse: INVALID_PARAMETER });
    Object.assign(schemas, document.components?.schemas);
    for (const [path, operations] of Object.entries(document.paths)) {
      const known = paths[path] ?? {};
      for (const [method, operation] of Object.entries(operations)) {
        known[method] = typeof operation === "object" ? { tags: [name], ...operation } : operation;
      }
      paths[path] = known;
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Nectar",
      version: "0.1.0",
      description:
        "Journaling, accountability and encouragement. Sign in with Supabase Auth and send the access token as a bearer token. Every POST by a signed-in person takes an optional `Idempotency-Key` header.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: apps.map(({ name }) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        cron: { type: "apiKey", in: "header", name: "x-cron-secret" },
      },
    },
  };
}

/** The generator wants a whole app; one that carries the same routes will do. */
function asHono({ routes }: GroupApp): Hono<AppEnv> {
  const carrier = new Hono<AppEnv>();
  carrier.routes.push(...routes);
  return carrier;
}
