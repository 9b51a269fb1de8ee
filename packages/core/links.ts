import { z } from "zod";

/** Two slashes must be there and nothing that a URL parser would drop or read as a slash: it is stored as it was given. */
const WEB_ADDRESS = /^https?:\/\/[^\s\\\p{Cc}]+$/u;

/** The address of something on the web: http or https, at most 2,048 characters. It is stored and never fetched. */
export const WebLink = z
  .string()
  .trim()
  .overwrite((value) => value.replace(/^https?:/i, (scheme) => scheme.toLowerCase()))
  .max(2048, "must have at most 2048 characters")
  .refine(
    (value) => WEB_ADDRESS.test(value) && value.isWellFormed() && URL.canParse(value),
    "must be an http or https address",
  )
  .meta({ format: "uri", maxLength: 2048 });

/** The https address of something on the web, at most 2,048 characters. It is stored and never fetched. */
export const HttpsLink = WebLink.refine((value) => value.startsWith("https://"), "must be an https address").meta({
  format: "uri",
  maxLength: 2048,
});
