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

/** A number in a schema, with its bounds if it has any. */
export interface NumberField {
  /** Where it is, such as `weekdays.0`. */
  readonly path: string;
  readonly isInteger: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** Makes a sample with this number in it. */
  readonly sampleWith: (value: number) => unknown;
}

/** Every number that a value of a schema can have, with all of its forms. */
export function numbersOf(given: unknown): NumberField[] {
  const { $ref, properties = {}, items, type, ...schema } = JsonSchema.parse(given);
  if ($ref !== undefined) return numbersOf(components.schemas[schemaName($ref)]);
  const types = [type].flat();
  const isInteger = types.includes("integer");
  if (isInteger || types.includes("number")) {
    const { minimum = schema.exclusiveMinimum, maximum } = schema;
    return [{ path: "", isInteger, minimum, maximum, sampleWith: (value) => value }];
  }
  const inside = (name: string, part: unknown, wrap: (value: unknown) => unknown) =>
    numbersOf(part).map((field) => ({
      ...field,
      path: field.path === "" ? name : `${name}.${field.path}`,
      sampleWith: (value: number) => wrap(field.sampleWith(value)),
    }));
  return [
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(numbersOf),
    ...(items === undefined ? [] : inside("0", items, (value) => [value])),
    ...Object.entries(properties).flatMap(([name, property]) =>
      inside(name, property, (value) => ({ ...z.looseObject({}).parse(sampleOf(given)), [name]: value })),
    ),
  ];
}

/** The most bytes of JSON that fit a schema: with every field, and 12 bytes for each character, as `\\ud83d\\udc1d` has. */
export function maxBytesOf(given: unknown): number {
  const { $ref, properties, items, ...schema } = JsonSchema.parse(given);
  if ($ref !== undefined) return maxBytesOf(components.schemas[schemaName($ref)]);
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (forms.length > 0) return Math.max(...forms.map(maxBytesOf));
  if (items !== undefined) return (schema.maxItems ?? 0) * (maxBytesOf(items) + 1);
  const fields = Object.entries(properties ?? {}).map(([name, field]) => name.length + 4 + maxBytesOf(field));
  return (
    2 + (schema.maxLength === undefined ? 50 : 12 * schema.maxLength) + fields.reduce((sum, bytes) => sum + bytes, 0)
  );
}

/** The names of the fields of an object in the reference, in all of its forms. */
export function fieldsOf(given: unknown): string[] {
  const schema = JsonSchema.parse(given);
  if (schema.$ref !== undefined) return fieldsOf(components.schemas[schemaName(schema.$ref)]);
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(fieldsOf);
  return [...new Set([...Object.keys(schema.properties ?? {}), ...forms])];
}
