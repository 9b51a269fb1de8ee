import * as z from "zod";

const Fields = z.record(z.string(), z.unknown());
type Fields = z.output<typeof Fields>;

/** What a value looks like, for models: some hosts refuse a schema with another format than `date-time`. */
const FORMATS: Readonly<Record<string, string>> = {
  uuid: "A UUID.",
  date: "A date such as 2026-11-28.",
  uri: "A URL.",
  email: "An email address.",
  ipv4: "An IPv4 address.",
  ipv6: "An IPv6 address.",
};

/** The types that a property has whose schema names none. */
const ANY_TYPE = ["string", "number", "boolean", "null"];

/**
 * Writes a JSON schema in the words that all hosts of MCP take: one `type` or `anyOf` for each property, values of an enum that
 * are not empty, no `const`, no pattern of a number, and no format but `date-time`.
 */
export function strictSchema(schema: unknown): Fields {
  const { type, const: only, anyOf, description, default: byDefault, ...rest } = Fields.parse(schema);
  const about = {
    ...(description !== undefined && { description }),
    ...(byDefault !== undefined && { default: byDefault }),
  };
  if (anyOf !== undefined) return { ...about, anyOf: z.array(z.unknown()).parse(anyOf).flatMap(alternatives) };
  if (only !== undefined) return strictSchema({ ...rest, ...about, type, enum: [only] });
  if (typeof type === "string") return plainSchema({ ...about, ...rest, type });
  const types = type === undefined ? ANY_TYPE : z.array(z.string()).parse(type);
  return {
    ...about,
    anyOf: types.map((one) => (one === "null" ? { type: one } : plainSchema({ ...rest, type: one }))),
  };
}

/** An alternative, or those of it if it has several. */
function alternatives(schema: unknown): unknown[] {
  const { anyOf, ...written } = strictSchema(schema);
  return anyOf === undefined ? [written] : z.array(z.unknown()).parse(anyOf);
}

/** A schema with one type. */
function plainSchema({ format, pattern, description, enum: values, items, properties, ...rest }: Fields): Fields {
  const isKept = format === "date-time" || format === undefined;
  const look = isKept ? undefined : (FORMATS[String(format)] ?? `Format: ${String(format)}.`);
  const sentences = [description, look].filter((sentence) => sentence !== undefined);
  return {
    ...rest,
    ...(format === "date-time" && { format }),
    ...(rest.type === "string" && pattern !== undefined && { pattern }),
    ...(sentences.length > 0 && { description: sentences.join(" ") }),
    ...(values !== undefined && {
      enum: z
        .array(z.unknown())
        .parse(values)
        .filter((value) => value !== "" && value !== null),
    }),
    ...(items !== undefined && { items: strictSchema(items) }),
    ...(properties !== undefined && { properties: strictProperties(properties) }),
  };
}

/** The schemas of an object's properties. */
export function strictProperties(properties: unknown): Fields {
  return Object.fromEntries(Object.entries(Fields.parse(properties)).map(([name, one]) => [name, strictSchema(one)]));
}
