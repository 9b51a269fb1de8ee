import * as z from "zod";

/** Keywords that the vendor's strict mode refuses. The reply is checked against them. */
const REFUSED_KEYWORDS = ["minLength", "maxLength", "default"] as const;

/** Leaves out names of schemas: a named one becomes a reference, which the vendor refuses at the root. */
const withoutNames = z.registry<{ id?: string }>();

/**
 * The JSON Schema of a reply for the vendor's strict mode: an object at the root, every object closed, every property
 * required, and no refused keyword. Descriptions are kept, because the model reads them.
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
