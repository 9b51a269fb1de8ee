import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import * as z from "zod";
import { allErrorCodes, carriesRetryAfter, mayCarryIssues } from "#core/errors";
import { recordError } from "./raised-errors.ts";
import type { BodyOf } from "./response-body.ts";

const Reference = z.object({
  components: z.object({ responses: z.record(z.string(), z.unknown()) }),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        responses: z.record(z.string(), z.unknown()),
        "x-error-codes": z.array(z.string()),
      }),
    ),
  ),
});

const document: unknown = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));
const {
  paths,
  components: { responses },
} = Reference.parse(document);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(Object.assign({}, document, { $id: "nectar:openapi" }));

const Shared = z.object({ $ref: z.string() });
const Documented = z.object({ headers: z.record(z.string(), z.unknown()).default({}) });
/** The headers that a response is said to have, beyond those that every response has. */
const SPECIAL_HEADERS = ["retry-after", "idempotent-replayed", "location", "etag", "x-nectar-position"];
const Failure = z.object({ code: z.string() });

const routes = Object.keys(paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
  parameters: (path.match(/\{/g) ?? []).length,
}));
const validators = new Map<string, ValidateFunction>();

/**
 * Checks a response against the reference: the operation must declare its status and, for an error, its code, and its body
 * must match the schema. A path or method that is not in the reference must be refused as such.
 * @throws Error that says what does not match
 */
export function checkAgainstReference<Method extends string, Path extends string>(
  method: Method,
  path: Path,
  status: number,
  body: unknown,
  mediaType = "application/json",
  headers = new Headers(),
): asserts body is BodyOf<Method, Path> {
  const { pathname } = new URL(path, "http://nectar.test");
  const route = routes
    .filter(({ pattern }) => pattern.test(pathname))
    .sort((left, right) => left.parameters - right.parameters)[0];
  const operation = route === undefined ? undefined : paths[route.path]?.[method.toLowerCase()];
  if (route === undefined || operation === undefined) {
    const { code } = Failure.parse(body);
    if (code === (route === undefined ? "route.not_found" : "route.method_not_allowed")) return;
    throw new Error(`${method} ${path} is not in the reference, but responds with ${status} ${code}`);
  }
  const code = String(status);
  if (!(code in operation.responses)) {
    throw new Error(`${method} ${route.path} responds with ${code}, which is not in the reference`);
  }
  if (status >= 400) {
    const { code: errorCode } = Failure.parse(body);
    if (!operation["x-error-codes"].includes(errorCode)) {
      throw new Error(`${method} ${route.path} does not declare the error code ${errorCode}`);
    }
    recordError(operation.operationId, errorCode);
  }
  const shared = Shared.safeParse(operation.responses[code]).data?.$ref;
  // Only successes of writes promise a position; a read of an admin and a refusal may tell one as well.
  const promised = status < 400 && method !== "GET";
  const told = SPECIAL_HEADERS.filter((name) => headers.has(name) && (promised || name !== "x-nectar-position"));
  const documented = Documented.parse(
    shared === undefined ? operation.responses[code] : sharedResponse(shared),
  ).headers;
  const untold = told.filter((name) => !(name in documented));
  if (untold.length > 0) throw new Error(`${method} ${route.path} ${code} does not document ${untold.join(", ")}`);
  if (status === 304) {
    if (body !== null) throw new Error(`${method} ${route.path} responds with 304 and a body`);
    return;
  }
  const at = shared?.replace("#/", "").split("/") ?? ["paths", route.path, method.toLowerCase(), "responses", code];
  const pointer = [...at, "content", mediaType, "schema"]
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `nectar:openapi#/${pointer}` });
  validators.set(pointer, validate);
  if (!validate(body)) {
    throw new Error(`${method} ${route.path} ${code} does not match the reference: ${ajv.errorsText(validate.errors)}`);
  }
}

function sharedResponse(ref: string): unknown {
  return responses[ref.split("/").at(-1) ?? ""];
}

const ErrorBody = z.object({ code: z.enum(allErrorCodes()), issues: z.unknown().optional() });

/**
 * Checks an error against the catalogue: whether its code may carry `issues` and carries `Retry-After`. Other bodies pass.
 * @throws Error that says what does not match
 */
export function checkError(headers: Headers, body: unknown): void {
  const { data: error } = ErrorBody.safeParse(body);
  if (error === undefined) return;
  if (headers.has("retry-after") !== carriesRetryAfter(error.code)) {
    throw new Error(`${error.code} came ${headers.has("retry-after") ? "with" : "without"} Retry-After`);
  }
  if (error.issues !== undefined && !mayCarryIssues(error.code)) throw new Error(`${error.code} came with issues`);
}
