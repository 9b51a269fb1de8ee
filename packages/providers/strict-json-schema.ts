import { z } from "zod";

/** Keywords that the vendor's strict mode refuses. What they demand is checked when the reply is there. */
const refusedKeywords = ["minLength", "maxLength", "default"] as const;

/**
 * The JSON Schema of a reply as the vendor's strict mode wants it: every object closed, every property required, and
 * none of the keywords it refuses.
 */
export function strictJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const {
    $schema: _,
    "~standard": _standard,
    ...whole
  } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      for (const keyword of refusedKeywords) delete jsonSchema[keyword];
      if (jsonSchema.type === "object") {
        jsonSchema.additionalProperties = false;
        jsonSchema.required = Object.keys(jsonSchema.properties ?? {});
      }
    },
  });
  return whole;
}
