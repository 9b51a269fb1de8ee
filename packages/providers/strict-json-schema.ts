import * as z from "zod";

/** Keywords that the vendor's strict mode refuses. What they demand is checked when the reply is there. */
const REFUSED_KEYWORDS = ["minLength", "maxLength", "default"] as const;

/** No names for schemas: a named one becomes a reference, and the vendor takes none at the root. */
const withoutNames = z.registry<{ id?: string }>();

/**
 * The JSON Schema of a reply as the vendor's strict mode wants it: an object at the root, every object closed, every
 * property required, and none of the keywords it refuses. Descriptions are kept: the model reads them.
 */
export function strictJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const {
    $schema: _,
    "~standard": _standard,
    ...whole
  } = z.toJSONSchema(schema, {
    io: "input",
    metadata: withoutNames,
    override: ({ zodSchema, jsonSchema }) => {
      for (const keyword of REFUSED_KEYWORDS) delete jsonSchema[keyword];
      const description = z.globalRegistry.get(zodSchema)?.description;
      if (description !== undefined) jsonSchema.description = description;
      if (jsonSchema.type === "object") {
        jsonSchema.additionalProperties = false;
        jsonSchema.required = Object.keys(jsonSchema.properties ?? {});
      }
    },
  });
  return whole;
}
