import * as z from "zod";
import { LENGTHS } from "../lengths.generated.ts";

/** Requires both slashes and refuses characters that a URL parser would drop or read as a slash: the text is stored as it was sent. */
const WEB_ADDRESS = /^https?:\/\/[^\s\\\p{Cc}]+$/u;

const { max: maxLength } = LENGTHS.profiles.avatar_url;

/** An http or https address. It is stored and never fetched. */
export const WebLink = z
  .string()
  .trim()
  .overwrite((value) => value.replace(/^https?:/i, (scheme) => scheme.toLowerCase()))
  .max(maxLength, `must have at most ${maxLength} characters`)
  .refine(
    (value) => WEB_ADDRESS.test(value) && value.isWellFormed() && URL.canParse(value),
    "must be an http or https address",
  )
  .meta({ format: "uri", maxLength });

/** An https address. It is stored and never fetched. */
export const HttpsLink = WebLink.refine((value) => value.startsWith("https://"), "must be an https address").meta({
  format: "uri",
  maxLength,
});
