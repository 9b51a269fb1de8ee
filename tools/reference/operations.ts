import * as z from "zod";
import { JsonSchema, schemaName } from "./json-schema.ts";

const Parameter = z.object({
  in: z.enum(["path", "query", "header"]),
  name: z.string(),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: z.unknown(),
});

const Body = z.object({
  required: z.boolean(),
  content: z.record(z.string(), z.object({ schema: z.unknown() })),
});

const Media = z.object({ schema: z.looseObject({ $ref: z.string().optional() }) }).optional();
const Success = z.object({ content: z.object({ "application/json": Media, "image/svg+xml": Media }) });

const DocumentedOperation = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.unknown())),
  "x-scope": z.string().optional(),
  "x-scopes": z.array(z.string()).default([]),
  parameters: z.array(Parameter).default([]),
  requestBody: Body.optional(),
  responses: z.record(z.string(), z.unknown()),
});
type DocumentedOperation = z.output<typeof DocumentedOperation>;

const Document = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), DocumentedOperation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

/** An operation of the reference, as the generated types and the client need it. */
export interface Operation {
  readonly id: string;
  /** The tag as a name in code, such as `tonePacks`. */
  readonly group: string;
  /** The name of its function in the group, such as `create` for `createTonePack`. */
  readonly name: string;
  /** Upper case, such as `GET`. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  /** Schemes such as `bearer`, of which a caller needs one; empty if everyone may call. */
  readonly security: readonly string[];
  /** The scopes, any of which lets personal tokens call it; empty if none may. */
  readonly scopes: readonly string[];
  /** Parameters of path and query. */
  readonly parameters: readonly z.output<typeof Parameter>[];
  readonly takesIdempotencyKey: boolean;
  readonly body: { readonly isRequired: boolean; readonly isForm: boolean; readonly schema: unknown } | null;
  /**
   * What clients call the `id` of the body, because the path has an `id` too: as the paths of what the operation creates, such
   * as `checkInId`. The schema of the body has it.
   */
  readonly bodyId: string | undefined;
  /** The status of a successful response. */
  readonly status: string;
  /** The schema of a successful response. */
  readonly response: unknown;
  /** Whether a successful response is text, such as an image in SVG, and not JSON. */
  readonly isText: boolean;
}

/** The parts of an OpenAPI document that the generated types and the client are written from. */
export interface Operations {
  readonly operations: readonly Operation[];
  readonly groups: readonly { readonly name: string; readonly description: string }[];
  readonly schemas: Readonly<Record<string, unknown>>;
}

/**
 * Reads the operations of an OpenAPI document.
 * @throws Error if two operations of a group have the same name
 */
export function readOperations(document: unknown): Operations {
  const { tags, paths, components } = Document.parse(withChoices(document));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      readOperation(method, path, operation, components.schemas).map((read) =>
        withBodyId(read, Object.keys(paths), components.schemas),
      ),
    ),
  );
  const names = operations.map(({ group, name }) => `${group}.${name}`);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`Several operations have the name ${twice.join(", ")}`);
  const groups = tags.map(({ name, description }) => ({ name: camelCase(name), description }));
  const inOperations = (name: string) => operations.some(({ id }) => isResponseOf(id, name));
  const schemas = Object.entries(components.schemas).filter(([name]) => !name.endsWith(OR_NULL) && !inOperations(name));
  return { operations, groups, schemas: Object.fromEntries(schemas) };
}

/** The operation with another name for the `id` of its body, if its path has an `id` too. */
function withBodyId(operation: Operation, paths: readonly string[], schemas: Operations["schemas"]): Operation {
  const { path, body } = operation;
  const bodyId = paths.flatMap((other) => (other.startsWith(`${path}/{`) ? other.slice(path.length + 2, -1) : []))[0];
  if (body === null || bodyId === undefined || !path.includes("{id}")) return operation;
  const { $ref } = JsonSchema.parse(body.schema);
  const { properties: { id, ...others } = {}, ...schema } = JsonSchema.parse(
    $ref === undefined ? body.schema : schemas[schemaName($ref)],
  );
  if (id === undefined) return operation;
  return { ...operation, bodyId, body: { ...body, schema: { ...schema, properties: { [bodyId]: id, ...others } } } };
}

/** The end of the names of components that are another one or null. */
const OR_NULL = "OrNull";

/** Whether a component is only the response of an operation, such as `ReadGoalResponse` of `readGoal`. */
function isResponseOf(id: string, name: string): boolean {
  return name.toLowerCase() === `${id}Response`.toLowerCase();
}

/** The document with choices in the places of components that are another one or null. */
function withChoices(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withChoices);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withChoices(child)]));
  const { $ref, ...about } = fields;
  if (typeof $ref !== "string" || !$ref.endsWith(OR_NULL)) return fields;
  return { ...about, anyOf: [{ $ref: $ref.slice(0, -OR_NULL.length) }, { type: "null" }] };
}

/** The operation, unless it shows a page: that is for browsers, not for the client. */
function readOperation(
  method: string,
  path: string,
  operation: DocumentedOperation,
  schemas: Operations["schemas"],
): Operation[] {
  const { operationId, parameters, responses } = operation;
  const [tag] = operation.tags;
  const status = "201" in responses ? "201" : "200";
  const { "application/json": json, "image/svg+xml": image } = Success.parse(responses[status]).content;
  const success = json ?? image;
  if (success === undefined) return [];
  const name = schemaName(success.schema.$ref ?? "");
  const read = {
    id: operationId,
    group: camelCase(tag),
    name: functionName(operationId, tag),
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    security: operation.security.flatMap((scheme) => Object.keys(scheme)),
    scopes: operation["x-scope"] === undefined ? operation["x-scopes"] : [operation["x-scope"]],
    parameters: parameters.filter((parameter) => parameter.in !== "header"),
    takesIdempotencyKey: parameters.some(({ name }) => name === "Idempotency-Key"),
    body: readBody(operation.requestBody),
    bodyId: undefined,
    status,
    response: isResponseOf(operationId, name) ? schemas[name] : success.schema,
    isText: json === undefined,
  };
  return [read];
}

function readBody(body: DocumentedOperation["requestBody"]): Operation["body"] {
  const [media] = Object.entries(body?.content ?? {});
  if (body === undefined || media === undefined) return null;
  const [type, { schema }] = media;
  return { isRequired: body.required, isForm: type === "multipart/form-data", schema };
}

/**
 * The name of an operation within its group: its id without the words of the tag, so that `createTonePack` of `tone-packs`
 * is `create`, and `listOrganizationMembers` of `organizations` is `listMembers`.
 */
export function functionName(operationId: string, tag: string): string {
  const tagWords = tag.split("-").map(singular);
  const [verb, ...words] = operationId.split(/(?=[A-Z])/);
  return [verb, ...words.filter((word) => !tagWords.includes(singular(word.toLowerCase())))].join("");
}

function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/s$/, "");
}

function camelCase(tag: string): string {
  return tag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
