type Json = Readonly<Record<string, unknown>>;

/** Words that OpenAPI 3.0 does not have, except as names of fields; an `enum` stands beside each constant. */
const NEW_WORDS = ["const", "identifier"];

/** Writes our reference as OpenAPI 3.0, for tools that read nothing newer. Values in examples stay as they are. */
export function olderDocument(document: unknown): unknown {
  return { ...Object(older(document)), openapi: "3.0.3" };
}

function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older);
  if (!isObject(value)) return value;
  const schema = Object.fromEntries(
    Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
      if (key === "propertyNames" || (NEW_WORDS.includes(key) && !isObject(child))) return [];
      if (key === "examples" && Array.isArray(child)) return [["example", child[0]]];
      return [[key, ["example", "default", "enum"].includes(key) ? child : older(child)]];
    }),
  );
  return withOneType(withoutSiblings(schema));
}

/** Whatever stands beside a reference is ignored, unless the reference is a part of a schema. */
function withoutSiblings({ $ref, ...about }: Json): Json {
  if ($ref === undefined) return about;
  return Object.keys(about).length === 0 ? { $ref } : { ...about, allOf: [{ $ref }] };
}

function withOneType(schema: Json): Json {
  const { type, exclusiveMinimum } = schema;
  const bound = typeof exclusiveMinimum === "number" ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : {};
  if (!Array.isArray(type)) return { ...schema, ...bound };
  const [only, ...others] = type.filter((name) => name !== "null");
  if (others.length > 0) throw new Error(`OpenAPI 3.0 has no type ${type.join(" or ")}.`);
  return { ...schema, ...bound, type: only, nullable: true };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
