import { JsonSchema, schemaName } from "./json-schema.ts";

export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  /** A JSON schema of the kinds that this project's reference has. */
  readonly schema: unknown;
  /** Replaces the description of the schema. */
  readonly description?: string | undefined;
}

/** The TypeScript type of what a JSON schema describes. Named schemas are mentioned by their names. */
export function typeText(given: unknown): string {
  const schema = JsonSchema.parse(given);
  if (schema.$ref !== undefined) return schemaName(schema.$ref);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeText))].join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return "unknown";
  return types.map((type) => typeNamed(type, schema)).join(" | ");
}

/** An object type, each field with its description as a doc comment. */
export function objectText(fields: readonly Field[]): string {
  const lines = fields.map(({ name, isRequired, schema, description = JsonSchema.parse(schema).description }) => {
    const field = `${keyText(name)}${isRequired ? "" : "?"}: ${typeText(schema)};`;
    return indented(description === undefined ? field : `${docComment(description)}\n${field}`);
  });
  return `{\n${lines.join("\n")}\n}`;
}

/** The name of a field as it is written in code. */
function keyText(name: string): string {
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

function typeNamed(type: string, schema: JsonSchema): string {
  if (type === "integer") return "number";
  if (type === "array") return `Array<${typeText(schema.items)}>`;
  if (type === "object") return objectType(schema);
  if (type === "string" && schema.format === "binary") return "Blob | LocalFile";
  if (type === "string" && schema.enum !== undefined)
    return schema.enum.flatMap((value) => (value === null ? [] : JSON.stringify(value))).join(" | ");
  return type;
}

function objectType({ properties, required = [], additionalProperties }: JsonSchema): string {
  if (properties === undefined) {
    const values = typeof additionalProperties === "object" ? typeText(additionalProperties) : "unknown";
    return `Record<string, ${values}>`;
  }
  return objectText(
    Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema })),
  );
}
