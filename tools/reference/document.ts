import * as z from "zod";
import { allErrorCodes, type ErrorCode, sentenceOf, statusOf } from "#core/errors";
import { LENGTHS } from "#core/lengths.generated";
import { RESPONSE_KEPT_HOURS } from "#core/retention";
import { grouped } from "#core/text/numbers";
import { QUOTAS, type QuotaName } from "#database/quota";
import { onlyReads } from "#http/access/access";
import type { Endpoint } from "#http/endpoint/endpoint";
import { isOptional, JSON_BODY_ERRORS } from "#http/request/inputs";
import { type BodyKb, DEFAULT_BODY_KB, tooLargeSentence } from "#http/request/request-body";
import { PageResponse, SvgResponse } from "#http/response/text-body";
import { exampleOf } from "./examples.ts";

/** JSON of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** Errors that every endpoint with a database can respond with. */
const DATABASE_ERRORS = [
  "service.unexpected",
  "service.database_unavailable",
  "service.busy",
  "service.query_timeout",
] as const;
const REPLAY_ERRORS = ["idempotency.key_reused", "idempotency.in_progress"] as const;
/** Statuses whose response says the same for every operation, and is described once. */
const SHARED_RESPONSES: Readonly<Record<number, string>> = {
  429: "TooManyRequests",
  500: "ServerError",
  503: "Unavailable",
};

/** Responses that are no JSON. */
const TEXT_RESPONSES = new Map<z.ZodType, string>([
  [PageResponse, "text/html"],
  [SvgResponse, "image/svg+xml"],
]);

const { key: KEY } = LENGTHS["private.idempotency_keys"];
const IDEMPOTENCY_KEY = {
  in: "header",
  name: "Idempotency-Key",
  schema: { type: "string", minLength: KEY.min, maxLength: KEY.max },
  description: `Makes it safe to send the same request again within ${RESPONSE_KEPT_HOURS} hours: it runs once, and a repeated request gets the stored response.`,
};

/** Of a POST that only reads, such as a preview. */
const UNUSED_KEY = { ...IDEMPOTENCY_KEY, description: "Has no effect: this request changes nothing." };

/** The error codes that an operation can respond with, in the order of the catalogue. */
function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const { method, access, definition } = endpoint;
  const { guard, body, query, errors = [] } = definition;
  const isSignedIn = guard.security.some((scheme) => "bearer" in scheme);
  const isCommand = isSignedIn && !onlyReads(method, access);
  const codes = new Set<ErrorCode>([...errors, ...guard.errors, ...DATABASE_ERRORS]);
  if (query !== undefined || guard.security.length > 0) codes.add("request.invalid");
  const bodyErrors = body === undefined ? [] : body instanceof z.ZodType ? JSON_BODY_ERRORS : body.errors;
  for (const code of bodyErrors) codes.add(code);
  if (isSignedIn) codes.add("quota.too_many_at_once");
  for (const name of quotasOf(endpoint)) if (QUOTAS[name].error !== null) codes.add(QUOTAS[name].error);
  // Row-level security refuses a write when the caller lost the right to it after the handler had checked it.
  if (isCommand) codes.add("auth.forbidden");
  if (isCommand && access !== "write while closing") {
    codes.add("account.closing");
    if (access !== "write while suspended") codes.add("auth.suspended");
  }
  if (takesIdempotencyKey(endpoint)) {
    codes.add("request.invalid_idempotency_key");
    if (isCommand) for (const code of REPLAY_ERRORS) codes.add(code);
  }
  return allErrorCodes().filter((code) => codes.has(code));
}

/** How many units of each quota a person may use in a period. */
export type QuotaLimits = ReadonlyMap<string, { readonly max: number; readonly period: string }>;

/** The operation of an endpoint in the reference. */
export function operationOf(endpoint: Endpoint, tag: string, limits: QuotaLimits): Json {
  const { definition, method, access } = endpoint;
  const { id, summary, guard, body, query, params, response, page, status = 200 } = definition;
  const codes = errorCodesOf(endpoint);
  const quotas = quotasOf(endpoint).map((name) => quotaSentence(name, limits));
  const sentences = [definition.description, ...quotas].filter((text) => text !== undefined);
  const example = exampleOf(id);
  const parameters = [
    ...parametersIn("path", params === undefined ? null : z.object(params)),
    ...parametersIn("query", query ?? null),
    ...(takesIdempotencyKey(endpoint) ? [onlyReads(method, access) ? UNUSED_KEY : IDEMPOTENCY_KEY] : []),
  ];
  const text = TEXT_RESPONSES.get(response);
  const mediaType = text ?? "application/json";
  const schema = text === undefined ? jsonSchema(response, "output") : { type: "string" };
  const content = {
    [mediaType]: { schema, ...(example === undefined ? {} : { example: example.response }) },
    ...(page === undefined ? {} : { "text/html": { schema: { type: "string" }, example: page.text } }),
  };
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(sentences.length === 0 ? {} : { description: sentences.join(" ") }),
    security: guard.security,
    ...(guard.scope === undefined ? {} : { "x-scope": guard.scope }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body, example?.request) }),
    responses: {
      ...(status === 201 ? {} : { 200: { description: status === 200 ? "Success." : "It existed already.", content } }),
      ...(status === 200 ? {} : { 201: { description: "Created.", content } }),
      ...errorResponses(codes, definition.maxBodyKb ?? DEFAULT_BODY_KB),
    },
    "x-error-codes": codes,
  };
}

