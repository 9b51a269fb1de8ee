import * as z from "zod";
import { allErrorCodes, type ErrorCode, sentenceOf, statusOf } from "#core/errors";
import { LENGTHS } from "#core/lengths.generated";
import { RESPONSE_KEPT_HOURS } from "#core/retention";
import { grouped } from "#core/text/numbers";
import { QUOTAS, type QuotaName } from "#database/quota";
import { onlyReads } from "#http/access/access";
import { type Endpoint, takesIfMatch, takesIfNoneMatch } from "#http/endpoint/endpoint";
import { isOptional, JSON_BODY_ERRORS } from "#http/request/inputs";
import { type BodyKb, DEFAULT_BODY_KB, tooLargeSentence } from "#http/request/request-body";
import { POSITION_HEADER } from "#http/response/json-response";
import { PageResponse, SvgResponse } from "#http/response/text-body";
import { operationTypes } from "./client-types.ts";
import { exampleOf } from "./examples.ts";
import { type Json, jsonSchema, namedSchema, namedSchemas } from "./named-schemas.ts";

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

/** Responses that are no JSON: their media types, and the names of their schemas. */
const TEXT_RESPONSES = new Map<z.ZodType, readonly [mediaType: string, name: string]>([
  [PageResponse, ["text/html", "HtmlText"]],
  [SvgResponse, ["image/svg+xml", "SvgText"]],
]);

const HEADERS = {
  "retry-after": {
    description: "Seconds until the same request may succeed.",
    schema: { type: "integer", minimum: 0 },
  },
  "idempotent-replayed": {
    description: "`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
  },
  etag: {
    description:
      "The state of the thing, for `If-Match` and `If-None-Match`. Counts, streaks and names do not change it.",
    schema: { type: "string", pattern: '^"[^"]+"$' },
  },
  [POSITION_HEADER]: {
    description: "The position of this write. Send the greatest one of the last minute with your reads.",
    schema: { type: "string", pattern: "^\\d+$" },
  },
};

const { key: KEY } = LENGTHS["private.idempotency_keys"];
const IDEMPOTENCY_KEY = {
  in: "header",
  name: "Idempotency-Key",
  schema: { type: "string", minLength: KEY.min, maxLength: KEY.max },
  description: `Makes it safe to send the same request again within ${RESPONSE_KEPT_HOURS} hours: it runs once, and a repeated request gets the stored response.`,
};

const IF_NONE_MATCH = {
  in: "header",
  name: "If-None-Match",
  schema: { type: "string" },
  description:
    "The etag of the state that you have: if it is the present one, the response is 304 without a body. Pictures, check-ins, counts, streaks, balances, names and `effective_*` fields are no part of the state.",
};

const IF_MATCH = {
  in: "header",
  name: "If-Match",
  schema: { type: "string" },
  description: "The etag of the state that you change, or `*`: if it is not the present one, the response is 412.",
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
  if (takesIfMatch(method, definition)) codes.add("sync.changed_meanwhile").add("request.invalid");
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
    ...(takesIfNoneMatch(method, definition) ? [IF_NONE_MATCH] : []),
    ...(takesIfMatch(method, definition) ? [IF_MATCH] : []),
  ];
  const [mediaType, text] = TEXT_RESPONSES.get(response) ?? ["application/json"];
  const schema =
    text === undefined
      ? namedSchema(operationTypes({ id }).response, jsonSchema(response, "output"))
      : textSchema(text);
  const content = {
    [mediaType]: { schema, ...(example === undefined ? {} : { example: example.response }) },
    ...(page === undefined ? {} : { "text/html": { schema: textSchema("HtmlText"), example: page.text } }),
  };
  const headers = headersOf(headersOfSuccess(endpoint));
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(sentences.length === 0 ? {} : { description: sentences.join(" ") }),
    security: guard.security,
    ...(guard.scopes === undefined ? {} : scopesOf(guard.scopes)),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body, example?.request) }),
    responses: {
      ...(status === 201
        ? {}
        : { 200: { description: status === 200 ? "Success." : "It existed already.", ...headers, content } }),
      ...(status === 200 ? {} : { 201: { description: "Created.", ...headers, content } }),
      ...(takesIfNoneMatch(method, definition)
        ? { 304: { description: "You have the present state: there is no body.", ...headersOf(["etag"]) } }
        : {}),
      ...errorResponses(codes, definition.maxBodyKb ?? DEFAULT_BODY_KB),
    },
    "x-error-codes": codes,
  };
}

/** The schemas that have a name, and the headers and responses that operations share. */
export function components(): { schemas: Json; headers: Json; responses: Json } {
  return {
    schemas: namedSchemas(),
    headers: HEADERS,
    responses: {
      TooManyRequests: {
        ...errorResponse("Too many requests for now. `Retry-After` says after how many seconds to try again."),
        ...headersOf(["retry-after"]),
      },
      ServerError: errorResponse("Something went wrong on our side, or at a provider that we called."),
      Unavailable: {
        ...errorResponse("The service cannot respond at the moment. `Retry-After` may say when to try again."),
        ...headersOf(["retry-after"]),
      },
    },
  };
}

type HeaderName = keyof typeof HEADERS;

/** Programs need one scope, or any of several. */
function scopesOf(scopes: readonly string[]): Json {
  return scopes.length === 1 ? { "x-scope": scopes[0] } : { "x-scopes": scopes };
}

function headersOfSuccess(endpoint: Endpoint): HeaderName[] {
  const { method, access, definition } = endpoint;
  const etag = definition.versioned === undefined || method === "DELETE" ? [] : (["etag"] as const);
  if (onlyReads(method, access)) return [...etag];
  return [...etag, ...(takesIdempotencyKey(endpoint) ? (["idempotent-replayed"] as const) : []), POSITION_HEADER];
}

/** The headers of a response beyond those that every response has. */
function headersOf(names: readonly HeaderName[]): Json {
  const headers = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return names.length === 0 ? {} : { headers: Object.fromEntries(headers) };
}

function textSchema(name: string): Json {
  return namedSchema(name, { type: "string" });
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
