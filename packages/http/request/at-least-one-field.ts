import type * as z from "zod";

/** The body of a PUT: each field is optional, but at least one must be given. */
export function atLeastOneField<Schema extends z.ZodObject>(schema: Schema): Schema {
  return schema.refine(
    (fields) => Object.values(fields).some((value) => value !== undefined),
    "must have at least one field to change",
  );
}
