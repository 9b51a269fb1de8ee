import * as z from "zod";

/** The parts of a JSON schema that this project's reference has. */
export const JsonSchema = z.object({
  $ref: z.string().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  description: z.string().optional(),
  examples: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.union([z.boolean(), z.record(z.string(), z.unknown())]).optional(),
  propertyNames: z.unknown().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});
export type JsonSchema = z.output<typeof JsonSchema>;

/** The name that a reference to a named schema has, such as `Entry`. */
export function schemaName(ref: string): string {
  return ref.replace("#/components/schemas/", "");
}
