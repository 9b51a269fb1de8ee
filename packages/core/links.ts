import { z } from "zod";

/** The address of something on the web: http or https, at most 2,048 characters. It is stored and never fetched. */
export const WebLink = z
  .string()
  .trim()
  .max(2048, "must have at most 2048 characters")
  .refine((value) => {
    if (!URL.canParse(value) || !value.isWellFormed() || value.includes("\u0000")) return false;
    return /^https?:$/.test(new URL(value).protocol);
  }, "must be an http or https address")
  .meta({ format: "uri", maxLength: 2048 });
