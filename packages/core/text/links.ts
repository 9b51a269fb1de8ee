import * as z from "zod";

/** Requires both slashes and refuses characters that a URL parser would drop or read as a slash: the text is stored as it was sent. */
const WEB_ADDRESS = /^https?:\/\/[^\s\\\p{Cc}]+$/u;

/** An http or https address, at most 2,048 characters. It is stored and never fetched. */
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

/** An https address, at most 2,048 characters. It is stored and never fetched. */
export const HttpsLink = WebLink.refine((value) => value.startsWith("https://"), "must be an https address").meta({
  format: "uri",
  maxLength: 2048,
});
