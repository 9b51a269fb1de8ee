import * as z from "zod";

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

const Success = z.object({ content: z.object({ "application/json": z.object({ schema: z.unknown() }) }) });

const Document = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        tags: z.tuple([z.string()]),
        summary: z.string(),
        description: z.string().optional(),
        parameters: z.array(Parameter).default([]),
        requestBody: Body.optional(),
        responses: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

/** An operation of the reference, as the generated types and the client need it. */
export interface Operation {
  readonly id: string;
  /** The tag as a name in code, such as `tonePacks`. */
  readonly group: string;
  /** The name of its function in the group, such as `create` for `createTonePack`. */
  readonly name: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  /** Parameters of path and query. */
  readonly parameters: readonly z.output<typeof Parameter>[];
  readonly takesIdempotencyKey: boolean;
  readonly body: { readonly isRequired: boolean; readonly isForm: boolean; readonly schema: unknown } | null;
  /** The schema of a successful response. */
  readonly response: unknown;
}

/** The parts of an OpenAPI document that the generated types and the client are written from. */
export interface Operations {
  readonly operations: readonly Operation[];
  readonly groups: readonly { readonly name: string; readonly description: string }[];
  /** The named schemas. */
  readonly schemas: Readonly<Record<string, unknown>>;
}

/**
 * Reads the operations of an OpenAPI document.
 * @throws Error if two operations of a group have the same name
 */
export function readOperations(document: unknown): Operations {
  const { tags, paths, components } = Document.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([
        method,
        {
          operationId,
          tags: [tag],
          parameters,
          requestBody,
          ...operation
        },
      ]) => {
        const [media] = Object.entries(requestBody?.content ?? {});
        return {
          id: operationId,
          group: camelCase(tag),
          name: functionName(operationId, tag),
          method: method.toUpperCase(),
          path,
          summary: operation.summary,
          description: operation.description,
          parameters: parameters.filter((parameter) => parameter.in !== "header"),
          takesIdempotencyKey: parameters.some(({ name }) => name === "Idempotency-Key"),
          body:
            requestBody === undefined || media === undefined
              ? null
              : {
                  isRequired: requestBody.required,
                  isForm: media[0] === "multipart/form-data",
                  schema: media[1].schema,
                },
          response: Success.parse(operation.responses["200"] ?? operation.responses["201"]).content["application/json"]
            .schema,
        };
      },
    ),
  );
  const names = operations.map(({ group, name }) => `${group}.${name}`);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`Several operations have the name ${twice.join(", ")}`);
  const groups = tags.map(({ name, description }) => ({ name: camelCase(name), description }));
  return { operations, groups, schemas: components.schemas };
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
