import * as z from "zod";
import { LENGTHS } from "../lengths.generated.ts";
import { text, textOrNull } from "./text.ts";

const MAX_SETTINGS_KB = 16;

/** The name of an organization or team. */
export const GroupName = text(LENGTHS.organizations.name);

/** The optional fields of an organization or team. An empty description counts as none. */
export const OPTIONAL_GROUP_FIELDS = {
  description: text({ ...LENGTHS.organizations.description, min: 0 }).nullish(),
  settings: z
    .record(z.string(), z.unknown())
    .refine(
      (settings) => Buffer.byteLength(JSON.stringify(settings)) <= MAX_SETTINGS_KB * 1024,
      `must not be larger than ${MAX_SETTINGS_KB} KB`,
    )
    .meta({ description: `Any JSON object of at most ${MAX_SETTINGS_KB} KB. It replaces the stored one.` })
    .nullish(),
};
type OptionalGroupFields = z.output<z.ZodObject<typeof OPTIONAL_GROUP_FIELDS>>;

/** The optional fields as columns. A missing field is undefined: it keeps its value or gets the default. */
export function optionalGroupColumns({ description, settings }: OptionalGroupFields) {
  return {
    description: description === undefined ? undefined : textOrNull(description),
    settings: settings === undefined ? undefined : JSON.stringify(settings ?? {}),
  };
}
