import type { z } from "zod";

/** The body of a PUT: every field may be absent, but at least one that can be written must be there. */
export function atLeastOneField<Schema extends z.ZodObject>(schema: Schema): Schema {
  return schema.refine(
    (fields) => Object.values(fields).some((value) => value !== undefined),
    "must name at least one field to change",
  );
}
