import * as z from "zod";
import { readOperations } from "./operations.ts";

const Field = z.object({ in: z.string(), name: z.string(), required: z.boolean(), schema: z.unknown() });

const Promised = z.object({
  /** Its function in the client, such as `goals.create`. */
  function: z.string(),
  security: z.array(z.string()),
  takesIdempotencyKey: z.boolean(),
  parameters: z.array(Field),
  body: z.object({ isRequired: z.boolean(), isForm: z.boolean(), schema: z.unknown() }).nullable(),
  status: z.string(),
  response: z.unknown(),
});

/**
 * What a version of the API promises to its clients: an OpenAPI document without jobs, which only the scheduler calls, and
 * without what is only for people.
 */
export const Contract = z.object({
  version: z.string(),
  /** Keys are method and path, such as `GET /api/goals/{id}`. */
  operations: z.record(z.string(), Promised),
  schemas: z.record(z.string(), z.unknown()),
});
export type Contract = z.output<typeof Contract>;

/** Reads the contract of an OpenAPI document. */
export function contractOf(document: unknown): Contract {
  const { operations, schemas } = readOperations(document);
  const { info } = z.object({ info: z.object({ version: z.string() }) }).parse(document);
  const forClients = operations.filter(({ security }) => security.join() !== "cron");
  const promised = forClients.map(({ group, name, method, path, summary, description, id, isText, ...operation }) => [
    `${method} ${path}`,
    { function: `${group}.${name}`, ...operation },
  ]);
  const { Error: _, ...named } = schemas;
  return Contract.parse(
    withoutProse({ version: info.version, operations: Object.fromEntries(promised), schemas: named }),
  );
}

/** The text of a contract as it is committed: an operation or a schema per line. */
export function contractText({ version, operations, schemas }: Contract): string {
  const lines = (rows: Readonly<Record<string, unknown>>) =>
    Object.entries(rows)
      .map(([name, row]) => `    ${JSON.stringify(name)}: ${JSON.stringify(row)}`)
      .join(",\n");
  return `{
  "version": ${JSON.stringify(version)},
  "operations": {
${lines(operations)}
  },
  "schemas": {
${lines(schemas)}
  }
}
`;
}

/** Removes descriptions, examples and defaults, which are no fields if their values are no schemas. */
function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, child]) =>
      !(key === "description" && typeof child === "string") &&
      !(key === "examples" && Array.isArray(child)) &&
      !(key === "default" && (typeof child !== "object" || child === null || Array.isArray(child))),
  );
  return Object.fromEntries(entries.map(([key, child]) => [key, withoutProse(child)]));
}
