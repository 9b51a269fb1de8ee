import * as z from "zod";
import { schemaName } from "./json-schema.ts";

/** JSON of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** The components of the document. */
const named = new Map<string, unknown>();
/** The names of the components that a field has or null. */
const nullable = new Set<string>();

/** The JSON schema of a zod schema. Schemas with an id become components and are referred to. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  // In a field of another schema, a schema with an id is a reference like everywhere else.
  const options = { io, unrepresentable: "any", override: keepDefault } as const;
  const { properties, $defs } = Wrapped.parse(z.toJSONSchema(z.object({ schema }), options));
  for (const [name, definition] of Object.entries($defs)) named.set(name, readable(definition));
  return Json.parse(readable(properties.schema));
}

/** zod leaves out the default of an input that a transform reads. Our defaults are the same before and after it. */
function keepDefault({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue;
}

const Json = z.record(z.string(), z.unknown());

/** Gives a schema that is no component yet a name. @returns the reference to it */
export function namedSchema(name: string, schema: Json): Json {
  if ("$ref" in schema) return schema;
  const known = named.get(name);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`Several schemas have the name ${name}`);
  }
  named.set(name, schema);
  return { $ref: `#/components/schemas/${name}` };
}

/** All schemas with a name, and those of them that may be null as `XOrNull`, in the order of their names. */
export function namedSchemas(): Json {
  const orNull = [...nullable].map((name) => [`${name}OrNull`, withNull(Json.parse(named.get(name)))] as const);
  for (const [name] of orNull) if (named.has(name)) throw new Error(`Several schemas have the name ${name}`);
  return Object.fromEntries([...named, ...orNull].toSorted(([one], [other]) => one.localeCompare(other)));
}

const Wrapped = z.object({
  properties: z.object({ schema: z.unknown() }),
  $defs: z.record(z.string(), z.unknown()).default({}),
});

/**
 * Simplifies a schema without changing what it means, and refers to components: no name inside a component, no regular
 * expression beside its format, no bounds that are those of the number type. Objects may get more fields. Generators of
 * code need the type of what may be null in one piece, and constants as an `enum`.
 */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, child]) =>
      !(key === "id" && typeof child === "string") &&
      !(key === "pattern" && "format" in value && typeof child === "string") &&
      !(key === "minimum" && child === Number.MIN_SAFE_INTEGER) &&
      !(key === "maximum" && child === Number.MAX_SAFE_INTEGER) &&
      !(key === "additionalProperties" && child === false),
  );
  const schema: Json = Object.fromEntries(
    entries.map(([key, child]) => {
      if (key === "additionalProperties" && isEmpty(child)) return [key, true];
      if (key === "$ref" && typeof child === "string") {
        return [key, child.replace("#/$defs/", "#/components/schemas/")];
      }
      return [key, readable(child)];
    }),
  );
  const { anyOf, ...about } = schema;
  const others = Array.isArray(anyOf) ? anyOf.filter(({ type }) => type !== "null") : [];
  if (Array.isArray(anyOf) && others.length < anyOf.length) {
    if (others.length > 1) throw new Error(`No type has null and ${JSON.stringify(others)}`);
    return { ...withNull(Json.parse(others[0])), ...about };
  }
  return ["string", "boolean"].includes(typeof schema.const) ? { ...schema, enum: [schema.const] } : schema;
}

/** A schema that null fits as well. */
function withNull({ $ref, const: _, ...schema }: Json): Json {
  if (typeof $ref === "string") {
    nullable.add(schemaName($ref));
    return { ...schema, $ref: `${$ref}OrNull` };
  }
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, "null"], ...values };
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
