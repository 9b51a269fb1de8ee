import { allErrorCodes, carriesRetryAfter, mayCarryIssues, sentenceOf, statusOf } from "@nectar/core/errors";
import type { AppEnv } from "@nectar/http/context";
import { ErrorBody } from "@nectar/http/problem";
import { Hono } from "hono";
import { generateSpecs } from "hono-openapi";
import type { GroupApp } from "./all.ts";
import type { GroupName } from "./groups.ts";
import { components, jsonSchema, operationOf } from "./reference/document.ts";

const INVALID_REQUEST = errorOf("The request is not valid.");

function errorOf(description: string) {
  return { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } };
}

/** Builds the OpenAPI document from what the routes say of themselves. */
export async function buildReference(apps: readonly { name: GroupName; app: GroupApp }[]): Promise<object> {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, unknown> = {};
  jsonSchema(ErrorBody, "output");
  for (const { name, app } of apps) {
    if (app.endpoints !== undefined) {
      for (const endpoint of app.endpoints) {
        const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
        paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, name) };
      }
      continue;
    }
    const document = await generateSpecs(asHono(app), { defaultValidationErrorResponse: INVALID_REQUEST });
    Object.assign(schemas, document.components?.schemas);
    for (const [path, operations] of Object.entries(document.paths)) {
      const known = paths[path] ?? {};
      for (const [method, operation] of Object.entries(operations)) {
        known[method] =
          typeof operation === "object"
            ? { tags: [name], ...operation, ...idempotencyKey(method, operation) }
            : operation;
      }
      paths[path] = known;
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Nectar",
      version: "0.1.0",
      description: `Journaling, accountability and encouragement. Sign in with Supabase Auth and send the access token as a bearer token. Every POST by a signed-in person takes an optional \`Idempotency-Key\` header.\n\n${errorTable()}`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: apps.map(({ name }) => ({ name })),
    paths: readable(paths),
    components: {
      schemas: readable({ ...schemas, ...components().schemas }),
      responses: components().responses,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        cron: { type: "apiKey", in: "header", name: "x-cron-secret" },
      },
    },
  };
}

const IDEMPOTENCY_KEY = {
  in: "header",
  name: "Idempotency-Key",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  description:
    "Makes it safe to send the same request again within 24 hours: it runs once, and a replay gets its answer.",
};

/**
 * Every POST of a signed-in person takes the header and can refuse it: with 400 when it is not valid, with 409 when it was
 * used for something else. That is described here once instead of on every route.
 */
function idempotencyKey(method: string, operation: object) {
  const forPeople = JSON.stringify("security" in operation ? operation.security : []).includes('"bearer"');
  if (method !== "post" || !forPeople) return {};
  const known = "parameters" in operation && Array.isArray(operation.parameters) ? operation.parameters : [];
  const responses = "responses" in operation && typeof operation.responses === "object" ? operation.responses : {};
  return {
    parameters: [...known, IDEMPOTENCY_KEY],
    responses: {
      400: INVALID_REQUEST,
      409: errorOf("The Idempotency-Key was used with another body, or the first request with it is still running."),
      ...responses,
    },
  };
}

/**
 * Says the same schema in fewer words: no regular expression beside a format that means it, no bounds that are only those
 * of the number type, and `true` where the generator writes an empty schema (some readers of the document refuse that).
 */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, child]) =>
      !(key === "pattern" && "format" in value && typeof child === "string") &&
      !(key === "minimum" && child === Number.MIN_SAFE_INTEGER) &&
      !(key === "maximum" && child === Number.MAX_SAFE_INTEGER),
  );
  return Object.fromEntries(
    entries.map(([key, child]) => [key, key === "additionalProperties" && isEmpty(child) ? true : readable(child)]),
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** The generator wants a whole app; one that carries the same routes will do. */
function asHono({ routes }: GroupApp): Hono<AppEnv> {
  const carrier = new Hono<AppEnv>();
  carrier.routes.push(...routes);
  return carrier;
}

/** Every error code with its status and sentence, for people who read the reference. */
function errorTable(): string {
  const rows = allErrorCodes().map((code) => {
    const carries = `${mayCarryIssues(code) ? " (`issues`)" : ""}${carriesRetryAfter(code) ? " (`Retry-After`)" : ""}`;
    return `| ${statusOf(code)} | \`${code}\` | ${sentenceOf(code)}${carries} |`;
  });
  return `Every error is \`{error, code, issues?}\`; a code always comes with the same status. The sentence may change.\n\n| Status | Code | Meaning |\n|---|---|---|\n${rows.join("\n")}`;
}
