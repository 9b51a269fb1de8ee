import * as z from "zod";

const Schema = z.object({
  $ref: z.string().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  additionalProperties: z.union([z.boolean(), z.record(z.string(), z.unknown())]).optional(),
});

/** A field of an object type. */
export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  /** A JSON schema of the kinds that this project's reference has. */
  readonly schema: unknown;
  /** Instead of the description of the schema. */
  readonly description?: string | undefined;
}

/** The TypeScript type of what a JSON schema describes. Named schemas are mentioned by their names. */
export function typeText(given: unknown): string {
  const schema = Schema.parse(given);
  if (schema.$ref !== undefined) return schema.$ref.replace("#/components/schemas/", "");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeText))].join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return "unknown";
  return types.map((type) => typeNamed(type, schema)).join(" | ");
}

/** An object type, each field with its description as a doc comment. */
export function objectText(fields: readonly Field[]): string {
  const lines = fields.map(({ name, isRequired, schema, description = Schema.parse(schema).description }) => {
    const field = `${keyText(name)}${isRequired ? "" : "?"}: ${typeText(schema)};`;
    return indented(description === undefined ? field : `${docComment(description)}\n${field}`);
  });
  return `{\n${lines.join("\n")}\n}`;
}

/** The name of a field as it is written in code. */
export function keyText(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}

/** A doc comment of one or several lines. */
export function docComment(text: string): string {
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `/** ${lines[0]} */`;
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

/** Indents every line of a text by two spaces. */
export function indented(text: string): string {
  return `  ${text.replaceAll("\n", "\n  ")}`;
}

function typeNamed(type: string, schema: z.infer<typeof Schema>): string {
  if (type === "integer") return "number";
  if (type === "array") return `Array<${typeText(schema.items)}>`;
  if (type === "object") return objectType(schema);
  if (type === "string" && schema.format === "binary") return "Blob";
  if (type === "string" && schema.enum !== undefined)
    return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  return type;
}

function objectType({ properties, required, additionalProperties }: z.infer<typeof Schema>): string {
  if (properties === undefined) {
    const values = typeof additionalProperties === "object" ? typeText(additionalProperties) : "unknown";
    return `Record<string, ${values}>`;
  }
  return objectText(
    Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema })),
  );
}