/** The schemas that have a name, and the responses that operations share. */
export function components(): { schemas: Json; responses: Json } {
  return {
    schemas: Object.fromEntries([...named].toSorted(([one], [other]) => one.localeCompare(other))),
    responses: {
      TooManyRequests: errorResponse(
        "Too many requests for now. `Retry-After` says after how many seconds to try again.",
      ),
      ServerError: errorResponse("Something went wrong on our side, or at a provider that we called."),
      Unavailable: errorResponse("The service cannot respond at the moment. `Retry-After` may say when to try again."),
    },
  };
}

function quotasOf({ definition: { quota } }: Endpoint): QuotaName[] {
  if (quota === undefined) return [];
  if (typeof quota === "string") return [quota];
  return [quota.name, ...(quota.further === undefined ? [] : [quota.further])];
}

function quotaSentence(name: QuotaName, limits: QuotaLimits): string {
  const limit = limits.get(name);
  if (limit === undefined) throw new Error(`The database has no quota ${name}.`);
  const period = limit.period === "day" ? "UTC day" : limit.period;
  return QUOTAS[name].sentence.replace("{max}", grouped(limit.max)).replace("{period}", period);
}

function takesIdempotencyKey({ method, definition }: Pick<Endpoint, "method" | "definition">): boolean {
  return method === "POST" && definition.guard.security.some((scheme) => "bearer" in scheme);
}

function parametersIn(where: "path" | "query", schema: z.ZodObject | null): Json[] {
  if (schema === null) return [];
  const { properties, required } = JsonObject.parse(jsonSchema(schema, "input"));
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      in: where,
      name,
      ...(description === undefined ? {} : { description }),
      ...(where === "path" || required.includes(name) ? { required: true } : {}),
      schema: rest,
    };
  });
}

function requestBody(body: NonNullable<Endpoint["definition"]["body"]>, example: unknown): Json {
  const { required, content } =
    body instanceof z.ZodType
      ? { required: !isOptional(body), content: { "application/json": body } }
      : body.document();
  const described = Object.entries(content).map(([mediaType, schema]) => [
    mediaType,
    {
      schema: schema instanceof z.ZodType ? jsonSchema(schema, "input") : schema,
      ...(example === undefined ? {} : { example }),
    },
  ]);
  return { required, content: Object.fromEntries(described) };
}

function errorResponses(codes: readonly ErrorCode[], maxBodyKb: BodyKb): Json {
  const statuses = [...new Set(codes.map(statusOf))];
  return Object.fromEntries(
    statuses.map((status) => {
      const shared = SHARED_RESPONSES[status];
      if (shared !== undefined) return [status, { $ref: `#/components/responses/${shared}` }];
      const sentences = codes
        .filter((code) => statusOf(code) === status)
        .map(
          (code) => `- \`${code}\`: ${code === "request.too_large" ? tooLargeSentence(maxBodyKb) : sentenceOf(code)}`,
        );
      return [status, errorResponse(sentences.join("\n"))];
    }),
  );
}

function errorResponse(description: string): Json {
  return { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } };
}

const JsonObject = z.object({
  properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })).default({}),
  required: z.array(z.string()).default([]),
});

/** Schemas with an id, by that id. */
const named = new Map<string, unknown>();

/** The JSON schema of a zod schema. Schemas with an id become components and are referred to. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  // In a field of another schema, a schema with an id is a reference like everywhere else.
  const options = { io, unrepresentable: "any", override: keepDefault } as const;
  const { properties, $defs } = Wrapped.parse(z.toJSONSchema(z.object({ schema }), options));
  for (const [name, definition] of Object.entries($defs)) named.set(name, readable(definition));
  return Json.parse(readable(properties.schema));
}

/** zod leaves out the default of an input that a transform reads. Our defaults are the same before and after it. */
function keepDefault({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue;
}

const Json = z.record(z.string(), z.unknown());

const Wrapped = z.object({
  properties: z.object({ schema: z.unknown() }),
  $defs: z.record(z.string(), z.unknown()).default({}),
});

/**
 * Simplifies a schema without changing what it means, and refers to components: no name inside a component, no regular
 * expression beside its format, no bounds that are those of the number type. Objects may get more fields.
 */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, child]) =>
      !(key === "id" && typeof child === "string") &&
      !(key === "pattern" && "format" in value && typeof child === "string") &&
      !(key === "minimum" && child === Number.MIN_SAFE_INTEGER) &&
      !(key === "maximum" && child === Number.MAX_SAFE_INTEGER) &&
      !(key === "additionalProperties" && child === false),
  );
  return Object.fromEntries(
    entries.map(([key, child]) => {
      if (key === "additionalProperties" && isEmpty(child)) return [key, true];
      if (key === "$ref" && typeof child === "string") {
        return [key, child.replace("#/$defs/", "#/components/schemas/")];
      }
      return [key, readable(child)];
    }),
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
