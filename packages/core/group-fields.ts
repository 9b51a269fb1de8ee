import * as z from "zod";
import { text } from "./text.ts";

const MAX_SETTINGS_BYTES = 16 * 1024;

/** The name of an organization or team. */
export const GroupName = text({ max: 100 });

/** The description of an organization or team; may be empty. */
export const GroupDescription = text({ min: 0, max: 1000 });

/** The settings of an organization or team: any JSON object of at most 16 KB. */
export const GroupSettings = z
  .record(z.string(), z.unknown())
  .refine(
    (settings) => Buffer.byteLength(JSON.stringify(settings)) <= MAX_SETTINGS_BYTES,
    "must not be larger than 16 KB",
  )
  .meta({ description: "Any JSON object of at most 16 KB. It replaces the stored one." });
