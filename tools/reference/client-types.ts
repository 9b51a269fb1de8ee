import * as z from "zod";
import { schemaName } from "./json-schema.ts";
import type { Operation, Operations } from "./operations.ts";
import { docComment, indented, objectText, typeText } from "./type-text.ts";

const HEADER = "// Written by `npm run generate` from openapi.json.\n";

/** The names of the types that an operation's function takes and returns. */
export function operationTypes({ id }: Pick<Operation, "id">): { input: string; response: string } {
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
  return { input: `${name}Input`, response: `${name}Response` };
}

/** Writes the types of the client: the named schemas, the input and response of every operation, and the functions. */
export function clientTypes({ operations, groups, schemas }: Operations): string {
  const { Error: errorSchema, ...named } = schemas;
  const errorBody = z.object({ properties: z.object({ code: z.unknown() }) }).parse(errorSchema);
  const declarations = [
    ...Object.entries(named).map(([name, schema]) => [name, typeText(schema)] as const),
    ...operations.flatMap((operation) => {
      const { input, response } = operationTypes(operation);
      return [[input, inputText(operation, schemas)] as const, [response, typeText(operation.response)] as const];
    }),
    ["ErrorCode", typeText(errorBody.properties.code)] as const,
  ].toSorted(([one], [other]) => one.localeCompare(other));
  const names = declarations.map(([name]) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`Several types have the name ${twice.join(", ")}`);

  return [
    HEADER,
    'import type { CallOptions, LocalFile, Paged, Pages } from "./calls.ts";\n',
    ...declarations.map(([name, text]) => `export type ${name} = ${text};\n`),
    "/** Every operation of the API, by group. */",
    `export interface Operations ${operationsText(operations, groups, schemas)}\n`,
  ].join("\n");
}

/** Writes the table from which the client makes its functions. */
export function clientOperations({ operations, groups, schemas }: Operations): string {
  const rows = groups.map(({ name }) => {
    const functions = operations
      .filter(({ group }) => group === name)
      .map((operation) => `${operation.name}: ${JSON.stringify(rowOf(operation, schemas))},`);
    return indented(`${name}: {\n${functions.map(indented).join("\n")}\n},`);
  });
  return `${HEADER}
import type { Operation } from "./calls.ts";

export const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
${rows.join("\n")}
};
`;
}

function rowOf(operation: Operation, schemas: Operations["schemas"]): object {
  const { method, path, body, bodyId, takesIdempotencyKey, isText } = operation;
  const paging = pagingOf(operation, schemas);
  return {
    path,
    ...(body === null ? {} : { body: body.isForm ? "form" : "json" }),
    ...(bodyId === undefined ? {} : { bodyId }),
    ...(takesIdempotencyKey ? { key: true } : {}),
    ...(isText ? { text: true } : {}),
    ...(paging === null ? {} : { items: paging.items }),
    // The last one, because the table compresses better so.
    ...(method !== "GET" && { method }),
  };
}

/** The parameters of the path and the fields of the query or body, in one object. */
function inputText({ id, parameters, body }: Operation, schemas: Operations["schemas"]): string {
  const fields = parameters.map(({ name, required, schema, description }) => ({
    name,
    isRequired: required,
    schema,
    description,
  }));
  if (body === null) return fields.length === 0 ? "Record<never, never>" : objectText(fields);
  if (parameters.some((parameter) => parameter.in === "query")) {
    throw new Error(`${id} has both a query and a body, which the client cannot tell apart`);
  }
  const { properties = {} } = ObjectSchema.partial().parse(resolved(body.schema, schemas));
  const twice = parameters.find(({ name }) => name in properties);
  if (twice !== undefined) throw new Error(`${id} has \`${twice.name}\` in its path and in its body`);
  return fields.length === 0 ? typeText(body.schema) : `${objectText(fields)} & (${typeText(body.schema)})`;
}

const ObjectSchema = z.object({ properties: z.record(z.string(), z.object({ type: z.unknown().optional() })) });

/** The list that a page of an operation has, empty if it has none or several; null for an operation without pages. */
function pagingOf({ parameters, response }: Operation, schemas: Operations["schemas"]): { items: string } | null {
  if (!parameters.some(({ name }) => name === "cursor")) return null;
  const { properties } = ObjectSchema.parse(resolved(response, schemas));
  // A cursor that never ends is for the next time.
  if (properties.next_cursor?.type === "string") return null;
  const lists = Object.entries(properties).flatMap(([name, { type }]) => (type === "array" ? [name] : []));
  return { items: lists.length === 1 ? (lists[0] ?? "") : "" };
}

function resolved(schema: unknown, schemas: Operations["schemas"]): unknown {
  const { $ref } = z.object({ $ref: z.string().optional() }).parse(schema);
  return $ref === undefined ? schema : schemas[schemaName($ref)];
}

function operationsText(
  operations: Operations["operations"],
  groups: Operations["groups"],
  schemas: Operations["schemas"],
): string {
  const members = groups.map(({ name, description }) => {
    const functions = operations
      .filter(({ group }) => group === name)
      .map((operation) => indented(functionText(operation, schemas)));
    return indented(`${docComment(description)}\nreadonly ${name}: {\n${functions.join("\n")}\n};`);
  });
  return `{\n${members.join("\n")}\n}`;
}

function functionText(operation: Operation, schemas: Operations["schemas"]): string {
  const { name, summary, description, parameters, body } = operation;
  const { input, response } = operationTypes(operation);
  const isRequired = parameters.some(({ required }) => required) || body?.isRequired === true;
  const paging = pagingOf(operation, schemas);
  const returned =
    paging === null
      ? `Promise<${response}>`
      : paging.items === ""
        ? `Pages<${response}>`
        : `Paged<${response}, ${response}["${paging.items}"][number]>`;
  const comment = docComment(description === undefined ? `${summary}.` : `${summary}.\n\n${description}`);
  return `${comment}\n${name}(input${isRequired ? "" : "?"}: ${input}, options?: CallOptions): ${returned};`;
}
