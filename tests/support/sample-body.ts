import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import * as z from "zod";
import { JsonSchema, schemaName } from "#tools/reference/json-schema";

const { components } = z
  .object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) })
  .parse(JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")));

/**
 * Makes a value that fits a schema of the reference: its example, or else the required fields, or the first one where
 * none is required.
 * @throws Error for a kind of schema that no request body has so far
 */
export function sampleOf(given: unknown): unknown {
  const schema = JsonSchema.parse(given);
  if (schema.$ref !== undefined) return sampleOf(components.schemas[schemaName(schema.$ref)]);
  if (schema.examples !== undefined) return schema.examples[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice !== undefined) return sampleOf(choice);
  if (schema.const !== undefined) return schema.const;
  // The last one: the role that may always be given, and the review that needs no reason.
  if (schema.enum !== undefined) return schema.enum.at(-1);
  const [type] = [schema.type].flat();
  if (type === "string") return schema.format === "uuid" ? randomUUID() : "text".padEnd(schema.minLength ?? 0, ".");
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return 1;
  if (type === "array") return (schema.minItems ?? 0) > 0 ? [sampleOf(schema.items)] : [];
  if (type === "object") {
    const properties = Object.entries(schema.properties ?? {});
    const required = new Set(schema.required ?? properties.slice(0, 1).map(([name]) => name));
    return Object.fromEntries(
      properties.filter(([name]) => required.has(name)).map(([name, property]) => [name, sampleOf(property)]),
    );
  }
  throw new Error(`There is no sample for ${JSON.stringify(given)} yet.`);
}

/** The most bytes of JSON that fit a schema: with every field, and 12 bytes for each character, as `\\ud83d\\udc1d` has. */
export function maxBytesOf(given: unknown): number {
  const { $ref, properties, items, ...schema } = JsonSchema.parse(given);
  if ($ref !== undefined) return maxBytesOf(components.schemas[schemaName($ref)]);
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (forms.length > 0) return Math.max(...forms.map(maxBytesOf));
  if (items !== undefined) return (schema.maxItems ?? 0) * (maxBytesOf(items) + 1);
  const fields = Object.entries(properties ?? {}).map(([name, field]) => name.length + 4 + maxBytesOf(field));
  return 2 + (schema.maxLength === undefined ? 50 : 12 * schema.maxLength) + fields.reduce((sum, bytes) => sum + bytes, 0);
}

/** The names of the fields of an object in the reference, in all of its forms. */
export function fieldsOf(given: unknown): string[] {
  const schema = JsonSchema.parse(given);
  if (schema.$ref !== undefined) return fieldsOf(components.schemas[schemaName(schema.$ref)]);
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(fieldsOf);
  return [...new Set([...Object.keys(schema.properties ?? {}), ...forms])];
}
