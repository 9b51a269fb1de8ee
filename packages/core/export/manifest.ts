import * as z from "zod";

/** A file of an export. */
export const ManifestFile = z.object({
  path: z.string(),
  sha256: z.string(),
  bytes: z.int(),
  /** How many rows a list has; null for everything else. */
  rows: z.int().nullable(),
});
export type ManifestFile = z.infer<typeof ManifestFile>;

/** manifest.json of an export: what it is, and every other file of it. */
export const Manifest = z.object({
  format: z.literal("nectar-export"),
  version: z.literal(1),
  generated_at: z.iso.datetime(),
  user_id: z.guid(),
  files: z.array(ManifestFile),
});
export type Manifest = z.infer<typeof Manifest>;
