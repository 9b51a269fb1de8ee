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
  if (schema.enum !== undefined) return schema.enum.findLast((value) => value !== null);
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

/** A body that a schema refuses. */
export interface RefusedBody {
  /** The field that is refused and its fault, such as `tags: 1001 elements`. */
  readonly name: string;
  /** Where it is, such as `weekdays.0`. */
  readonly path: string;
  readonly body: unknown;
}

/** Numbers that no bounds of ours include; the first ones are no 32-bit integer, no safe integer and no integer at all. */
const HUGE = [2 ** 31, 2 ** 53, 1e308];

/**
 * Every way in which one field of a body is wrong: missing, of another type, null, too long, too short, unknown, malformed or
 * outside of its bounds.
 */
export function refusedBodies(given: unknown): RefusedBody[] {
  const schema = JsonSchema.parse(given);
  if (schema.$ref !== undefined) return refusedBodies(components.schemas[schemaName(schema.$ref)]);
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined) return forms.flatMap(refusedBodies);
  const sample = z.looseObject({}).parse(sampleOf(schema));
  return Object.entries(schema.properties ?? {}).flatMap(([field, property]) => {
    const { [field]: _, ...without } = sample;
    const missing = schema.required?.includes(field) ? [{ name: `${field}: missing`, path: field, body: without }] : [];
    const wrong = refusedValues(property).map(({ what, path, value }) => ({
      name: `${[field, ...path].join(".")}: ${what}`,
      path: [field, ...path].join("."),
      body: { ...sample, [field]: value },
    }));
    return [...missing, ...wrong];
  });
}

interface RefusedValue {
  readonly what: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

function refusedValues(given: unknown): RefusedValue[] {
  const schema = JsonSchema.parse(given);
  if (schema.$ref !== undefined) return refusedValues(components.schemas[schemaName(schema.$ref)]);
  const forms = (schema.anyOf ?? schema.oneOf ?? []).map((form) => JsonSchema.parse(form));
  const [form, ...others] = forms.filter(({ type }) => type !== "null");
  if (form !== undefined) {
    const isNullable = others.length < forms.length - 1;
    if (others.length > 0) return [];
    return refusedValues(form).filter(({ what }) => what !== "null" || !isNullable);
  }
  const types = [schema.type].flat();
  const values: [what: string, value: unknown][] = [];
  if (!types.includes("null")) values.push(["null", null]);
  if (!types.includes("object")) values.push(["an object", {}]);
  if (!types.includes("string")) values.push(["a text", "1"]);
  else {
    const { minLength = 0, maxLength } = schema;
    values.push(["a number", 1]);
    if (minLength > 0) values.push(["too short", "x".repeat(minLength - 1)], ["blank", " ".repeat(minLength)]);
    if (maxLength !== undefined) values.push([`${maxLength + 1} characters`, "x".repeat(maxLength + 1)]);
    if (schema.format !== undefined) values.push([`no ${schema.format}`, "none"]);
    if (schema.enum !== undefined) values.push(["an unknown value", "none of them"]);
  }
  const { minimum = schema.exclusiveMinimum, maximum } = schema;
  const isInteger = types.includes("integer");
  if (isInteger) values.push(["a fraction", 0.5]);
  if (isInteger || types.includes("number")) {
    const beyond = HUGE.flatMap((huge) => [huge, -huge]);
    if (minimum !== undefined) beyond.push(minimum - 1);
    if (maximum !== undefined) beyond.push(maximum + 1);
    const [least, most] = [minimum ?? Number.MIN_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER];
    values.push(...beyond.filter((n) => n < least || n > most).map((n): [string, unknown] => [`${n}`, n]));
  }
  const { maxItems, minItems = 0, items } = schema;
  if (maxItems !== undefined) {
    values.push([`${maxItems + 1} elements`, Array.from({ length: maxItems + 1 }, () => sampleOf(items))]);
  }
  if (minItems > 0) values.push(["no elements", []]);
  return [
    ...values.map(([what, value]) => ({ what, path: [], value })),
    ...(items === undefined ? [] : refusedValues(items)).map(({ what, path, value }) => ({
      what,
      path: ["0", ...path],
      value: [value],
    })),
    ...Object.entries(schema.properties ?? {}).flatMap(([field, property]) =>
      refusedValues(property).map(({ what, path, value }) => ({
        what,
        path: [field, ...path],
        value: { ...z.looseObject({}).parse(sampleOf(schema)), [field]: value },
      })),
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
